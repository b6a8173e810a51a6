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
	said map[[2]string]bool // codes and paths of the notes so far

	noVersions bool // no room: this Update keeps no versions and is not logged
	silent     bool // still no room: it is not recorded in the books either

	// About the commit at hand:
	entries *entryReader // reads entries while the commit waits for the disk
	kept    *keeping     // versions
	booked  *booking     // what was added to the books
	logged  *logging     // what was added to the log
	undoing *Change      // the oldest change that it undoes; nil for none
	moment  time.Time    // its time in everything that is recorded

	observed *observing // while Observe runs

	head *string // what HEAD names, once asked
	made bool    // the dead writer's commit is known to have been made; see Died
}

// Begin keeps versions and starts to read entries.
func (w *recorder) Begin(edits []*filestore.Edit) (wait func()) {
	w.entries = w.readEntries(edits)
	w.kept = w.snapshot(edits)
	w.booked, w.logged = nil, nil
	return w.entries.wait
}

// Record writes to the books and the log.
func (w *recorder) Record(c *filestore.Intent) {
	if w.silent {
		return
	}
	w.moment = w.at.Env().Now().UTC()
	w.undoing = w.undone(c)
	w.booked = w.book(c)
	w.logged = w.logChange(c, w.booked.missing)
}

// Made makes the records of the commit count.
func (w *recorder) Made() {
	w.booked.complete()
	w.logged.complete()
}

// Done drops versions beyond the limits.
func (w *recorder) Done() {
	w.logged.refreshKnown()
	w.kept.finish()
}

// TakeBack removes what was recorded about a commit that was not made.
func (w *recorder) TakeBack(err error) (again bool) {
	code := report.CodeOf(err)
	if code == report.CodeInterruptedCommit {
		w.logged.release()
		return false // it stopped halfway and will be finished
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
			"this change is not recorded for `baton lost`: no space is left on the disk")
	}
	return again
}

// noteOnce adds a note once, even if every attempt of an Update calls it.
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

// takeBackRecords truncates a file to an earlier length.
func (w *recorder) takeBackRecords(path string, size int64) error {
	f, err := w.fs.Append(path)
	if err != nil {
		return err
	}
	return records.TakeBack(f, size)
}
