//go:build unix

package filestore

import "golang.org/x/sys/unix"

// alive tells whether a process exists. One that we may not ask is alive (gsd.md 1.5, specflow.md 5.10).
func alive(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }

// goingAway tells a file that is being removed; only Windows has names of such files.
func goingAway(error) bool { return false }
