package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func fsync(fd int) error { return unix.Fsync(fd) }

// Exchange is FS.Exchange by renameat2, which some file systems (and old kernels) do not have.
func (OS) Exchange(a, b string) error { return rename2(a, b, unix.RENAME_EXCHANGE) }

// RenameNew is FS.RenameNew; it uses renameat2 and falls back to a hard link, which fails on a
// taken name as well.
func (OS) RenameNew(oldpath, newpath string) error {
	err := rename2(oldpath, newpath, unix.RENAME_NOREPLACE)
	if errors.Is(err, errors.ErrUnsupported) {
		return linkNew(oldpath, newpath)
	}
	return err
}

func rename2(from, to string, flags uint) error {
	err := retry(func() error { return unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags) })
	switch err {
	case nil:
		return nil
	case unix.ENOSYS, unix.EINVAL, unix.ENOTSUP:
		err = errors.ErrUnsupported
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
