package task

import (
	"encoding/json"
	"path"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// KeyValue is a metadata key and its value as JSON.
type KeyValue struct{ Key, JSON string }

// readMeta reads the metadata section: JSON in a fence, or key/value bullets; otherwise the section
// is opaque (5.3).
func (s *State) readMeta() {
	s.Meta.Total, s.Meta.Archived = -1, -1
	section, ok := s.Find(Metadata)
	if !ok {
		return
	}
	s.Meta.Present = true
	span, ok := s.jsonFence(section.Body)
	if !ok {
		s.readBullets(section)
		return
	}
	s.Meta.Span = span
	text := span.Of(s.Bytes())
	node, err := jsontext.Relaxed(text)
	switch {
	case err != nil:
		s.note(report.CodeMetadataInvalid, span.Start+min(err.Pos, max(span.Len()-1, 0)),
			"the metadata is not valid JSON: "+err.What+"; it stays as it is and is not updated")
		return
	case node.Kind != '{':
		s.note(report.CodeMetadataInvalid, span.Start,
			"the metadata is not a JSON object; it stays as it is and is not updated")
		return
	}
	s.Meta.Valid = true
	seen := map[string]bool{}
	for _, member := range node.Members {
		if seen[member.Name] {
			s.note(report.CodeMetadataInvalid, span.Start+member.Key.Start,
				"the metadata key \""+safetext.Runes(member.Name, 40)+"\" is written twice; the last one counts")
		} else {
			s.Meta.Keys = append(s.Meta.Keys, member.Name)
		}
		seen[member.Name] = true
		s.Meta.set(member.Name, member.Value, text)
		if member.Name == "dependencies" && !onlyIDs(member.Value, text) {
			s.note(report.CodeMetadataInvalid, span.Start+member.Value.Span.Start,
				"the metadata has a dependency that is not a task id; it is ignored")
		}
		if n := len(s.Meta.Dependencies); member.Name == "dependencies" && n > MostDependencies {
			s.note(report.CodeTooMany, span.Start+member.Value.Span.Start,
				"the task has "+safetext.CountOf(n, "dependency", "dependencies")+", more than 1,000")
		}
	}
	if !json.Valid(text) {
		s.note(report.CodeMetadataNotStrict, span.Start,
			"the metadata has comments or a comma before a closing bracket; they are kept, but strict "+
				"JSON readers fail there")
	}
}

// set stores the value of one key. A value of the wrong type counts as absent.
func (m *Meta) set(name string, value jsontext.Node, text []byte) {
	switch name {
	case "task_id":
		m.TaskID = value.Word(text)
	case "epic_id":
		m.EpicID = value.Word(text)
	case "status":
		m.Status = value.Word(text)
	case "dependencies":
		m.Dependencies = IDsOf(value, text)
	case "total_sessions":
		m.Total = countOf(value, text)
	case "archived_sessions":
		m.Archived = countOf(value, text)
	case "archive_path":
		m.ArchivePath = value.Word(text)
	case "parent":
		m.Parent = ID(strings.TrimPrefix(value.Word(text), "#"))
	case "children":
		m.Children = IDsOf(value, text)
	case PriorityKey:
		m.Priority, _ = ParsePriority(value.Word(text))
	case DiscoveredFromKey:
		if ids := IDsOf(value, text); len(ids) == 1 {
			m.From = ids[0]
		}
	case SourceKey:
		m.Source = value.Word(text)
	case "completed_forced":
		m.Forced = value.Kind == 't'
	case "input_hashes":
		m.Inputs = inputsOf(value, text)
	}
}

// onlyIDs reports whether a value contains nothing but ids that IDsOf reads.
func onlyIDs(value jsontext.Node, text []byte) bool {
	items := value.Items
	if value.Kind != '[' && value.Kind != 'n' {
		items = []jsontext.Node{value}
	}
	for _, item := range items {
		if len(IDsOf(item, text)) != 1 {
			return false
		}
	}
	return true
}

// MostDependencies is how many dependencies a task may have. A file with more is read, but none is
// added.
const MostDependencies = 1000

// IDsOf reads one id or a list of ids. Items that are not ids and repeated ids are left out.
func IDsOf(value jsontext.Node, text []byte) []ID {
	items := value.Items
	if value.Kind == '0' || value.Kind == '"' {
		items = []jsontext.Node{value}
	}
	var ids []ID
	seen := map[ID]bool{}
	for _, item := range items {
		if item.Kind != '0' && item.Kind != '"' {
			continue
		}
		word, _ := item.Text(text)
		if id, err := ParseID(strings.TrimSpace(word)); err == nil && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// inputsOf reads input_hashes (D12). A hash without a session number means that the input arrived
// before the first session.
func inputsOf(value jsontext.Node, text []byte) map[ID]InputReceived {
	if value.Kind != '{' {
		return nil
	}
	inputs := make(map[ID]InputReceived, len(value.Members))
	for _, member := range value.Members {
		var got InputReceived
		if member.Value.Kind == '"' {
			got.Hash, _ = member.Value.Text(text)
		}
		if hash, ok := member.Value.Member("hash"); ok && hash.Value.Kind == '"' {
			got.Hash, _ = hash.Value.Text(text)
		}
		if session, ok := member.Value.Member("session"); ok {
			if n, isNumber := session.Value.Number(text); isNumber && n > 0 && n <= maxCount {
				got.Session = n
			}
		}
		inputs[ID(strings.TrimPrefix(member.Name, "#"))] = got
	}
	return inputs
}

// SetMeta changes keys in the JSON text itself (5.6.2). Key order, number formats, indentation,
// unknown keys, comments and trailing commas stay. New keys go after the last one; of duplicate
// keys the last one is changed; a key that has the value already is not touched. If there is no
// readable metadata, ok is false and next is s.
func (s *State) SetMeta(set ...KeyValue) (next *State, ok bool) {
	if !s.Meta.Present {
		return s.setAside(set...)
	}
	return s.editMeta(func(text []byte) ([]byte, bool) {
		for _, key := range set {
			if text, ok = jsontext.Set(text, key.Key, key.JSON, s.doc.EOL(s.Meta.Span.Start)); !ok {
				return nil, false
			}
		}
		return text, true
	}, func() []markdown.Edit { return s.setBullets(set) })
}

// DeleteMeta removes keys and ignores those that do not exist. ok is as in SetMeta.
func (s *State) DeleteMeta(keys ...string) (next *State, ok bool) {
	if !s.Meta.Present {
		return s.dropAside(keys), len(s.aside) > 0
	}
	return s.editMeta(func(text []byte) ([]byte, bool) {
		for _, key := range keys {
			if text, ok = jsontext.Delete(text, key); !ok {
				return nil, false
			}
		}
		return text, true
	}, func() []markdown.Edit { return s.deleteBullets(keys) })
}

func (s *State) editMeta(object func([]byte) ([]byte, bool), bullets func() []markdown.Edit) (*State, bool) {
	if !s.Meta.Valid {
		return s, false
	}
	var edits []markdown.Edit
	if s.Meta.bullets != nil {
		edits = bullets()
	} else {
		old := s.Meta.Span.Of(s.Bytes())
		text, ok := object(old)
		if !ok {
			return s, false
		}
		if string(text) != string(old) {
			edits = []markdown.Edit{{Span: s.Meta.Span, Text: text}}
		}
	}
	next, err := s.Splice(edits...)
	if err != nil {
		return s, false
	}
	return next, true
}

// Has reports whether the metadata has a key.
func (m Meta) Has(key string) bool {
	for _, name := range m.Keys {
		if name == key {
			return true
		}
	}
	return false
}

// ArchivePathInside reports whether a path from the metadata is relative and stays below the
// project's root. The caller also checks for symbolic links (5.1).
func ArchivePathInside(name string) bool {
	clean := path.Clean(strings.ReplaceAll(name, "\\", "/"))
	drive := len(clean) > 1 && clean[1] == ':'
	return name != "" && !path.IsAbs(clean) && !drive && clean != ".." && !strings.HasPrefix(clean, "../")
}

// maxCount is the highest number of sessions that baton accepts from metadata.
const maxCount = 1_000_000_000

// countOf returns a whole number from 0 to maxCount, or -1 for any other value, which counts as
// absent.
func countOf(value jsontext.Node, src []byte) int {
	number, ok := value.Number(src)
	if !ok || number < 0 || number > maxCount {
		return -1
	}
	return number
}
