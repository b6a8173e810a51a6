package task

import (
	"slices"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Append adds one session to the progress log (5.8). It is written in the style of the last session
// that is not only prose. It goes to the end of the section, before blank lines and a closing "---"
// (TS-47), with one blank line before it. A placeholder is removed. stamp is written as it is, so
// it must already be in the reader's time zone (TS-D8). Bullets of style D have no number. Commits
// are also listed in the git history if the file has one or its dialect requires one.
//
// Errors: Usage entry_empty or text_invalid; Violation unclosed_fence if the log is after an
// unclosed fence, entry_unplaceable if the file's structure would change however the entry is
// written.
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
			" without changing the meaning of what is already there",
		Hint: "look for an unclosed fence or comment at the end of the progress log",
	}
}

// appendTarget makes sure that the sections to which the entry is written exist.
func (s *State) appendTarget(e Entry) (*State, error) {
	next, _, err := s.EnsureSection(ProgressLog)
	if err != nil || len(e.Commits) == 0 || !s.hasHistory() {
		return next, err
	}
	next, _, err = next.EnsureSection(GitHistory)
	return next, err
}

// hasHistory reports whether commits are listed in a git history section (5.8).
func (s *State) hasHistory() bool {
	_, found := s.Find(GitHistory)
	return found || s.Dialect == V1B || s.Dialect == V1C
}

// appendOnce writes the entry. The caller checks whether the result is sound.
func (s *State) appendOnce(number int, stamp time.Time, e Entry) (*State, error) {
	section, _ := s.FindLast(ProgressLog)
	style := s.style(number)
	text := entryLines(style, number, stamp, e, !s.hasHistory())
	edit := s.PlaceBlock(section, text, true)
	if style == StyleD {
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

// style returns the style of the last session that is not only prose, or else the style of the
// dialect (5.4). Bullets are continued only if no session with a heading follows them, because a
// bullet below a heading is not read as an entry. number is that of the next session: an empty log
// that does not begin with 1 had sessions with headings, which may come back.
func (s *State) style(number int) Style {
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
	case s.Dialect == Bare && !headed && (number <= 1 || s.Summary != nil || len(s.Sessions) > 0):
		return StyleD
	case s.Dialect.V1():
		return StyleA
	}
	return StyleC
}
