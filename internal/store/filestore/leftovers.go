package filestore

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/foreign"
)

// tidy removes the temporary files of a commit. After an exchange such a file holds the old
// version. It is checked once more, because an editor that had it open may have written to it until
// now.
func (w *writer) tidy(edits []*edit) {
	for _, e := range edits {
		for _, path := range []string{e.Temp, e.link} {
			if path == "" {
				continue
			}
			ours := func(b []byte) bool { return bytes.HasPrefix(e.Data, b) || e.isOld(b) }
			if err := w.discard(path, e.Name, ours); err != nil {
				w.leftTemp = true
				w.note(report.CodeTempLeft, w.shown(path),
					"a temporary file could not be removed; the next write tries again")
			}
		}
		e.Temp, e.link = "", ""
	}
}

// discard removes a temporary file. If its bytes are somebody else's, it keeps them first.
func (w *writer) discard(path, name string, ours func([]byte) bool) error {
	c, err := w.grab(path, disk.Whole, 0)
	if err == nil && !c.Exists {
		return nil
	}
	if err != nil && !errors.Is(err, disk.ErrLink) {
		return err
	}
	if err == nil && !ours(c.Data) {
		why := "it was edited by hand while it was being replaced; these are the bytes of that edit"
		if err := w.keep(name, c.Data, why); err != nil {
			return err
		}
	}
	return w.fs.Remove(path)
}

// keep saves bytes that would otherwise be lost in the conflicts folder, once for each content, and
// adds a note (D5, D11).
func (w *writer) keep(name string, data []byte, why string) error {
	if len(data) == 0 {
		return nil
	}
	id := name + "\x00" + store.HashOf(data)
	if w.kept[id] {
		return nil
	}
	folder, err := w.inner("conflicts")
	if err != nil {
		return err
	}
	at := disk.Join(folder, w.o.Env.Now().UTC().Format("20060102T150405.000000Z"))
	path := disk.Join(at, filepath.FromSlash(name))
	if _, err := disk.MakeAll(w.fs, filepath.Dir(path)); err != nil {
		return w.unwritable(err)
	}
	f, err := w.fs.Create(path, 0o600)
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		path = disk.Join(at, filepath.FromSlash(name)+"-"+strconv.Itoa(n))
		f, err = w.fs.Create(path, 0o600)
	}
	if err != nil {
		return w.unwritable(err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return w.unwritable(err)
	}
	if w.kept == nil {
		w.kept = map[string]bool{}
	}
	w.kept[id] = true
	w.note(report.CodeConflictKept, w.shown(path), name+": "+why)
	return nil
}

// sweep removes what a dead lock holder left: its temporary files, which lock.json names. If one of
// them holds foreign bytes that an exchange pushed out and nobody has checked, the file is put
// back, because the dead holder acknowledged nothing.
func (w *writer) sweep(died *holder) error {
	if died == nil {
		return nil
	}
	swept := 0
	for _, st := range died.Staged {
		if st.Temp != filepath.Base(st.Temp) || !disk.IsTemporary(st.Temp) {
			continue
		}
		p, err := w.locate(st.Name)
		if err != nil || w.writable(st.Name, p) != nil || w.offLimits(p.path) {
			continue // the place is no longer ours
		}
		temp := disk.Join(filepath.Dir(p.path), st.Temp)
		found, err := w.sweepOne(st, p.path, temp)
		if _, taken := errors.AsType[*foreign.TakenError](err); taken {
			return err
		}
		switch {
		case err != nil:
			w.leave(st, temp, err)
		case found:
			swept++
		}
	}
	if swept > 0 {
		w.note(report.CodeSwept, "", safetext.CountOf(swept, "temporary file of a process that died was",
			"temporary files of a process that died were")+" removed")
	}
	return nil
}

// committed reports whether the commit of a dead holder is known to have been made: its journal is
// complete, or the temporary files show that a new version was put in place.
func (w *writer) committed(died *holder) bool {
	if j, _, err := w.readJournal(); err == nil && j != nil {
		return true
	}
	old, fresh := map[string]bool{}, map[string]bool{}
	for _, st := range died.Staged {
		p, err := w.locate(st.Name)
		if err != nil || st.Temp != filepath.Base(st.Temp) || !disk.IsTemporary(st.Temp) {
			continue
		}
		left, err := w.grab(disk.Join(filepath.Dir(p.path), st.Temp), disk.Whole, 0)
		switch {
		case err != nil:
		case left.Exists:
			hash := store.HashOf(left.Data)
			old[st.Name] = old[st.Name] || hash == st.Old
			fresh[st.Name] = fresh[st.Name] || hash == st.New
		case st.Old == "": // renamed to the document, unless that is absent
			old[st.Name] = old[st.Name] || disk.Exists(w.fs, p.path)
		}
	}
	for name := range old {
		if old[name] && !fresh[name] {
			return true
		}
	}
	return false
}

func (w *writer) sweepOne(st staged, path, temp string) (bool, error) {
	left, err := w.grab(temp, disk.Whole, 0)
	if err != nil || !left.Exists {
		return false, ignoreLink(err)
	}
	now, err := w.grab(path, disk.Whole, 0)
	if err != nil {
		return false, ignoreLink(err)
	}
	hash, current := store.HashOf(left.Data), ""
	if now.Exists {
		current = store.HashOf(now.Data)
	}
	switch {
	case hash == st.Old || hash == st.New || len(left.Data) == 0 || current == st.Old:
		// The file holds the old version or the new one, perhaps only its beginning.
	case current == st.New && st.Old != "":
		fresh, err := w.guard(st.Name)
		if err != nil {
			return false, err
		}
		if fresh { // look again, now that nobody else may write
			return w.sweepOne(st, path, temp)
		}
		if err := w.putBack(temp, path); err != nil {
			return false, err
		}
	default:
		if err := w.keep(st.Name, left.Data, "a process that died left these bytes next to it"); err != nil {
			return false, err
		}
	}
	err = w.fs.Remove(temp)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return true, err
}

// putBack restores a file that was pushed out.
func (w *writer) putBack(temp, path string) error {
	err := w.fs.Exchange(temp, path)
	if errors.Is(err, errors.ErrUnsupported) {
		err = w.fs.Rename(temp, path)
	}
	if err != nil {
		return err
	}
	return w.fs.SyncDir(filepath.Dir(path))
}

func ignoreLink(err error) error {
	if errors.Is(err, disk.ErrLink) {
		return nil
	}
	return err
}
