package filestore

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// commitMany commits several files, or an append, through the journal (D10). One replaced file
// and one append to a file in another folder cost six fsyncs: the temporary file, the journal,
// its folder, the appended file, the folder of the replaced one, and the journal's folder again.
// A file that the append creates adds its own folder.
//
// Relocations come after all documents are in place and durable: until then everything can be
// taken back. From then on nothing fails any more: what cannot be moved stays and is told, and
// what cannot be finished is left to the next writer, with the journal.
func (w *writer) commitMany(edits []*edit, moves []store.Move, x *extras) error {
	if err := w.stage(edits); err != nil {
		return err
	}
	err := w.reach(x)
	if err == nil {
		err = w.stillOld(edits)
	}
	var j *journal
	if err == nil {
		j, err = w.journalOf(edits, moves, x)
	}
	if err == nil {
		err = w.openFolders(j)
	}
	if err == nil {
		w.observer.Record(w.intent(edits, x))
		err = w.writeJournal(j)
	}
	if err == nil {
		err = w.apply(edits)
	}
	if err != nil {
		return w.abandon(edits, err)
	}
	w.tidy(edits)
	if j.relocating() {
		if err := w.finish(j, x.relocations, true); err != nil {
			w.note(report.CodeJournalLeft, w.shown(w.journalPath()),
				"not everything could be finished ("+sentence(err)+"); the next write goes on from the journal")
			return nil
		}
	}
	if err := w.dropJournal(); err != nil {
		// Everything is in place and durable; a journal that is done already does no harm to the
		// next writer.
		w.note(report.CodeJournalLeft, w.shown(w.journalPath()),
			"the change is complete, but its journal could not be removed; the next write tries again")
	}
	return nil
}

// apply does what the journal says of documents: first what gains (appends), then what may lose
// (renames), then the folders.
func (w *writer) apply(edits []*edit) error {
	if len(edits) == 0 {
		return nil
	}
	for _, e := range edits {
		if e.Kind == store.Append {
			if err := w.grow(e); err != nil {
				return refused(err, e.Name, "written")
			}
		}
	}
	for _, e := range edits {
		if e.Kind != store.Append {
			if err := w.swapIn(e); err != nil {
				return refused(err, e.Name, "written")
			}
		}
	}
	return refused(w.syncFolders(), edits[0].Name, "written")
}

// abandon takes back everything that was done, so that nothing has changed. When somebody edited
// one of the files in the meantime and it cannot be taken back, the journal is carried out by the
// rules of recovery instead (D5).
func (w *writer) abandon(edits []*edit, cause error) error {
	swapped := slices.ContainsFunc(edits, func(e *edit) bool { return e.swapped })
	// What had lost its text gets it back before the text leaves where it went.
	failed := w.takeBack(edits, store.Replace)
	foreign := errors.Is(failed, errChanged)
	if swapped && failed == nil {
		failed = refused(w.syncFolders(), edits[0].Name, "restored")
	}
	if failed == nil {
		failed = w.takeBack(edits, store.Append)
		foreign = errors.Is(failed, errChanged)
	}
	if foreign {
		w.abandoned = true
		err := w.recover()
		w.abandoned = false
		if err != nil {
			return err
		}
		w.tidy(edits)
		return errChanged
	}
	if failed != nil {
		w.littered = true
		return interrupted(cause, failed)
	}
	w.tidy(edits)
	if err := w.dropJournal(); err != nil {
		return interrupted(cause, err)
	}
	if len(edits) == 0 {
		return refused(cause, w.shown(w.journalPath()), "written")
	}
	return refused(cause, edits[0].Name, "written")
}

// takeBack undoes the edits of one kind; errChanged when a hand edit is in the way of one of
// them.
func (w *writer) takeBack(edits []*edit, kind store.Kind) error {
	var foreign error
	for _, e := range slices.Backward(edits) {
		var err error
		switch {
		case e.Kind != kind:
		case kind == store.Append:
			err = w.shrink(e)
		default:
			err = w.swapBack(e)
		}
		if errors.Is(err, errChanged) {
			foreign = err
			continue
		}
		if err != nil {
			return refused(err, e.Name, "restored")
		}
	}
	return foreign
}

// interrupted is the error for a change that could be neither finished nor taken back.
func interrupted(cause, failed error) error {
	return &report.Error{
		Kind: report.Refused, Code: report.CodeInterruptedCommit, Err: errors.Join(cause, failed),
		Message: fmt.Sprintf("the change stopped half way (%s) and could not be taken back yet (%s)", sentence(cause),
			sentence(failed)),
		Hint: "repair the cause; the next write finishes the change from its journal, and nothing is lost",
	}
}

func sentence(err error) string {
	if errors.Is(err, errChanged) {
		return "a file was edited by hand"
	}
	return err.Error()
}

// stillOld compares every file once more just before the commit point: a change found now costs
// nothing.
func (w *writer) stillOld(edits []*edit) error {
	for _, e := range edits {
		part := disk.Whole
		if e.Kind == store.Append {
			part = disk.Tail(store.TailLength)
		}
		now, err := w.grab(e.path, part, 0)
		if errors.Is(err, disk.ErrLink) {
			return errChanged
		}
		if err != nil {
			return refused(err, e.Name, "written")
		}
		if now.Exists != e.Old.Exists || now.Exists && (now.Info.Size != e.Old.Size || !e.isOldPart(now.Data)) {
			return errChanged
		}
	}
	return nil
}

func (w *writer) journalOf(edits []*edit, moves []store.Move, x *extras) (*journal, error) {
	token, err := w.random()
	if err != nil {
		return nil, fmt.Errorf("name temporary files: %w", err)
	}
	j := &journal{
		Version: journalVersion, Command: w.o.Command, PID: w.o.Env.PID, Started: w.o.Env.Now().UTC(),
	}
	for _, e := range edits {
		f := journalFile{Name: e.Name, Kind: e.Kind, Old: e.Old, New: e.New, Data: e.Data, Like: metaFor(e.Meta)}
		if e.Temp != "" {
			f.Temp = disk.BaseName(e.Temp)
		}
		j.Files = append(j.Files, f)
	}
	for _, m := range moves {
		j.Moves = append(j.Moves, journalMove{From: m.From, To: m.To, Lost: m.Lost, Gained: m.Gained})
	}
	j.want(x, hex.EncodeToString(token[:6]))
	return j, nil
}

// grow appends and syncs. Bytes that somebody else appends at the same moment stay: the file is
// opened for appending and never written at a position.
func (w *writer) grow(e *edit) error {
	var f disk.File
	var err error
	if e.Old.Exists {
		f, err = w.fs.Append(e.path)
	} else {
		f, err = w.fs.Create(e.path, 0o666)
		w.folders[e.dir()] = true
	}
	if err != nil {
		return appendFault(err)
	}
	if e.Old.Exists {
		info, err := f.Stat()
		if err == nil && info.Size != e.Old.Size {
			err = errChanged
		}
		if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	e.grown = true
	_, err = f.Write(e.Data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return w.arrived(e)
}

// arrived reads an append back through its name: an editor may have put another file there while
// ours was open, or appended at the same moment.
func (w *writer) arrived(e *edit) error {
	base := e.Old.Size
	now, err := w.grab(e.path, func(size int64) (int64, int64) { return min(base, size), max(0, size-base) }, 0)
	if errors.Is(err, disk.ErrLink) {
		e.grown = false
		return errChanged
	}
	if err != nil {
		return err
	}
	if now.Info.Size == e.New.Size && bytes.Equal(now.Data, e.Data) {
		return nil
	}
	if bytes.HasPrefix(now.Data, e.Data) {
		// Somebody added to it after us, perhaps by a file of their own with our bytes in it:
		// that one must be durable.
		f, err := w.fs.Append(e.path)
		if err != nil {
			return appendFault(err)
		}
		return disk.Closing(f, f.Sync())
	}
	// Where our bytes are not, there is nothing to take back.
	e.grown = bytes.Contains(now.Data, e.Data)
	return errChanged
}

// shrink cuts an append back to the old length (D10), whatever part of it was written. Bytes of
// somebody else behind ours cannot be cut around: then errChanged.
func (w *writer) shrink(e *edit) error {
	if !e.grown {
		return nil
	}
	f, err := w.fs.Append(e.path)
	if err != nil {
		return appendFault(err)
	}
	rest := func(size int64) (int64, int64) { return min(e.Old.Size, size), max(0, size-e.Old.Size) }
	now, err := disk.ReadFrom(f, rest, 0)
	switch {
	case err != nil:
	case now.Info.Size >= e.Old.Size && bytes.HasPrefix(e.Data, now.Data):
		err = cut(f, e.Old.Size)
	case bytes.HasSuffix(now.Data, e.Data):
		// Somebody appended just before us; that stays.
		err = cut(f, now.Info.Size-int64(len(e.Data)))
	default:
		err = errChanged
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	e.grown = false
	if !e.Old.Exists && len(now.Data) <= len(e.Data) {
		return w.fs.Remove(e.path)
	}
	return nil
}

func cut(f disk.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Sync()
}

// appendFault tells a file that was exchanged under us from one that the system refuses.
func appendFault(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, disk.ErrLink) {
		return errChanged
	}
	return err
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
