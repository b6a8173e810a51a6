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

// Folders that a commit makes are named in lock.json before they are made, as temporary files
// are: who dies before the commit point leaves them empty, and the next writer takes them away.

// announce notes which folders are missing on the way to one inside the root. Those elsewhere are
// left to the person who allowed it.
func (w *writer) announce(dir string) {
	var missing []string
	for dir != w.root && disk.Within(dir, w.root) {
		if _, err := w.fs.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, w.shown(dir))
		dir = filepath.Dir(dir)
	}
	for _, name := range slices.Backward(missing) {
		if !slices.Contains(w.making, name) {
			w.making = append(w.making, name)
		}
	}
}

// sweepFolders takes away the folders that a dead holder made, innermost first, as far as they
// are empty: one that is not belongs to what is in it. A name that leads elsewhere by now is
// nobody's.
func (w *writer) sweepFolders() {
	for _, name := range slices.Backward(w.owed) {
		if store.CheckName(name) != nil {
			continue
		}
		p, err := w.direct(name)
		if err != nil || p.outside || p.path != disk.Join(w.root, filepath.FromSlash(name)) || w.immovable(p.path) {
			continue
		}
		if info, err := w.fs.Lstat(p.path); err != nil || !info.Mode.IsDir() {
			continue
		}
		if w.fs.Remove(p.path) == nil {
			w.forgetFolders()
		}
	}
	w.owed = nil
}

// leave notes that a temporary file of a dead holder cannot be taken away yet: that must not stop
// those who write now, so its name stays in lock.json for the next one.
func (w *writer) leave(st staged, temp string, err error) {
	w.littered = true
	w.listed = append(w.listed, st)
	_, why, _ := disk.Reason(err)
	w.note(report.CodeTempLeft, w.shown(temp),
		"a temporary file of a process that died could not be removed ("+why+"); the next write tries again")
}
