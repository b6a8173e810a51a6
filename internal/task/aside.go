package task

import (
	"maps"

	"baton/internal/jsontext"
)

// Aside is what baton keeps beside a task file that has no metadata section (5.11.3): the values of
// some metadata keys, as text.
type Aside map[string]string

// keptAside reports whether a key is kept beside a file without metadata.
func keptAside(key string) bool {
	switch key {
	case "status", "blocked_reason", "reopened_reason", "completed_forced", CancelledKey:
		return true
	}
	return false
}

// WithAside returns the state with what is kept beside its file. A file with metadata has its own
// values.
func (s *State) WithAside(kept Aside) *State {
	if s.Meta.Present || len(kept) == 0 && len(s.aside) == 0 {
		return s
	}
	next := *s
	next.aside = kept
	return &next
}

// Aside returns what is to be kept beside the file.
func (s *State) Aside() Aside { return s.aside }

// SameAs reports whether two states have the same bytes, and the same values beside them.
func (s *State) SameAs(o *State) bool {
	return string(s.Bytes()) == string(o.Bytes()) && maps.Equal(s.aside, o.aside)
}

// setAside sets values beside a file without metadata. ok is false for keys that are not kept
// there.
func (s *State) setAside(values ...KeyValue) (next *State, ok bool) {
	kept := Aside{}
	maps.Copy(kept, s.aside)
	for _, v := range values {
		if !keptAside(v.Key) {
			return s, false
		}
		kept[v.Key] = v.JSON
		if node, err := jsontext.Relaxed([]byte(v.JSON)); err == nil {
			if text, isText := node.Text([]byte(v.JSON)); isText {
				kept[v.Key] = text
			}
		}
	}
	return s.WithAside(kept), true
}

// dropAside removes values beside a file without metadata.
func (s *State) dropAside(keys []string) *State {
	kept := Aside{}
	maps.Copy(kept, s.aside)
	for _, key := range keys {
		delete(kept, key)
	}
	return s.WithAside(kept)
}
