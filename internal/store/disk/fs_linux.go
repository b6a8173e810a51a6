package disk

import (
	"errors"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

func fsync(fd int) error { return unix.Fsync(fd) }

// folderFlags open a folder to be held. It may be one that nobody may list.
const folderFlags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// withoutOpenat2 says that the kernel has no openat2, or that a sandbox refuses it.
var withoutOpenat2 atomic.Bool

// openBeneath opens a folder below an open one and follows no link.
func openBeneath(at int, path string) (int, error) {
	if withoutOpenat2.Load() {
		return openStepwise(at, path)
	}
	fd, err := unix.Openat2(at, path, &unix.OpenHow{
		Flags: folderFlags, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	switch err {
	case unix.ELOOP:
		err = ErrElsewhere
	case unix.ENOSYS, unix.EPERM:
		withoutOpenat2.Store(true)
		return openStepwise(at, path)
	case unix.ENOTDIR, unix.EAGAIN, unix.EINVAL, unix.E2BIG: // ENOTDIR also stands for a link at the end
		return openStepwise(at, path)
	}
	return fd, err
}

// exchangeAt swaps two names of a folder by renameat2, which some file systems (and old kernels) do
// not have.
func exchangeAt(fd int, a, b string) error {
	return known(unix.Renameat2(fd, a, fd, b, unix.RENAME_EXCHANGE))
}

// renameNewAt renames to a name that is free.
func renameNewAt(from int, name string, to int, target string) error {
	return known(unix.Renameat2(from, name, to, target, unix.RENAME_NOREPLACE))
}

// known turns what is said of a call that the kernel or the file system does not know into
// ErrUnsupported.
func known(err error) error {
	switch err {
	case unix.ENOSYS, unix.EINVAL, unix.ENOTSUP:
		return errors.ErrUnsupported
	}
	return err
}
