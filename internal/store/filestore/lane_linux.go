package filestore

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openLane opens both folders of a lane; nil when that is not possible, and nothing is lost by it.
func openLane(from, to string) lane {
	l := &diskLane{pathLane: pathLane{Disk{}, from, to}, src: -1, dst: -1}
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
			l.leave()
			return nil
		}
	}
	return l
}

// diskLane is a lane between two open folders.
type diskLane struct {
	pathLane
	src, dst int
	st       unix.Stat_t // room for an answer: a sweep asks for 20,000
}

func (l *diskLane) look(name string) (Info, error) { return l.stat(l.src, l.from, name) }

func (l *diskLane) landed(target string) (Info, error) { return l.stat(l.dst, l.to, target) }

func (l *diskLane) stat(fd int, dir, name string) (Info, error) {
	if err := statAt(fd, name, &l.st); err != nil {
		return Info{}, &fs.PathError{Op: "lstat", Path: join(dir, name), Err: err}
	}
	return infoOf(name, &l.st), nil
}

func (l *diskLane) move(name, target string) error {
	err := renameAt(l.src, l.dst, name, target)
	if err == nil {
		return nil
	}
	if unsupported(err) {
		return l.pathLane.move(name, target)
	}
	return &os.LinkError{Op: "rename", Old: join(l.from, name), New: join(l.to, target), Err: err}
}

func (l *diskLane) leave() {
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
