// Package foreign takes and frees the lock files by which other programs guard documents, beside
// the kernel lock of baton (D35). Each program has its own rules about who holds such a file and
// when it is left over; docs/format.md describes them in chapters 20 and 26. Nothing here waits.
package foreign

import (
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// Lock describes the lock file by which another program guards a document (D35, GSD-D10, SF-D31,
// SD-D10; gsd.md 1.5, specflow.md 5.10, devt.md 5.11). The file is created exclusively and holds
// the decimal number of the process that has it, without a newline; removing it frees the lock.
type Lock struct {
	Name string // slash name below the root
	// Stale is the age from which a lock may be taken over whose owner lives or cannot be read; 0
	// is 60 s. It does not count for Aside.
	Stale  time.Duration
	Empty  time.Duration // age from which one without a process number may be taken over; 0 is 1 s
	Steal  Steal         // how it is taken over
	Unlock string        // command that takes a stale one away, for hints; "" when there is none
}

// Steal is how a lock that nobody holds any more is taken over, with the rules that decide when
// that is so.
type Steal uint8

// How the programs do it whose locks these are. Where the folder of a lock does not exist, the
// first two take none (GSD-V8). The folder of the third belongs to its lock and is made with it:
// else the two first writers of a record would not see each other.
const (
	// ByRename renames it to <name>.stale-<pid>-<ms>-<seq>, then removes it (gsd.md 1.5).
	ByRename Steal = iota
	// ByUnlink removes it (specflow.md 5.10).
	ByUnlink
	// Aside renames it to <name>.<pid>.<random>.tmp, reads it again, then removes it; no age ousts
	// a process that lives (devt.md 5.11).
	Aside
)

const (
	defaultStale = 60 * time.Second
	defaultEmpty = time.Second
	// lookAgain is how often one attempt looks at a lock that comes and goes under its eyes.
	lookAgain = 3
)

// System is what the locks of one store are taken with.
type System struct {
	FS      disk.FS
	Env     report.Env                      // clock and number of this process
	Alive   func(pid int) bool              // whether a process exists
	Process func(pid int) disk.ProcessState // more about a process that exists

	// Path returns the real path of a lock file: its folder is resolved, and the file itself is
	// not, because a lock that is a link is refused.
	Path func(name string) (string, error)
	// Shown returns a path as messages have it.
	Shown func(path string) string
	// Temporary returns a name for a temporary file beside base.
	Temporary func(base string) (string, error)

	steals atomic.Uint32 // names given to locks that were renamed
}

func (s *System) ownNumber() string {
	if s.Env.PID > 0 {
		return strconv.Itoa(s.Env.PID)
	}
	return strconv.Itoa(os.Getpid())
}
