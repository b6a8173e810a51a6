package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// Disk is the real file system.
type Disk struct{}

// Scribble is FS.Scribble.
func (Disk) Scribble(path string, data []byte, mode fs.FileMode) error {
	f, err := open(path, os.O_WRONLY|os.O_CREATE, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Readlink is FS.Readlink.
func (Disk) Readlink(path string) (string, error) { return os.Readlink(path) }

// Mkdir is FS.Mkdir.
func (Disk) Mkdir(path string, mode fs.FileMode) error { return os.Mkdir(path, mode) }

// Remove is FS.Remove.
func (Disk) Remove(path string) error { return os.Remove(path) }

// Rename is FS.Rename.
func (Disk) Rename(oldpath, newpath string) error { return rename(oldpath, newpath) }

// Link is FS.Link.
func (Disk) Link(oldpath, newpath string) error {
	err := os.Link(oldpath, newpath)
	if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		// FAT, some network mounts and sandboxes say "not permitted" when they mean "not possible".
		return errors.Join(errors.ErrUnsupported, err)
	}
	return err
}

// TryLock is FS.TryLock.
func (Disk) TryLock(path string) (func() error, bool, error) {
	l := flock.New(path, flock.SetPermissions(0o666))
	got, err := l.TryLock()
	if err != nil || !got {
		return nil, false, err
	}
	return l.Close, true, nil
}

// linkNew moves a file to a free name by linking it there first: unlike rename, link never replaces. Where links are
// not possible the name is looked at just before the rename.
func linkNew(oldpath, newpath string) error {
	err := Disk{}.Link(oldpath, newpath)
	if errors.Is(err, errors.ErrUnsupported) {
		if _, err := os.Lstat(newpath); err == nil {
			return &os.LinkError{Op: "rename", Old: oldpath, New: newpath, Err: fs.ErrExist}
		}
		return rename(oldpath, newpath)
	}
	if err != nil {
		return err
	}
	return os.Remove(oldpath)
}

func baseName(path string) string {
	return path[strings.LastIndexByte(path, filepath.Separator)+1:]
}
