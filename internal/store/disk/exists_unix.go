//go:build unix

package disk

import "golang.org/x/sys/unix"

// ProcessExists reports whether a process exists. A process that we may not signal counts as alive
// (gsd.md 1.5, specflow.md 5.10).
func ProcessExists(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }

// BeingRemoved reports whether an error says that the file is being removed. Only on Windows does
// such a file still have a name.
func BeingRemoved(error) bool { return false }
