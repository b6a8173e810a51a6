package threeway

import (
	"bytes"
	"strings"
)

// merger is the state of a merge.
type merger struct {
	form      Form
	aNewer    bool
	tied      bool   // nothing that the form knows shows which side was active last
	reserved  [3]int // highest number used in base, a and b
	conflicts int
	again     []Renumbered
	asides    []Aside
	front     []frontNote
	noted     [2]map[string]bool // the notes that a and b have about unused values
	days      [2]string
}

// Merge merges three versions of a document. A missing base is empty. If one side changed nothing,
// the result is the other side, byte for byte. Merge accepts any bytes, and the result contains
// everything that both sides have.
func Merge(f Form, base, ours, theirs []byte) Result {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return Result{Text: ours}
	case bytes.Equal(base, ours):
		return Result{Text: theirs}
	}
	m := &merger{form: f}
	if f.Reserved != nil {
		m.reserved = [3]int{f.Reserved(base), f.Reserved(ours), f.Reserved(theirs)}
	}
	whole := [2][]byte{ours, theirs}
	var o, a, b dress
	base, o = undress(base)
	ours, a = undress(ours)
	theirs, b = undress(theirs)
	x, y := m.cut(ours), m.cut(theirs)
	m.noted = [2]map[string]bool{notes(&x), notes(&y)}
	if f.Day != nil {
		m.days = [2]string{f.Day(ours), f.Day(theirs)}
	}
	before := m.cut(base)
	m.aNewer = m.newer(whole[0], whole[1], &before, &x, &y)
	root := m.combine(&before, &x, &y)
	m.comments(&root)
	look := dress{
		bom: pick(o.bom, a.bom, b.bom, m.aNewer), crlf: pick(o.crlf, a.crlf, b.crlf, m.aNewer),
		open: pick(o.open, a.open, b.open, m.aNewer),
	}
	return Result{
		Text: look.put(root.whole() + root.gap), Conflicts: m.conflicts, Renumbered: m.again, Asides: m.asides,
	}
}

// pick returns the value that changed, or the recent one if both did.
func pick[T comparable](o, a, b T, aNewer bool) T {
	switch {
	case a == b || b == o:
		return a
	case a == o:
		return b
	case aNewer:
		return a
	}
	return b
}

// dress describes the encoding of a text: byte-order mark, CRLF line ends, no final line end.
type dress struct{ bom, crlf, open bool }

const bom = "\ufeff"

// undress returns a text with LF line ends and a final one. Line ends are changed only if most are
// CRLF: some programs add lines with LF to such a file. Single CRLF stay.
func undress(src []byte) ([]byte, dress) {
	var d dress
	src, d.bom = bytes.CutPrefix(src, []byte(bom))
	lines := bytes.Count(src, []byte("\n"))
	if d.crlf = bytes.Count(src, []byte("\r\n")) > lines/2; d.crlf {
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	}
	if d.open = len(src) > 0 && src[len(src)-1] != '\n'; d.open {
		src = append(bytes.Clone(src), '\n')
	}
	return src, d
}

// put reverses undress.
func (d dress) put(text string) []byte {
	if d.open {
		text = strings.TrimSuffix(text, "\n")
	}
	if d.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if d.bom {
		text = bom + text
	}
	return []byte(text)
}

// combine merges the versions of a unit. A version that does not exist is nil.
func (m *merger) combine(o, a, b *unit) unit {
	switch {
	case a == nil:
		return *b
	case b == nil:
		return *a
	}
	var none unit
	base := o
	if base == nil {
		base = &none
	}
	out := m.inner(o, base, a, b)
	if o == nil && a.gap != b.gap { // both sides added it, and the one that was last has no blank lines after it
		out.gap = max(a.gap, b.gap)
	} else {
		out.gap = pick(base.gap, a.gap, b.gap, m.aNewer)
	}
	out.was = pick(base.was, a.was, b.was, a.was > b.was)
	out.last = a.last && a.gap == out.gap || b.last && b.gap == out.gap
	return out
}

// inner merges everything except the gap.
func (m *merger) inner(o, base, a, b *unit) unit {
	x, y, was := a.whole(), b.whole(), base.whole()
	switch {
	case x == y || o != nil && y == was:
		return *a
	case o != nil && x == was:
		return *b
	}
	recent, other, standsA := a, b, m.order(a, b)
	if !standsA {
		recent, other = b, a
	}
	out := *recent
	if recent.merge != nil {
		if text, ok := recent.merge(was, recent.whole(), other.whole()); ok {
			out.text, out.lead, out.below = text, "", nil
			return out
		}
	}
	switch {
	case len(a.below) > 0 || len(b.below) > 0 || a.kind == part:
		out.text = m.line(base.text, recent, other)
		out.lead = pick(base.lead, recent.lead, other.lead, true)
		out.below = m.list(base.below, a.below, b.below)
		if out.lead == "" && len(out.below) > 0 {
			out.lead = max(recent.lead, other.lead)
		}
	default:
		out.text = m.line(base.text, recent, other)
	}
	if recent.field != "" && out.text == recent.text {
		m.aside(base.text, &out, other, standsA)
	}
	return out
}

// line merges the lines of a unit itself: a row cell by cell; a box stays checked if one side
// checked it; otherwise the recent version counts.
func (m *merger) line(base string, recent, other *unit) string {
	if base != "" && (recent.text == base || other.text == base) {
		return pick(base, recent.text, other.text, true)
	}
	if recent.group == "row" && recent.key != "" {
		return m.row(base, recent, other)
	}
	if boxed(recent.text) == ' ' && boxed(other.text) != ' ' && boxed(other.text) != 0 {
		return other.text
	}
	return recent.text
}

// boxed returns the mark in the box of a task item, or 0 if there is none.
func boxed(line string) byte {
	at := strings.Index(line, "[")
	if at < 0 || at+2 >= len(line) || line[at+2] != ']' || strings.Trim(line[:at], " \t-*+0123456789.)") != "" {
		return 0
	}
	return line[at+1]
}
