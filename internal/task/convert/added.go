package convert

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/task"
)

// addedKey is the metadata key that says what a conversion to the first dialect added, so that the
// conversion back can remove it (F-68).
const addedKey = "converted_from_v2"

// sectionPrefix precedes the names of sections among what a conversion added.
const sectionPrefix = "## "

// noteAdded records in the metadata which keys and sections next has and the v2 file s had not.
func noteAdded(next, s *task.State) *task.State {
	if s.Dialect != task.V2 || !s.Meta.Valid {
		return next
	}
	var added []string
	for _, key := range next.Meta.Keys {
		if !s.Meta.Has(key) {
			added = append(added, jsontext.Quote(key))
		}
	}
	for _, section := range next.Sections {
		if _, had := s.Find(section.Kind); !had && section.Kind != task.Unknown {
			added = append(added, jsontext.Quote(sectionPrefix+section.Name))
		}
	}
	noted, ok := next.SetMeta(task.KeyValue{Key: addedKey, JSON: "[" + strings.Join(added, ", ") + "]"})
	if !ok {
		return next
	}
	return noted
}

// withoutAdded removes what a conversion from v2 added and nobody filled in since: keys that say no
// more than in a new file, and sections that are empty.
func withoutAdded(s *task.State) (*task.State, error) {
	raw, ok := s.MetaRaw(addedKey)
	var added []string
	if !ok || json.Unmarshal(raw, &added) != nil {
		return s, nil
	}
	var edits []markdown.Edit
	for _, section := range s.Sections {
		body := bytes.TrimSpace(section.Body.Of(s.Bytes()))
		body = bytes.TrimSpace(bytes.TrimRight(body, "-")) // the rule before the next section
		if section.Kind == task.Unknown || section.Kind == task.FeatureChecklist ||
			!slices.ContainsFunc(added, func(a string) bool { return a == sectionPrefix+section.Name }) {
			continue
		}
		if len(body) == 0 || string(body) == newSectionText(task.V1C, section.Kind) {
			edits = append(edits, markdown.Edit{
				Span: markdown.Span{Start: section.Heading.Start, End: section.Body.End},
			})
		}
	}
	next, err := s.Splice(edits...)
	if err != nil {
		return nil, err
	}
	keys := []string{addedKey}
	for _, key := range added {
		if strings.HasPrefix(key, sectionPrefix) {
			continue
		}
		switch value, _ := next.MetaRaw(key); {
		case key == "status": // v2 has this key too, and its value may be new
		case key == "archived_sessions" && string(value) != "0":
		case (key == "completed_at" || key == "archive_path") && string(value) != "null":
		default:
			keys = append(keys, key)
		}
	}
	if less, ok := next.DeleteMeta(keys...); ok {
		return less, nil
	}
	return next, nil
}
