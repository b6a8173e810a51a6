//go:build unix && !linux

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// folderFlags open a folder to be held.
const folderFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// openBeneath opens a folder below an open one and follows no link.
func openBeneath(at int, path string) (int, error) { return openStepwise(at, path) }

// exchangeAt swaps two names of a folder.
func exchangeAt(int, string, string) error { return errors.ErrUnsupported }

// fsync goes through os.File, which asks for F_FULLFSYNC on darwin: fsync alone leaves the bytes in
// the drive's cache.
func fsync(fd int) error {
	dup, err := unix.Dup(fd)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(dup), "sync")
	err = f.Sync()
	if errno, ok := errors.AsType[unix.Errno](err); ok {
		err = errno
	}
	return errors.Join(err, f.Close())
}
