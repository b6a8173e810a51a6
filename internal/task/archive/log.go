package archive

import (
	"fmt"
	"time"

	"baton/internal/report"
	"baton/internal/task"
)

// LogRequest is one entry to be logged with all that the size policy needs to know.
type LogRequest struct {
	Entry       task.Entry
	Stamp       time.Time // start of the session, in the reader's zone
	Now         time.Time // now, in the reader's zone
	Limits      task.Limits
	ArchivePath string // of the archive, relative to the project's root, with slashes
	Archive     Facts
}

// Facts is what is known of the archive without reading it whole: its cost must not grow
// with it (D7).
type Facts struct {
	Exists bool
	Tail   []byte // the final 64 KB, or all of it
	Head   []byte // the first 4 KB: they show the layout
	Size   int64  // bytes
}

// Change is an edit that may have moved sessions to the archive.
type Change struct {
	State    *task.State
	Batch    []byte // bytes to append to the archive, or nil if there are none; begins with the title when it is new
	Moves    []Move
	Archived []int // numbers of the sessions moved now
	Session  int   // number of the session logged now, or 0 if none was
	Findings []report.Finding
}

// Move is a text that left the task file for the archive, by its exact bytes in both (D5).
type Move struct{ Lost, Gained []byte }

// Log appends a session, applies the size policy to the file as it would be written, and archives
// when it is above the limit (5.13): one pure step, so that the file on disk is never above the
// limit when that can be helped (TS-41). Errors are those of Append.
func Log(s *task.State, r LogRequest) (Change, error) {
	number := s.NextNumber(r.Archive.Tail)
	appended, err := s.Append(number, r.Stamp, r.Entry)
	if err != nil {
		return Change{}, err
	}
	before := archivedBefore(s, r.Archive)
	if last := len(appended.Sessions) - 1; appended.Sessions[last].Number == 0 {
		number = appended.Numbers(r.Archive.Tail)[last]
	}
	next := appended.Reconcile(task.Reconciliation{
		Now: r.Now, Archived: before, HasArchive: r.Archive.Exists, ArchivePath: r.ArchivePath,
	})
	change := Change{State: next, Session: number}
	moved := false
	if r.Limits.Over(len(next.Bytes())) && len(next.Sessions) > r.Limits.KeepSessions {
		reason := fmt.Sprintf("task file above %d KB", r.Limits.ArchiveKB)
		archived, err := Sessions(appended, r.Limits.KeepSessions, reason, r.Now, r.ArchivePath, r.Archive)
		if err == nil && archived.Batch != nil {
			archived.Session = number
			change, moved = archived, true
		}
		if err != nil {
			// The entry matters more than the size: it is kept, and the reason is told.
			change.Findings = append(change.Findings, task.Warning(report.CodeOverLimitIrreducible,
				report.As(err).Error()))
		}
	}
	total := before + len(appended.Sessions)
	change.Findings = append(change.Findings, change.State.SizeFindingsAfter(r.Limits, total, moved)...)
	return change, nil
}

// archivedBefore is how many sessions the archive holds: what the file itself knows, else a count
// where the whole archive is at hand (D7: a large one is not read).
func archivedBefore(s *task.State, a Facts) int {
	if n := s.KnownArchived(); n > 0 {
		return n
	}
	if a.Exists && int64(len(a.Tail)) >= a.Size {
		return len(task.ParseArchive(a.Tail).Sessions)
	}
	return 0
}
