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

// commitMany commits several files, or an append, through the journal (D10). If one file is
// replaced and a file in another folder is appended to, that costs six fsyncs: the temporary file,
// the journal, its folder, the appended file, the folder of the replaced one, and the journal's
// folder again. If the append creates its file, one more is for that file's folder.
//
// Relocations come after all documents are in place and durable. Until then everything can be taken
// back. From then on the commit no longer fails: an entry that cannot be moved stays and is
// reported. What cannot be completed is left to the next writer, together with the journal.
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
	w.observer.Made()
	w.tidy(edits)
	if j.relocating() {
		if err := w.finish(j, x.relocations, true); err != nil {
			w.note(report.CodeJournalLeft, w.shown(w.journalPath()),
				"the change could not be completed ("+sentence(err)+"); the next write completes it from the journal")
			return nil
		}
	}
	if err := w.dropJournal(); err != nil {
		// Everything is in place and durable. The next writer is not harmed by a journal that is
		// already carried out.
		w.note(report.CodeJournalLeft, w.shown(w.journalPath()),
			"the change is complete, but its journal could not be removed; the next write tries again")
	}
	return nil
}

// apply does what the journal says about documents: first those that gain text (appends), then
// those that may lose text (renames), then the folders.
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

// abandon takes back everything that was done, so that nothing has changed. If somebody edited one
// of the files meanwhile and it cannot be taken back, the journal is carried out by the rules of
// recovery instead (D5).
func (w *writer) abandon(edits []*edit, cause error) error {
	swapped := slices.ContainsFunc(edits, func(e *edit) bool { return e.swapped })
	// Files that lost text get it back before the text leaves the files that gained it.
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
		w.leftTemp = true
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

// takeBack undoes the edits of one kind. The error is errChanged if a hand edit prevents that for
// one of them.
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

// interrupted returns the error for a change that could be neither completed nor taken back.
func interrupted(cause, failed error) error {
	return &report.Error{
		Kind: report.Refused, Code: report.CodeInterruptedCommit, Err: errors.Join(cause, failed),
		Message: fmt.Sprintf("the change stopped halfway (%s) and could not be taken back yet (%s)", sentence(cause),
			sentence(failed)),
		Hint: "repair the cause; the next write completes the change from its journal, and nothing is lost",
	}
}

func sentence(err error) string {
	if errors.Is(err, errChanged) {
		return "a file was edited by hand"
	}
	return err.Error()
}

// stillOld compares every file once more just before the commit point, while a change by somebody
// else still costs nothing.
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
		f := journalFile{
			Name: e.Name, Kind: e.Kind, Old: e.Old, New: e.New, Data: e.Data, Mode: e.Mode, Like: metaFor(e.Meta),
		}
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

// grow appends and syncs. The file is opened for appending and never written at an offset, so bytes
// that somebody else appends at the same moment stay.
func (w *writer) grow(e *edit) error {
	var f disk.File
	var err error
	if e.Old.Exists {
		f, err = w.fs.Append(e.path)
	} else {
		f, err = w.fs.Create(e.path, e.Mode)
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

// arrived reads an append back by the file's name, because an editor may have replaced the file
// while we had it open, or appended at the same moment.
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
		// Somebody appended after us, or replaced the file by one that includes our bytes. That
		// file must be durable.
		f, err := w.fs.Append(e.path)
		if err != nil {
			return appendFault(err)
		}
		return disk.Closing(f, f.Sync())
	}
	// If our bytes are missing, there is nothing to take back.
	e.grown = bytes.Contains(now.Data, e.Data)
	return errChanged
}

// shrink cuts an append back to the old length (D10), even if it was only partly written. If
// somebody else's bytes follow ours, it returns errChanged.
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
		// Somebody appended just before us; those bytes stay.
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

// appendFault returns errChanged for the error of a file that was replaced meanwhile, and any other
// error unchanged.
func appendFault(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, disk.ErrLink) {
		return errChanged
	}
	return err
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
