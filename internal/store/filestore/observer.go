package filestore

import (
	"context"
	"errors"
	"time"

	"baton/internal/report"
	"baton/internal/store/foreign"
	"baton/internal/store/records"
)

// observer is told of each commit of a writer, in this order: begin, record, and then either done
// or takeBack.
type observer interface {
	// begin is called when a commit is planned and nothing is staged yet. Work that it starts is
	// over when the commit is.
	begin(edits []*edit) (wait func())
	// record is called when everything is staged, before the commit point. Nothing that it writes
	// is synced (D37).
	record(edits []*edit, x *extras)
	// takeBack is called for a commit that was not made, with the reason. It reports whether the
	// commit is worth another try without the observer, because that took room which the disk
	// lacks.
	takeBack(err error) (again bool)
	// done is called for a commit that was made.
	done()
	// recovered is called under the lock when what a dead writer left is cleaned up.
	recovered(died *holder)
}

// recorder is the observer that keeps the history of documents: versions, books of the ledger and
// the log. A fault of it is a note, and never keeps a commit from being made.
type recorder struct {
	*writer

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

// newWriter returns a writer with its observer.
func (s *Store) newWriter() (*writer, *recorder) {
	w := &writer{Store: s}
	w.locks = s.foreign.Hold(w.note)
	r := &recorder{writer: w}
	w.observer = r
	return w, r
}

func (w *recorder) begin(edits []*edit) (wait func()) {
	w.entries = w.readEntries(edits)
	w.kept = w.snapshot(edits)
	w.booked, w.logged = nil, nil
	return w.entries.wait
}

func (w *recorder) record(edits []*edit, x *extras) {
	if w.silent {
		return
	}
	w.moment = w.o.Env.Now().UTC()
	w.undoing = w.undone(x)
	w.booked = w.book(edits, x)
	w.logged = w.logChange(edits, x, w.booked.missing)
}

func (w *recorder) done() { w.kept.finish() }

func (w *recorder) takeBack(err error) (again bool) {
	code := report.CodeOf(err)
	if code == "interrupted_commit" {
		return false // it stopped half way and will be finished
	}
	full := code == "no_space"
	again = full && w.kept.wrote()
	w.kept.takeBack(again)
	if again {
		w.noVersions = true
		w.noteOnce("snapshot_skipped", w.shown(w.kept.folder),
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
		w.noteOnce("ledger_skipped", w.shown(w.booked.folder),
			"what this change did to entries is not recorded for `baton lost`: no space is left on the disk")
	}
	return again
}

// noteOnce is note for what every attempt of an Update would say again.
func (w *writer) noteOnce(code, path, text string) {
	for _, f := range w.notes {
		if f.Code == code && f.Path == path {
			return
		}
	}
	w.note(code, path, text)
}

// noteFault is noteOnce with the reason why something could not be written.
func (w *writer) noteFault(code, path, text string, err error) {
	w.noteOnce(code, path, text+": "+report.As(refused(err, path, "written")).Message)
}

// takeBackRecords cuts a file to a length that it had before.
func (w *writer) takeBackRecords(path string, size int64) error {
	f, err := w.fs.Append(path)
	if err != nil {
		return err
	}
	return records.TakeBack(f, size)
}

// alone runs act under the lock, with the patience of an Update.
func (s *Store) alone(ctx context.Context, act func(w *recorder) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.settle()
	if s.astray != nil {
		return s.astray
	}
	w, r := s.newWriter()
	p := s.patience()
	defer p.end.Stop()
	for {
		s.forgetFolders()
		err := w.holding(ctx, p, func() error { return act(r) })
		taken, ok := errors.AsType[*foreign.TakenError](err)
		if !ok {
			return err
		}
		if err := s.rest(ctx, p, taken); err != nil {
			return err
		}
	}
}
