package ledger

import (
	"maps"
	"slices"
	"strings"

	"baton/internal/markdown"
)

// again finds what absent entries became although no new entry is similar. A checkout or a merge
// may bring back the later version of an entry, which the book knows already. A session with few
// words may have become one with many.
func (b *Book) again(absent []Absence, now map[string][]Entry) {
	there := map[string]*Entry{}
	sessions := map[string][]*Entry{} // by their first headings
	for _, doc := range slices.Sorted(maps.Keys(now)) {
		for i := range now[doc] {
			e := &now[doc][i]
			there[e.Key] = e
			if e.Kind == Session {
				first := firstHeading(e.Raw)
				sessions[first] = append(sessions[first], e)
			}
		}
	}
	for _, k := range b.Entries {
		if k.Kind == Session && k.State == Present && k.elsewhere(now) {
			first := firstHeading(k.Raw)
			sessions[first] = append(sessions[first], &k.Entry)
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
		if a.Into != nil || a.Known.Kind != Session {
			continue
		}
		for _, e := range sessions[firstHeading(a.Known.Raw)] {
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
	if e == nil || next == k || next.State == Present || !StandsFor(k.Entry, *e) {
		return nil
	}
	return e
}

// elsewhere reports whether the book has an entry in a document that was not looked at.
func (k *Known) elsewhere(now map[string][]Entry) bool {
	return slices.ContainsFunc(k.docs, func(doc string) bool { _, looked := now[doc]; return !looked })
}

// StandsFor reports whether an entry is another one in other words (see Similar), or a session with
// more items (D53), which a merge may have given another number.
func StandsFor(lost, now Entry) bool {
	return Similar(lost, now) || lost.Kind == Session && now.Kind == Session &&
		firstHeading(lost.Raw) == firstHeading(now.Raw) && saysAll(&now, &lost)
}

// saysAll reports whether a session is another one of that first heading with more items (D53): no
// line is missing. A list in one line, such as that of the commits, may have more.
func saysAll(e, earlier *Entry) bool {
	if e.Number == 0 || e.Date == "" || e.Date != earlier.Date || e.Key == earlier.Key {
		return false
	}
	return markdown.HasAll(strings.Split(said(e.Raw), "\n"), strings.Split(said(earlier.Raw), "\n"))
}

// firstHeading returns the heading of a session, without marks, as it was before the session got
// another number: "Session 3 - 2026-03-01 10:00 (was session 2)" had the number 2.
func firstHeading(raw string) string {
	heading, _, _ := strings.Cut(raw, "\n")
	heading = strings.Trim(heading, "# \t\r")
	text, note, ok := strings.Cut(heading, " (was session ")
	number, ended := strings.CutSuffix(note, ")")
	const digits = "0123456789"
	if at := strings.IndexAny(text, digits); ok && ended && at >= 0 {
		return text[:at] + number + strings.TrimLeft(text[at:], digits)
	}
	return heading
}
