package filestore

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// markWhole makes the lock file of the state folder together with the number in it (devt.md 5.11). A file that is
// created and then written stands there empty for a moment, in which a program that reads it learns of no process that
// lives. So the file is written under another name and gets its own by a link, which never replaces.
func (w *writer) markWhole(l ForeignLock, path string) (disk.FileInfo, error) {
	if _, err := w.fs.Lstat(path); err == nil {
		return disk.FileInfo{}, fs.ErrExist // whoever waits for it leaves nothing in the folder meanwhile
	}
	temp, err := w.asideName(path)
	if err != nil {
		return disk.FileInfo{}, err
	}
	info, err := w.fill(temp)
	if err != nil {
		return disk.FileInfo{}, err
	}
	err = w.fs.Link(temp, path)
	if gone := w.fs.Remove(temp); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		w.note("temp_left", w.shown(temp), "a temporary file could not be removed; the next cleanup archives it")
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return w.fill(path)
	}
	return info, err
}

// asideName gives the name under which a lock file is made and taken over: .lock.<own number>.<random>.tmp. It is one
// of a temporary file, and whatever a crash leaves there goes with the next sweep.
func (w *writer) asideName(path string) (string, error) {
	base, err := w.temporary(disk.BaseName(path) + "." + w.ownNumber())
	if err != nil {
		return "", err
	}
	return disk.Join(filepath.Dir(path), base[1:]), nil // the lock's own name begins with the full stop
}

// LockTemporary recognises the names that asideName gives beside a lock with this name, and gives the number of the process
// that made it.
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

// sweepAsides takes away what makers and thieves of a lock left that died, in the folders that a sweep has listed anyway:
// nobody needs such a file, and it is nobody's to be archived. One whose maker may still be at work stays.
func (w *writer) sweepAsides(tx *store.Tx) {
	scans, _ := tx.Scans()
	for dir, found := range scans {
		for _, h := range w.locks {
			if path.Dir(h.name) != path.Clean(dir) {
				continue
			}
			for i := range found.Items {
				if pid, ok := LockTemporary(path.Base(h.name), found.Items[i].Name); ok && !w.o.Alive(pid) {
					w.dropAside(h, &found.Items[i])
				}
			}
		}
	}
}

// dropAside removes one of them, if it is old enough and still what was found. What is too large for a lock is something else.
func (w *writer) dropAside(h heldLock, found *store.Item) {
	aside := disk.Join(filepath.Dir(h.path), found.Name)
	info, err := w.fs.Lstat(aside)
	if err != nil || !info.Mode.IsRegular() || info.Size > MaxLock || !found.Same(itemOf(&info)) || w.age(info) <= pick(h.empty, foreignEmpty) {
		return
	}
	_ = w.fs.Remove(aside)
}

// makeRoom makes the folder of a lock, durable at once, and gives what it made: the commit finds it made already, and
// what it puts there must not go with the folder in a power cut.
func (w *writer) makeRoom(path string) ([]string, error) {
	made, err := w.makeFolders(filepath.Dir(path))
	for _, dir := range made {
		if err == nil {
			err = w.fs.SyncDir(filepath.Dir(dir))
		}
	}
	return made, err
}

// emptied takes away folders that were made for a lock and that nothing came into; one that is not empty stays.
func (w *writer) emptied(made []string) {
	for _, dir := range slices.Backward(made) {
		_ = w.fs.Remove(dir)
	}
}

// takeAside takes a stale lock over in the way of devt.md 5.11: renamed to a name of our own, read again, then removed.
// Of several thieves one gets the file that was judged. A file that became somebody else's in between goes back, without
// replacing what a third one may have put there meanwhile.
//
// Between programs of baton the kernel lock decides; this is about writers that know only the file. Those in another
// process namespace, a container with the same folder, cannot be told from dead ones, because their numbers mean
// nothing here: such a lock is taken over at once, or waited for when a process with that number happens to live
// here (SD-K6).
func (w *writer) takeAside(l ForeignLock, path string, who *owner) (bool, error) {
	aside, err := w.asideName(path)
	if err != nil {
		return false, err
	}
	if err := w.fs.Rename(path, aside); err != nil {
		return false, w.gone(l, err)
	}
	now, err := w.ownerOf(l, aside)
	switch {
	case err == nil && now == nil: // somebody tidied it away; that is what we wanted
		return true, nil
	case err == nil && now.same(who):
		err = w.gone(l, w.fs.Remove(aside))
		return err == nil, err
	}
	if back := w.fs.RenameNew(aside, path); back != nil && !errors.Is(back, fs.ErrNotExist) {
		w.note("lock_left", w.shown(aside), "this lock file was made while a stale one was being taken over, and could not get its name back ("+disk.Cause(back)+")")
	}
	if err != nil {
		return false, err
	}
	return false, w.takenBy(l, now)
}
