//go:build unix && !linux

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

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

// Exchange is FS.Exchange.
func (OS) Exchange(a, b string) error {
	return &os.LinkError{Op: "exchange", Old: a, New: b, Err: errors.ErrUnsupported}
}
