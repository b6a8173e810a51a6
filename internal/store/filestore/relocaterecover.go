package filestore

import (
	"bytes"
	"path/filepath"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// earlier finds out what the process that died had done of a relocation. done is false when
// nothing of it was done.
func (m *mover) earlier(i int, src, dst string) (state, fault string, done bool) {
	r := &m.j.Relocations[i]
	begun, err := m.copies.Resume(src, dst, disk.FileInfo{Mode: r.Mode, ModTime: r.seen().ModTime})
	if begun {
		state, fault = m.result(err)
		return state, fault, true
	}
	there, err := m.fs.Lstat(dst)
	if err != nil {
		return "", "", false
	}
	now, err := m.fs.Lstat(src)
	switch {
	case err != nil && disk.Gone(err):
		if there.Mode.Type() != r.Mode.Type() {
			return store.Vanished, "", true
		}
		return store.Moved, "", true
	case err != nil:
		return "", "", false
	case m.seenThere(r, src, dst).Same(there.Item()) && !r.seen().Same(now.Item()):
		return store.Moved, "", true // and somebody made a new entry of that name
	case !m.twins(src, dst, now, there):
		return "", "", false
	}
	// Where the system cannot rename without replacing, a file has both names for a moment.
	if err := m.fs.Remove(src); err != nil {
		m.pending = refused(err, m.shown(src), "removed")
	}
	return store.Moved, "", true
}

// seenThere is what was seen of an entry as it looks in its new place: a copy on another file
// system has a number of its own.
func (m *mover) seenThere(r *journalRelocation, src, dst string) store.Item {
	seen := r.seen()
	from, errFrom := m.fs.Lstat(filepath.Dir(src))
	to, errTo := m.fs.Lstat(filepath.Dir(dst))
	if errFrom == nil && errTo == nil && from.ID.Device != to.ID.Device {
		seen.ID = 0
	}
	return seen
}

// twins tells that two names are those of one file.
func (m *mover) twins(src, dst string, a, b disk.FileInfo) bool {
	if !a.Mode.IsRegular() || !b.Mode.IsRegular() || a.Size != b.Size || !a.ModTime.Equal(b.ModTime) {
		return false
	}
	if a.ID != (disk.FileID{}) || b.ID != (disk.FileID{}) {
		return a.ID == b.ID
	}
	same, err := m.copies.Same(src, dst)
	return err == nil && same
}

// stateAfter looks once more at a document that is not as the journal wants it: the same journal
// may have moved it on, settled it, or taken it away.
func (s *Store) stateAfter(j *journal, f *journalFile, st state, path string) state {
	for i := range j.Relocations {
		r := &j.Relocations[i]
		if f.Name != r.From+"/"+string(r.Name) {
			continue
		}
		to, err := s.folder(r.To)
		if err != nil {
			continue
		}
		c, err := s.grab(disk.Join(to.path, r.target()), disk.Whole, 0)
		arrived := f.New.Is(c.Data)
		if f.Kind == store.Append {
			arrived = bytes.HasSuffix(c.Data, f.Data) && int64(len(c.Data)) == f.New.Size
		}
		if err == nil && c.Exists && arrived {
			return stateGone
		}
	}
	if st != stateForeign {
		return st
	}
	c, err := s.grab(path, disk.Whole, 0)
	if err != nil {
		return st
	}
	if !c.Exists && j.discarding(f.Name) {
		return stateGone
	}
	if c.Exists && f.Kind != store.Append && s.settledFrom(j, f.Name, f.Data, c.Data) {
		return stateSettled
	}
	return st
}
