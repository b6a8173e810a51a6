package archive

import (
	"fmt"
	"time"

	"baton/internal/report"
	"baton/internal/task"
)

// LogRequest is an entry to log, and what the size policy needs to know.
type LogRequest struct {
	Entry       task.Entry
	Stamp       time.Time // start of the session, in the reader's zone
	Now         time.Time // now, in the reader's zone
	Limits      task.Limits
	ArchivePath string // path of the archive relative to the project's root, with slashes
	Archive     Facts
	Known       int    // highest number that a session is known to have, see task.State.NextNumber
	Extend      string // hash of the session to which the entry is added if possible (D53), see NewestHash
}

// Facts is what is known about the archive without reading all of it, because the cost of a log
// must not grow with the archive (D7).
type Facts struct {
	Exists bool
	Tail   []byte // the last 64 KB, or all of it
	Head   []byte // the first 4 KB, which show the layout
	Size   int64  // bytes
}

// Change is an edit that may have moved sessions to the archive.
type Change struct {
	State    *task.State
	Batch    []byte // bytes to append to the archive, or nil; begins with the title if the archive is new
	Moves    []Move
	Archived []int // numbers of the sessions that this edit moved
	Session  int   // number of the session that this edit logged, or 0
	Extended bool  // the entry became part of a session that was there before
	Findings []report.Finding
}

// Move is a text that moved from the task file to the archive, with its exact bytes in both (D5).
type Move struct{ Lost, Gained []byte }

// Log appends a session, applies the size policy to the resulting file, and archives if it is above
// the limit (5.13). This is one pure step, so the file on disk never exceeds the limit if that can
// be avoided (TS-41). Errors are those of Append.
func Log(s *task.State, r LogRequest) (Change, error) {
	number := s.NextNumber(r.Archive.Tail, r.Known)
	appended, extended := s, false
	if Extendable(s, r.Extend, r.Now) {
		appended, extended = s.Extend(r.Entry)
	}
	if !extended {
		var err error
		if appended, err = s.Append(number, r.Stamp, r.Entry); err != nil {
			return Change{}, err
		}
	}
	before := archivedBefore(s, r.Archive)
	if last := len(appended.Sessions) - 1; extended {
		number = appended.Sessions[last].Number
	} else if appended.Sessions[last].Number == 0 {
		number = appended.Numbers(r.Archive.Tail)[last]
	}
	next := appended.Reconcile(task.Reconciliation{
		Now: r.Now, Archived: before, HasArchive: r.Archive.Exists, ArchivePath: r.ArchivePath,
	})
	change := Change{State: next, Session: number, Extended: extended}
	moved := false
	if r.Limits.Over(len(next.Bytes())) && len(next.Sessions) > r.Limits.KeepSessions {
		reason := fmt.Sprintf("task file above %d KB", r.Limits.ArchiveKB)
		archived, err := Sessions(appended, r.Limits.KeepSessions, reason, r.Now, r.ArchivePath, r.Archive)
		if err == nil && archived.Batch != nil {
			archived.Session, archived.Extended = number, extended
			change, moved = archived, true
		}
		if err != nil {
			// The entry matters more than the size, so it is kept, and the reason is reported.
			change.Findings = append(change.Findings, report.CodeOverLimitIrreducible.Finding("", 0,
				report.As(err).Error()))
		}
	}
	total := before + len(appended.Sessions)
	change.Findings = append(change.Findings, change.State.SizeFindingsAfter(r.Limits, total, moved)...)
	return change, nil
}

// archivedBefore returns the number of sessions in the archive: the one in the task file, or else a
// count if the whole archive is available. A large archive is not read (D7).
func archivedBefore(s *task.State, a Facts) int {
	if n := s.KnownArchived(); n > 0 {
		return n
	}
	if a.Exists && int64(len(a.Tail)) >= a.Size {
		return len(task.ParseArchive(a.Tail).Sessions)
	}
	return 0
}
