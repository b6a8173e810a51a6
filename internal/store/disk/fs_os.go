package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"baton/internal/report"

	"github.com/gofrs/flock"
)

// OS is the real file system.
type OS struct{}

// WriteOver is FS.WriteOver.
func (OS) WriteOver(path string, data []byte, mode fs.FileMode) error {
	f, err := open(path, os.O_WRONLY|os.O_CREATE, mode)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Links > 1 {
		if err = errors.Join(f.Close(), os.Remove(path)); err == nil {
			f, err = open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		}
		if err != nil {
			return err
		}
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Readlink is FS.Readlink.
func (OS) Readlink(path string) (string, error) { return os.Readlink(path) }

// MakeLink is FS.MakeLink.
func (OS) MakeLink(text, path string) error { return os.Symlink(text, path) }

// Mkdir is FS.Mkdir.
func (OS) Mkdir(path string, mode fs.FileMode) error { return os.Mkdir(path, mode) }

// Remove is FS.Remove.
func (OS) Remove(path string) error { return os.Remove(path) }

// Rename is FS.Rename.
func (OS) Rename(oldpath, newpath string) error { return rename(oldpath, newpath) }

// Link is FS.Link.
func (OS) Link(oldpath, newpath string) error {
	err := os.Link(oldpath, newpath)
	if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		// FAT, some network mounts and sandboxes say "not permitted" when they mean "not possible".
		return errors.Join(errors.ErrUnsupported, err)
	}
	return err
}

// TryLock is FS.TryLock.
func (OS) TryLock(path string) (func() error, bool, error) {
	// The library opens the path by itself. Looking first refuses what a repository holds there
	// instead of a lock; the flags see to it that nothing put there in between makes us wait or
	// leads elsewhere.
	if info, err := (OS{}).Lstat(path); err == nil {
		if err := plain(path, info); err != nil {
			return nil, false, err
		}
	}
	l := flock.New(path, flock.SetPermissions(0o666), flock.SetFlag(lockFlags()))
	got, err := l.TryLock()
	if err != nil || !got {
		return nil, false, err
	}
	if info, err := l.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false, errors.Join(err, &fs.PathError{Op: "lock", Path: path, Err: ErrSpecial}, l.Close())
	}
	return l.Close, true, nil
}

// plain refuses a link and everything else that is neither file nor folder; a folder has an error
// of its own.
func plain(path string, info FileInfo) error {
	err := CheckRegular(info)
	if info.Link() {
		err = ErrLink
	}
	if err == nil || errors.Is(err, ErrFolder) {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// ReadFile reads a file of settings on the disk, wherever links lead: never more than limit bytes,
// and never anything that is not a regular file. Errors answer fs.ErrNotExist; Refused not_regular,
// Corrupt too_large. name is what messages call it.
func ReadFile(path, name string, limit int64) ([]byte, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	f, err := OS{}.Open(real)
	if err != nil {
		return nil, err
	}
	c, err := ReadFrom(f, Whole, limit)
	if err = errors.Join(err, f.Close()); err == nil {
		return c.Data, nil
	}
	if e, ok := errors.AsType[*SizeError](err); ok {
		return nil, &report.Error{
			Kind: report.Corrupt, Code: "too_large", Path: name, Err: err,
			Message: fmt.Sprintf("%s has %d KB, more than the %d KB that it may have", name, e.Size>>10, limit>>10),
			Hint:    "shorten the file",
		}
	}
	if IsSpecial(err) {
		return nil, Refused(err, name, "read")
	}
	return nil, err
}

// linkNew moves a file to a free name by linking it there first: unlike rename, link never
// replaces. Where links are not possible, and for everything else than files, the name is looked at
// just before the rename.
func linkNew(oldpath, newpath string) error {
	info, err := OS{}.Lstat(oldpath)
	if err != nil {
		return err
	}
	err = errors.ErrUnsupported
	if info.Mode.IsRegular() { // a second name for a link is one for its target on some systems
		err = OS{}.Link(oldpath, newpath)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		if _, err := os.Lstat(newpath); err == nil {
			return &os.LinkError{Op: "rename", Old: oldpath, New: newpath, Err: fs.ErrExist}
		}
		return rename(oldpath, newpath)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(oldpath); err != nil {
		return errors.Join(err, os.Remove(newpath))
	}
	return nil
}
