//go:build unix

package disk

import (
	"io"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

func infoOf(name string, st *unix.Stat_t) FileInfo {
	i := FileInfo{
		Name: name, Mode: fs.FileMode(st.Mode & 0o777), Size: st.Size,
		ModTime: time.Unix(st.Mtim.Unix()), UID: int(st.Uid), GID: int(st.Gid),
		ID:    FileID{Device: uint64(st.Dev), Inode: st.Ino}, // the width of Dev differs between systems
		Links: uint64(st.Nlink), Changed: time.Unix(st.Ctim.Unix()).UnixNano(),
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
	for _, b := range special {
		if uint32(st.Mode)&b.bit != 0 {
			i.Mode |= b.mode
		}
	}
	return i
}

// special lists the mode bits other than the permissions.
var special = [...]struct {
	mode fs.FileMode
	bit  uint32
}{{fs.ModeSetuid, unix.S_ISUID}, {fs.ModeSetgid, unix.S_ISGID}, {fs.ModeSticky, unix.S_ISVTX}}

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

// Sync ignores the error of file systems that cannot sync (EINVAL, ENOTSUP), because nothing more
// can be done there.
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
