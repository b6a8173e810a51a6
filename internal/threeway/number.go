package threeway

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/sorting"
)

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

// doubled returns sessions whose number another session has, without those that get new numbers
// anyway. They come from merges of branches that had renumbered the same sessions. A session that
// has its number from the base keeps it.
func (l *lists) doubled(moved []unit) (out []unit) {
	taken, seen := map[int]bool{}, map[string]bool{}
	for _, u := range moved {
		seen[u.key] = true
	}
	var both, one []unit
	for _, list := range [...][]unit{l.a, l.b} {
		for _, u := range list {
			if seen[u.key] || u.number == 0 || !l.keeps(u.key) {
				continue
			}
			seen[u.key] = true
			_, inA := l.inA[u.key]
			_, inB := l.inB[u.key]
			switch _, old := l.inO[u.key]; {
			case old && !u.moved:
				taken[u.number] = true
			case inA && inB:
				both = append(both, u)
			default:
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
