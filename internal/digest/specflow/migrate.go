package specflow

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// Migrate converts form A or B to form C line by line (specflow.md 5.6.4). The new section goes
// directly above the old one, exactly the lines with the three values are removed, and every other
// line stays. Without form A or B nothing changes, so a second run has no effect.
func (d *Doc) Migrate() (Edited, error) {
	p, active := d.active()
	if p.form != "A" && p.form != "B" {
		return d.unchanged(), nil
	}
	lines := []string{"## Active Specifications", "", activeHeader, activeDelimiter}
	if len(active) > 0 {
		lines = append(lines, markdown.Row(escape(p.active.raw), escape(p.status.raw), escape(p.next.raw)))
	}
	e := d.begin()
	e.insert(p.sec.head, append(lines, "")...)
	gone := map[int]bool{}
	for _, l := range [...]struct {
		has bool
		l   label
	}{{p.hasActive, p.active}, {p.hasStatus, p.status}, {p.hasNext, p.next}} {
		if l.has && (len(active) > 0 || l.l.line == p.active.line || idle(l.l.raw)) {
			gone[l.l.line] = true
		}
	}
	empty := true
	for i := p.sec.head + 1; i < p.sec.end; i++ {
		empty = empty && (gone[i] || d.blank(i))
	}
	for i := p.sec.head; i < p.sec.end; i++ {
		if gone[i] || empty {
			e.remove(i)
		}
	}
	e.note("form", p.form, "C")
	out, err := e.done()
	if err == nil && empty {
		out.Text = endLike(out.Text, d.src)
	}
	return out, err
}

// idle reports whether a status or next step is meaningless if no specification is active. Any
// other text was written by a person, and the table has no row for it, so its line stays (SF-D33).
func idle(value string) bool {
	word := Word(value)
	return word == "" || word == "idle" || word == "none" || word == "done" ||
		strings.HasPrefix(strings.Trim(value, "` "), "/sf:")
}

// endLike restores the missing final line end of a document whose last section was removed.
func endLike(text, src []byte) []byte {
	if n := len(src); n == 0 || src[n-1] == '\n' {
		return text
	}
	return bytes.TrimRight(text, "\r\n")
}
