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

// create creates a lock file the way its program does.
func (h *Held) create(l Lock, path string) (disk.FileInfo, error) {
	if l.Steal == Aside {
		return h.createWhole(path)
	}
	return h.fill(path)
}

// fill creates a file with our number in it. It is never synced, because after a power cut nobody
// holds it. If the number cannot be written, the file is removed.
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

// createWhole creates the lock file of a state folder together with its number (devt.md 5.11). A
// file that is created first and written later is empty for a moment, in which a reader finds no
// living process in it. So the file is written under another name and linked to its own, because a
// link never replaces a file.
func (h *Held) createWhole(path string) (disk.FileInfo, error) {
	if _, err := h.FS.Lstat(path); err == nil {
		return disk.FileInfo{}, fs.ErrExist // so that a writer who waits leaves nothing in the folder
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

// asideName returns the name under which a lock file is created and taken over: .lock.<own
// number>.<random>.tmp. It is the name of a temporary file, so the next sweep removes what a crash
// leaves.
func (h *Held) asideName(path string) (string, error) {
	base, err := h.Temporary(disk.BaseName(path) + "." + h.ownNumber())
	if err != nil {
		return "", err
	}
	return disk.Join(filepath.Dir(path), base[1:]), nil // the lock's own name begins with a dot
}

// LockTemporary reports whether a name is one that asideName returns for the lock with this name,
// and which process created it.
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

// RemoveTemporaries removes temporary files of a lock whose process has died, in folders that a
// sweep has listed anyway. Nobody needs such a file, so it is not archived. If the process may
// still be at work, the file stays. scans holds these folders by name.
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

// removeTemporary removes such a file if it is old enough and unchanged since the scan. A file that
// is too large for a lock is something else.
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

// makeFolder creates the folder of a lock and returns the folders that it made. It makes them
// durable at once, because the commit will treat them as existing, and a power cut must not take
// them with the commit's files.
func (h *Held) makeFolder(path string) ([]string, error) {
	made, err := disk.MakeAll(h.FS, filepath.Dir(path))
	for _, dir := range made {
		if err == nil {
			err = h.FS.SyncDir(filepath.Dir(dir))
		}
	}
	return made, err
}

// removeEmpty removes folders that were created for a lock, if they are empty.
func (h *Held) removeEmpty(made []string) {
	for _, dir := range slices.Backward(made) {
		_ = h.FS.Remove(dir)
	}
}

// takeAside takes over a stale lock as in devt.md 5.11: it renames the file to a name of our own,
// reads it again, then removes it. Of several writers who do this, only one gets the file that was
// judged. If the file became somebody else's in between, it goes back, without replacing a third
// one that may have been created meanwhile.
//
// Among baton's own processes the kernel lock decides, so this is about writers that know only the
// file. A writer in another process namespace, such as a container with the same folder, cannot be
// told from a dead one, because its number means nothing here. Its lock is taken over at once, or
// waited for if a process with that number happens to be alive here (SD-K6).
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
	case err == nil && now == nil: // somebody removed it, which is what we wanted
		return true, nil
	case err == nil && now.same(who):
		err = h.gone(l, h.FS.Remove(aside))
		return err == nil, err
	}
	if back := h.FS.RenameNew(aside, path); back != nil && !errors.Is(back, fs.ErrNotExist) {
		h.note(report.CodeLockLeft, h.Shown(aside), "this lock file was made while a stale one was being taken over, "+
			"and its name could not be restored ("+disk.Cause(back)+")")
	}
	if err != nil {
		return false, err
	}
	return false, h.takenBy(l, now)
}
