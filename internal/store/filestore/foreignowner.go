package filestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// MaxLock bounds what is read of a lock file of another program, in bytes; a longer one is garbage.
const MaxLock = 4 << 10

// owner is what a lock file says of who holds it.
type owner struct {
	info disk.FileInfo
	data []byte
	pid  int   // 0: empty or garbage; noProcess
	err  error // why it could not be read
}

// oust takes the lock file away when whoever made it cannot hold it any more; else takenError. A file that went away
// by itself is no error, and not removed.
func (w *writer) oust(l ForeignLock, path string) (removed bool, err error) {
	who, err := w.ownerOf(l, path)
	if err != nil || who == nil {
		return false, err
	}
	if !w.stale(l, who) {
		return false, w.takenBy(l, who)
	}
	// Between the first look and this one the lock may have become somebody else's.
	again, err := w.ownerOf(l, path)
	if err != nil || again == nil {
		return false, err
	}
	if !again.same(who) {
		return false, w.takenBy(l, again)
	}
	switch l.Steal {
	case StealByUnlink:
		err = w.gone(l, w.fs.Remove(path))
	case StealAside:
		return w.takeAside(l, path, who)
	default:
		err = w.renameAway(l, path, who)
	}
	return err == nil, err
}

// ownerOf reads a lock file; nil when there is none any more. Something else in its place is Refused: it was made by
// none of the programs that know this lock, and links are never followed.
func (s *Store) ownerOf(l ForeignLock, path string) (*owner, error) {
	info, err := s.fs.Lstat(path)
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

// misplaced is refused with a hint that does not promise a file of ours.
func misplaced(err error, name string) error {
	err = refused(err, name, "used as a lock")
	if e := report.As(err); e != nil && e.Code == "not_regular" {
		e.Hint = "remove it; a lock is a small file, and the program that wants it makes it itself"
	}
	return err
}

// same tells that two looks saw one file with one owner.
func (o *owner) same(other *owner) bool {
	return o.info.ID == other.info.ID && o.info.ModTime.Equal(other.info.ModTime) &&
		bytes.Equal(o.data, other.data) && (o.err == nil) == (other.err == nil)
}

// stale tells whether a lock may be taken over. The owner of a number that lives may be somebody else who got the
// number of a dead one; only age tells.
//
// Our own number in a lock that this writer does not hold was left by a process that had the number before us: of the
// Updates in this process only one has the kernel lock. But one with another runtime folder may guard the same document,
// and baton holds such locks for milliseconds; so the age of an empty one decides.
func (w *writer) stale(l ForeignLock, o *owner) bool {
	if l.Steal == StealAside {
		return w.judge(l, o).stale
	}
	late := pick(l.Stale, foreignStale)
	soon := pick(l.Empty, foreignEmpty)
	age := w.age(o.info)
	switch {
	case o.err != nil:
		return age > late
	case o.pid == 0, strconv.Itoa(o.pid) == w.ownNumber():
		return age > soon
	case !w.o.Alive(o.pid):
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

func (s *Store) age(i disk.FileInfo) time.Duration { return s.o.Env.Now().Sub(i.ModTime) }

// processNumber reads the content of a lock file; 0 for everything that is no number of a process.
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

// renameAway is the way of gsd-tools. If the file that was renamed is not the one that was looked at, somebody was
// faster, and gets the lock back.
func (w *writer) renameAway(l ForeignLock, path string, who *owner) error {
	aside := fmt.Sprintf("%s.stale-%s-%d-%d", path, w.ownNumber(), w.o.Env.Now().UnixMilli(), w.names.Add(1))
	if err := w.fs.Rename(path, aside); err != nil {
		return w.gone(l, err)
	}
	c, err := w.grab(aside, disk.Whole, MaxLock)
	if err == nil && c.Exists && !who.same(&owner{info: c.Info, data: c.Data}) && who.err == nil {
		if w.fs.RenameNew(aside, path) == nil {
			return l.taken(&owner{info: c.Info, pid: processNumber(c.Data)}, nil)
		}
	}
	if err := w.gone(l, w.fs.Remove(aside)); err != nil {
		return err
	}
	w.sweepStale(path, pick(l.Stale, foreignStale))
	return nil
}

// gone turns the result of taking a lock file away into that of oust.
func (w *writer) gone(l ForeignLock, err error) error {
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return nil
	case passing(err):
		return l.taken(nil, err)
	}
	return refused(err, l.Name, "removed")
}

// takenError says that a foreign lock is somebody else's at the moment: the writer lets go of its own lock and begins
// the whole Update again.
type takenError struct {
	lock    string
	pid     int       // 0 when the file does not tell
	command string    // of that process, "" when the system does not tell
	since   time.Time // when the file was made
	unlock  string    // ForeignLock.Unlock
	cause   error
}

// taken gives the takenError for a lock; o is nil when nobody had the time to look whose it is.
func (l ForeignLock) taken(o *owner, cause error) *takenError {
	e := &takenError{lock: l.Name, unlock: l.Unlock, cause: cause}
	if o != nil {
		e.pid, e.since = max(o.pid, 0), o.info.ModTime
	}
	return e
}

// takenBy is taken with everything that the system knows of the owner.
func (s *Store) takenBy(l ForeignLock, o *owner) *takenError {
	e := l.taken(o, o.err)
	if l.Steal == StealAside && e.pid > 0 {
		e.command = s.o.Process(e.pid).Command
	}
	return e
}

func (e *takenError) Error() string { return e.lock + " is taken" }

// timeout is the error for a foreign lock that did not become free in time.
func (e *takenError) timeout(cause error) error {
	out := &report.Error{
		Kind: report.Locked, Code: "lock_timeout", Path: e.lock, Err: errors.Join(cause, e.cause),
		Message: fmt.Sprintf("the lock file %s of another program did not become free in time", e.lock),
		Hint:    "try again; remove " + e.lock + " if no other program is writing this project",
		Details: map[string]any{"lock": e.lock},
	}
	if !e.since.IsZero() {
		out.Details["since"] = e.since
	}
	if e.pid != 0 {
		out.Message = fmt.Sprintf("%s holds the lock file %s and did not finish in time", e.holder(), e.lock)
		out.Hint = fmt.Sprintf("try again, or look at process %d; if it is not writing this project, remove %s", e.pid, e.lock)
		out.Details["pid"] = e.pid
	}
	if e.command != "" {
		out.Details["command"] = e.command
	}
	if e.unlock != "" {
		out.Hint = "try again; `" + e.unlock + "` takes the lock away as soon as nobody can hold it any more"
	}
	return out
}

func (e *takenError) holder() string { return processText(e.pid, e.command) }

// givenUp is the error for a context that ended while a foreign lock was waited for.
func (e *takenError) givenUp(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return e.timeout(ctx.Err())
	}
	return ctx.Err()
}
