//go:build unix

package filestore_test

import "syscall"

func processExists(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
