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

// lock.json names the folders of a commit before they are created, as it does temporary files. If
// the process dies before the commit point, they are left empty, and the next writer removes them.

// announce records which folders are missing on the way to a folder inside the root. Folders
// elsewhere are left to the person who allowed that place.
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

// sweepFolders removes the empty folders that a dead holder created, innermost first. A folder that
// is not empty is in use. A name that now leads elsewhere is ignored.
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

// leave records that a temporary file of a dead holder cannot be removed yet. That must not stop
// the present writer, so the name stays in lock.json for the next one.
func (w *writer) leave(st staged, temp string, err error) {
	w.leftTemp = true
	w.listed = append(w.listed, st)
	_, why, _ := disk.Reason(err)
	w.note(report.CodeTempLeft, w.shown(temp),
		"a temporary file of a process that died could not be removed ("+why+"); the next write tries again")
}
