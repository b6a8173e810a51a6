package task

import (
	"fmt"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
)

// Limits are the numbers of the size policy (5.13). One KB is 1,024 bytes.
type Limits struct {
	WarnKB         int    // warn from this size on
	ArchiveKB      int    // archive sessions above this size
	KeepSessions   int    // sessions that stay in the file when others are archived
	NoticeSessions int    // show the split notice above this many sessions
	Sizing         string // sizing profile "v2" or "v1" (TS-D32)
}

// DefaultLimits returns the limits of the format: 50 and 75 KB, five sessions, a notice above
// twenty, profile v2.
func DefaultLimits() Limits {
	return Limits{WarnKB: 50, ArchiveKB: 75, KeepSessions: 5, NoticeSessions: 20, Sizing: "v2"}
}

// UnlimitedKB is an archive limit that no file reaches. Callers use it if nothing may be archived.
const UnlimitedKB = 1 << 20

// Over reports whether a size in bytes is above the archive limit. A size equal to the limit is not
// (TS-41).
func (l Limits) Over(size int) bool { return size > l.ArchiveKB*1024 }

// classes returns the lowest numbers of sessions for "consider splitting" and "must be split"
// (5.13, TS-D31).
func (l Limits) classes() (consider, must int) {
	if l.Sizing == "v1" {
		return 11, 21
	}
	return 9, 16
}

// SizeFindings returns the findings of the size policy. total is the number of sessions including
// archived ones. Codes: large, task_may_be_too_large, consider_splitting, must_split.
func (s *State) SizeFindings(l Limits, total int) []report.Finding {
	return s.SizeFindingsAfter(l, total, false)
}

// SizeFindingsAfter is SizeFindings for a file after a write. archived reports whether that write
// archived sessions.
func (s *State) SizeFindingsAfter(l Limits, total int, archived bool) []report.Finding {
	var found []report.Finding
	size := len(s.Bytes())
	name := "task " + s.ID.Ref()
	switch {
	case l.Over(size) && archived:
		found = append(found, report.CodeOverLimitIrreducible.Finding("", 0, fmt.Sprintf(
			"%s still has %s after archiving, more than %d KB; its largest parts are %s",
			name, Kilobytes(size), l.ArchiveKB, s.largest(3))))
	case l.Over(size) && len(s.Sessions) <= l.KeepSessions:
		found = append(found, report.CodeTaskMayBeTooLarge.Finding("", 0, fmt.Sprintf(
			"%s has %s in %s, more than %d KB, and nothing to archive: the task may be too large; its "+
				"largest parts are %s",
			name, Kilobytes(size), safetext.Count(len(s.Sessions), "session"), l.ArchiveKB, s.largest(3))))
	case size >= l.WarnKB*1024:
		text := fmt.Sprintf("%s has %s: consider summarising", name, Kilobytes(size))
		if l.ArchiveKB < UnlimitedKB {
			text += fmt.Sprintf("; above %d KB all but the last %d sessions are archived", l.ArchiveKB, l.KeepSessions)
		}
		found = append(found, report.CodeLarge.Finding("", 0, text))
	}
	consider, must := l.classes()
	switch {
	case total >= must:
		found = append(found, report.CodeMustSplit.Finding("", 0, fmt.Sprintf(
			"%s has %d sessions: a task of this size must be split (baton task split %s)", name, total, s.ID)))
	case total >= consider:
		found = append(found, report.CodeConsiderSplitting.Finding("", 0,
			fmt.Sprintf("%s has %d sessions: consider splitting it (baton task split %s)", name, total, s.ID)))
	}
	return found
}

// Kilobytes returns a size with one decimal, rounded up, so that a file above a limit never seems
// to be exactly at it.
func Kilobytes(size int) string {
	tenths := (size*10 + 1023) / 1024
	return fmt.Sprintf("%d.%d KB", tenths/10, tenths%10)
}

// largest returns the names and sizes of the n largest sections, the largest first.
func (s *State) largest(n int) string {
	type part struct {
		name string
		size int
	}
	var parts []part
	for _, section := range s.Sections {
		parts = append(parts, part{section.Name, section.Body.End - section.Heading.Start})
	}
	sorting.By(parts, func(a, b part) int { return b.size - a.size })
	var names []string
	for _, p := range parts[:min(n, len(parts))] {
		names = append(names, p.name+" ("+Kilobytes(p.size)+")")
	}
	if len(names) == 0 {
		return "not in sections"
	}
	return strings.Join(names, ", ")
}
