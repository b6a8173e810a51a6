package workspace

import (
	"path"
	"strings"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/store/foreign"
)

const (
	// ForeignStale is the longest time for which any program holds its lock on a digest for one
	// change (specflow.md 5.10, gsd.md 1.5).
	ForeignStale = time.Minute
	// foreignNameless is the age from which a state folder's lock without a process number may be
	// taken over (devt.md 5.11).
	foreignNameless = 3 * time.Second
	// foreignWait is how long a writer waits for a living holder of that lock (devt.md 5.11).
	foreignWait = 3 * time.Second
)

// ForeignLock returns the lock with which the original tool guards a document of its layout (D35).
// baton's own digest has none. A digest's archives have the digest's lock, because they change
// together. State folders have one in either layout (SD-D10).
func ForeignLock(name string) (foreign.Lock, bool) {
	if lock, ok := folderLock(name); ok {
		return lock, true
	}
	dir, base := path.Split(name)
	if base != "STATE.md" && base != "DECISIONS_ARCHIVE.md" && base != "STATE-ARCHIVE.md" {
		return foreign.Lock{}, false
	}
	lock := foreign.Lock{Stale: ForeignStale}
	switch {
	case dir == ".specflow/":
		lock.Name, lock.Steal = ".specflow/.state.lock", foreign.ByUnlink
	case strings.HasPrefix(dir, ".planning/"):
		lock.Name, lock.Steal = dir+"STATE.md.lock", foreign.ByRename
	default:
		return foreign.Lock{}, false
	}
	return lock, true
}

// folderLock returns the lock of the state folder that holds a document. A document in an
// instance's folder has the instance's own lock (5.12). The archive, the register of instances and
// the folders of the contract belong to the outer folder. The store asks for a whole folder by any
// name in it.
func folderLock(name string) (foreign.Lock, bool) {
	for _, f := range statedir.Folders() {
		below, ok := strings.CutPrefix(name, f.Dir+"/")
		if !ok {
			continue
		}
		lock := foreign.Lock{
			Name: f.Dir + "/" + statedir.LockName, Empty: foreignNameless, Wait: foreignWait, Steal: foreign.Aside,
			Unlock: "baton dir unlock --stale",
		}
		first, _, inside := strings.Cut(below, "/")
		if inside && IsInstanceID(first) && !declaration.DeclaredFolder(first) {
			lock.Name = f.Dir + "/" + first + "/" + statedir.LockName
			lock.Unlock += " --instance " + first
		}
		return lock, true
	}
	return foreign.Lock{}, false
}
