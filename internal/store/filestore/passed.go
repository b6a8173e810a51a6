package filestore

import (
	"errors"
	"path/filepath"

	"baton/internal/store/disk"
)

// A relocation must not change where the rest of the same journal leads, because a recovery would
// resolve its names again and find something else. So no entry may move away from, or to, a name on
// the path to a folder or document of the change.

// passed holds the names on the paths to everything that a change uses, by folder and base name,
// both as they are written and as they are on disk.
type passed map[string]map[string]bool

// add adds a path and every folder above it.
func (w passed) add(path string) {
	for dir := filepath.Dir(path); dir != path; path, dir = dir, filepath.Dir(dir) {
		if w[dir] == nil {
			w[dir] = map[string]bool{}
		}
		w[dir][disk.BaseName(path)] = true
	}
}

// written returns the path of a name as it is written, without resolving links.
func (s *Store) written(name string) string { return disk.Join(s.root, filepath.FromSlash(name)) }

// passedBy returns the names on the paths that a change uses. A document may itself be moved, so
// only its folder counts. A name that leads nowhere is reported where it is used.
func (s *Store) passedBy(x *extras) passed {
	names := map[string]bool{}
	for i := range x.relocations {
		names[x.relocations[i].From], names[x.relocations[i].To] = true, true
	}
	for _, name := range x.documents {
		names[folderOf(name)] = true
	}
	for _, name := range x.outcomeDocs {
		names[name] = true
	}
	for i := range x.discards {
		names[x.discards[i].Folder], names[x.discards[i].Document] = true, true
	}
	delete(names, "")
	delete(names, ".")
	w := passed{}
	for name := range names {
		w.add(s.written(name))
		for _, find := range [...]func(string) (place, error){s.direct, s.locate} {
			if p, err := find(name); err == nil {
				w.add(p.path)
			}
		}
	}
	return w
}

func folderOf(name string) string {
	dir, _ := split(name)
	return dir
}

// openFolders opens every folder that is needed after the first relocation, before anything moves.
// From then on each must stay the same folder. The error is ErrElsewhere, or is about a name that
// cannot be resolved.
func (w *writer) openFolders(j *journal) error {
	w.outcomeDocs = map[string]string{}
	for _, name := range j.OutcomeDocs {
		p, err := w.locate(name)
		if err != nil {
			return refused(err, name, "written")
		}
		if err := w.fs.Check(filepath.Dir(p.path)); err != nil {
			return err
		}
		w.outcomeDocs[name] = p.path
	}
	opened := map[string]bool{}
	open := func(dir string) error {
		if opened[dir] {
			return nil
		}
		opened[dir] = true
		p, err := w.folder(dir)
		if err != nil {
			return nil // the move itself reports the error
		}
		return w.fs.Check(p.path)
	}
	for i := range j.Relocations {
		if err := errors.Join(open(j.Relocations[i].From), open(j.Relocations[i].To)); err != nil {
			return err
		}
	}
	for i := range j.Discards {
		for _, name := range j.Discards[i].names() {
			if err := open(folderOf(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameFolder returns the path of a folder of the journal that openFolders has opened. The folder
// must still be in its place, inside the project, and neither git's nor baton's own.
func (w *writer) sameFolder(name string) (string, error) {
	p, err := w.folder(name)
	if err == nil {
		err = w.writable(name, p)
	}
	if err == nil && w.offLimits(p.path) {
		err = disk.ErrElsewhere
	}
	if err == nil {
		err = w.fs.Check(p.path)
	}
	return p.path, err
}

// sameName returns the path of a name in such a folder.
func (w *writer) sameName(name string) (string, error) {
	dir, base := split(name)
	folder, err := w.sameFolder(dir)
	path := disk.Join(folder, base)
	if err == nil && w.offLimits(path) {
		err = disk.ErrElsewhere
	}
	return path, err
}
