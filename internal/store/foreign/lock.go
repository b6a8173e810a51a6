// Package foreign takes and frees the lock files with which other programs guard documents, in
// addition to baton's kernel lock (D35). Each program has its own rules about who holds such a file
// and when it is stale; docs/format.md describes them in chapters 20 and 26. Nothing here waits.
package foreign

import (
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// Lock describes the lock file with which another program guards a document (D35, GSD-D10, SF-D31,
// SD-D10; gsd.md 1.5, specflow.md 5.10, devt.md 5.11). The file is created exclusively. It holds
// the decimal number of the holder's process, without a newline. Removing it frees the lock.
type Lock struct {
	Name string // slash name below the root
	// Stale is the age from which a lock may be taken over even if its owner is alive or
	// unreadable; 0 means 60 s. It is ignored for Aside.
	Stale  time.Duration
	Empty  time.Duration // age from which a lock without a process number may be taken over; 0 means 1 s
	Steal  Steal         // how it is taken over
	Wait   time.Duration // how long a writer waits for a living holder; 0 means as long as for its own lock
	Unlock string        // command that removes a stale lock, for hints; "" if there is none
}

// Steal is how a stale lock is taken over, together with the rules that decide when it is stale.
type Steal uint8

// The methods of the programs that own these locks. If the folder of a lock does not exist, the
// first two take no lock (GSD-V8). With the third, the folder belongs to the lock and is created
// with it: otherwise the first two writers of a record would not notice each other.
const (
	// ByRename renames it to <name>.stale-<pid>-<ms>-<seq>, then removes it (gsd.md 1.5).
	ByRename Steal = iota
	// ByUnlink removes it (specflow.md 5.10).
	ByUnlink
	// Aside renames it to <name>.<pid>.<random>.tmp, reads it again, then removes it. No age makes
	// the lock of a living process stale (devt.md 5.11).
	Aside
)

const (
	defaultStale = 60 * time.Second
	defaultEmpty = time.Second
	// lookAgain is how often one attempt looks at a lock that keeps coming and going.
	lookAgain = 3
)

// System is everything that the locks of one store need.
type System struct {
	FS      disk.FS
	Env     report.Env                      // clock and number of this process
	Alive   func(pid int) bool              // whether a process exists
	Process func(pid int) disk.ProcessState // more about a process that exists

	// Path returns the real path of a lock file. It resolves the folder but not the file, because a
	// lock that is a link is refused.
	Path func(name string) (string, error)
	// Shown returns a path as messages show it.
	Shown func(path string) string
	// Temporary returns a name for a temporary file next to base.
	Temporary func(base string) (string, error)

	steals atomic.Uint32 // counts the locks that were renamed, for their names
}

func (s *System) ownNumber() string {
	if s.Env.PID > 0 {
		return strconv.Itoa(s.Env.PID)
	}
	return strconv.Itoa(os.Getpid())
}
