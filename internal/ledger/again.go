package ledger

import (
	"slices"
	"strings"
)

// again finds what absent entries became among entries that the book knows already. A checkout or a
// merge brings back the later version of an entry, and the earlier one is gone once more.
func (b *Book) again(absent []Absence, now map[string][]Entry) {
	there := map[string]*Entry{}
	var sessions []*Entry
	for _, entries := range now {
		for i := range entries {
			there[entries[i].Key] = &entries[i]
		}
	}
	for _, k := range b.Entries {
		e := there[k.Key]
		if e == nil && k.State == Present && k.elsewhere(now) {
			e = &k.Entry
		}
		if e != nil && e.Kind == Session {
			sessions = append(sessions, e)
		}
	}
	taken := map[*Entry]bool{}
	for i := range absent {
		a := &absent[i]
		if a.Into == nil {
			if e := b.latest(a.Known, there); e != nil && !taken[e] {
				a.Into, taken[e] = e, true
			}
		}
		for _, e := range sessions {
			if a.Into == nil && saysAll(e, &a.Known.Entry) {
				a.Into = e
			}
		}
	}
}

// latest returns the last version of an entry that was reworded before it came back, if that
// version is there again. A version that the book has as present stood beside it, so it is another
// entry.
func (b *Book) latest(k *Known, there map[string]*Entry) *Entry {
	next := b.by[k.Later]
	if next == nil {
		return nil
	}
	next = b.Became(next)
	e := there[next.Key]
	if e == nil || next == k || next.State == Present || !Similar(k.Entry, *e) {
		return nil
	}
	return e
}

// elsewhere reports whether the book has an entry in a document that was not looked at.
func (k *Known) elsewhere(now map[string][]Entry) bool {
	return slices.ContainsFunc(k.docs, func(doc string) bool { _, looked := now[doc]; return !looked })
}

// saysAll reports whether a session is another one with more items (D53): the heading is the same,
// and no line is missing. A list in one line, such as that of the commits, may be longer.
func saysAll(e, earlier *Entry) bool {
	if e.Number == 0 || e.Number != earlier.Number || e.Date != earlier.Date || e.Key == earlier.Key {
		return false
	}
	heading := func(raw string) string {
		first, _, _ := strings.Cut(raw, "\n")
		return strings.Trim(first, "# \t\r")
	}
	if heading(e.Raw) != heading(earlier.Raw) {
		return false
	}
	lines := slices.Collect(strings.Lines(said(e.Raw)))
	for line := range strings.Lines(said(earlier.Raw)) {
		if !slices.Contains(lines, line) && !slices.ContainsFunc(lines, func(more string) bool {
			return strings.HasPrefix(more, strings.TrimSpace(line)+", ")
		}) {
			return false
		}
	}
	return true
}
