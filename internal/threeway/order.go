package threeway

import (
	"slices"
	"strings"
)

// runs writes two runs of units that are in the same place: sorted by time if every unit has one,
// otherwise one run after the other.
func (l *lists) runs(a, b []unit) {
	a, b = l.kept(a), l.kept(b)
	if l.sorted(a) && l.sorted(b) {
		for len(a) > 0 && len(b) > 0 {
			if l.before(a[:1], b[:1]) {
				l.put(a[0].key)
				a = a[1:]
			} else {
				l.put(b[0].key)
				b = b[1:]
			}
		}
	} else if !l.before(a, b) {
		a, b = b, a
	}
	for _, u := range slices.Concat(a, b) {
		l.put(u.key)
	}
}

// kept leaves out units that are already written or that do not stay.
func (l *lists) kept(units []unit) []unit {
	var out []unit
	for _, u := range units {
		if !l.done[u.key] && l.keeps(u.key) {
			out = append(out, u)
		}
	}
	return out
}

// sorted reports whether all units have a time and are in its order. Sessions stay together,
// because they are ordered by number.
func (l *lists) sorted(units []unit) bool {
	for i, u := range units {
		if u.kind != entry || u.stamp == "" || u.number > 0 {
			return false
		}
		if i > 0 && (l.turned && units[i-1].stamp < u.stamp || !l.turned && units[i-1].stamp > u.stamp) {
			return false
		}
	}
	return true
}

// before reports whether run a comes before run b.
func (l *lists) before(a, b []unit) bool {
	if l.turned && stampOf(a) != "" && stampOf(b) != "" {
		return earlier(b, a)
	}
	return earlier(a, b)
}

// earlier compares two runs by their first time, then by their bytes, so that both orders of
// merging agree.
func earlier(a, b []unit) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(b) == 0
	}
	if x, y := stampOf(a), stampOf(b); x != y && x != "" && y != "" {
		return x < y
	}
	return textOf(a) <= textOf(b)
}

func stampOf(units []unit) string {
	for _, u := range units {
		if u.stamp != "" {
			return u.stamp
		}
	}
	return ""
}

func textOf(units []unit) string {
	var b strings.Builder
	for i := range units {
		units[i].write(&b)
	}
	return b.String()
}

// newestFirst reports whether a list of entries is sorted from the newest to the oldest.
func newestFirst(units []unit) bool {
	first, last := "", ""
	for _, u := range units {
		if u.stamp == "" || u.kind != entry && u.number == 0 {
			continue
		}
		if first == "" {
			first = u.stamp
		}
		last = u.stamp
	}
	return first > last
}

// fixGaps corrects the blank lines between neighbours that come from different versions, and the
// positions of rows in tables.
func fixGaps(units []unit) []unit {
	for i := 0; i+1 < len(units); i++ {
		u, v := &units[i], &units[i+1]
		if !strings.HasSuffix(u.whole(), "\n") && u.gap == "" {
			u.gap = "\n"
		}
		switch {
		case u.group != "" && u.group == v.group:
			if u.last && u.gap != "" {
				v.gap, u.gap, v.last = max(v.gap, u.gap), "", true
			}
		case u.gap == "" && (u.group == "item" && v.plain || v.footer):
			// Without a blank line, the rule of a footer would make the line before it a heading.
			u.gap = "\n"
		case u.gap == "" && (u.kind == part && u.last || u.group != "" && !u.last && v.group != u.group):
			u.gap = "\n"
		}
	}
	for i := 0; i < len(units); i++ {
		if !units[i].places {
			continue
		}
		j := i
		for j < len(units) && units[j].places {
			j++
		}
		replace(units[i:j])
		i = j
	}
	return units
}
