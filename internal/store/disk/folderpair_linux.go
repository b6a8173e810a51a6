package disk

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openPair opens both folders; it returns nil when that is not possible, and the caller then goes
// by paths.
func openPair(from, to string) FolderPair {
	l := &openedPair{pathPair: pathPair{OS{}, from, to}, src: -1, dst: -1}
	for _, end := range [...]struct {
		path string
		fd   *int
	}{{from, &l.src}, {to, &l.dst}} {
		err := retry(func() (e error) {
			*end.fd, e = unix.Open(end.path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
			return e
		})
		if err != nil {
			*end.fd = -1
			l.Close()
			return nil
		}
	}
	return l
}

// openedPair is a FolderPair whose folders are open.
type openedPair struct {
	pathPair
	src, dst int
	st       unix.Stat_t // room for an answer: a sweep asks for 20,000
}

func (l *openedPair) StatSource(name string) (FileInfo, error) { return l.stat(l.src, l.from, name) }

func (l *openedPair) StatTarget(target string) (FileInfo, error) { return l.stat(l.dst, l.to, target) }

func (l *openedPair) stat(fd int, dir, name string) (FileInfo, error) {
	if err := statAt(fd, name, &l.st); err != nil {
		return FileInfo{}, &fs.PathError{Op: "lstat", Path: Join(dir, name), Err: err}
	}
	return infoOf(name, &l.st), nil
}

func (l *openedPair) Move(name, target string) error {
	err := renameAt(l.src, l.dst, name, target)
	if err == nil {
		return nil
	}
	if unsupported(err) {
		return l.pathPair.Move(name, target)
	}
	return &os.LinkError{Op: "rename", Old: Join(l.from, name), New: Join(l.to, target), Err: err}
}

func (l *openedPair) Close() {
	for _, fd := range [...]int{l.src, l.dst} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
}

func renameAt(src, dst int, name, target string) error {
	for {
		if err := unix.Renameat2(src, name, dst, target, unix.RENAME_NOREPLACE); err != unix.EINTR {
			return err
		}
	}
}

func unsupported(err error) bool {
	return errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP)
}
