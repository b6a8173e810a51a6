package task

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/markdown"
)

// Extend adds the items of an entry to the last session, which keeps its number and its stamp
// (D53). Items that it already has are not repeated. ok is false if the session is not as baton
// would write it, or if the text would become something else in that place.
func (s *State) Extend(e Entry) (next *State, ok bool) {
	if len(s.Sessions) == 0 || e.Empty() || checkEntryText(e) != nil {
		return nil, false
	}
	last := s.Sessions[len(s.Sessions)-1]
	was := Entry{Did: last.Did, Issues: last.Issues, State: last.State, Next: last.Next}
	for _, hash := range last.Commits {
		was.Commits = append(was.Commits, Commit{Hash: hash})
	}
	write := func(e Entry) string { return entryLines(last.Style, last.Number, last.Time, e, !s.hasHistory()) }
	text := bytes.TrimRight(last.Span.Of(s.Bytes()), "\r\n")
	span := markdown.Span{Start: last.Span.Start, End: last.Span.Start + len(text)}
	if last.Style == StyleD || last.Number == 0 || write(was) != string(markdown.Fold(string(text), "\n")) {
		return nil, false
	}
	for _, more := range [...]Entry{e.Tidy(), e.Tidy().guarded()} {
		all := Entry{
			Did: with(was.Did, more.Did), Issues: with(was.Issues, more.Issues), State: with(was.State, more.State),
			Next: with(was.Next, more.Next), Commits: append(slices.Clone(was.Commits), more.Commits...),
		}
		edits := []markdown.Edit{{Span: span, Text: markdown.Fold(write(all), s.doc.EOL(span.Start))}}
		if edit, found := s.historyEdit(more.Commits); found {
			edits = append(edits, edit)
		}
		next, err := s.Splice(edits...)
		rest, fault := s.Splice(markdown.Edit{Span: last.Span})
		if err == nil && fault == nil && next.keepsStructure(rest, all) && next.saysSame(all) {
			return next, true
		}
	}
	return nil, false
}

// with appends the items that a list does not have yet.
func with(items, more []string) []string {
	out := slices.Clone(items)
	for _, item := range more {
		if !slices.ContainsFunc(out, func(had string) bool { return strings.TrimSpace(had) == item }) {
			out = append(out, item)
		}
	}
	return out
}

// Extends reports whether a session is an earlier one with more items: number, stamp and note are
// the same, and no item is missing (D53).
func (s Session) Extends(was Session) bool {
	if s.Number == 0 || s.Number != was.Number || s.Stamp != was.Stamp || s.Note != was.Note {
		return false
	}
	lists := func(s Session) [6][]string {
		return [...][]string{s.Did, s.Issues, s.State, s.Next, s.Commits, s.Notes}
	}
	is, some := lists(s), false
	for i, items := range lists(was) {
		for _, item := range items {
			some = true
			if !slices.Contains(is[i], item) {
				return false
			}
		}
	}
	return some
}
