//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"strings"

	"golang.org/x/sys/unix"
)

// TryLock is FS.TryLock.
func (d OS) TryLock(name string) (func() error, bool, error) {
	for _, flags := range [...]int{unix.O_RDONLY, unix.O_RDWR} {
		f, err := d.open(name, unix.O_CREAT|flags, 0o666)
		if err != nil {
			return nil, false, err
		}
		info, err := f.Stat()
		if err == nil && !info.Mode.IsRegular() {
			err = &fs.PathError{Op: "lock", Path: f.path, Err: ErrSpecial}
		}
		if err == nil {
			if err = retry(func() error { return unix.Flock(f.fd, unix.LOCK_EX|unix.LOCK_NB) }); err == nil {
				return f.unlock, true, nil
			}
		}
		err = errors.Join(f.Close(), err)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK):
			return nil, false, nil
		case flags == unix.O_RDONLY && (errors.Is(err, unix.EBADF) || errors.Is(err, unix.EIO)):
			continue // network file systems grant this lock only on a file that is open for writing
		}
		return nil, false, err
	}
	return nil, false, nil
}

// unlock releases the lock of the file and closes it. Closing alone would leave the lock with a
// process that is being started at this moment: it has all open files until its program begins.
func (f *unixFile) unlock() error {
	err := retry(func() error { return unix.Flock(f.fd, unix.LOCK_UN) })
	return errors.Join(f.Close(), err)
}

// OpenFolder is FS.OpenFolder.
func (d OS) OpenFolder(path string) (Folder, error) {
	var fd int
	err := retry(func() (e error) {
		if d.held == nil {
			fd, e = openTop(path)
		} else {
			fd, e = openBeneath(d.held.fd, path)
		}
		return e
	})
	if err != nil {
		return nil, d.fault("open", path, err)
	}
	return OS{&heldFolder{fd, d.shown(path)}}, nil
}

func openTop(path string) (int, error) {
	fd, err := unix.Openat(unix.AT_FDCWD, path, folderFlags, 0)
	if err != nil && linkAt(unix.AT_FDCWD, path) {
		err = ErrElsewhere
	}
	return fd, err
}

func linkAt(at int, name string) bool {
	var st unix.Stat_t
	return statAt(at, name, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// openStepwise opens a folder below an open one, one name at a time, and follows no link.
func openStepwise(at int, path string) (int, error) {
	fd := -1
	for _, name := range strings.Split(path, "/") {
		next, err := unix.Openat(at, name, folderFlags, 0)
		if err != nil && linkAt(at, name) {
			err = ErrElsewhere
		}
		if fd >= 0 {
			_ = unix.Close(fd)
		}
		if err != nil {
			return -1, err
		}
		at, fd = next, next
	}
	return fd, nil
}

// Info is Folder.Info.
func (d OS) Info() (FileInfo, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(d.held.fd, &st) }); err != nil {
		return FileInfo{}, d.fault("fstat", ".", err)
	}
	return infoOf(BaseName(d.held.path), &st), nil
}

// Move is Folder.Move.
func (d OS) Move(name string, to Folder, target string) error {
	other, ok := to.(OS)
	if !ok {
		return d.fault("rename", name, unix.EXDEV)
	}
	return d.moveNew(name, other, target)
}

// Close is Folder.Close.
func (d OS) Close() error { return d.fault("close", ".", unix.Close(d.held.fd)) }
