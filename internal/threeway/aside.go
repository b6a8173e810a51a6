package threeway

import (
	"slices"
	"strings"
)

// Fate says what happens to a value that both sides changed if the other side's value is used.
type Fate uint8

// The possible fates.
const (
	Passes   Fate = iota // a program wrote both values and only one is true now, so the other is dropped
	Reported             // the result reports the other value
	Kept                 // a person wrote the value: it stays next to the newer one, and the result reports it
)

// Aside is a value that one side wrote but that is not in its field, because the other side's value
// is.
type Aside struct {
	Label string // as written in the document
	Text  string
	Kept  bool   // the document keeps it next to the newer value
	Over  string // of a status that both sides changed: the status that counts
}

// fateOf returns the fate of a unit's value according to the form.
func (m *merger) fateOf(u *unit) Fate {
	text := said(u.text)
	if m.form.Fate == nil || u.field == "" || text == "" {
		return Passes
	}
	return m.form.Fate(u.field, text, u.front)
}

// order reports whether the value of a is used. A side that already has the other side's value as a
// note knew that value and decided against it, so its own value is used.
func (m *merger) order(a, b *unit) bool {
	n, status := m.further(a, b)
	switch {
	case n != 0:
		return n > 0
	case a.field == "", !status && (m.fateOf(a) != Kept || m.fateOf(b) != Kept):
		return m.aNewer
	}
	if x, y := m.noted[0][noteKey(b)], m.noted[1][noteKey(a)]; x != y {
		return x
	}
	return m.aNewer || status && m.tied
}

// further compares two units if they are statuses.
func (m *merger) further(a, b *unit) (n int, ok bool) {
	if m.form.Further == nil || a.field != statusName || a.front {
		return 0, false
	}
	return m.form.Further(false, said(a.text), said(b.text))
}

// statusName is the label of a status, and the name of a column of statuses.
const statusName = "status"

// statusCell returns the cell of a status that both sides changed. recent is that of the side that
// was active last.
func (m *merger) statusCell(recent, other string) (cell string, ok bool) {
	mine, yours := strings.TrimSpace(recent), strings.TrimSpace(other)
	if m.form.Further == nil {
		return "", false
	}
	n, ok := m.form.Further(true, mine, yours)
	if !ok {
		return "", false
	}
	if n < 0 || n == 0 && m.tied && !m.aNewer {
		recent, mine, yours = other, yours, mine
	}
	m.asides = append(m.asides, Aside{Label: statusName, Text: yours, Over: mine})
	return recent, true
}

// noteKey returns the key under which notes about a unit's value are stored. The front matter
// repeats values of the body, so there the value alone is the key.
func noteKey(u *unit) string {
	if u.front {
		return fold(said(u.text))
	}
	return u.field + "\x00" + fold(said(u.text))
}

// aside handles the value of other, which is not used. out is the unit with the value that is used.
func (m *merger) aside(base string, out, other *unit, standsA bool) {
	value := said(other.text)
	if base != "" && (out.text == base || other.text == base) || fold(value) == fold(said(out.text)) {
		return
	}
	fate, over := m.fateOf(other), ""
	if _, status := m.further(out, other); status {
		fate, over = Kept, said(out.text)
	}
	label, day := labelAsWritten(other.text), m.days[sideOf(!standsA)]
	switch {
	case fate == Passes:
	case fate == Reported:
		m.asides = append(m.asides, Aside{Label: label, Text: value})
	case other.front:
		lead := other.text[:len(other.text)-len(strings.TrimLeft(other.text, " "))]
		text := lead + "# " + noted(strings.TrimLeft(other.text, " "), day)
		m.front = append(m.front, frontNote{
			other.field, Aside{Label: label, Text: value, Kept: true}, unit{
				kind: entry, key: "comment " + strings.TrimSpace(text), text: text,
			},
		})
	default:
		before := fold(said(base))
		// The other side replaced the value in this note.
		out.below = slices.DeleteFunc(slices.Clone(out.below), func(u unit) bool {
			return u.note != "" && base != "" && fold(said(u.text)) == before
		})
		if m.noted[sideOf(standsA)][noteKey(other)] {
			return
		}
		text := noted(other.text, day)
		out.below = append(out.below, unit{kind: entry, key: "note " + fold(text), text: text, note: other.field})
		m.asides = append(m.asides, Aside{Label: label, Text: value, Kept: true, Over: over})
	}
}

func sideOf(first bool) int {
	if first {
		return 0
	}
	return 1
}

// frontNote is a value of the front matter that is not used.
type frontNote struct {
	field string
	aside Aside
	text  unit
}

// comments adds the unused values of the front matter to it as comments, unless the body or a note
// already has the same text.
func (m *merger) comments(root *unit) {
	if len(m.front) == 0 || root.below[0].key != frontKey {
		return
	}
	body := map[string]bool{}
	for i := range root.below[1:] {
		root.below[i+1].walk(func(u *unit) {
			if u.field != "" || u.note != "" {
				body[fold(said(u.text))] = true
			}
		})
	}
	for _, n := range m.front {
		if body[fold(n.aside.Text)] || m.noted[0][fold(n.aside.Text)] || m.noted[1][fold(n.aside.Text)] {
			continue
		}
		m.asides = append(m.asides, n.aside)
		root.below[0].walk(func(u *unit) {
			if u.field == n.field {
				u.below = append(slices.Clone(u.below), n.text)
			}
		})
	}
}

// walk calls visit for a unit and everything below it.
func (u *unit) walk(visit func(*unit)) {
	visit(u)
	for i := range u.below {
		u.below[i].walk(visit)
	}
}

// notes returns the unused values that a version keeps as notes and comments.
func notes(root *unit) map[string]bool {
	out := map[string]bool{}
	root.walk(func(u *unit) {
		comment, isComment := strings.CutPrefix(u.key, "comment # ")
		if _, ok := cutNote(comment); isComment && ok || u.note != "" {
			out[fold(said(u.text))] = true
			out[u.note+"\x00"+fold(said(u.text))] = true
		}
	})
	return out
}

const otherSide = " (other side"

// noted returns a labelled line marked as the other side's text: "Stopped at (other side,
// 2026-03-14): …". Its label differs from the field's, so no program reads it as the field.
func noted(text, day string) string {
	end := strings.IndexByte(text, ':')
	for end > 0 && strings.IndexByte("*_ ", text[end-1]) >= 0 {
		end--
	}
	mark := otherSide
	if day != "" {
		mark += ", " + day
	}
	return text[:max(end, 0)] + mark + ")" + text[max(end, 0):]
}

// cutNote returns the label to which a note belongs.
func cutNote(label string) (string, bool) {
	name, rest, ok := strings.Cut(label, otherSide)
	return name, ok && strings.Contains(rest, ")")
}

// said returns the value after a label, without quotes.
func said(line string) string {
	line, _, _ = strings.Cut(line, "\n")
	label, value, ok := strings.Cut(line, ":")
	if !ok {
		return ""
	}
	for _, mark := range [...]string{"**", "__"} {
		if strings.Contains(label, mark) {
			value = strings.TrimPrefix(value, mark)
		}
	}
	value = strings.TrimSpace(value)
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	return value
}

// labelAsWritten returns the label of a line, without marks.
func labelAsWritten(line string) string {
	label, _, _ := strings.Cut(line, ":")
	return strings.Trim(label, " \t-*+_")
}
