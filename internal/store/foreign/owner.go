package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// MaxLock is how much of another program's lock file is read, in bytes. A longer file is garbage.
const MaxLock = 4 << 10

// owner is what a lock file says about its holder.
type owner struct {
	info disk.FileInfo
	data []byte
	pid  int   // 0: empty or garbage; noProcess
	err  error // why it could not be read
}

// oust removes the lock file if its process cannot hold it any more; otherwise the error is a
// TakenError. A file that vanished by itself is no error and does not count as removed.
func (h *Held) oust(l Lock, path string) (removed bool, err error) {
	who, err := h.ownerOf(l, path)
	if err != nil || who == nil {
		return false, err
	}
	if !h.stale(l, who) {
		return false, h.takenBy(l, who)
	}
	// The lock may have changed hands between the first look and this one.
	again, err := h.ownerOf(l, path)
	if err != nil || again == nil {
		return false, err
	}
	if !again.same(who) {
		return false, h.takenBy(l, again)
	}
	switch l.Steal {
	case ByUnlink:
		err = h.gone(l, h.FS.Remove(path))
	case Aside:
		return h.takeAside(l, path, who)
	default:
		err = h.renameAway(l, path, who)
	}
	return err == nil, err
}

// ownerOf reads a lock file; it returns nil if there is none. Anything else in its place is
// Refused, because no program that knows this lock made it. Links are never followed.
func (s *System) ownerOf(l Lock, path string) (*owner, error) {
	info, err := s.FS.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		if err = disk.CheckRegular(info); info.Link() {
			err = disk.ErrLink
		}
	}
	if err != nil {
		return nil, misplaced(err, l.Name)
	}
	c, err := s.look(l, path)
	if _, long := errors.AsType[*disk.SizeError](err); long {
		return &owner{info: info}, nil
	}
	if err != nil && (disk.IsSpecial(err) || errors.Is(err, disk.ErrFolder)) {
		return nil, misplaced(err, l.Name)
	}
	if err != nil {
		return &owner{info: info, err: err}, nil
	}
	if !c.Exists {
		return nil, nil
	}
	return &owner{info: c.Info, data: c.Data, pid: l.number(c.Data)}, nil
}

// misplaced is disk.Refused with a hint that does not promise that baton will create the file.
func misplaced(err error, name string) error {
	err = disk.Refused(err, name, "used as a lock")
	if e := report.As(err); e != nil && e.Code == report.CodeNotRegular {
		e.Hint = "remove it; a lock is a small file, which the program that needs it creates"
	}
	return err
}

// same reports whether two looks saw one file with one owner.
func (o *owner) same(other *owner) bool {
	return o.info.ID == other.info.ID && o.info.ModTime.Equal(other.info.ModTime) &&
		bytes.Equal(o.data, other.data) && (o.err == nil) == (other.err == nil)
}

// stale reports whether a lock may be taken over. A living process may merely have got the number
// of a dead owner; then only the age tells.
//
// A lock with our own number that this writer does not hold was probably left by a process that had
// the number before us, because only one Update of this process has the kernel lock. But an Update
// with another runtime folder may guard the same document. baton holds such locks only for
// milliseconds, so the limit for an empty lock decides.
func (h *Held) stale(l Lock, o *owner) bool {
	if l.Steal == Aside {
		return h.judge(l, o).stale
	}
	late := pick(l.Stale, defaultStale)
	soon := pick(l.Empty, defaultEmpty)
	age := h.age(o.info)
	switch {
	case o.err != nil:
		return age > late
	case o.pid == 0, strconv.Itoa(o.pid) == h.ownNumber():
		return age > soon
	case !h.Alive(o.pid):
		return true
	}
	return age > late
}

func pick(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

func (s *System) age(i disk.FileInfo) time.Duration { return s.Env.Now().Sub(i.ModTime) }

// processNumber parses the content of a lock file; it returns 0 if that is not a process number.
func processNumber(data []byte) int {
	data = bytes.TrimSpace(data)
	for _, c := range data {
		if c < '0' || c > '9' {
			return 0
		}
	}
	n, err := strconv.ParseInt(string(data), 10, 32)
	if err != nil {
		return 0
	}
	return int(n)
}

// renameAway takes over a lock the way gsd-tools does. If the renamed file is not the one that was
// looked at, somebody else was faster and gets the lock back.
func (h *Held) renameAway(l Lock, path string, who *owner) error {
	aside := fmt.Sprintf("%s.stale-%s-%d-%d", path, h.ownNumber(), h.Env.Now().UnixMilli(), h.steals.Add(1))
	if err := h.FS.Rename(path, aside); err != nil {
		return h.gone(l, err)
	}
	c, err := disk.Read(h.FS, aside, disk.Whole, MaxLock)
	if err == nil && c.Exists && !who.same(&owner{info: c.Info, data: c.Data}) && who.err == nil {
		if h.FS.RenameNew(aside, path) == nil {
			return l.taken(&owner{info: c.Info, pid: processNumber(c.Data)}, nil)
		}
	}
	if err := h.gone(l, h.FS.Remove(aside)); err != nil {
		return err
	}
	h.sweepStale(path, pick(l.Stale, defaultStale))
	return nil
}

// gone converts the result of removing a lock file to that of oust.
func (h *Held) gone(l Lock, err error) error {
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return nil
	case passing(err):
		return l.taken(nil, err)
	}
	return disk.Refused(err, l.Name, "removed")
}

// sweepStale removes stale locks next to a lock that were renamed and, because their process died,
// not removed. Nobody needs such a file, and only a process that takes over a lock pays for
// looking.
func (h *Held) sweepStale(path string, after time.Duration) {
	dir, prefix := filepath.Dir(path), disk.BaseName(path)+".stale-"
	infos, err := h.FS.ReadDir(dir)
	if err != nil {
		return
	}
	for _, i := range infos {
		if i.Mode.IsRegular() && strings.HasPrefix(i.Name, prefix) && h.age(i) > after {
			_ = h.FS.Remove(disk.Join(dir, i.Name))
		}
	}
}
