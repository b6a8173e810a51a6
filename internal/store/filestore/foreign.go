package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// ForeignLock describes the lock file by which another program guards a document (D35, GSD-D10, SF-D31, SD-D10; gsd.md
// 1.5, specflow.md 5.10, devt.md 5.11). The file is created exclusively and holds the decimal number of the process
// that has it, without a newline; removing it frees the lock.
type ForeignLock struct {
	Name   string        // slash name below the root
	Stale  time.Duration // age from which a lock may be taken over whose owner lives or cannot be read; 0 is 60 s; not of StealAside
	Empty  time.Duration // age from which a lock without a process number may be taken over; 0 is 1 s
	Steal  Steal         // how it is taken over
	Unlock string        // command that takes a stale one away, for hints; "" when there is none
}

// Steal is a way to take over a lock that nobody holds any more, with the rules that tell when that is so.
type Steal uint8

// The ways of the programs whose locks these are. Where the folder of a lock does not exist, the first two take none
// (GSD-V8). The folder of the third belongs to its lock and is made with it: else the two first writers of a record
// would not see each other.
const (
	StealByRename Steal = iota // renamed to <name>.stale-<pid>-<ms>-<seq>, then removed (gsd.md 1.5)
	StealByUnlink              // removed (specflow.md 5.10)
	StealAside                 // renamed to <name>.<pid>.<random>.tmp, read again, then removed; no age ousts a process that lives (devt.md 5.11)
)

const (
	foreignStale = 60 * time.Second
	foreignEmpty = time.Second
	// lookAgain is how often one attempt looks at a lock that comes and goes under its eyes.
	lookAgain = 3
)

// heldLock is a foreign lock that this writer holds.
type heldLock struct {
	name string
	path string
	info disk.FileInfo // of the file as we made it
	made []string      // folders that were made for it, outermost first

	empty time.Duration // ForeignLock.Empty
}

// guard takes the foreign locks of the named documents, those that it does not hold already. fresh tells that it took
// one: what was compared before may have changed. A lock of somebody else is takenError, and nothing is waited for.
func (w *writer) guard(names ...string) (fresh bool, err error) {
	if w.o.Foreign == nil {
		return false, nil
	}
	var locks []ForeignLock
	for _, name := range names {
		if l, ok := w.o.Foreign(name); ok && !w.holds(l.Name) && !slices.ContainsFunc(locks, l.sameName) {
			locks = append(locks, l)
		}
	}
	// In one order for everybody, so that two writers with two locks do not keep turning each other away.
	slices.SortFunc(locks, func(a, b ForeignLock) int { return strings.Compare(a.Name, b.Name) })
	for _, l := range locks {
		took, err := w.seize(l)
		if err != nil {
			return fresh, err
		}
		fresh = fresh || took
	}
	return fresh, nil
}

func (l ForeignLock) sameName(other ForeignLock) bool { return l.Name == other.Name }

func (w *writer) holds(name string) bool {
	return slices.ContainsFunc(w.locks, func(h heldLock) bool { return h.name == name })
}

// seize takes one foreign lock at once or not at all.
func (w *writer) seize(l ForeignLock) (took bool, err error) {
	path, err := w.foreignPath(l.Name)
	if err != nil {
		return false, err
	}
	var made []string
	defer func() {
		if !took {
			w.emptied(made)
		}
	}()
	for range lookAgain {
		info, err := w.mark(l, path)
		switch {
		case err == nil:
			w.locks = append(w.locks, heldLock{name: l.Name, path: path, info: info, made: made, empty: l.Empty})
			return true, nil
		case errors.Is(err, fs.ErrNotExist) && l.Steal == StealAside:
			more, err := w.makeRoom(path)
			if made = append(made, more...); err != nil {
				return false, refused(err, l.Name, "written")
			}
			continue
		case errors.Is(err, fs.ErrNotExist): // no folder, nothing to lock in it
			return false, nil
		case passing(err):
			return false, l.taken(nil, err)
		case !errors.Is(err, fs.ErrExist):
			return false, refused(err, l.Name, "written")
		}
		if _, err := w.oust(l, path); err != nil {
			return false, err
		}
	}
	return false, l.taken(nil, nil)
}

// foreignPath is where a lock file lies: its folder resolved, itself not, because a lock that is a link is refused.
func (w *writer) foreignPath(name string) (string, error) {
	p, err := w.direct(name)
	if err != nil {
		return "", refused(err, name, "written")
	}
	return p.path, w.writable(name, p)
}

// passing tells faults that the other programs wait out as well: a file that is just being removed, a network folder
// that has to look again.
func passing(err error) bool {
	return errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ESTALE) ||
		disk.BeingRemoved(err)
}

// mark creates the lock file in the way of its program.
func (w *writer) mark(l ForeignLock, path string) (disk.FileInfo, error) {
	if l.Steal == StealAside {
		return w.markWhole(l, path)
	}
	return w.fill(path)
}

// fill creates a file with our number in it. It is never synced: after a power cut nobody holds it. If the number cannot
// be written the file goes again.
func (w *writer) fill(path string) (disk.FileInfo, error) {
	f, err := w.fs.Create(path, 0o666)
	if err != nil {
		return disk.FileInfo{}, err
	}
	_, err = f.Write([]byte(w.ownNumber()))
	info, errStat := f.Stat()
	if err = errors.Join(err, errStat, f.Close()); err != nil {
		_ = w.fs.Remove(path)
		return disk.FileInfo{}, refused(err, w.shown(path), "written")
	}
	return info, nil
}

func (s *Store) ownNumber() string {
	if s.o.Env.PID > 0 {
		return strconv.Itoa(s.o.Env.PID)
	}
	return strconv.Itoa(os.Getpid())
}

// letGo frees the foreign locks. One that somebody took over meanwhile, because we were stopped for a minute, is theirs.
func (w *writer) letGo() {
	for _, h := range slices.Backward(w.locks) {
		w.free(h)
		w.emptied(h.made)
	}
	w.locks = nil
}

func (w *writer) free(h heldLock) {
	c, err := w.grab(h.path, disk.Whole, MaxLock)
	if err == nil && !c.Exists {
		return
	}
	if err == nil && (c.Info.ID != h.info.ID || string(c.Data) != w.ownNumber()) {
		return
	}
	if err == nil {
		err = w.fs.Remove(h.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.note("lock_left", h.name, "the lock file could not be removed ("+disk.Cause(err)+"); it counts as stale as soon as this process has ended")
	}
}

// documents gives the names that a journal may touch.
func (j *journal) documents() []string {
	names := make([]string, 0, len(j.Files)+2*len(j.Moves))
	for _, f := range j.Files {
		names = append(names, f.Name)
	}
	for _, m := range j.Moves {
		names = append(names, m.From, m.To)
	}
	return names
}

// touched gives the names that a commit may touch: its edits, and what a move would change if it had to be carried out
// by the rules of recovery.
func touched(edits []*edit, moves []store.Move) []string {
	names := make([]string, 0, len(edits)+2*len(moves))
	for _, e := range edits {
		names = append(names, e.name)
	}
	for _, m := range moves {
		names = append(names, m.From, m.To)
	}
	return names
}

// sweepStale removes what stealers that died left beside a lock: renamed away, but not removed any more. Nobody needs
// such a file, and only whoever steals pays for looking.
func (w *writer) sweepStale(path string, after time.Duration) {
	dir, prefix := filepath.Dir(path), disk.BaseName(path)+".stale-"
	infos, err := w.fs.ReadDir(dir)
	if err != nil {
		return
	}
	for _, i := range infos {
		if i.Mode.IsRegular() && strings.HasPrefix(i.Name, prefix) && w.age(i) > after {
			_ = w.fs.Remove(disk.Join(dir, i.Name))
		}
	}
}
