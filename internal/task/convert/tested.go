package convert

import (
	"encoding/json"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/task"
)

// testedKey is the metadata key of a v2 file for the times at which features were tested, which its
// check boxes cannot hold (F-68).
const testedKey = "tested_at"

// keepTested writes into a v2 file when the features of s were tested, by the texts of the
// criteria.
func keepTested(next, s *task.State) *task.State {
	var list struct {
		Features []struct {
			Description string `json:"description"`
			TestedAt    string `json:"tested_at"`
		} `json:"features"`
	}
	if s.Features.Len() == 0 || json.Unmarshal(s.Features.Of(s.Bytes()), &list) != nil {
		return next
	}
	var pairs []string
	for _, f := range list.Features {
		if f.TestedAt != "" {
			pairs = append(pairs, jsontext.Quote(f.Description)+": "+jsontext.Quote(f.TestedAt))
		}
	}
	var keys []task.KeyValue
	if len(pairs) > 0 {
		keys = append(keys, task.KeyValue{Key: testedKey, JSON: "{" + strings.Join(pairs, ", ") + "}"})
	}
	if raw := s.Features.Of(s.Bytes()); says(raw) {
		keys = append(keys, task.KeyValue{Key: checklistKey, JSON: strings.TrimSpace(string(raw))})
	}
	kept, ok := next.SetMeta(keys...)
	if !ok {
		return next
	}
	return kept
}

// testedBefore returns when criteria were tested, by their texts.
func testedBefore(s *task.State) map[string]string {
	out := map[string]string{}
	if raw, ok := s.MetaRaw(testedKey); ok {
		_ = json.Unmarshal(raw, &out) // a value of another kind is somebody else's
	}
	return out
}

// checklistKey is the metadata key of a v2 file for a checklist that says more than its features.
const checklistKey = "checklist"

// says reports whether a checklist has keys that a v2 file has no place for.
func says(raw []byte) bool {
	var top map[string]json.RawMessage
	var features []map[string]json.RawMessage
	if json.Unmarshal(raw, &top) != nil || json.Unmarshal(top["features"], &features) != nil {
		return false
	}
	delete(top, "features")
	delete(top, "overall_progress")
	more := len(top)
	for _, f := range features {
		for _, known := range [...]string{"id", "description", "verify", "passes", "tested_at"} {
			delete(f, known)
		}
		more += len(f)
	}
	return more > 0
}
