package history

import (
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/store/records"
)

// recorder is the observer of one Update.
type recorder struct {
	*History
	note func(code report.Code, path, text string)
	said map[[2]string]bool // codes and paths of notes

	noVersions bool // no room: this Update keeps no versions, and is not logged
	silent     bool // still no room: it is not in the books either

	// Of the commit at hand:
	entries *entryReader // reads entries while the disk is waited for
	kept    *keeping     // versions
	booked  *booking     // what went into books
	logged  *logging     // and to the end of the log
	undoing *Change      // the oldest change that it takes back, nil for none
	moment  time.Time    // its time in all that is recorded

	head *string // what HEAD names, once it was asked for
}

// Begin keeps versions, and begins to read entries.
func (w *recorder) Begin(edits []*filestore.Edit) (wait func()) {
	w.entries = w.readEntries(edits)
	w.kept = w.snapshot(edits)
	w.booked, w.logged = nil, nil
	return w.entries.wait
}

// Record writes into books and log.
func (w *recorder) Record(c *filestore.Intent) {
	if w.silent {
		return
	}
	w.moment = w.at.Env().Now().UTC()
	w.undoing = w.undone(c)
	w.booked = w.book(c)
	w.logged = w.logChange(c, w.booked.missing)
}

// Done drops versions that are too many.
func (w *recorder) Done() { w.kept.finish() }

// TakeBack takes back what was recorded of a commit that was not made.
func (w *recorder) TakeBack(err error) (again bool) {
	code := report.CodeOf(err)
	if code == report.CodeInterruptedCommit {
		return false // it stopped half way and will be finished
	}
	full := code == report.CodeNoSpace
	again = full && w.kept.wrote()
	w.kept.takeBack(again)
	if again {
		w.noVersions = true
		w.noteOnce(report.CodeSnapshotSkipped, w.at.Shown(w.kept.folder),
			"the replaced text could not be kept for `baton snapshot`: no space is left on the disk")
	}
	w.logged.takeBack()
	if w.booked == nil {
		return again
	}
	booked := full && len(w.booked.grown) > 0
	w.booked.takeBack(booked)
	if booked && !again {
		w.silent, again = true, true
		w.noteOnce(report.CodeLedgerSkipped, w.at.Shown(w.booked.folder),
			"what this change did to entries is not recorded for `baton lost`: no space is left on the disk")
	}
	return again
}

// noteOnce is note for what every attempt of an Update would say again.
func (w *recorder) noteOnce(code report.Code, path, text string) {
	if key := [2]string{string(code), path}; !w.said[key] {
		if w.said == nil {
			w.said = map[[2]string]bool{}
		}
		w.said[key] = true
		w.note(code, path, text)
	}
}

// noteFault is noteOnce with the reason why something could not be written.
func (w *recorder) noteFault(code report.Code, path, text string, err error) {
	w.noteOnce(code, path, text+": "+report.As(disk.Refused(err, path, "written")).Message)
}

// takeBackRecords cuts a file to a length that it had before.
func (w *recorder) takeBackRecords(path string, size int64) error {
	f, err := w.fs.Append(path)
	if err != nil {
		return err
	}
	return records.TakeBack(f, size)
}
