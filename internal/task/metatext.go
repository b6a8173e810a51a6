package task

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
)

// MetaText returns the value of a metadata key as text: a string without its quotes, other values
// as written. It returns "" if the key is absent or null, or if the metadata cannot be read. The
// last of duplicate keys counts.
func (s *State) MetaText(key string) string {
	if !s.Meta.Valid {
		return s.aside[key]
	}
	src := s.Bytes()
	if s.Meta.bullets != nil {
		found := ""
		for _, b := range s.Meta.bullets {
			if b.key != key {
				continue
			}
			raw := b.value.Of(src)
			found = string(raw)
			if node, err := jsontext.Relaxed(raw); err == nil && node.Kind == '"' {
				found, _ = node.Text(raw)
			}
		}
		return found
	}
	text := s.Meta.Span.Of(src)
	node, err := jsontext.Relaxed(text)
	if err != nil {
		return ""
	}
	member, ok := node.Member(key)
	if !ok || member.Value.Kind == 'n' {
		return ""
	}
	word, _ := member.Value.Text(text)
	return word
}

// MetaRaw returns the JSON text of a metadata key; ok is false if there is none. The last of
// duplicate keys counts. A bullet whose value is not JSON is a string.
func (s *State) MetaRaw(key string) (text []byte, ok bool) {
	if !s.Meta.Valid {
		return nil, false
	}
	for _, b := range slices.Backward(s.Meta.bullets) {
		if b.key == key {
			raw, _ := b.json(s.Bytes())
			return raw, true
		}
	}
	if s.Meta.bullets != nil {
		return nil, false
	}
	object := s.Meta.Span.Of(s.Bytes())
	node, err := jsontext.Relaxed(object)
	if err != nil {
		return nil, false
	}
	member, ok := node.Member(key)
	if !ok {
		return nil, false
	}
	return bytes.Clone(member.Value.Span.Of(object)), true
}

// RedirectMeta returns the edits that replace a task's id in the metadata. Each edit changes one
// id, so everything else stays as it is written.
func (s *State) RedirectMeta(from, to ID) []markdown.Edit {
	if !s.Meta.Valid {
		return nil
	}
	var edits []markdown.Edit
	if s.Meta.bullets != nil {
		for _, b := range s.Meta.bullets {
			text := b.value.Of(s.Bytes())
			node, err := jsontext.Relaxed(text)
			if err == nil {
				edits = append(edits, redirectValue(b.key, node, text, b.value.Start, from, to)...)
			} else if id, err := ParseID(strings.Trim(string(text), "` ")); err == nil && id == from &&
				namesTasks(b.key) {
				edits = append(edits, markdown.Edit{Span: b.value, Text: []byte(to)})
			}
		}
		return edits
	}
	text := s.Meta.Span.Of(s.Bytes())
	node, err := jsontext.Relaxed(text)
	if err != nil {
		return nil
	}
	for _, member := range node.Members {
		edits = append(edits, redirectValue(member.Name, member.Value, text, s.Meta.Span.Start, from, to)...)
	}
	return edits
}

// namesTasks reports whether the values of a metadata key are task ids.
func namesTasks(key string) bool {
	return key == "dependencies" || key == "children" || key == "parent" || key == DiscoveredFromKey
}

// redirectValue returns the edits for one value. base is the position of text in the file.
func redirectValue(key string, value jsontext.Node, text []byte, base int, from, to ID) []markdown.Edit {
	var edits []markdown.Edit
	put := func(span markdown.Span, with string) {
		edits = append(edits, markdown.Edit{
			Span: markdown.Span{Start: base + span.Start, End: base + span.End}, Text: []byte(with),
		})
	}
	if key == "input_hashes" {
		for _, member := range value.Members {
			if ID(strings.TrimPrefix(member.Name, "#")) == from {
				put(member.Key, jsontext.Quote(string(to)))
			}
		}
		return edits
	}
	if !namesTasks(key) {
		return nil
	}
	items := value.Items
	if value.Kind != '[' {
		items = []jsontext.Node{value}
	}
	for _, item := range items {
		if ids := IDsOf(item, text); len(ids) == 1 && ids[0] == from {
			put(item.Span, JSONID(string(to)))
		}
	}
	return edits
}
