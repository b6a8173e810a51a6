package foreign

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/store/disk"
)

// Held holds the lock files of one writer. It is not safe for concurrent use.
type Held struct {
	*System
	note  func(code report.Code, path, text string) // receives leftovers
	locks []heldLock
}

type heldLock struct {
	name string
	path string
	info disk.FileInfo // of the file as we created it
	made []string      // folders that were created for it, outermost first

	empty time.Duration // Lock.Empty
}

// Hold returns the locks of a new writer, which holds none yet.
func (s *System) Hold(note func(code report.Code, path, text string)) *Held {
	return &Held{System: s, note: note}
}

// Take takes the locks that are not held yet, without waiting. fresh reports whether it took any;
// then whatever was compared before may have changed. If somebody else holds one, the error is a
// TakenError.
func (h *Held) Take(wanted []Lock) (fresh bool, err error) {
	var locks []Lock
	for _, l := range wanted {
		if !h.holds(l.Name) && !slices.ContainsFunc(locks, l.sameName) {
			locks = append(locks, l)
		}
	}
	// Every writer takes locks in the same order, so that two writers with two locks do not keep
	// turning each other away.
	sorting.By(locks, func(a, b Lock) int { return strings.Compare(a.Name, b.Name) })
	for _, l := range locks {
		took, err := h.seize(l)
		if err != nil {
			return fresh, err
		}
		fresh = fresh || took
	}
	return fresh, nil
}

func (l Lock) sameName(other Lock) bool { return l.Name == other.Name }

func (h *Held) holds(name string) bool {
	return slices.ContainsFunc(h.locks, func(l heldLock) bool { return l.name == name })
}

// None reports whether no lock is held.
func (h *Held) None() bool { return len(h.locks) == 0 }

// In returns a function that reports which names of a folder are locks that are held. dir is a real
// path.
func (h *Held) In(dir string) func(name string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(h.locks, func(l heldLock) bool {
			return disk.BaseName(l.path) == name && l.path == disk.Join(dir, name)
		})
	}
}

// seize takes one lock at once or not at all.
func (h *Held) seize(l Lock) (took bool, err error) {
	path, err := h.Path(l.Name)
	if err != nil {
		return false, err
	}
	var made []string
	defer func() {
		if !took {
			h.removeEmpty(made)
		}
	}()
	for range lookAgain {
		info, err := h.create(l, path)
		switch {
		case err == nil:
			h.locks = append(h.locks, heldLock{name: l.Name, path: path, info: info, made: made, empty: l.Empty})
			return true, nil
		case errors.Is(err, fs.ErrNotExist) && l.Steal == Aside:
			more, err := h.makeFolder(path)
			if made = append(made, more...); err != nil {
				return false, disk.Refused(err, l.Name, "written")
			}
			continue
		case errors.Is(err, fs.ErrNotExist): // without the folder there is nothing to lock
			return false, nil
		case passing(err):
			return false, l.taken(nil, err)
		case !errors.Is(err, fs.ErrExist):
			return false, disk.Refused(err, l.Name, "written")
		}
		if _, err := h.oust(l, path); err != nil {
			return false, err
		}
	}
	return false, l.taken(nil, nil)
}

// passing reports whether other programs wait out this error as well: the file is being removed, or
// a network folder must be read again.
func passing(err error) bool {
	return errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ESTALE) ||
		disk.BeingRemoved(err)
}

// Release frees the locks. A lock that somebody took over meanwhile, because we were stopped for a
// minute, is theirs.
func (h *Held) Release() {
	for _, l := range slices.Backward(h.locks) {
		h.free(l)
		h.removeEmpty(l.made)
	}
	h.locks = nil
}

func (h *Held) free(l heldLock) {
	c, err := disk.Read(h.FS, l.path, disk.Whole, MaxLock)
	if err == nil && !c.Exists {
		return
	}
	if err == nil && (c.Info.ID != l.info.ID || string(c.Data) != h.ownNumber()) {
		return
	}
	if err == nil {
		err = h.FS.Remove(l.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.note(report.CodeLockLeft, l.name, "the lock file could not be removed ("+disk.Cause(err)+
			"); it becomes stale when this process ends")
	}
}
