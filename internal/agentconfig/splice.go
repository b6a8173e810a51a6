package agentconfig

import (
	"bytes"

	"baton/internal/jsontext"
	"baton/internal/markdown"
)

// insert adds an entry after the last one of the container to which chain leads: a member if name
// is not empty, otherwise an element. It adds only the entry's bytes and, if necessary, a comma
// after the entry before it.
func insert(src []byte, root node, chain []int, name string, v value) ([]byte, error) {
	s, into := styleOf(src, root), root.at(chain)
	if len(into.kids) == 0 {
		indent := indentAt(src, into.start) + s.unit
		at := into.start + 1
		return markdown.Apply(src, edit(at, at, " "+s.entry(name, v, indent)))
	}
	last := into.kids[len(into.kids)-1]
	place := backBlanks(src, into.end-1)
	indent, manyLines := linesOf(src, into, s)
	comma := ","
	lead := s.eol + indent
	if !manyLines {
		s.inline = true
		s.spaced = spacedIn(src, into)
		lead = s.gap()
		if into.slashes { // nothing can follow a comment that runs to the end of its line
			lead = s.eol + indent
		}
	}
	added := lead + s.entry(name, v, indent)
	if last.comma >= 0 {
		return markdown.Apply(src, edit(place, place, added+comma))
	}
	return markdown.Apply(src, edit(last.value.end, last.value.end, comma), edit(place, place, added))
}

// entry returns the text of a member or an element.
func (s style) entry(name string, v value, indent string) string {
	if name == "" {
		return s.render(v, indent)
	}
	return jsontext.Quote(name) + ":" + s.gap() + s.render(v, indent)
}

// linesOf reports whether the entries of a container are on separate lines, and returns their
// indentation.
func linesOf(src []byte, into node, s style) (indent string, manyLines bool) {
	last := into.kids[len(into.kids)-1]
	if indent, own := ownLine(src, last.start); own {
		return indent, true
	}
	indent = indentAt(src, into.start) + s.unit
	// The first entry that was added to an empty container begins on the bracket's line.
	first := into.kids[0]
	wide := bytes.IndexByte(src[first.start:first.value.end], '\n') >= 0
	return indent, len(into.kids) == 1 && (marked(src, into) || wasBlank(src, into)) && wide
}

// marked reports whether a container has the mark of one that existed and was empty before its
// first entry was added.
func marked(src []byte, into node) bool {
	return len(into.kids) > 0 && into.kids[0].start == into.start+2 && src[into.start+1] == ' '
}

// wasBlank reports whether a root has the mark of one that was written to a blank file: two blanks.
func wasBlank(src []byte, root node) bool {
	return len(root.kids) > 0 && root.kids[0].start == root.start+3 && src[root.start+1] == ' ' &&
		src[root.start+2] == ' '
}

// backBlanks moves pos back over blanks and line ends.
func backBlanks(src []byte, pos int) int {
	for pos > 0 && blank(src[pos-1]) {
		pos--
	}
	return pos
}

func edit(start, end int, text string) markdown.Edit {
	return markdown.Edit{Span: markdown.Span{Start: start, End: end}, Text: []byte(text)}
}

// replace replaces a value.
func replace(src []byte, root node, chain []int, v value) ([]byte, error) {
	s, old := styleOf(src, root), root.at(chain)
	if bytes.IndexByte(src[old.start:old.end], '\n') < 0 {
		if _, own := ownLine(src, old.start); !own {
			s.inline = true
		}
	}
	if s.inline && len(old.kids) > 0 {
		s.spaced = spacedIn(src, old)
	}
	return markdown.Apply(src, edit(old.start, old.end, s.render(v, indentAt(src, old.start))))
}

// cut removes the kid to which chain leads, and every container that becomes empty and was created
// for it. whole is true if nothing is left of the root. tail is a member of the root that was added
// with the first entry and is removed with the last one.
func cut(src []byte, root node, chain []int, tail skeleton) (out []byte, whole bool, err error) {
	for {
		level := len(chain) - 1
		from, i := root.at(chain[:level]), chain[level]
		last := i
		if level == 0 && tail.with(from, i) {
			last = i + 1
		}
		if from.comments || len(from.kids) > last-i+1 {
			out, err = cutKids(src, from, i, last)
			return out, false, err
		}
		if marked(src, from) {
			out, err = markdown.Apply(src, edit(from.start+1, from.kids[last].end(), ""))
			return out, false, err
		}
		if level == 0 {
			return nil, true, nil
		}
		chain = chain[:level]
	}
}

// cutKids removes neighbouring kids with the blanks before them, and the comma that is then
// superfluous.
func cutKids(src []byte, from node, first, last int) ([]byte, error) {
	place := backBlanks(src, from.kids[first].start)
	edits := []markdown.Edit{edit(place, from.kids[last].end(), "")}
	if from.kids[last].comma < 0 && first > 0 {
		comma := from.kids[first-1].comma
		if comma == place-1 {
			edits[0].Span.Start = comma
		} else {
			edits = append(edits, edit(comma, comma+1, ""))
		}
	}
	return markdown.Apply(src, edits...)
}

// skeleton is the member that a file of hooks needs in addition to them, such as a version.
type skeleton struct {
	name string
	v    value
}

// with reports whether the root consists of kid i and the skeleton only.
func (s skeleton) with(root node, i int) bool {
	return s.name != "" && i == 0 && len(root.kids) == 2 && root.kids[1].name == s.name &&
		root.kids[1].value.value().same(s.v, true)
}
