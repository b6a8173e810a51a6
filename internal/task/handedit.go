package task

import (
	"bytes"
	"encoding/json"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
)

// What HandEdit and HandPatch name besides keys of the metadata.
const (
	HandMetadata = "metadata" // the block is gone, or cannot be read any more
	HandFeatures = "features" // a feature is gone, or passes where it did not before, or the other way round
)

// handKeys are the keys of the metadata that a command of baton's keeps. Dependencies, the epic and
// keys of the user's own have no command, so they are changed by hand.
func handKeys() [17]string {
	return [17]string{
		"status", "task_id", "total_sessions", "archived_sessions", "recent_sessions", "archive_path", "input_hashes",
		"completed_forced",
		"parent", "children", "created_at", "updated_at", "started_at", "last_session_at", "completed_at",
		"blocked_reason", "reopened_reason",
	}
}

// HandEdit names what an edit by hand changes although a command keeps it: a key of the JSON
// metadata, HandMetadata or HandFeatures; "" when it is prose only. What could not be read before
// may be repaired by hand.
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

// name returns what identifies a feature: its id, or its text if it has none.
func (f feature) name() string {
	if f.id != "" {
		return f.id
	}
	return f.text
}

// metaValues returns the JSON of each key, blanks taken out. A key that stands twice has the value
// that counts, the last one.
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

// HandPatch is HandEdit for a patch of which only the lines are known that it takes away and puts
// in. It is certain about lines that are in the block and nowhere else; where it is not certain
// it says "".
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

// bareLine is a line of JSON without indentation and the comma that depends on what follows.
func bareLine(line string) string { return strings.TrimSuffix(strings.TrimSpace(line), ",") }

// only reports whether a line is in the span and nowhere else in the file.
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
