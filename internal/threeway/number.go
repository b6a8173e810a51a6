package threeway

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/sorting"
)

// apart gives different keys to sessions that both sides added with equal headings but different
// texts.
func apart(o, a, b []unit) (x, y []unit) {
	inO := index(o)
	x, y = slices.Clone(a), slices.Clone(b)
	known(inO, x, y)
	known(inO, y, x)
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

// known finds the new sessions of y that x has under a higher number, because an earlier merge
// renumbered them. It treats them as the same sessions.
func known(inO map[string]int, x, y []unit) {
	inY, renumbered := index(y), map[string]int{}
	for i, u := range x {
		_, old := inO[u.key]
		if _, both := inY[u.key]; u.number > 0 && !old && !both {
			renumbered[u.withoutNumber()] = i
		}
	}
	for j := range y {
		if _, old := inO[y[j].key]; old || y[j].number == 0 {
			continue
		}
		if i, ok := renumbered[y[j].withoutNumber()]; ok && x[i].number > y[j].number {
			gap, last := y[j].gap, y[j].last
			y[j] = x[i]
			y[j].gap, y[j].last = gap, last
		}
	}
}

// withoutNumber returns a session's text without its number.
func (u *unit) withoutNumber() string {
	return strings.Replace(u.whole(), strconv.Itoa(u.number), "", 1)
}

// number renumbers the new sessions of one side if the other side used the same numbers: those of
// the side whose first session is later, or those whose numbers have moved to an archive.
func (l *lists) number() {
	newA, newB := l.fresh(l.a, l.inB), l.fresh(l.b, l.inA)
	if len(newA) == 0 && len(newB) == 0 {
		return
	}
	goneA, goneB := clash(newA, newB, l.reserved[2], l.reserved[0]), clash(newB, newA, l.reserved[1], l.reserved[0])
	var moved []unit
	switch {
	case goneA == inArchive:
		moved = newA
	case goneB == inArchive:
		moved = newB
	case goneA == noClash:
		return
	case earlier(newA, newB):
		moved = newB
	default:
		moved = newA
	}
	highest := slices.Max(l.reserved[:])
	for _, list := range [...][]unit{l.o, l.a, l.b} {
		for _, u := range list {
			highest = max(highest, u.number)
		}
	}
	moved = slices.Clone(moved)
	sorting.By(moved, func(x, y unit) int { return x.number - y.number })
	l.again = map[string]int{}
	for _, u := range moved {
		highest++
		l.again[u.key] = highest
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

// renumber changes the number in the heading of a session.
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
	u.number = to
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
