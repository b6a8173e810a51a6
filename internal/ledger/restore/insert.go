package restore

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
	"baton/internal/sorting"
)

// edits returns the edits that insert texts. Texts with the same place are in the given order or,
// if their list is sorted, in its order.
func (o *outline) edits(puts []insertion) []markdown.Edit {
	type place struct {
		at              int
		shape           shape
		heading, header string
		first           bool
	}
	var groups [][]insertion
	numbers := map[place]int{}
	for _, put := range puts {
		at := place{put.span.Start, put.shape, put.heading, put.header, put.first}
		n, ok := numbers[at]
		if !ok {
			n, numbers[at] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], put)
	}
	var edits []markdown.Edit
	for _, group := range groups {
		if sign := group[0].sign; sign != 0 {
			sorting.By(group, func(a, b insertion) int {
				return sign * o.restorer.ranks[a.known].compare(o.restorer.ranks[b.known])
			})
		}
		text := o.lines(group)
		if group[0].shape == asObject {
			text = o.objects(group)
		}
		edits = append(edits, markdown.Edit{Span: group[0].span, Text: []byte(text)})
	}
	return edits
}

// lines returns the texts for one place, with the blank lines, the heading and the table header
// that they need.
func (o *outline) lines(group []insertion) string {
	put, data := group[0], o.doc.Bytes()
	eol := o.doc.EOL(put.span.Start)
	var b strings.Builder
	before := string(data[:put.span.Start])
	if strings.TrimPrefix(before, byteOrderMark) != "" && !strings.HasSuffix(before, "\n") {
		b.WriteString(eol)
	}
	apart := put.apart || put.shape == asBlock
	if apart && (put.heading != "" || !put.tight) && !o.blankAbove(put.span.Start) {
		b.WriteString(eol)
	}
	if put.heading != "" {
		if !strings.HasPrefix(strings.TrimLeft(put.heading, " "), "#") {
			b.WriteString("## ") // the heading was underlined
		}
		b.WriteString(put.heading + eol)
		if !put.tight {
			b.WriteString(eol)
		}
	}
	if put.header != "" {
		b.Write(endedLines(put.header, eol))
	}
	for i, one := range group {
		if i > 0 && put.shape == asBlock {
			b.WriteString(eol)
		}
		b.Write(endedLines(one.text, eol))
	}
	text := b.String()
	rest, _, _ := bytes.Cut(data[put.span.End:], []byte{'\n'})
	switch {
	case put.span.End == len(data) && len(data) > 0 && data[len(data)-1] != '\n':
		text = strings.TrimSuffix(text, eol)
	case apart && len(bytes.TrimSpace(rest)) > 0:
		text += eol
	}
	return text
}

// endedLines returns a text without blank lines around it, with a line end.
func endedLines(text, eol string) []byte {
	return markdown.Fold(strings.Trim(text, "\r\n")+"\n", eol)
}

// blankAbove reports whether the line above a position is blank.
func (o *outline) blankAbove(pos int) bool {
	before := bytes.TrimSuffix(bytes.TrimPrefix(o.doc.Bytes()[:pos], []byte(byteOrderMark)), []byte{'\n'})
	return len(bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])) == 0
}

// objects returns features for the list of a checklist, each on its own lines.
func (o *outline) objects(group []insertion) string {
	put, data := group[0], o.doc.Bytes()
	line := data[bytes.LastIndexByte(data[:put.span.Start], '\n')+1 : put.span.Start]
	indent := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	eol := o.doc.EOL(put.span.Start)
	parts := make([]string, len(group))
	for i, one := range group {
		parts[i] = string(markdown.Fold(one.text, eol))
	}
	between := "," + eol + indent
	switch {
	case put.apart: // the list is empty
		return eol + indent + "  " + strings.Join(parts, between+"  ") + eol + indent
	case put.first:
		return strings.Join(parts, between) + between
	}
	return between + strings.Join(parts, between)
}
