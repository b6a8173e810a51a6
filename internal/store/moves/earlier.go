package moves

import (
	"path/filepath"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// earlier finds out what a process that died had done of a relocation. done is false if it had done
// nothing.
func (m *Run) earlier(i int, src, dst string) (state, fault string, done bool) {
	r := &m.Relocations[i]
	begun, err := m.mover.Resume(src, dst, disk.FileInfo{Mode: r.Mode, ModTime: r.Seen().ModTime})
	if begun {
		state, fault = m.result(err)
		return state, fault, true
	}
	there, err := m.FS.Lstat(dst)
	if err != nil {
		return "", "", false
	}
	now, err := m.FS.Lstat(src)
	switch {
	case err != nil && disk.Gone(err):
		if there.Mode.Type() != r.Mode.Type() {
			return store.Vanished, "", true
		}
		return store.Moved, "", true
	case err != nil:
		return "", "", false
	case m.seenThere(r, src, dst).Same(there.Item()) && !r.Seen().Same(now.Item()):
		return store.Moved, "", true // and somebody created a new entry of that name
	case !m.sameFile(src, dst, now, there):
		return "", "", false
	}
	// If the system cannot rename without replacing, a file has both names for a moment.
	if err := m.FS.Remove(src); err != nil {
		m.Pending = disk.Refused(err, m.Shown(src), "removed")
	}
	return store.Moved, "", true
}

// seenThere returns what was seen of an entry, as it looks in its new place. A copy on another file
// system has a different number.
func (m *Run) seenThere(r *Relocation, src, dst string) store.Item {
	seen := r.Seen()
	from, errFrom := m.FS.Lstat(filepath.Dir(src))
	to, errTo := m.FS.Lstat(filepath.Dir(dst))
	if errFrom == nil && errTo == nil && from.ID.Device != to.ID.Device {
		seen.ID = 0
	}
	return seen
}

// sameFile reports whether two names belong to one file.
func (m *Run) sameFile(src, dst string, a, b disk.FileInfo) bool {
	if !a.Mode.IsRegular() || !b.Mode.IsRegular() || a.Size != b.Size || !a.ModTime.Equal(b.ModTime) {
		return false
	}
	if a.ID != (disk.FileID{}) || b.ID != (disk.FileID{}) {
		return a.ID == b.ID
	}
	same, err := m.mover.Same(src, dst)
	return err == nil && same
}
