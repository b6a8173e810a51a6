package task

import (
	"bytes"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/report"
)

// metaBullet is one line "- status: ready" of metadata that is not JSON.
type metaBullet struct {
	key   string        // lower case with underscores: "Task ID" becomes task_id
	value markdown.Span // text after the colon, trimmed
	line  markdown.Span // the item with its line end
}

// readBullets reads metadata in the form of a list. A section without such lines is opaque.
func (s *State) readBullets(section Section) {
	src := s.Bytes()
	for _, item := range s.doc.ListItems(section.Body) {
		text := string(item.Text.Of(src))
		colon := strings.IndexByte(text, ':')
		if colon < 0 {
			continue
		}
		key := strings.ToLower(strings.Trim(text[:colon], "*_` \t"))
		key = strings.NewReplacer(" ", "_", "-", "_").Replace(key)
		if key == "" {
			continue
		}
		value := markdown.Span{Start: item.Text.Start + colon + 1, End: item.Text.End}
		for value.Start < value.End && strings.IndexByte("*_ \t", src[value.Start]) >= 0 {
			value.Start++
		}
		s.Meta.bullets = append(s.Meta.bullets, metaBullet{key, value, item.Full})
		if !s.Meta.Has(key) {
			s.Meta.Keys = append(s.Meta.Keys, key)
		}
		raw, node := s.Meta.bullets[len(s.Meta.bullets)-1].json(src)
		s.Meta.set(key, node, raw)
	}
	if len(s.Meta.bullets) == 0 {
		s.note(report.CodeMetadataInvalid, section.Heading.Start,
			"the metadata section has neither JSON in a closed code fence nor key/value bullets; it stays as it is")
		return
	}
	s.Meta.Valid = true
	s.Meta.Span = markdown.Span{
		Start: s.Meta.bullets[0].line.Start, End: s.Meta.bullets[len(s.Meta.bullets)-1].line.End,
	}
}

// json returns the value as JSON: a valid JSON value ("[100, 101]", "3") is read as it is, other
// text as a string.
func (b metaBullet) json(src []byte) (raw []byte, node jsontext.Node) {
	raw = bytes.Clone(b.value.Of(src))
	node, err := jsontext.Relaxed(raw)
	if err != nil {
		raw = []byte(jsontext.Quote(strings.Trim(string(raw), "`")))
		node, _ = jsontext.Relaxed(raw) // a quoted string is always JSON
	}
	return raw, node
}

// setBullets changes values in place and adds new keys as bullets after the last one.
func (s *State) setBullets(set []KeyValue) []markdown.Edit {
	src := s.Bytes()
	last := s.Meta.bullets[len(s.Meta.bullets)-1]
	var edits []markdown.Edit
	for _, key := range set {
		value := strings.Join(strings.Fields(key.JSON), " ")
		if node, err := jsontext.Relaxed([]byte(key.JSON)); err == nil && node.Kind == '"' {
			value, _ = node.Text([]byte(key.JSON))
		}
		at := -1
		for i, bullet := range s.Meta.bullets {
			if bullet.key == key.Key {
				at = i
			}
		}
		if at >= 0 {
			span := s.Meta.bullets[at].value
			if string(span.Of(src)) != value {
				edits = append(edits, markdown.Edit{Span: span, Text: []byte(value)})
			}
			continue
		}
		end, eol := last.line.End, s.doc.EOL(last.line.End)
		text := "- " + key.Key + ": " + value + eol
		if end > 0 && src[end-1] != '\n' {
			text = eol + strings.TrimSuffix(text, eol)
		}
		edits = append(edits, markdown.Edit{Span: markdown.Span{Start: end, End: end}, Text: []byte(text)})
	}
	return edits
}

// deleteBullets removes whole lines.
func (s *State) deleteBullets(keys []string) []markdown.Edit {
	var edits []markdown.Edit
	for _, bullet := range s.Meta.bullets {
		for _, key := range keys {
			if bullet.key == key {
				edits = append(edits, markdown.Edit{Span: bullet.line})
				break
			}
		}
	}
	return edits
}
