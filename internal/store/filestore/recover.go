package filestore

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// clean completes or undoes what earlier writers left, under the lock. It sweeps first, because
// sweeping depends on the current files and recovery changes them.
func (w *writer) clean(died *holder) error {
	w.listed, w.owed = nil, nil
	if died != nil {
		w.owed = died.Made
		w.observer.Died(died.wrote(), w.committed(died))
	}
	if err := w.sweep(died); err != nil {
		return err
	}
	if err := w.recover(); err != nil {
		w.leftTemp = w.leftTemp || len(w.owed) > 0
		return err
	}
	w.sweepFolders()
	return nil
}

// recover carries out D5. An incomplete journal is dropped, because its transaction never began. A
// complete one is rolled forward if every file is in its old or new state. Otherwise no file is
// replaced and only the moves are carried out, gains first. A hand edit during the recovery starts
// it again: every step may be done twice.
func (w *writer) recover() error {
	for range store.Attempts {
		err := w.recoverOnce()
		if disk.NoSpace(err) {
			e := *report.As(err)
			e.Hint = "an earlier change was interrupted and must be completed before any other; make room for " + e.Path
			return &e
		}
		if !errors.Is(err, errChanged) && !errors.Is(err, disk.ErrElsewhere) {
			return err
		}
		w.startOver()
	}
	return tooRestless()
}

func (w *writer) recoverOnce() error {
	j, there, err := w.readJournal()
	if err != nil {
		return w.unreadable(err)
	}
	if !there {
		return nil
	}
	if j == nil {
		return w.dropped(w.dropJournal())
	}
	if err := w.checkPlaces(j); err != nil {
		return err
	}
	if err := w.openFolders(j); err != nil {
		return err
	}
	if !w.abandoned {
		w.observer.Died(j.documents(), true)
	}
	if _, err := w.guard(j.guarded()...); err != nil {
		return err
	}
	if err := w.hardenJournal(); err != nil {
		return refused(err, w.shown(w.journalPath()), "written")
	}
	w.folders = map[string]bool{}
	if err := w.restorePushedOut(j); err != nil {
		return err
	}
	states, places, err := w.states(j)
	if err != nil {
		return err
	}
	for i := range places { // somebody may have put a link in the way since the journal was written
		if err := w.writable(j.Files[i].Name, places[i]); err != nil {
			return err
		}
	}
	begun := !w.abandoned && mayHaveMoved(states)
	if slices.Contains(states, stateForeign) {
		err = w.reconcile(j, states, places)
	} else {
		err = w.rollForward(j, states, places)
		begun = !w.abandoned
	}
	if err == nil && j.relocating() {
		err = w.recoverMoves(j, begun)
	}
	if err != nil {
		return err
	}
	if err := w.dropTemps(j, places); err != nil {
		return err
	}
	return w.dropped(w.dropJournal())
}

func (w *writer) dropped(err error) error {
	return refused(err, w.shown(w.journalPath()), "removed")
}

// restorePushedOut handles a crash between an exchange and the look at what it pushed out. Foreign
// bytes in the temporary file are put back, so that they count as the hand edit that they are.
func (w *writer) restorePushedOut(j *journal) error {
	for _, f := range j.Files {
		if !disk.IsTemporary(f.Temp) || !f.Old.Exists {
			continue
		}
		p, err := w.locate(f.Name)
		if err != nil {
			return refused(err, f.Name, "restored")
		}
		temp := disk.Join(filepath.Dir(p.path), f.Temp)
		left, err := w.grab(temp, disk.Whole, 0)
		if err != nil || !left.Exists || len(left.Data) == 0 || f.Old.Is(left.Data) || beginning(left.Data, f.Data) {
			continue
		}
		now, err := w.grab(p.path, disk.Whole, 0)
		if err != nil || !now.Exists || !f.New.Is(now.Data) {
			continue
		}
		if err := w.putBack(temp, p.path); err != nil {
			return refused(err, f.Name, "restored")
		}
	}
	return nil
}

// rollForward completes a transaction whose files nobody else touched.
func (w *writer) rollForward(j *journal, states []state, places []place) error {
	if len(j.Files) == 0 {
		return nil
	}
	for i := range j.Files {
		if f := &j.Files[i]; f.Kind == store.Append && states[i] != stateGone {
			if err := w.finishAppend(f, places[i].path, states[i]); err != nil {
				return refused(err, f.Name, "written")
			}
		}
	}
	for i := range j.Files {
		f := &j.Files[i]
		if f.Kind == store.Append {
			continue
		}
		w.folders[filepath.Dir(places[i].path)] = true
		if states[i].done() {
			continue
		}
		if err := w.redo(f.Name, places[i].path, f.Old, f.Data, f.mode(), f.Like.info()); err != nil {
			return refused(err, f.Name, "written")
		}
	}
	if err := w.syncFolders(); err != nil {
		return refused(err, j.Files[0].Name, "written")
	}
	if !j.relocating() {
		w.note(report.CodeRecovered, "", "an interrupted change of "+j.extent()+" was finished from its journal")
	}
	return nil
}

// finishAppend writes the rest of an append. It syncs in any case, because what a killed process
// wrote may not be on disk yet.
func (w *writer) finishAppend(f *journalFile, path string, st state) error {
	w.folders[filepath.Dir(path)] = true
	if _, err := disk.MakeAll(w.fs, filepath.Dir(path)); err != nil {
		return err
	}
	file, err := w.appendable(path, f.mode())
	if err != nil {
		return err
	}
	if st == statePart {
		err = file.Truncate(f.Old.Size)
	}
	if err == nil && st != stateNew {
		_, err = file.Write(f.Data)
	}
	if err == nil {
		err = file.Sync()
	}
	return disk.Closing(file, err)
}

// redo replaces one file while a journal is carried out, with the same checks as a commit. If it
// meets a hand edit, it returns errChanged, and the caller starts the recovery again. mode and meta
// are for a new file.
func (w *writer) redo(
	name, path string, old Sum, data []byte, mode fs.FileMode, meta *disk.FileInfo,
) error {
	e := &edit{path: path, Edit: Edit{Name: name, Kind: store.Replace, Data: data, Old: old, Mode: mode, Meta: meta}}
	e.New = Sum{Exists: true, Size: int64(len(data)), Hash: store.HashOf(data)}
	if info, err := w.fs.Lstat(path); err == nil {
		e.Like = info
	}
	if err := w.stage([]*edit{e}); err != nil {
		return err
	}
	err := w.swapIn(e)
	w.tidy([]*edit{e})
	return err
}
