package threeway

import (
	"slices"
	"strings"
)

// Fate is what becomes of a value that both sides changed, if the other one is taken.
type Fate uint8

// The fates.
const (
	Passes   Fate = iota // one of two is true now, and a program wrote both
	Reported             // the result names it
	Kept                 // a person's words: they stay beside the newest ones, and the result names them
)

// Aside is a value that both sides wrote and that is not in its field.
type Aside struct {
	Label string // as the document writes it
	Text  string
	Kept  bool // it stands beside the newest one
}

// fateOf asks the form about what a side wrote.
func (m *merger) fateOf(u *unit) Fate {
	text := said(u.text)
	if m.form.Fate == nil || u.field == "" || text == "" {
		return Passes
	}
	return m.form.Fate(u.field, text, u.front)
}

// order reports whether a's value stands. A side that has the other one's as a note knew it and
// decided.
func (m *merger) order(a, b *unit) bool {
	if a.field == "" || m.fateOf(a) != Kept || m.fateOf(b) != Kept {
		return m.aNewer
	}
	if x, y := m.noted[0][noteKey(b)], m.noted[1][noteKey(a)]; x != y {
		return x
	}
	return m.aNewer
}

// noteKey is what a note of a unit's value is found by. The front matter repeats values of the
// body, so there the words are enough.
func noteKey(u *unit) string {
	if u.front {
		return fold(said(u.text))
	}
	return u.field + "\x00" + fold(said(u.text))
}

// aside sees to the words that do not stand: out is the unit with the newest ones.
func (m *merger) aside(base string, out, other *unit, standsA bool) {
	value := said(other.text)
	if base != "" && (out.text == base || other.text == base) || fold(value) == fold(said(out.text)) {
		return
	}
	fate := m.fateOf(other)
	label, day := labelAsWritten(other.text), m.days[sideOf(!standsA)]
	switch {
	case fate == Passes:
	case fate == Reported:
		m.asides = append(m.asides, Aside{label, value, false})
	case other.front:
		lead := other.text[:len(other.text)-len(strings.TrimLeft(other.text, " "))]
		text := lead + "# " + noted(strings.TrimLeft(other.text, " "), day)
		m.front = append(m.front, frontNote{
			other.field, Aside{label, value, true}, unit{
				kind: entry, key: "comment " + strings.TrimSpace(text), text: text,
			},
		})
	default:
		before := fold(said(base))
		// the other side wrote something newer in its place
		out.below = slices.DeleteFunc(slices.Clone(out.below), func(u unit) bool {
			return u.note != "" && base != "" && fold(said(u.text)) == before
		})
		if m.noted[sideOf(standsA)][noteKey(other)] {
			return
		}
		text := noted(other.text, day)
		out.below = append(out.below, unit{kind: entry, key: "note " + fold(text), text: text, note: other.field})
		m.asides = append(m.asides, Aside{label, value, true})
	}
}

func sideOf(first bool) int {
	if first {
		return 0
	}
	return 1
}

// frontNote is a value of the front matter that does not stand.
type frontNote struct {
	field string
	aside Aside
	text  unit
}

// comments puts what the front matter lost into it as comments, unless the body says the same.
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

// walk goes through a unit and everything below it.
func (u *unit) walk(visit func(*unit)) {
	visit(u)
	for i := range u.below {
		u.below[i].walk(visit)
	}
}

// notes collects the words that a version keeps beside others.
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

// noted marks a labelled line as the words of the other side: "Stopped at (other side, 2026-03-14):
// …". No program reads it as the field, because the label is another one.
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

// cutNote returns the label that a note belongs to.
func cutNote(label string) (string, bool) {
	name, rest, ok := strings.Cut(label, otherSide)
	return name, ok && strings.Contains(rest, ")")
}

// said returns the words after a label, without quotes around them.
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

// labelAsWritten returns a label without marks.
func labelAsWritten(line string) string {
	label, _, _ := strings.Cut(line, ":")
	return strings.Trim(label, " \t-*+_")
}
