package threeway

import "strings"

// lists merges two lists of neighbouring units.
type lists struct {
	*merger
	o, a, b       []unit
	inO, inA, inB map[string]int
	done          map[string]bool
	out           []unit
	turned        bool           // the newest entries come first
	again         map[string]int // new numbers of sessions, by key
}

// list merges the units below one part.
func (m *merger) list(o, a, b []unit) []unit {
	up := ascending(a) && ascending(b)
	o, a, b = m.match(o, a, b)
	l := &lists{merger: m, o: o, a: a, b: b, inO: index(o), inA: index(a), inB: index(b), done: map[string]bool{}}
	l.turned = newestFirst(o) || len(o) < 2 && (newestFirst(a) || newestFirst(b))
	l.number()
	sa, sb := side{list: a, left: changes(o, a)}, side{list: b, left: changes(o, b)}
	pos := 0
	for len(sa.left) > 0 || len(sb.left) > 0 {
		lo, hi, na, nb := region(sa.left, sb.left)
		for ; pos < lo; pos++ {
			l.put(o[pos].key)
		}
		ah, changedA := sa.take(lo, hi, na)
		bh, changedB := sb.take(lo, hi, nb)
		l.resolve(o[lo:hi], ah, bh, changedA, changedB)
		pos = hi
	}
	for ; pos < len(o); pos++ {
		l.put(o[pos].key)
	}
	if up && !ascending(l.out) {
		ascend(l.out)
	}
	if n := len(l.out); n > 0 && l.out[n-1].number > 0 {
		l.out[n-1].gap = "" // the part has the blank lines after its last session
	}
	return fixGaps(l.out)
}

// region finds the first place where something changed, and the number of changes by each side that
// overlap it.
func region(a, b []change) (lo, hi, na, nb int) {
	switch {
	case len(b) == 0 || len(a) > 0 && (a[0].o0 < b[0].o0 || a[0].o0 == b[0].o0 && a[0].o1 >= b[0].o1):
		lo, hi, na = a[0].o0, a[0].o1, 1
	default:
		lo, hi, nb = b[0].o0, b[0].o1, 1
	}
	for {
		switch {
		case na < len(a) && a[na].touches(lo, hi):
			hi = max(hi, a[na].o1)
			na++
		case nb < len(b) && b[nb].touches(lo, hi):
			hi = max(hi, b[nb].o1)
			nb++
		default:
			return lo, hi, na, nb
		}
	}
}

// find returns the versions of a unit.
func (l *lists) find(key string) (o, a, b *unit) {
	at := func(in map[string]int, list []unit) *unit {
		if i, ok := in[key]; ok {
			return &list[i]
		}
		return nil
	}
	return at(l.inO, l.o), at(l.inA, l.a), at(l.inB, l.b)
}

// keeps reports whether a unit stays: it is new, both sides have it, or the side that still has it
// changed it.
func (l *lists) keeps(key string) bool {
	o, a, b := l.find(key)
	switch {
	case a == nil && b == nil:
		return false
	case o == nil, a != nil && b != nil, l.form.Union:
		return true
	case a == nil:
		return o.meaning() != b.meaning()
	}
	return o.meaning() != a.meaning()
}

// put writes a unit, but only once.
func (l *lists) put(key string) {
	if l.done[key] || !l.keeps(key) {
		return
	}
	l.done[key] = true
	u := l.combine(l.find(key))
	if to, ok := l.again[key]; ok {
		u = l.renumber(u, to)
	}
	l.out = append(l.out, u)
}

// resolve writes a region in which at least one side added, removed or moved units.
func (l *lists) resolve(oh, ah, bh []unit, changedA, changedB bool) {
	po, pa, pb := proseOf(oh), proseOf(ah), proseOf(bh)
	if changedA && changedB && pa != pb && pa != po && pb != po && !l.form.Union && !l.form.Lines {
		l.conflict(oh, ah, bh)
		return
	}
	i, j := 0, 0
	for _, p := range append(matches(ah, bh), [2]int{len(ah), len(bh)}) {
		l.runs(ah[i:p[0]], bh[j:p[1]])
		if p[0] < len(ah) {
			l.put(ah[p[0]].key)
		}
		i, j = p[0]+1, p[1]+1
	}
}

// proseOf returns the text that people wrote in a region.
func proseOf(units []unit) string {
	var b strings.Builder
	for i := range units {
		if units[i].kind == prose {
			b.WriteString(units[i].text)
		}
	}
	return b.String()
}

// conflict writes both texts between conflict markers, without their common start and end.
func (l *lists) conflict(oh, ah, bh []unit) {
	for len(ah) > 0 && len(bh) > 0 && ah[0].key == bh[0].key {
		l.put(ah[0].key)
		ah, bh = ah[1:], bh[1:]
	}
	var tail []unit
	for len(ah) > 0 && len(bh) > 0 && ah[len(ah)-1].key == bh[len(bh)-1].key {
		tail = append([]unit{ah[len(ah)-1]}, tail...)
		ah, bh = ah[:len(ah)-1], bh[:len(bh)-1]
	}
	if x, y := proseOf(ah), proseOf(bh); x == "" || y == "" || x == proseOf(oh) || y == proseOf(oh) {
		l.runs(ah, bh)
	} else {
		l.markers(ah, bh)
	}
	for _, u := range tail {
		l.put(u.key)
	}
}

// markers writes git's conflict markers, which markdown.Unsafe and every editor recognise. Entries
// do not conflict, so they come after the markers.
func (l *lists) markers(ah, bh []unit) {
	l.conflicts++
	text := func(units []unit) string {
		var b strings.Builder
		for i, u := range units {
			if u.kind == prose {
				b.WriteString(u.whole())
				if i < len(units)-1 {
					b.WriteString(u.gap)
				}
			}
		}
		return b.String()
	}
	u := unit{kind: prose, text: "<<<<<<< ours\n" + text(ah) + "=======\n" + text(bh) + ">>>>>>> theirs\n"}
	for _, side := range [...][]unit{ah, bh} {
		if n := len(side); n > 0 {
			u.gap = max(u.gap, side[n-1].gap)
		}
	}
	l.out = append(l.out, u)
	l.runs(entriesOf(ah), entriesOf(bh))
}

func entriesOf(units []unit) []unit {
	var out []unit
	for _, u := range units {
		if u.kind != prose {
			out = append(out, u)
		}
	}
	return out
}
