package loss

import (
	"bytes"
	"encoding/json"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/task"
	"baton/internal/workspace"
)

// restoredMark stands behind the heading of an output that came back while another one stands in its place.
const restoredMark = " (restored)"

// placeOutput puts an output into its section: in the place of the placeholder, else behind the section that another one stands in, under a
// heading of its own. The reader takes it for a chain output too, so it is an entry like before.
func (o *outline) placeOutput(one put) put {
	h := o.heading(&o.known[one.known])
	for i := range o.entries {
		if o.entries[i].Kind != ledger.Output {
			continue
		}
		last := o.heading(&o.entries[i])
		end := o.region(last, true).end
		one.span, one.apart = markdown.Span{Start: end, End: end}, true
		one.above = withoutParenthesis(o.entries[i].Section) + restoredMark
	}
	switch {
	case one.above != "":
		return one
	case h < 0:
		return o.anew(one)
	}
	return o.below(one, h)
}

// withoutParenthesis gives the line of a heading without what stands in parentheses at its end.
func withoutParenthesis(line string) string {
	line = strings.TrimRight(strings.TrimSpace(line), "# ")
	if at := strings.LastIndex(line, " ("); at > 0 && strings.HasSuffix(line, ")") {
		line = line[:at]
	}
	return line
}

// placeObject puts a feature at the end of a checklist.
func (o *outline) placeObject(one put) put {
	if !o.checklist.looked {
		pos, empty, ok := task.Parse("0", o.doc.Bytes()).FeaturePlace()
		if !ok {
			pos = -1
		}
		o.checklist.looked, o.checklist.at, o.checklist.empty = true, markdown.Span{Start: pos, End: pos}, empty
	}
	one.span, one.apart = o.checklist.at, o.checklist.empty
	return one
}

// asBox makes a check box of a feature whose checklist cannot be read: under one text, they are one criterion (5.7.3).
func (o *outline) asBox(one put) []put {
	var feature struct {
		Description string `json:"description"`
		Passes      bool   `json:"passes"`
	}
	h := o.heading(&ledger.Entry{Section: "### Acceptance Criteria"})
	if err := json.Unmarshal([]byte(o.known[one.known].Raw), &feature); err != nil || h < 0 {
		return nil
	}
	mark := "- [ ] "
	if feature.Passes {
		mark = "- [x] "
	}
	one.shape, one.text = asItem, mark+workspace.OneLine(feature.Description)
	return []put{o.below(one, h)}
}

// refitted gives a row in the columns of a table. ok is false where it cannot be written in them.
func (o *outline) refitted(e *ledger.Entry, header string) (text string, ok bool) {
	if header == "" || e.Head == "" || strings.Join(strings.Fields(header), " ") == strings.Join(strings.Fields(e.Head), " ") {
		return "", true
	}
	return decision.Refit(decision.Specflow, e.Head, e.Raw, header)
}

// otherPlaces gives plain places for an entry whose best one does not hold: the end of its section, the end of the document under its heading,
// and, where something in it is never closed, in front of what it could hide.
func (o *outline) otherPlaces(known int) []put {
	e := &o.known[known]
	one := put{known: known, shape: o.shapes[known], apart: true, head: e.Head}
	if one.shape == asObject {
		return o.asBox(one)
	}
	at := func(pos int, above string) put {
		one := one
		one.span, one.above = markdown.Span{Start: pos, End: pos}, above
		return one
	}
	var out []put
	if h := o.heading(e); h >= 0 {
		for _, whole := range [...]bool{false, true} {
			out = append(out, at(o.region(h, whole).end, ""))
		}
		out = append(out, at(o.doc.Headings()[h].Span.End, ""))
	}
	wanted := titleOf(e.Section)
	for i, its := range o.titled() { // the one that is read as its section may be another
		if its.name == wanted.name && len(out) < mostPlaces/4 {
			out = append(out, at(o.region(i, false).end, ""))
		}
	}
	end := o.region(-1, true).end
	out = append(out, at(end, e.Section), at(end, ""), at(len(o.doc.Bytes()), e.Section))
	for i := len(o.doc.Headings()) - 1; i >= 0 && len(out) < mostPlaces; i-- {
		if h := o.doc.Headings()[i]; h.Span.Start <= o.hidden {
			out = append(out, at(h.Span.Start, ""), at(h.Span.Start, e.Section))
		}
	}
	if o.hidden < len(o.doc.Bytes()) {
		out = append(out, at(o.hidden, e.Section), at(o.hidden, ""))
	}
	return out
}

// mostPlaces is how many places are tried for an entry.
const mostPlaces = 60

// apply puts texts in. Those that share a place come in the order in which they are given, or in that of their list.
func (o *outline) apply(puts []put) ([]byte, bool) {
	type spot struct {
		at          int
		shape       shape
		above, head string
		first       bool
	}
	var groups [][]put
	known := map[spot]int{} // groups
	for _, one := range puts {
		s := spot{at: one.span.Start, shape: one.shape, above: one.above, head: one.head, first: one.first}
		k, ok := known[s]
		if !ok {
			k, known[s] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], one)
	}
	var edits []markdown.Edit
	for _, group := range groups {
		if group[0].span.Start < 0 {
			return nil, false
		}
		if sign := group[0].sign; sign != 0 {
			o.inOrder(sign, group)
		}
		edits = append(edits, o.edit(group))
	}
	out, err := markdown.Apply(o.doc.Bytes(), edits...)
	return out, err == nil
}

// edit makes the edit of texts that share a place.
func (o *outline) edit(group []put) markdown.Edit {
	one, src := group[0], o.doc.Bytes()
	if one.shape == asObject {
		return o.objects(group)
	}
	eol := o.doc.EOL(one.span.Start)
	var b strings.Builder
	open := one.span.End == len(src) && len(src) > 0 && src[len(src)-1] != '\n'
	if one.span.Start > 0 && src[one.span.Start-1] != '\n' && string(src[:one.span.Start]) != workspace.ByteOrderMark {
		b.WriteString(eol)
	}
	apart := one.apart || one.shape == asBlock
	if apart && (one.above != "" || !one.tight) && !o.blankAbove(one.span.Start) {
		b.WriteString(eol)
	}
	if one.above != "" {
		if !strings.HasPrefix(strings.TrimLeft(one.above, " "), "#") {
			b.WriteString("## ") // it was underlined
		}
		b.WriteString(one.above + eol)
		if !one.tight {
			b.WriteString(eol)
		}
	}
	if one.head != "" {
		b.Write(lineEnded(one.head, eol))
	}
	for i, p := range group {
		text := p.text
		if text == "" {
			text = o.known[p.known].Raw
		}
		if i > 0 && one.shape == asBlock {
			b.WriteString(eol)
		}
		b.Write(lineEnded(text, eol))
	}
	text := b.String()
	switch {
	case open:
		text = strings.TrimSuffix(text, eol)
	case apart && !o.blankAt(one.span.End):
		text += eol
	}
	return markdown.Edit{Span: one.span, Text: []byte(text)}
}

// lineEnded gives a text without blank lines around it, with one terminator.
func lineEnded(text, eol string) []byte {
	return markdown.Fold(strings.TrimRight(strings.TrimLeft(text, "\r\n"), "\r\n")+"\n", eol)
}

// blankAbove says whether nothing stands directly above a position.
func (o *outline) blankAbove(pos int) bool {
	before := bytes.TrimSuffix(bytes.TrimPrefix(o.doc.Bytes()[:pos], []byte(workspace.ByteOrderMark)), []byte{'\n'})
	return len(bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])) == 0
}

// blankAt says whether nothing stands on the line that begins at a position.
func (o *outline) blankAt(pos int) bool {
	line, _, _ := bytes.Cut(o.doc.Bytes()[pos:], []byte{'\n'})
	return len(bytes.TrimSpace(line)) == 0
}

// objects puts features into the list of a checklist, each on lines of its own where the others are.
func (o *outline) objects(group []put) markdown.Edit {
	one, src := group[0], o.doc.Bytes()
	line := src[bytes.LastIndexByte(src[:one.span.Start], '\n')+1 : one.span.Start]
	indent := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	eol := o.doc.EOL(one.span.Start)
	parts := make([]string, len(group))
	for i, p := range group {
		parts[i] = string(markdown.Fold(o.known[p.known].Raw, eol))
	}
	between := "," + eol + indent
	text := strings.Join(parts, between)
	switch {
	case one.apart: // the list is empty
		text = eol + indent + "  " + strings.Join(parts, between+"  ") + eol + indent
	case one.first:
		text += between
	default:
		text = between + text
	}
	return markdown.Edit{Span: one.span, Text: []byte(text)}
}
