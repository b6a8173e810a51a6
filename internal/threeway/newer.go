package threeway

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// newer reports whether the first side was active last. If nothing shows that, the first value that
// both sides changed decides. Then both orders agree, and merging with a side again gives the same
// result, because the side with the winning values wins again.
func (m *merger) newer(ours, theirs []byte, o, a, b *unit) bool {
	if m.form.Newer != nil {
		x, y := m.form.Newer(ours, theirs), m.form.Newer(theirs, ours)
		if x != y {
			return x
		}
	}
	m.tied = true
	was, mine, yours := values(o), values(a), values(b)
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		v, both := yours[name]
		if both && mine[name] != v && mine[name] != was[name] && v != was[name] {
			return mine[name] > v
		}
	}
	return bytes.Compare(ours, theirs) > 0
}

// values returns the values of all named units. The keys are the names of the unit and of all units
// around it.
func values(root *unit) map[string]string {
	out := map[string]string{}
	var visit func(path string, u *unit)
	visit = func(path string, u *unit) {
		path += "\x00" + u.key
		if u.field != "" {
			out[path] = u.text
		}
		for i := range u.below {
			line := &u.below[i]
			if name, value, ok := strings.Cut(strings.TrimSpace(line.text), ":"); ok && u.merge != nil &&
				line.kind == prose {
				out[path+"\x00"+name] = strings.Trim(value, " ,")
			}
			visit(path, line)
		}
	}
	visit("", root)
	return out
}
