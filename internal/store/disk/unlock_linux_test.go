package disk

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// A lock is free as soon as it is released, even if a process that is being started still has the file open.
func TestUnlock_WhileAProcessStarts(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	release, got, err := OS{}.TryLock(name)
	if err != nil || !got {
		t.Fatal(got, err)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("the files that a process has open are not listed: mount /proc")
	}
	for _, e := range open {
		fd, _ := strconv.Atoi(e.Name())
		if path, _ := os.Readlink("/proc/self/fd/" + e.Name()); path != name {
			continue
		}
		child, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0) // as after a fork
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = unix.Close(child) }()
	}
	if _, got, err := (OS{}).TryLock(name); got || err != nil {
		t.Fatal("the lock is not held", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	again, got, err := OS{}.TryLock(name)
	if err != nil || !got {
		t.Fatal("the lock is still held", err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
}
