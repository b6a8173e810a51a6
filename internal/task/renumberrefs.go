package task

import (
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/safetext"
)

// Names says whether the file refers to a task where programs read it: as a dependency, its parent, a part or an input.
func (s *State) Names(id ID) bool {
	_, received := s.Meta.Inputs[id]
	_, has := s.inputOf(id)
	return received || has || s.Meta.Parent == id || slices.Contains(s.Meta.Dependencies, id) || slices.Contains(s.Meta.Children, id)
}

// Redirect lets everything in the file that refers to one task refer to another: dependencies, parent, parts, and inputs with
// their hashes and links. Texts that people wrote stay. Kind Violation code unclosed_fence.
func (s *State) Redirect(from, to ID) (*State, error) {
	src := s.Bytes()
	edits := s.redirectMeta(from, to)
	for _, in := range s.Inputs {
		if in.Task != from {
			continue
		}
		line := s.doc.Lines()[s.doc.LineAt(in.Span.Start)]
		edits = append(edits, markdown.Edit{Span: refAfterTask(src, markdown.Span{Start: line.Start, End: line.End}), Text: []byte(to.Ref())})
		body := markdown.Span{Start: line.Next, End: max(line.Next, in.Span.End)}
		edits = append(edits, replacedIn(src, body, StateName(from)+")", StateName(to)+")")...)
	}
	next, err := s.Splice(edits...)
	if err != nil {
		return nil, err
	}
	// A link in the input is part of what its hash is over; one that somebody edited before stays known as edited.
	was, had := s.inputOf(from)
	now, has := next.inputOf(to)
	received, known := next.Meta.Inputs[to]
	if had && has && known && received.Hash == was.Hash && now.Hash != was.Hash {
		if kept, ok := next.rememberInput(to, InputReceived{Hash: now.Hash, Session: received.Session}); ok {
			next = kept
		}
	}
	return next, nil
}

// redirectMeta changes the ids in the metadata, one by one, so that all else in it stays as it is written.
func (s *State) redirectMeta(from, to ID) []markdown.Edit {
	if !s.Meta.Valid {
		return nil
	}
	var edits []markdown.Edit
	if s.Meta.bullets != nil {
		for _, b := range s.Meta.bullets {
			text := b.value.Of(s.Bytes())
			node, err := scanJSON(text)
			if err == nil {
				edits = append(edits, redirectValue(b.key, node, text, b.value.Start, from, to)...)
			} else if id, err := ParseID(strings.Trim(string(text), "` ")); err == nil && id == from && namesTasks(b.key) {
				edits = append(edits, markdown.Edit{Span: b.value, Text: []byte(to)})
			}
		}
		return edits
	}
	text := s.Meta.Span.Of(s.Bytes())
	node, err := scanJSON(text)
	if err != nil {
		return nil
	}
	for _, member := range node.members {
		edits = append(edits, redirectValue(member.name, member.value, text, s.Meta.Span.Start, from, to)...)
	}
	return edits
}

// namesTasks tells the keys whose values are ids of tasks.
func namesTasks(key string) bool {
	return key == "dependencies" || key == "children" || key == "parent"
}

// redirectValue changes an id in one value; base is where text begins in the file.
func redirectValue(key string, value jsonNode, text []byte, base int, from, to ID) []markdown.Edit {
	var edits []markdown.Edit
	put := func(span markdown.Span, with string) {
		edits = append(edits, markdown.Edit{Span: markdown.Span{Start: base + span.Start, End: base + span.End}, Text: []byte(with)})
	}
	if key == "input_hashes" {
		for _, member := range value.members {
			if ID(strings.TrimPrefix(member.name, "#")) == from {
				put(member.key, quoteJSON(string(to)))
			}
		}
		return edits
	}
	if !namesTasks(key) {
		return nil
	}
	items := value.items
	if value.kind != '[' {
		items = []jsonNode{value}
	}
	for _, item := range items {
		if ids := idsOf(item, text); len(ids) == 1 && ids[0] == from {
			put(item.span, jsonID(string(to)))
		}
	}
	return edits
}

// RedirectArchive lets the replaced inputs in an archive (D12) come from another task.
func RedirectArchive(src []byte, from, to ID) []byte {
	doc := markdown.Parse(src)
	var edits []markdown.Edit
	for _, h := range doc.Headings() {
		rest, found := strings.CutPrefix("## "+safetext.OneLine(string(h.Text.Of(src))), replacedHeading(from))
		if h.Level == 2 && found && strings.HasPrefix(rest, " (until session ") {
			edits = append(edits, markdown.Edit{Span: refAfterTask(src, h.Text), Text: []byte(to.Ref())})
		}
	}
	if out, err := markdown.Apply(src, edits...); err == nil {
		return out
	}
	return src
}
