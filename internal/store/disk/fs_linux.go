package disk

import (
	"errors"
	"strconv"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

func fsync(fd int) error { return unix.Fsync(fd) }

// folderFlags open a folder to be held. O_PATH also opens a folder that we may not list.
const folderFlags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// withoutOpenat2 is set once the kernel has no openat2 or a sandbox refuses it.
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
	case unix.ENOTDIR, unix.EAGAIN, unix.EINVAL, unix.E2BIG: // ENOTDIR also means a link at the end
		return openStepwise(at, path)
	}
	return fd, err
}

// exchangeAt swaps two names of a folder by renameat2, which old kernels and some file systems do
// not support.
func exchangeAt(fd int, a, b string) error {
	return known(unix.Renameat2(fd, a, fd, b, unix.RENAME_EXCHANGE), renameat2Refused)
}

// renameNewAt renames to a free name.
func renameNewAt(from int, name string, to int, target string) error {
	return known(unix.Renameat2(from, name, to, target, unix.RENAME_NOREPLACE), renameat2Refused)
}

// known returns ErrUnsupported if the kernel or the file system does not support renameat2, or if a
// sandbox refuses the call. Any other EPERM is about the files.
func known(err error, refused func() bool) error {
	switch {
	case err == unix.ENOSYS, err == unix.EINVAL, err == unix.ENOTSUP, err == unix.EPERM && refused():
		return errors.ErrUnsupported
	}
	return err
}

// renameat2Refused calls renameat2 with a name that cannot exist, for which only a sandbox returns
// EPERM.
func renameat2Refused() bool {
	return unix.Renameat2(unix.AT_FDCWD, "", unix.AT_FDCWD, "", unix.RENAME_NOREPLACE) == unix.EPERM
}

// chmodUnread sets the mode of a file that we may not read. It follows no link.
func chmodUnread(at int, name string, mode uint32) error {
	err := unix.Fchmodat(at, name, mode, unix.AT_SYMLINK_NOFOLLOW)
	switch err {
	case unix.EOPNOTSUPP, unix.ENOSYS, unix.EPERM: // before Linux 6.6, or in a sandbox
		return chmodByProc(at, name, mode)
	}
	return err
}

// chmodByProc is chmodUnread for kernels without fchmodat2. It goes through /proc to the open file,
// even if its name has changed since. Without /proc, it checks the name just before it sets the
// mode.
func chmodByProc(at int, name string, mode uint32) error {
	fd, err := unix.Openat(at, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return ErrLink
	}
	err = unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), mode)
	if err == unix.ENOENT {
		return unix.Fchmodat(at, name, mode, 0)
	}
	return err
}
