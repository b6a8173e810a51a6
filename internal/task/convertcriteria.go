package task

import (
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/safetext"
)

// convertCriteria exchanges criteria and features by text (5.12.1).
func (s *State) convertCriteria(to Dialect, _ time.Time) (*State, error) {
	if to.V1() {
		return s.addChecklist()
	}
	return s.dropChecklist()
}

// addChecklist writes the checklist of a v1 file, one feature per criterion that has none. A file that has a
// checklist keeps it.
func (s *State) addChecklist() (*State, error) {
	if s.features.Len() > 0 {
		return s, nil
	}
	section, ok := s.Find(FeatureChecklist)
	if !ok {
		return s, nil
	}
	return s.Splice(s.placeBlock(section, "```json\n"+s.checklistJSON()+"\n```", true))
}

// checklistJSON is the checklist that says what the check boxes say. When something was tested is not known.
func (s *State) checklistJSON() string {
	base, passing := slug(s.Title), 0
	var b strings.Builder
	b.WriteString("{\n  \"features\": [")
	for i, c := range s.Criteria {
		if i > 0 {
			b.WriteString(",")
		}
		passes := "false"
		if c.Checked {
			passes = "true"
			passing++
		}
		b.WriteString("\n    {\n      \"id\": " + quoteJSON(base+"-"+itoa(i+1)) + ",\n      \"description\": " + quoteJSON(c.Text) + ",\n")
		if c.Verify != "" {
			b.WriteString("      \"verify\": " + quoteJSON(c.Verify) + ",\n")
		}
		b.WriteString("      \"passes\": " + passes + ",\n      \"tested_at\": null\n    }")
	}
	if len(s.Criteria) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("],\n  \"overall_progress\": \"" + percent(passing, len(s.Criteria)) + "\"\n}")
	return b.String()
}

// dropChecklist turns features into check boxes and takes the checklist out. A criterion that both stores hold is
// checked afterwards when it was in both (5.7.3).
func (s *State) dropChecklist() (*State, error) {
	var edits []markdown.Edit
	var lines []string
	for _, c := range s.Criteria {
		mark := " "
		if c.Checked {
			mark = "x"
		}
		switch {
		case c.Feature >= 0 && c.Box.Len() == 0:
			lines = append(lines, "- ["+mark+"] "+safetext.OneLine(c.Text))
			if c.Verify != "" {
				lines = append(lines, verifyLine(safetext.OneLine(c.Verify)))
			}
		case c.Feature >= 0 && (mark == "x") != s.boxChecked(c):
			edits = append(edits, markdown.Edit{Span: c.Box, Text: []byte(mark)})
		}
	}
	for _, section := range s.All(FeatureChecklist) {
		edits = append(edits, markdown.Edit{Span: markdown.Span{Start: section.Heading.Start, End: section.Body.End}})
	}
	if len(lines) > 0 {
		edits = append(edits, s.criteriaEdit(strings.Join(lines, "\n")))
	}
	return s.Splice(edits...)
}

// criteriaEdit adds lines at the end of the acceptance criteria, with their heading where there is none.
func (s *State) criteriaEdit(lines string) markdown.Edit {
	for _, section := range s.All(ContextKind) {
		headings := headingsIn(s.doc, section.Body)
		for i, h := range headings {
			if h.Level != 3 || foldName(string(h.Text.Of(s.Bytes()))) != "acceptance criteria" {
				continue
			}
			body := partBody(headings, i, max(contentEnd(s.doc, section.Body), h.Span.End))
			at := trimEnd(s.doc, body.Start, body.End)
			eol := s.doc.EOL(at)
			return markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: markdown.Fold(lines+"\n", eol)}
		}
	}
	section, _ := s.Find(ContextKind)
	return s.placeBlock(section, "### Acceptance Criteria\n"+lines, true)
}

// convertMeta adds the metadata keys that a new file of the dialect has (5.5), with what the file itself knows.
func (s *State) convertMeta(to Dialect, now time.Time) (*State, error) {
	status := quoteJSON(string(s.Status()))
	stamp := quoteJSON(jsonStamp(now))
	keys := []KeyValue{{"task_id", jsonID(string(s.ID))}, {"epic_id", "null"}, {"status", status}, {"total_sessions", "0"}}
	if to.V1() {
		keys = []KeyValue{
			{"task_id", jsonID(string(s.ID))},
			{"created_at", stamp},
			{"updated_at", stamp},
			{"total_sessions", "0"},
			{"archived_sessions", "0"},
			{"recent_sessions", "0"},
			{"file_size_kb", "0"},
			{"archive_path", "null"},
			{"status", status},
			{"completed_at", "null"},
		}
	}
	if _, epic := s.Epic(); epic != "" && !to.V1() {
		keys[1].JSON = jsonID(epic)
	}
	if !s.Meta.Present {
		next, section, err := s.EnsureSection(Metadata)
		if err != nil {
			return nil, err
		}
		return next.Splice(next.placeBlock(section, "```json\n"+jsonObject(keys)+"\n```", false))
	}
	var missing []KeyValue
	for _, key := range keys {
		if !s.Meta.has(key.Key) {
			missing = append(missing, key)
		}
	}
	next, ok := s.SetMeta(missing...)
	if !ok {
		return nil, s.noMetadata("task.convert", "be converted")
	}
	return next, nil
}
