package foreign

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// create makes a lock file as its program does.
func (h *Held) create(l Lock, path string) (disk.FileInfo, error) {
	if l.Steal == Aside {
		return h.createWhole(path)
	}
	return h.fill(path)
}

// fill creates a file with our number in it. It is never synced: after a power cut nobody holds it.
// If the number cannot be written the file goes again.
func (h *Held) fill(path string) (disk.FileInfo, error) {
	f, err := h.FS.Create(path, 0o666)
	if err != nil {
		return disk.FileInfo{}, err
	}
	_, err = f.Write([]byte(h.ownNumber()))
	info, errStat := f.Stat()
	if err = errors.Join(err, errStat, f.Close()); err != nil {
		_ = h.FS.Remove(path)
		return disk.FileInfo{}, disk.Refused(err, h.Shown(path), "written")
	}
	return info, nil
}

// createWhole makes the lock file of the state folder together with the number in it (devt.md
// 5.11). A file that is created and then written stands there empty for a moment, in which a
// program that reads it learns of no process that lives. So the file is written under another name
// and gets its own by a link, which never replaces.
func (h *Held) createWhole(path string) (disk.FileInfo, error) {
	if _, err := h.FS.Lstat(path); err == nil {
		return disk.FileInfo{}, fs.ErrExist // anyone who waits for it leaves nothing in the folder meanwhile
	}
	temp, err := h.asideName(path)
	if err != nil {
		return disk.FileInfo{}, err
	}
	info, err := h.fill(temp)
	if err != nil {
		return disk.FileInfo{}, err
	}
	err = h.FS.Link(temp, path)
	if gone := h.FS.Remove(temp); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		h.note(report.CodeTempLeft, h.Shown(temp),
			"a temporary file could not be removed; the next cleanup archives it")
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return h.fill(path)
	}
	return info, err
}

// asideName gives the name under which a lock file is made and taken over: .lock.<own
// number>.<random>.tmp. It is one of a temporary file, and whatever a crash leaves there goes
// with the next sweep.
func (h *Held) asideName(path string) (string, error) {
	base, err := h.Temporary(disk.BaseName(path) + "." + h.ownNumber())
	if err != nil {
		return "", err
	}
	return disk.Join(filepath.Dir(path), base[1:]), nil // the lock's own name begins with the full stop
}

// LockTemporary recognises the names that asideName gives beside a lock with this name, and gives
// the number of the process that made it.
func LockTemporary(lock, name string) (pid int, ok bool) {
	rest, ok := strings.CutPrefix(name, lock+".")
	if !ok {
		return 0, false
	}
	number, random, _ := strings.Cut(rest, ".")
	if len(random) != len("0123456789ab.tmp") || !disk.IsTemporary(name) {
		return 0, false
	}
	pid = processNumber([]byte(number))
	return pid, pid > 0 && strconv.Itoa(pid) == number
}

// RemoveTemporaries removes what makers and thieves of a lock left that died, in the folders that a
// sweep has listed anyway: nobody needs such a file, and it is nobody's to be archived. One whose
// maker may still be at work stays. scans are these folders by name.
func (h *Held) RemoveTemporaries(scans map[string]store.Folder) {
	for dir, found := range scans {
		for _, l := range h.locks {
			if path.Dir(l.name) != path.Clean(dir) {
				continue
			}
			for i := range found.Items {
				if pid, ok := LockTemporary(path.Base(l.name), found.Items[i].Name); ok && !h.Alive(pid) {
					h.removeTemporary(l, &found.Items[i])
				}
			}
		}
	}
}

// removeTemporary removes one of them, if it is old enough and still what was found. What is too
// large for a lock is something else.
func (h *Held) removeTemporary(l heldLock, found *store.Item) {
	aside := disk.Join(filepath.Dir(l.path), found.Name)
	info, err := h.FS.Lstat(aside)
	if err != nil || !info.Mode.IsRegular() || info.Size > MaxLock || !found.Same(info.Item()) {
		return
	}
	if h.age(info) > pick(l.empty, defaultEmpty) {
		_ = h.FS.Remove(aside)
	}
}

// makeFolder makes the folder of a lock, durable at once, and gives what it made: the commit
// finds it made already, and what it puts there must not go with the folder in a power cut.
func (h *Held) makeFolder(path string) ([]string, error) {
	made, err := disk.MakeAll(h.FS, filepath.Dir(path))
	for _, dir := range made {
		if err == nil {
			err = h.FS.SyncDir(filepath.Dir(dir))
		}
	}
	return made, err
}

// removeEmpty takes away folders that were made for a lock and that nothing came into; one that
// is not empty stays.
func (h *Held) removeEmpty(made []string) {
	for _, dir := range slices.Backward(made) {
		_ = h.FS.Remove(dir)
	}
}

// takeAside takes a stale lock over in the way of devt.md 5.11: renamed to a name of our own,
// read again, then removed. Of several thieves one gets the file that was judged. A file that
// became somebody else's in between goes back, without replacing what a third one may have put
// there meanwhile.
//
// Between programs of baton the kernel lock decides; this is about writers that know only the
// file. Those in another process namespace, a container with the same folder, cannot be told from
// dead ones, because their numbers mean nothing here: such a lock is taken over at once, or
// waited for when a process with that number happens to live here (SD-K6).
func (h *Held) takeAside(l Lock, path string, who *owner) (bool, error) {
	aside, err := h.asideName(path)
	if err != nil {
		return false, err
	}
	if err := h.FS.Rename(path, aside); err != nil {
		return false, h.gone(l, err)
	}
	now, err := h.ownerOf(l, aside)
	switch {
	case err == nil && now == nil: // somebody tidied it away; that is what we wanted
		return true, nil
	case err == nil && now.same(who):
		err = h.gone(l, h.FS.Remove(aside))
		return err == nil, err
	}
	if back := h.FS.RenameNew(aside, path); back != nil && !errors.Is(back, fs.ErrNotExist) {
		h.note(report.CodeLockLeft, h.Shown(aside), "this lock file was made while a stale one was being taken over, "+
			"and could not get its name back ("+disk.Cause(back)+")")
	}
	if err != nil {
		return false, err
	}
	return false, h.takenBy(l, now)
}
