package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// commitOne replaces or creates one file. It needs no journal, because the file is the old one or
// the new one at every moment (D5). It costs two fsyncs: the file and its folder.
func (w *writer) commitOne(e *edit, x *extras) error {
	if err := w.stage([]*edit{e}); err != nil {
		return err
	}
	w.observer.Record(w.intent([]*edit{e}, x))
	err := w.swapIn(e)
	if err == nil {
		err = w.syncFolders()
		if err == nil {
			w.observer.Made()
			w.tidy([]*edit{e})
			return nil
		}
	}
	if back := w.swapBack(e); errors.Is(back, errChanged) {
		err = errChanged
	} else if back != nil {
		w.leftTemp = true
		return interrupted(err, refused(back, e.Name, "restored"))
	}
	w.tidy([]*edit{e})
	return refused(err, e.Name, "written")
}

// stage writes the new version of every replaced file next to it and syncs it, so that everything
// that needs disk space comes before the first change (D10). On an error nothing is left behind.
func (w *writer) stage(edits []*edit) error {
	var list []staged
	for _, e := range edits {
		dir := e.dir()
		w.announce(dir)
		if e.Kind == store.Append {
			continue
		}
		base, err := w.temporary(disk.BaseName(e.path))
		if err != nil {
			return fmt.Errorf("name temporary file: %w", err)
		}
		if e.second, err = w.temporary(disk.BaseName(e.path)); err != nil {
			return fmt.Errorf("name temporary file: %w", err)
		}
		e.Temp = disk.Join(dir, base)
		list = append(list,
			staged{Name: e.Name, Temp: base, Old: e.Old.Hash, New: e.New.Hash},
			staged{Name: e.Name, Temp: e.second, Old: e.Old.Hash, New: e.New.Hash})
	}
	// Files of an earlier step that could not be removed stay in the list, so that they are still
	// found.
	w.listed = append(w.listed, list...)
	if err := w.sign(w.listed, slices.Concat(w.owed, w.making)); err != nil {
		return w.unusable(w.holderPath(), err)
	}
	for _, e := range edits {
		made, err := disk.MakeAll(w.fs, e.dir())
		w.made = append(w.made, made...)
		for _, folder := range made {
			w.folders[filepath.Dir(folder)] = true
		}
		if err != nil {
			return refused(err, e.Name, "written")
		}
	}
	for _, e := range edits {
		if e.Kind == store.Append {
			continue
		}
		if err := w.writeTemp(e); err != nil {
			w.tidy(edits)
			return refused(err, e.Name, "written")
		}
	}
	return nil
}

func (w *writer) writeTemp(e *edit) error {
	mode, like := e.Mode, e.Meta
	if e.Old.Exists {
		like = &e.Like
	}
	if like != nil {
		mode = like.Mode.Perm() | 0o200
	}
	f, err := w.fs.Create(e.Temp, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(e.Data)
	if err == nil && like != nil {
		err = w.fs.CopyMeta(e.Temp, *like)
	}
	if err == nil && e.Meta != nil {
		_ = w.fs.SetTime(e.Temp, e.Meta.ModTime) // a copy is useful without its time, too
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// swapIn puts the staged file in place, unless the file there is no longer the planned one.
// Afterwards it checks the file that was pushed out. If that is something else, it is put back, a
// copy is kept, and the error is errChanged (D11).
func (w *writer) swapIn(e *edit) error {
	now, err := w.grab(e.path, disk.Whole, 0)
	if errors.Is(err, disk.ErrLink) {
		return errChanged
	}
	if err != nil {
		return err
	}
	if now.Exists != e.Old.Exists || (now.Exists && !e.isOld(now.Data)) {
		return errChanged
	}
	w.folders[e.dir()] = true
	if !e.Old.Exists {
		err := w.fs.RenameNew(e.Temp, e.path)
		if errors.Is(err, fs.ErrExist) {
			return errChanged
		}
		e.swapped = err == nil
		return err
	}
	err = w.fs.Exchange(e.Temp, e.path)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return w.swapByLink(e)
	case errors.Is(err, fs.ErrNotExist):
		return errChanged
	case err != nil:
		return err
	}
	e.swapped = true
	out, err := w.grab(e.Temp, disk.Whole, 0)
	if err != nil && !errors.Is(err, disk.ErrLink) {
		return err
	}
	if err == nil && out.Exists && e.isOld(out.Data) {
		return nil
	}
	return w.returnForeign(e, out.Data)
}

// returnForeign undoes an exchange that pushed out bytes which nobody had seen, and keeps a copy of
// them.
func (w *writer) returnForeign(e *edit, foreign []byte) error {
	if err := w.swapBack(e); err != nil {
		return err
	}
	why := "it was edited by hand while it was being replaced; the edit stays in place, and these are its bytes"
	if err := w.keep(e.Name, foreign, why); err != nil {
		return err
	}
	return errChanged
}

// swapByLink replaces a file where files cannot be exchanged. It gives the old file a second name,
// so that the replaced file can be checked afterwards.
func (w *writer) swapByLink(e *edit) error {
	e.link = disk.Join(e.dir(), e.second)
	err := w.fs.Link(e.path, e.link)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		e.link = "" // such a file system allows no check afterwards, only the comparison before
	case errors.Is(err, fs.ErrNotExist):
		e.link = ""
		return errChanged
	case err != nil:
		e.link = ""
		return err
	}
	if err := w.fs.Rename(e.Temp, e.path); err != nil {
		return err
	}
	e.swapped = true
	if e.link == "" {
		return nil
	}
	out, err := w.grab(e.link, disk.Whole, 0)
	if err != nil {
		return err
	}
	if out.Exists && e.isOld(out.Data) {
		return nil
	}
	return w.returnForeign(e, out.Data)
}

// swapBack restores the file that swapIn pushed out. If the new file was edited by hand meanwhile,
// the edit stays, the version before is kept, and the error is errChanged.
func (w *writer) swapBack(e *edit) error {
	if !e.swapped {
		return nil
	}
	now, err := w.grab(e.path, disk.Whole, 0)
	if err != nil && !errors.Is(err, disk.ErrLink) {
		return err
	}
	if err != nil || !now.Exists || !e.isNew(now.Data) {
		return w.yield(e)
	}
	switch {
	case !e.Old.Exists:
		err = w.fs.Remove(e.path)
	case e.link != "":
		err = w.fs.Rename(e.link, e.path)
		e.link = ""
	case e.Temp == "":
		err = errors.New("the old file is not at hand")
	default:
		err = w.fs.Exchange(e.Temp, e.path)
	}
	if err == nil {
		e.swapped = false
	}
	return err
}

// yield leaves a hand edit in place and keeps the version that it replaced.
func (w *writer) yield(e *edit) error {
	e.swapped = false
	if held := w.heldOld(e); held != "" {
		c, err := w.grab(held, disk.Whole, 0)
		if err == nil && c.Exists && !e.isNew(c.Data) {
			err = w.keep(e.Name, c.Data, "it was edited by hand while a change was being taken back; "+
				"the edit stays in place, and this is the version before it")
		}
		if err != nil {
			return err
		}
	}
	return errChanged
}

// heldOld returns the path that holds the old file after swapIn; "" if there is none.
func (w *writer) heldOld(e *edit) string {
	if e.link != "" {
		return e.link
	}
	if e.Old.Exists {
		return e.Temp
	}
	return ""
}

// syncFolders makes the changed names durable, syncing each folder once.
func (w *writer) syncFolders() error {
	for _, dir := range sorted(w.folders) {
		if err := w.fs.SyncDir(dir); err != nil {
			return err
		}
	}
	return nil
}
