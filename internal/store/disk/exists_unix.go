//go:build unix

package disk

import "golang.org/x/sys/unix"

// ProcessExists reports whether a process exists. One that we may not ask is alive (gsd.md 1.5,
// specflow.md 5.10).
func ProcessExists(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }

// BeingRemoved reports whether an error comes from a file that is being removed; only Windows has
// names of such files.
func BeingRemoved(error) bool { return false }
