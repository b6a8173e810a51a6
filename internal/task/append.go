package task

import (
	"slices"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Append adds one session to the progress log (5.8): in the style of the last session that is more
// than prose, at the end of the section, before blank lines and a "---" that closes it (TS-47), one
// blank line before it. A placeholder goes. stamp is written as it is, so it must already be in the
// zone of the reader (TS-D8). Bullets of style D have no number. Commits go to the git history
// where the file has one or its dialect does.
//
// Kind Usage code entry_empty or text_invalid; Violation code unclosed_fence when the log lies
// after an unclosed fence, entry_unplaceable when no way of writing keeps the file's structure.
func (s *State) Append(number int, stamp time.Time, e Entry) (*State, error) {
	if e.Empty() {
		return nil, errEmptyEntry()
	}
	e = e.Tidy()
	if err := checkEntryText(e); err != nil {
		return nil, err
	}
	base, err := s.appendTarget(e)
	if err != nil {
		return nil, err
	}
	for i, attempt := range [...]Entry{e, e.guarded()} {
		next, err := base.appendOnce(number, stamp, attempt)
		if err != nil {
			return nil, err
		}
		if next.keepsStructure(base, attempt) && (i > 0 || next.saysSame(attempt)) {
			return next, nil
		}
	}
	return nil, &report.Error{
		Op: "task.log", Kind: report.Violation, Code: report.CodeEntryUnplaceable, Path: StateName(s.ID),
		Message: "the entry cannot be added to " + StateName(s.ID) +
			" without changing the meaning of what stands there",
		Hint: "look at the end of the progress log: something there is left open",
	}
}

// appendTarget makes sure that the sections exist that the entry is written to.
func (s *State) appendTarget(e Entry) (*State, error) {
	next, _, err := s.EnsureSection(ProgressLog)
	if err != nil || len(e.Commits) == 0 || !s.hasHistory() {
		return next, err
	}
	next, _, err = next.EnsureSection(GitHistory)
	return next, err
}

// hasHistory reports whether commits go to a git history section (5.8).
func (s *State) hasHistory() bool {
	_, found := s.Find(GitHistory)
	return found || s.Dialect == V1B || s.Dialect == V1C
}

// appendOnce writes the entry; whether the result is sound is the caller's to check.
func (s *State) appendOnce(number int, stamp time.Time, e Entry) (*State, error) {
	section, _ := s.FindLast(ProgressLog)
	text := entryLines(s.style(), number, stamp, e, !s.hasHistory())
	edit := s.PlaceBlock(section, text, true)
	if s.style() == StyleD {
		edit = s.placeBullet(section, text)
	}
	edits := []markdown.Edit{edit}
	if s.hasHistory() {
		if edit, ok := s.historyEdit(e.Commits); ok {
			edits = append(edits, edit)
		}
	}
	return s.Splice(edits...)
}

// style is the style of the last session that is not prose only, else that of the dialect (5.4).
// Bullets go on only while nothing with a heading stands after them: below a heading a bullet is no
// entry.
func (s *State) style() Style {
	headed := false
	for _, session := range slices.Backward(s.Sessions) {
		if session.Style == StyleD && headed {
			break
		}
		if session.Style != StyleE && session.Style != 0 {
			return session.Style
		}
		headed = true
	}
	switch {
	case s.Dialect == Bare && !headed:
		return StyleD
	case s.Dialect.V1():
		return StyleA
	}
	return StyleC
}
