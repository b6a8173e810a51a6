package threeway

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/sorting"
)

// apart gives different keys to sessions that both sides added with equal headings but different
// texts.
func (m *merger) apart(o, a, b []unit) (x, y []unit) {
	inO := index(o)
	x, y = slices.Clone(a), slices.Clone(b)
	replaced(o, x, b)
	replaced(o, y, a)
	x, y = withoutGone(o, x, y), withoutGone(o, y, x)
	m.known(inO, x, y)
	inB := index(y)
	for i := range x {
		j, both := inB[x[i].key]
		if _, old := inO[x[i].key]; old || !both || x[i].number == 0 || x[i].whole() == y[j].whole() {
			continue
		}
		key := x[i].key
		x[i].key, y[j].key = key+"\x00"+x[i].whole(), key+"\x00"+y[j].whole()
	}
	return x, y
}

// replaced gives new keys to sessions of x that have the heading of an old one but are others,
// because an earlier merge gave either of them another number. Headings are equal if both began in
// one minute.
func replaced(o, x, y []unit) {
	inO, mine, others := index(o), map[string]bool{}, map[string]bool{}
	for i := range x {
		if j, old := inO[x[i].key]; x[i].number > 0 && (!old || x[i].whole() != o[j].whole()) {
			mine[x[i].withoutNumber()] = true
		}
	}
	for _, list := range [...][]unit{o, y} {
		for i := range list {
			if list[i].number > 0 {
				others[list[i].withoutNumber()] = true
			}
		}
	}
	for i := range x {
		j, old := inO[x[i].key]
		if old && x[i].number > 0 && x[i].whole() != o[j].whole() &&
			(mine[o[j].withoutNumber()] || others[x[i].withoutNumber()]) {
			x[i].key += "\x00" + x[i].whole()
		}
	}
}

// withoutGone returns the units of x without old sessions to which x only gave another number, and
// that y no longer has because it moved them to the archive.
func withoutGone(o, x, y []unit) []unit {
	inX, inY, there := index(x), index(y), map[string]bool{}
	for i := range y {
		if y[i].number > 0 {
			there[y[i].withoutNumber()] = true
		}
	}
	gone := map[string]bool{}
	for i := range o {
		if o[i].number == 0 {
			continue
		}
		text := o[i].withoutNumber()
		_, here := inX[o[i].key]
		if _, kept := inY[o[i].key]; !here && !kept && !there[text] {
			gone[text] = true
		}
	}
	inO := index(o)
	return slices.DeleteFunc(x, func(u unit) bool {
		_, old := inO[u.key]
		return u.number > 0 && !old && gone[u.withoutNumber()]
	})
}

// known finds new sessions that both sides have under different numbers, because earlier merges
// renumbered them. They get the same key and the higher number, and a note of the other one.
func (m *merger) known(inO map[string]int, x, y []unit) {
	inY := byText(inO, y)
	for text, i := range byText(inO, x) {
		j, both := inY[text]
		if !both || i < 0 || j < 0 || x[i].number == y[j].number {
			continue
		}
		from, to := &x[i], &y[j]
		if from.number < to.number {
			from, to = to, from
		}
		gap, last := to.gap, to.last
		from.key += "\x00" + text
		if from.was == "" && to.was == "" && m.form.Note != nil {
			to.was = m.form.Note(strconv.Itoa(to.number))
		}
		from.was = max(from.was, to.was)
		*to = *from
		to.gap, to.last = gap, last
	}
}

// byText returns the positions of new sessions by their texts without numbers, and -1 for a text
// that several of them have.
func byText(inO map[string]int, list []unit) map[string]int {
	out := map[string]int{}
	for i := range list {
		if _, old := inO[list[i].key]; old || list[i].number == 0 {
			continue
		}
		text := list[i].withoutNumber()
		if _, twice := out[text]; twice {
			i = -1
		}
		out[text] = i
	}
	return out
}

// withoutNumber returns a session's text without its number.
func (u *unit) withoutNumber() string {
	return strings.Replace(u.whole(), strconv.Itoa(u.number), "", 1)
}

// number renumbers new sessions whose numbers other sessions have.
func (l *lists) number() {
	moved := l.onOneSide()
	moved = append(moved, l.doubled(moved)...)
	if len(moved) == 0 {
		return
	}
	highest := slices.Max(l.reserved[:])
	for _, list := range [...][]unit{l.o, l.a, l.b} {
		for _, u := range list {
			highest = max(highest, u.number)
		}
	}
	sorting.By(moved, func(x, y unit) int { return x.number - y.number })
	l.again = map[string]int{}
	for _, u := range moved {
		highest++
		l.again[u.key] = highest
	}
}

// onOneSide returns the new sessions of one side if the other side used the same numbers: those of
// the side whose first session is later, or those whose numbers have moved to an archive.
func (l *lists) onOneSide() []unit {
	newA, newB := l.fresh(l.a, l.inB), l.fresh(l.b, l.inA)
	goneA, goneB := clash(newA, newB, l.reserved[2], l.reserved[0]), clash(newB, newA, l.reserved[1], l.reserved[0])
	switch {
	case goneA == inArchive:
		return newA
	case goneB == inArchive:
		return newB
	case goneA == noClash:
		return nil
	case earlier(newA, newB):
		return newB
	}
	return newA
}

// doubled returns new sessions, without those that get new numbers anyway, whose number another
// session has. They come from merges of branches that had renumbered the same sessions.
func (l *lists) doubled(moved []unit) (out []unit) {
	taken, seen := map[int]bool{}, map[string]bool{}
	for _, u := range moved {
		seen[u.key] = true
	}
	for _, u := range l.o {
		taken[u.number] = taken[u.number] || l.keeps(u.key)
	}
	var both, one []unit
	for _, list := range [...][]unit{l.a, l.b} {
		for _, u := range list {
			if _, old := l.inO[u.key]; old || seen[u.key] || u.number == 0 {
				continue
			}
			seen[u.key] = true
			_, inA := l.inA[u.key]
			if _, inB := l.inB[u.key]; inA && inB {
				both = append(both, u)
			} else {
				one = append(one, u)
			}
		}
	}
	for _, list := range [...][]unit{both, one} {
		sorting.By(list, func(x, y unit) int { return strings.Compare(x.whole(), y.whole()) })
		for _, u := range list {
			if taken[u.number] {
				out = append(out, u)
			}
			taken[u.number] = true
		}
	}
	return out
}

// ascending reports whether the numbers of sessions ascend.
func ascending(units []unit) bool {
	last := 0
	for i := range units {
		if n := units[i].number; n > 0 {
			if n < last {
				return false
			}
			last = n
		}
	}
	return true
}

// ascend puts sessions in the order of their numbers. Blank lines stay where they are.
func ascend(units []unit) {
	var at []int
	var sessions []unit
	for i := range units {
		if units[i].number > 0 {
			at, sessions = append(at, i), append(sessions, units[i])
		}
	}
	sorting.By(sessions, func(x, y unit) int { return x.number - y.number })
	for n, i := range at {
		gap, last := units[i].gap, units[i].last
		units[i] = sessions[n]
		units[i].gap, units[i].last = gap, last
	}
}

// fresh returns the sessions that only this side added.
func (l *lists) fresh(list []unit, other map[string]int) []unit {
	var out []unit
	for _, u := range list {
		_, old := l.inO[u.key]
		if _, both := other[u.key]; u.number > 0 && !old && !both {
			out = append(out, u)
		}
	}
	return out
}

const (
	noClash = iota
	inFile
	inArchive
)

// clash reports whether the numbers of new sessions are used by new sessions of the other side, in
// its file or in its archive.
func clash(list, other []unit, archived, before int) int {
	found := noClash
	for _, u := range list {
		if archived > before && u.number <= archived && u.number > before {
			return inArchive
		}
		for _, v := range other {
			if u.number == v.number {
				found = inFile
			}
		}
	}
	return found
}

// renumber changes the number in the heading of a session. The heading notes the first number that
// it had.
func (l *lists) renumber(u unit, to int) unit {
	if l.form.Session == nil {
		return u
	}
	from := strconv.Itoa(u.number)
	at := strings.Index(u.text, from)
	if at < 0 {
		return u
	}
	l.merger.again = append(l.merger.again, Renumbered{u.number, to})
	u.text = u.text[:at] + strconv.Itoa(to) + u.text[at+len(from):]
	if u.number = to; u.was == "" && l.form.Note != nil {
		u.was = l.form.Note(from)
	}
	return u
}

// replace renumbers the rows of a table if their numbers do not ascend by one.
func replace(rows []unit) {
	right := true
	for i, u := range rows {
		place, _, ok := cutPlace(u.text)
		if !ok {
			return
		}
		right = right && place == strconv.Itoa(i+1)
	}
	if right {
		return
	}
	for i := range rows {
		place, rest, _ := cutPlace(rows[i].text)
		at := strings.Index(rows[i].text, place)
		rows[i].text = rest[:at] + strconv.Itoa(i+1) + rest[at:]
	}
}
