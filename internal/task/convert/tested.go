package convert

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/task"
)

// testedKey is the metadata key of a v2 file for the times at which features were tested, which its
// check boxes cannot hold (F-68).
const testedKey = "tested_at"

// keepTested writes into a v2 file when the features of s were tested, by the texts of the
// criteria.
func keepTested(next, s *task.State) *task.State {
	type feature struct {
		Description any `json:"description"`
		TestedAt    any `json:"tested_at"`
	}
	var list struct {
		Features []feature `json:"features"`
	}
	if raw := s.Features.Of(s.Bytes()); s.Features.Len() == 0 ||
		json.Unmarshal(raw, &list.Features) != nil && json.Unmarshal(raw, &list) != nil {
		return next
	}
	var pairs []string
	for _, f := range list.Features {
		text, _ := f.Description.(string)
		if when, _ := f.TestedAt.(string); when != "" {
			pairs = append(pairs, jsontext.Quote(text)+": "+jsontext.Quote(when))
		}
	}
	var keys []task.KeyValue
	switch less, ok := next.DeleteMeta(testedKey); {
	case len(pairs) > 0:
		keys = append(keys, task.KeyValue{Key: testedKey, JSON: "{" + strings.Join(pairs, ", ") + "}"})
	case ok && len(testedBefore(next)) > 0:
		next = less
	}
	if raw := s.Features.Of(s.Bytes()); says(raw, task.Slug(s.Title)) {
		keys = append(keys, task.KeyValue{Key: checklistKey, JSON: strings.TrimSpace(string(raw))})
	} else if less, ok := next.DeleteMeta(checklistKey); ok && next.Meta.Has(checklistKey) {
		next = less
	}
	if kept, ok := next.SetMeta(keys...); ok {
		next = kept
	}
	return next
}

// withoutKept removes from a v1 file what keepTested wrote, because its features have it now and
// would make it stale. It stays if v2 would not get the bytes of s again without it (F-68).
func withoutKept(v1, s *task.State, now time.Time) *task.State {
	if !v1.Meta.Has(testedKey) && !v1.Meta.Has(checklistKey) {
		return v1
	}
	var keys []string
	if len(testedBefore(v1)) > 0 {
		keys = append(keys, testedKey)
	}
	if _, ours := checklistBefore(v1); ours {
		keys = append(keys, checklistKey)
	}
	less, ok := v1.DeleteMeta(keys...)
	if !ok {
		return v1
	}
	v2, err := To(less.WithBytes(less.Bytes()), task.V2, now)
	if err != nil || !bytes.Equal(v2.Bytes(), s.Bytes()) {
		return v1
	}
	return less
}

// isUnedited reports whether a v1 file is still as it was made from v2, which has what keepTested
// wrote at an earlier conversion.
func isUnedited(v1, v2 *task.State, now time.Time) bool {
	if !v2.Meta.Has(testedKey) && !v2.Meta.Has(checklistKey) {
		return false
	}
	again, err := To(v2.WithBytes(v2.Bytes()), v1.Dialect, now)
	return err == nil && bytes.Equal(again.Bytes(), v1.Bytes())
}

// testedBefore returns when criteria were tested, by their texts.
func testedBefore(s *task.State) map[string]string {
	out := map[string]string{}
	if raw, ok := s.MetaRaw(testedKey); ok {
		_ = json.Unmarshal(raw, &out) // a value of another kind is somebody else's
	}
	return out
}
