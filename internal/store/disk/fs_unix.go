//go:build unix

package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// The real file system on Unix. It calls the kernel directly: os.File registers every file with the
// poller, which doubles the cost of reading a thousand small files.

func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// safeFlags keep an open from following a link, from waiting for the other end of a named pipe, and
// from taking a terminal.
const safeFlags = unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY

func lockFlags() int {
	switch runtime.GOOS {
	case "aix", "solaris", "illumos": // no write lock on a file that is open for reading only
		return unix.O_CREAT | unix.O_RDWR | safeFlags
	}
	return unix.O_CREAT | unix.O_RDONLY | safeFlags
}

func open(path string, flags int, mode fs.FileMode) (File, error) {
	var fd int
	err := retry(func() (e error) {
		fd, e = unix.Open(path, flags|safeFlags, uint32(mode.Perm()))
		return e
	})
	if err == unix.ELOOP || err == unix.EMLINK {
		var st unix.Stat_t
		if unix.Lstat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK {
			err = ErrLink
		}
	}
	if err == unix.ENXIO { // a named pipe that nobody reads, a socket
		err = ErrSpecial
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f := &unixFile{fd: fd, path: path}
	if flags&(unix.O_WRONLY|unix.O_RDWR) == 0 || flags&unix.O_EXCL != 0 {
		return f, nil
	}
	info, err := f.Stat()
	if err == nil {
		err = plain(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Open is FS.Open.
func (OS) Open(path string) (File, error) { return open(path, unix.O_RDONLY, 0) }

// Create is FS.Create.
func (OS) Create(path string, mode fs.FileMode) (File, error) {
	return open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, mode)
}

// Append is FS.Append.
func (OS) Append(path string) (File, error) {
	return open(path, unix.O_RDWR|unix.O_APPEND, 0)
}

// Overwrite is FS.Overwrite.
func (OS) Overwrite(path string, mode fs.FileMode) (File, error) {
	return open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC, mode)
}

// Lstat is FS.Lstat.
func (OS) Lstat(path string) (FileInfo, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Lstat(path, &st) }); err != nil {
		return FileInfo{}, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return infoOf(BaseName(path), &st), nil
}

// ReadDir is FS.ReadDir. It asks for every file relative to the open folder: the kernel need not
// walk the folder's path a thousand times. A large folder is looked at from two sides at once.
func (OS) ReadDir(path string) ([]FileInfo, error) {
	dir, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	fd, out := int(dir.Fd()), make([]FileInfo, len(names))
	if len(names) < twoSides {
		err = lookAt(fd, path, names, out)
	} else {
		half, other := len(names)/2, make(chan error, 1)
		go func() { other <- lookAt(fd, path, names[half:], out[half:]) }()
		err = lookAt(fd, path, names[:half], out[:half])
		if late := <-other; err == nil {
			err = late
		}
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(out, func(i FileInfo) bool { return i.Name == "" }), nil
}

// twoSides is the number of names from which a second thread pays.
const twoSides = 1024

// lookAt describes the names of an open folder in out, one for one. A name that went away while we
// looked stays without one.
func lookAt(fd int, path string, names []string, out []FileInfo) error {
	var st unix.Stat_t
	for i, name := range names {
		err := statAt(fd, name, &st)
		if err == unix.ENOENT {
			continue
		}
		if err != nil {
			return &fs.PathError{Op: "lstat", Path: path + "/" + name, Err: err}
		}
		out[i] = infoOf(name, &st)
	}
	return nil
}

func statAt(fd int, name string, st *unix.Stat_t) error {
	for {
		if err := unix.Fstatat(fd, name, st, unix.AT_SYMLINK_NOFOLLOW); err != unix.EINTR {
			return err
		}
	}
}

// SetTime is FS.SetTime.
func (OS) SetTime(path string, to time.Time) error {
	stamp, err := unix.TimeToTimespec(to)
	if err == nil {
		err = unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{stamp, stamp}, unix.AT_SYMLINK_NOFOLLOW)
	}
	if err != nil {
		return &fs.PathError{Op: "utimens", Path: path, Err: err}
	}
	return nil
}

// CrossesDevices reports whether a rename failed because it leads to another file system.
func CrossesDevices(err error) bool { return errors.Is(err, unix.EXDEV) }

// CopyMeta is FS.CopyMeta.
func (OS) CopyMeta(path string, like FileInfo) error {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Lstat(path, &st) }); err != nil {
		return &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	if int(st.Uid) != like.UID || int(st.Gid) != like.GID {
		// Only root may give files away; for everybody else the group is tried alone.
		if unix.Lchown(path, like.UID, like.GID) != nil {
			_ = unix.Lchown(path, -1, like.GID)
		}
	}
	return os.Chmod(path, like.Mode&(fs.ModePerm|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
}

// SyncDir is FS.SyncDir.
func (OS) SyncDir(path string) error {
	f, err := open(path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}

func infoOf(name string, st *unix.Stat_t) FileInfo {
	i := FileInfo{
		Name: name, Mode: fs.FileMode(st.Mode & 0o777), Size: st.Size,
		ModTime: time.Unix(st.Mtim.Unix()), UID: int(st.Uid), GID: int(st.Gid),
		ID:    FileID{Device: uint64(st.Dev), Inode: st.Ino}, // the width of Dev differs between systems
		Links: uint64(st.Nlink),
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		i.Mode |= fs.ModeDir
	case unix.S_IFLNK:
		i.Mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		i.Mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		i.Mode |= fs.ModeSocket
	case unix.S_IFCHR:
		i.Mode |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		i.Mode |= fs.ModeDevice
	default:
		i.Mode |= fs.ModeIrregular
	}
	if st.Mode&unix.S_ISUID != 0 {
		i.Mode |= fs.ModeSetuid
	}
	if st.Mode&unix.S_ISGID != 0 {
		i.Mode |= fs.ModeSetgid
	}
	return i
}

type unixFile struct {
	fd   int
	path string
}

func (f *unixFile) fault(op string, err error) error {
	return &fs.PathError{Op: op, Path: f.path, Err: err}
}

func (f *unixFile) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := f.call("read", func() (int, error) { return unix.Read(f.fd, p) })
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

func (f *unixFile) ReadAt(p []byte, at int64) (int, error) {
	done := 0
	for done < len(p) {
		n, err := f.call("read", func() (int, error) { return unix.Pread(f.fd, p[done:], at+int64(done)) })
		if err != nil {
			return done, err
		}
		if n == 0 {
			return done, io.EOF
		}
		done += n
	}
	return done, nil
}

func (f *unixFile) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		n, err := f.call("write", func() (int, error) { return unix.Write(f.fd, p[done:]) })
		if err != nil {
			return done, err
		}
		if n == 0 {
			return done, f.fault("write", io.ErrShortWrite)
		}
		done += n
	}
	return done, nil
}

func (f *unixFile) call(op string, do func() (int, error)) (int, error) {
	for {
		n, err := do()
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return max(n, 0), f.fault(op, err)
		}
		return n, nil
	}
}

func (f *unixFile) Stat() (FileInfo, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(f.fd, &st) }); err != nil {
		return FileInfo{}, f.fault("fstat", err)
	}
	return infoOf(BaseName(f.path), &st), nil
}

func (f *unixFile) Truncate(size int64) error {
	if err := retry(func() error { return unix.Ftruncate(f.fd, size) }); err != nil {
		return f.fault("truncate", err)
	}
	return nil
}

// Sync tolerates file systems that cannot sync (EINVAL, ENOTSUP): there is nothing more that could
// be done there.
func (f *unixFile) Sync() error {
	err := retry(func() error { return fsync(f.fd) })
	if err != nil && err != unix.EINVAL && err != unix.ENOTSUP {
		return f.fault("fsync", err)
	}
	return nil
}

func (f *unixFile) Close() error {
	if err := unix.Close(f.fd); err != nil && err != unix.EINTR {
		return f.fault("close", err)
	}
	return nil
}

func rename(oldpath, newpath string) error { return os.Rename(oldpath, newpath) }
