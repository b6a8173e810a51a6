//go:build unix && !linux

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// folderFlags open a folder to be held. On macOS and FreeBSD that may be one that we may not list.
const folderFlags = searchOnly | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// chmodUnread sets the mode of a file that we may not read. It follows no link.
func chmodUnread(at int, name string, mode uint32) error {
	return unix.Fchmodat(at, name, mode, unix.AT_SYMLINK_NOFOLLOW)
}

// openBeneath opens a folder below an open one and follows no link.
func openBeneath(at int, path string) (int, error) { return openStepwise(at, path) }

// exchangeAt swaps two names of a folder.
func exchangeAt(int, string, string) error { return errors.ErrUnsupported }

// fsync goes through os.File, which uses F_FULLFSYNC on darwin: fsync alone leaves the bytes in the
// drive's cache. It returns a bare errno, because callers compare it.
func fsync(fd int) error {
	dup, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(dup), "sync")
	err = f.Sync()
	if errClose := f.Close(); err == nil {
		err = errClose
	}
	if errno, ok := errors.AsType[unix.Errno](err); ok {
		return errno
	}
	return err
}
