package task

import (
	"strconv"
	"time"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// SetCriterion checks or unchecks criterion n (1-based) wherever the file stores it (5.7.3). In a
// check box only the character between the brackets changes. In a feature, "passes" changes,
// "tested_at" if the file's features have that key, and "overall_progress" if the file has it
// (5.7.2). If the criterion already has the state, nothing changes. Errors: NotFound
// criterion_unknown; Violation unclosed_fence.
func (s *State) SetCriterion(n int, checked bool, now time.Time) (*State, error) {
	if n < 1 || n > len(s.Criteria) {
		return nil, s.noCriterion(n)
	}
	criterion := s.Criteria[n-1]
	var edits []markdown.Edit
	if criterion.Box.Len() > 0 && s.BoxChecked(criterion) != checked {
		mark := " "
		if checked {
			mark = "x"
		}
		edits = append(edits, markdown.Edit{Span: criterion.Box, Text: []byte(mark)})
	}
	if criterion.Feature >= 0 {
		edit, changed, err := s.setFeature(criterion.Feature, checked, now)
		if err != nil {
			return nil, err
		}
		if changed {
			edits = append(edits, edit)
		}
	}
	return s.Splice(edits...)
}

// noCriterion returns the error for a number that no criterion has.
func (s *State) noCriterion(n int) error {
	return &report.Error{
		Op: "task.check", Kind: report.NotFound, Code: report.CodeCriterionUnknown, Path: StateName(s.ID),
		Message: "task " + s.ID.Ref() + " has no criterion " + strconv.Itoa(n),
	}
}

// BoxChecked reports whether the box itself is checked. A criterion that also has a feature counts
// as checked only if both are.
func (s *State) BoxChecked(criterion Criterion) bool {
	for _, c := range criterion.Box.Of(s.Bytes()) {
		if c == 'x' || c == 'X' {
			return true
		}
	}
	return false
}

// setFeature rewrites the checklist's JSON text for one feature.
func (s *State) setFeature(at int, checked bool, now time.Time) (edit markdown.Edit, changed bool, err error) {
	features := s.readFeaturesQuietly()
	if at >= len(features) {
		return edit, false, s.noCriterion(at + 1)
	}
	eol := s.doc.EOL(s.Features.Start)
	old := s.Features.Of(s.Bytes())
	stamped := false
	for _, f := range features {
		stamped = stamped || f.testedAt
	}
	object := features[at].span.Of(s.Bytes())
	if features[at].passes == checked && hasKey(object, "passes") {
		return edit, false, nil
	}
	pass, tested := "false", "null"
	if checked {
		pass, tested = "true", jsontext.Quote(JSONStamp(now))
	}
	object, ok := jsontext.Set(object, "passes", pass, eol)
	if ok && stamped {
		object, ok = jsontext.Set(object, "tested_at", tested, eol)
	}
	if !ok {
		return edit, false, &report.Error{
			Op: "task.check", Kind: report.Corrupt, Code: report.CodeOpaqueSection, Path: StateName(s.ID),
			Line: s.doc.LineNumber(features[at].span.Start),
			Message: "feature " + strconv.Itoa(at+1) + " of " + StateName(s.ID) +
				" is not a JSON object, so it cannot be checked",
			Hint: "write it as {\"id\": …, \"description\": …, \"passes\": false}",
		}
	}
	start, end := features[at].span.Start-s.Features.Start, features[at].span.End-s.Features.Start
	text := append(append(append([]byte(nil), old[:start]...), object...), old[end:]...)
	if hasKey(text, "overall_progress") {
		passing := 0
		for i, f := range features {
			if i == at && checked || i != at && f.passes {
				passing++
			}
		}
		if out, ok := jsontext.Set(text, "overall_progress", jsontext.Quote(Percent(passing, len(features))), eol); ok {
			text = out
		}
	}
	return markdown.Edit{Span: s.Features, Text: text}, true, nil
}

// WithProgress returns the task with the "overall_progress" of its checklist, if the file has it,
// as its features say. Error: Violation unclosed_fence.
func (s *State) WithProgress() (*State, error) {
	text := s.Features.Of(s.Bytes())
	if s.Features.Len() == 0 || !hasKey(text, "overall_progress") {
		return s, nil
	}
	features, passing := s.readFeaturesQuietly(), 0
	for _, f := range features {
		if f.passes {
			passing++
		}
	}
	out, ok := jsontext.Set(text, "overall_progress", jsontext.Quote(Percent(passing, len(features))),
		s.doc.EOL(s.Features.Start))
	if !ok {
		return s, nil
	}
	return s.Splice(markdown.Edit{Span: s.Features, Text: out})
}

// readFeaturesQuietly reads the features again without adding findings, because a State never
// changes after it is read.
func (s *State) readFeaturesQuietly() []feature {
	again := State{ID: s.ID, Sections: s.Sections, doc: s.doc}
	return again.readFeatures()
}

func hasKey(object []byte, name string) bool {
	node, err := jsontext.Relaxed(object)
	if err != nil {
		return false
	}
	_, ok := node.Member(name)
	return ok
}

// Percent returns 100 × part ÷ whole, rounded half up.
func Percent(part, whole int) string {
	if whole == 0 {
		return "0%"
	}
	return strconv.Itoa(safetext.Percent(part, whole)) + "%"
}
