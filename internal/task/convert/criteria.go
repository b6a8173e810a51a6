package convert

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
)

// convertCriteria converts criteria to features or features to criteria, by their text (5.12.1).
func convertCriteria(s *task.State, to task.Dialect, _ time.Time) (*task.State, error) {
	if to.V1() {
		return addChecklist(s)
	}
	return dropChecklist(s)
}

// addChecklist adds the checklist of a v1 file, with one feature for each criterion. A file that
// already has a checklist keeps it.
func addChecklist(s *task.State) (*task.State, error) {
	if s.Features.Len() > 0 {
		return s, nil
	}
	section, ok := s.Find(task.FeatureChecklist)
	if !ok {
		return s, nil
	}
	return s.Splice(s.PlaceBlock(section, "```json\n"+checklistJSON(s)+"\n```", true))
}

// checklistJSON returns the checklist that corresponds to the check boxes. tested_at is null if the
// time of a test is unknown.
func checklistJSON(s *task.State) string {
	if text, ok := checklistBefore(s); ok {
		return text
	}
	passing := 0
	var b strings.Builder
	b.WriteString("{\n  \"features\": [")
	for i, c := range s.Criteria {
		if i > 0 {
			b.WriteString(",")
		}
		if c.Checked {
			passing++
		}
		b.WriteString("\n    " + newFeature(s, i))
	}
	if len(s.Criteria) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("],\n  \"overall_progress\": \"" + task.Percent(passing, len(s.Criteria)) + "\"\n}")
	return b.String()
}

// newFeature returns the feature that corresponds to a criterion.
func newFeature(s *task.State, i int) string {
	c, passes, when := s.Criteria[i], "false", "null"
	if c.Checked {
		passes = "true"
	}
	if t := testedBefore(s)[c.Text]; t != "" && c.Checked {
		when = jsontext.Quote(t)
	}
	verify := ""
	if c.Verify != "" {
		verify = "      \"verify\": " + jsontext.Quote(c.Verify) + ",\n"
	}
	return "{\n      \"id\": " + jsontext.Quote(task.Slug(s.Title)+"-"+strconv.Itoa(i+1)) +
		",\n      \"description\": " + jsontext.Quote(c.Text) + ",\n" + verify +
		"      \"passes\": " + passes + ",\n      \"tested_at\": " + when + "\n    }"
}

// dropChecklist turns features into check boxes and removes the checklist. A criterion that is both
// a box and a feature stays checked if both were (5.7.3).
func dropChecklist(s *task.State) (*task.State, error) {
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
				lines = append(lines, task.VerifyLine(safetext.OneLine(c.Verify)))
			}
		case c.Feature >= 0 && (mark == "x") != s.BoxChecked(c):
			edits = append(edits, markdown.Edit{Span: c.Box, Text: []byte(mark)})
		}
		if command := safetext.OneLine(c.Verify); c.Feature >= 0 && c.Box.Len() > 0 && command != "" {
			if e, ok := s.VerifyEdit(c.Box, command); ok { // only the feature had the command
				edits = append(edits, e)
			}
		}
	}
	for _, section := range s.All(task.FeatureChecklist) {
		e := markdown.Edit{Span: markdown.Span{Start: section.Heading.Start, End: section.Body.End}}
		if rest := aroundFeatures(s, section.Body); rest != "" {
			e.Text = markdown.Fold("## "+checklistNotes+"\n\n"+rest+"\n\n", s.Document().EOL(section.Heading.Start))
		}
		edits = append(edits, e)
	}
	if len(lines) > 0 {
		edits = append(edits, criteriaEdit(s, strings.Join(lines, "\n")))
	}
	return s.Splice(edits...)
}

// checklistNotes is the section for what people wrote beside the features of a checklist.
const checklistNotes = "Notes on the Checklist"

// aroundFeatures returns the text of a checklist's section without the block of its features.
func aroundFeatures(s *task.State, body markdown.Span) string {
	src, from, to := s.Bytes(), body.End, body.End
	if f := s.Features; f.Len() > 0 && f.Start >= body.Start && f.End <= body.End {
		fence, above := "```", src[body.Start:f.Start]
		if bytes.LastIndex(above, []byte("\n~~~")) > bytes.LastIndex(above, []byte("\n```")) {
			fence = "~~~"
		}
		from = body.Start + max(0, bytes.LastIndex(above, []byte("\n"+fence))+1)
		to = f.End + max(0, bytes.Index(src[f.End:body.End], []byte(fence)))
		to += max(0, bytes.IndexByte(src[to:body.End], '\n')+1)
		if !bytes.Contains(src[to:body.End], []byte("\n")) && bytes.HasPrefix(src[to:], []byte(fence)) {
			to = body.End
		}
	}
	rest := string(src[body.Start:from]) + string(src[to:body.End])
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "---")) // the rule before the next section
}

// criteriaEdit adds lines at the end of the acceptance criteria, and their heading if it is
// missing.
func criteriaEdit(s *task.State, lines string) markdown.Edit {
	for _, section := range s.All(task.ContextKind) {
		headings := task.HeadingsIn(s.Document(), section.Body)
		for i, h := range headings {
			if h.Level != 3 || task.FoldName(string(h.Text.Of(s.Bytes()))) != "acceptance criteria" {
				continue
			}
			body := task.PartBody(headings, i, max(task.ContentEnd(s.Document(), section.Body), h.Span.End))
			at := task.TrimEnd(s.Document(), body.Start, body.End)
			eol := s.Document().EOL(at)
			return markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: markdown.Fold(lines+"\n", eol)}
		}
	}
	section, _ := s.Find(task.ContextKind)
	return s.PlaceBlock(section, "### Acceptance Criteria\n"+lines, true)
}

// convertMeta adds the metadata keys that a new file of the dialect has (5.5). Their values come
// from the file itself.
func convertMeta(s *task.State, to task.Dialect, now time.Time) (*task.State, error) {
	status := jsontext.Quote(string(s.Status()))
	stamp := jsontext.Quote(task.JSONStamp(now))
	keys := []task.KeyValue{
		{Key: "task_id", JSON: task.JSONID(string(s.ID))},
		{Key: "epic_id", JSON: "null"},
		{Key: "status", JSON: status},
		{Key: "total_sessions", JSON: "0"},
	}
	if to.V1() {
		keys = []task.KeyValue{
			{Key: "task_id", JSON: task.JSONID(string(s.ID))},
			{Key: "created_at", JSON: stamp},
			{Key: "updated_at", JSON: stamp},
			{Key: "total_sessions", JSON: "0"},
			{Key: "archived_sessions", JSON: "0"},
			{Key: "recent_sessions", JSON: "0"},
			{Key: "file_size_kb", JSON: "0"},
			{Key: "archive_path", JSON: "null"},
			{Key: "status", JSON: status},
			{Key: "completed_at", JSON: "null"},
		}
	}
	if _, epic := s.Epic(); epic != "" && !to.V1() {
		keys[1].JSON = task.JSONID(epic)
	}
	if !s.Meta.Present {
		next, section, err := s.EnsureSection(task.Metadata)
		if err != nil {
			return nil, err
		}
		return next.Splice(next.PlaceBlock(section, "```json\n"+task.JSONObject(keys)+"\n```", false))
	}
	var missing []task.KeyValue
	for _, key := range keys {
		if !s.Meta.Has(key.Key) {
			missing = append(missing, key)
		}
	}
	next, ok := s.SetMeta(missing...)
	if !ok {
		return nil, s.NoMetadata("task.convert", "be converted")
	}
	return next, nil
}
