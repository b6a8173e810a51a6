package task

import (
	"bytes"
	"encoding/json"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
)

// HandEdit and HandPatch return one of these names, or a key of the metadata.
const (
	HandMetadata = "metadata" // the block is gone or can no longer be read
	HandFeatures = "features" // a feature is gone, or its "passes" changed
)

// handKeys returns the metadata keys that baton's commands maintain. The user's own keys have no
// command, so people edit them by hand. The last ones are those that `task edit` changes.
func handKeys() [24]string {
	return [24]string{
		"status", "task_id", "total_sessions", "archived_sessions", "recent_sessions", "archive_path", "input_hashes",
		"completed_forced",
		"parent", "children", "created_at", "updated_at", "started_at", "last_session_at", "completed_at",
		"blocked_reason", "reopened_reason", StatusMergedKey, CancelledKey, DiscoveredFromKey, SourceKey,
		"dependencies", "epic_id", PriorityKey,
	}
}

// HandEdit returns the name of something that was edited by hand although a command maintains it: a
// key of the JSON metadata, HandMetadata or HandFeatures. It returns "" if only other text changed.
// Parts that could not be read before may be repaired by hand.
func HandEdit(before, after *State) string {
	if before.Meta.Valid && before.Meta.bullets == nil {
		if !after.Meta.Valid {
			return HandMetadata
		}
		was, is := before.metaValues(), after.metaValues()
		for _, key := range handKeys() {
			if was[key] != is[key] {
				return key
			}
		}
	}
	if before.Features.Len() == 0 {
		return ""
	}
	is := map[string]bool{}
	for _, f := range after.readFeaturesQuietly() {
		is[f.name()] = f.passes
	}
	for _, f := range before.readFeaturesQuietly() {
		if passes, there := is[f.name()]; !there || passes != f.passes {
			return HandFeatures
		}
	}
	return ""
}

// Editable reports whether `task edit` changes a key that HandEdit returned, so that a person may
// change it in an editor that this command opened.
func Editable(key string) bool {
	return key == "dependencies" || key == "epic_id" || key == PriorityKey
}

// name returns the feature's id, or its text if it has none.
func (f feature) name() string {
	if f.id != "" {
		return f.id
	}
	return f.text
}

// metaValues returns the JSON of each key without blanks. The last of several equal keys counts.
func (s *State) metaValues() map[string]string {
	out := map[string]string{}
	text := s.Meta.Span.Of(s.Bytes())
	node, err := jsontext.Relaxed(text)
	if err != nil {
		return out
	}
	for _, member := range node.Members {
		raw := member.Value.Span.Of(text)
		var compact bytes.Buffer
		if json.Compact(&compact, raw) == nil {
			raw = compact.Bytes()
		}
		out[member.Name] = string(raw)
	}
	return out
}

// HandPatch is HandEdit for a patch of which only the removed and added lines are known. It judges
// only lines that occur in the block and nowhere else in the file. In doubt it returns "".
func HandPatch(before *State, removed, added []string) string {
	src := string(before.Bytes())
	if old, put := strings.Join(removed, "\n"), strings.Join(added, "\n"); len(removed) > 0 &&
		strings.Count(src, old) == 1 {
		return HandEdit(before, before.WithBytes([]byte(strings.Replace(src, old, put, 1))))
	}
	again := map[string]bool{}
	for _, line := range added {
		again[bareLine(line)] = true
	}
	for _, line := range removed {
		bare := bareLine(line)
		if bare == "" || again[bare] {
			continue
		}
		if before.Meta.Valid && before.Meta.bullets == nil && before.only(before.Meta.Span, bare) {
			for _, key := range handKeys() {
				if strings.HasPrefix(bare, `"`+key+`"`) {
					return key
				}
			}
		}
		if before.Features.Len() > 0 && (strings.Contains(bare, `"passes"`) || strings.HasPrefix(bare, `"id"`)) &&
			before.only(before.Features, bare) {
			return HandFeatures
		}
	}
	return ""
}

// bareLine returns a line of JSON without its indentation and without a trailing comma, which
// depends on what follows.
func bareLine(line string) string { return strings.TrimSuffix(strings.TrimSpace(line), ",") }

// only reports whether a line occurs inside the span and nowhere else in the file.
func (s *State) only(span markdown.Span, bare string) bool {
	found := false
	for _, line := range s.doc.Lines() {
		if bareLine(string(s.Bytes()[line.Start:line.End])) != bare {
			continue
		}
		if line.Start < span.Start || line.Start >= span.End {
			return false
		}
		found = true
	}
	return found
}
