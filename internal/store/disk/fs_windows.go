package disk

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/robustio"
)

// OS is the real file system. The zero value takes absolute paths. A value that OpenFolder returned
// is an open folder, in which os.Root does all the work. Renames by path are retried while a virus
// scanner holds the file.
type OS struct{ held *os.Root }

// shown returns a name as messages show it, and as calls that know no open folder take it.
func (d OS) shown(name string) string {
	switch {
	case d.held == nil:
		return name
	case name == ".":
		return d.held.Name()
	}
	return Join(d.held.Name(), name)
}

type osFile struct{ *os.File }

func (f osFile) Stat() (FileInfo, error) {
	i, err := f.File.Stat()
	if err != nil {
		return FileInfo{}, err
	}
	return infoOf(i), nil
}

func infoOf(i fs.FileInfo) FileInfo {
	return FileInfo{Name: i.Name(), Mode: i.Mode(), Size: i.Size(), ModTime: i.ModTime(), UID: -1, GID: -1}
}

func (d OS) open(name string, flags int, mode fs.FileMode) (File, error) {
	if i, err := d.Lstat(name); err == nil {
		if err := plain(d.shown(name), i); err != nil {
			return nil, err
		}
	}
	open := os.OpenFile
	if d.held != nil {
		open = d.held.OpenFile
	}
	f, err := open(name, flags, mode)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// Open is FS.Open.
func (d OS) Open(name string) (File, error) { return d.open(name, os.O_RDONLY, 0) }

// Create is FS.Create.
func (d OS) Create(name string, mode fs.FileMode) (File, error) {
	return d.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// Append is FS.Append.
func (d OS) Append(name string) (File, error) { return d.open(name, os.O_RDWR|os.O_APPEND, 0) }

// WriteOver is FS.WriteOver.
func (d OS) WriteOver(name string, data []byte, mode fs.FileMode) error {
	f, err := d.open(name, os.O_WRONLY|os.O_CREATE, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Lstat is FS.Lstat.
func (d OS) Lstat(name string) (FileInfo, error) {
	lstat := os.Lstat
	if d.held != nil {
		lstat = d.held.Lstat
	}
	i, err := lstat(name)
	if err != nil {
		return FileInfo{}, err
	}
	return infoOf(i), nil
}

// ReadDir is FS.ReadDir.
func (d OS) ReadDir(name string) ([]FileInfo, error) {
	f, err := d.openDir(name)
	if err != nil {
		return nil, err
	}
	found, err := f.Readdir(-1)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	out := make([]FileInfo, len(found))
	for n, i := range found {
		out[n] = infoOf(i)
	}
	return out, nil
}

// Names is FS.Names.
func (d OS) Names(name string) ([]string, error) {
	f, err := d.openDir(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

func (d OS) openDir(name string) (*os.File, error) {
	if d.held != nil {
		return d.held.Open(name)
	}
	return os.Open(name)
}

// Readlink is FS.Readlink.
func (d OS) Readlink(name string) (string, error) {
	if d.held != nil {
		return d.held.Readlink(name)
	}
	return os.Readlink(name)
}

// MakeLink is FS.MakeLink.
func (d OS) MakeLink(text, name string) error {
	if d.held != nil {
		return d.held.Symlink(text, name)
	}
	return os.Symlink(text, name)
}

// Mkdir is FS.Mkdir.
func (d OS) Mkdir(name string, mode fs.FileMode) error {
	if d.held != nil {
		return d.held.Mkdir(name, mode)
	}
	return os.Mkdir(name, mode)
}

// Remove is FS.Remove.
func (d OS) Remove(name string) error {
	if d.held != nil {
		return d.held.Remove(name)
	}
	return os.Remove(name)
}

// Rename is FS.Rename.
func (d OS) Rename(name, target string) error {
	if d.held != nil {
		return d.held.Rename(name, target)
	}
	return robustio.Rename(name, target)
}

// Link is FS.Link.
func (d OS) Link(name, target string) error {
	link := os.Link
	if d.held != nil {
		link = d.held.Link
	}
	err := link(name, target)
	if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(errors.ErrUnsupported, err) // on FAT and some network mounts
	}
	return err
}

// RenameNew is FS.RenameNew.
func (d OS) RenameNew(name, target string) error {
	info, err := d.Lstat(name)
	if err != nil {
		return err
	}
	err = errors.ErrUnsupported
	if info.Mode.IsRegular() {
		err = d.Link(name, target)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		if _, err := d.Lstat(target); err == nil {
			return &os.LinkError{Op: "rename", Old: d.shown(name), New: d.shown(target), Err: fs.ErrExist}
		}
		return d.Rename(name, target)
	}
	if err != nil {
		return err
	}
	if err := d.Remove(name); err != nil {
		return errors.Join(err, d.Remove(target))
	}
	return nil
}

// Exchange is FS.Exchange.
func (d OS) Exchange(a, b string) error {
	return &os.LinkError{Op: "exchange", Old: d.shown(a), New: d.shown(b), Err: errors.ErrUnsupported}
}

// SetTime is FS.SetTime.
func (d OS) SetTime(name string, to time.Time) error {
	if d.held != nil {
		return d.held.Chtimes(name, time.Time{}, to)
	}
	return os.Chtimes(name, time.Time{}, to)
}

// CopyMeta is FS.CopyMeta.
func (d OS) CopyMeta(name string, like FileInfo) error {
	if d.held != nil {
		return d.held.Chmod(name, like.Mode.Perm())
	}
	return os.Chmod(name, like.Mode.Perm())
}

// SyncDir is FS.SyncDir.
func (OS) SyncDir(string) error { return nil }

// TryLock is FS.TryLock. The library opens the path itself. So the method first refuses a link or
// special file that a repository may have put there.
func (d OS) TryLock(name string) (func() error, bool, error) {
	path := d.shown(name)
	if info, err := d.Lstat(name); err == nil {
		if err := plain(path, info); err != nil {
			return nil, false, err
		}
	}
	l := flock.New(path, flock.SetPermissions(0o666), flock.SetFlag(os.O_CREATE|os.O_RDONLY))
	got, err := l.TryLock()
	if err != nil || !got {
		return nil, false, err
	}
	if info, err := l.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false, errors.Join(err, &fs.PathError{Op: "lock", Path: path, Err: ErrSpecial}, l.Close())
	}
	return l.Close, true, nil
}

// OpenFolder is FS.OpenFolder. Below an open folder it follows no link.
func (d OS) OpenFolder(path string) (Folder, error) {
	if d.held == nil {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, err
		}
		return OS{root}, nil
	}
	at := d.held
	for name := range strings.SplitSeq(path, Separator) {
		info, err := at.Lstat(name)
		if err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 { // a junction is irregular
			err = &fs.PathError{Op: "open", Path: d.shown(path), Err: ErrElsewhere}
		}
		var next *os.Root
		if err == nil {
			next, err = at.OpenRoot(name)
		}
		if at != d.held {
			err = errors.Join(err, at.Close())
		}
		if err != nil {
			return nil, err
		}
		at = next
	}
	return OS{at}, nil
}

// Info is Folder.Info. On Windows it does not identify the folder.
func (d OS) Info() (FileInfo, error) { return d.Lstat(".") }

// Move is Folder.Move. It goes by paths, because os.Root cannot move from one folder to another.
func (d OS) Move(name string, to Folder, target string) error {
	other, ok := to.(OS)
	if !ok {
		return &fs.PathError{Op: "rename", Path: d.shown(name), Err: syscall.EXDEV}
	}
	return OS{}.RenameNew(d.shown(name), other.shown(target))
}

// Close is Folder.Close.
func (d OS) Close() error { return d.held.Close() }

// CrossesDevices reports whether a rename failed because it leads to another file system.
func CrossesDevices(err error) bool {
	const notSameDevice = syscall.Errno(17) // ERROR_NOT_SAME_DEVICE
	return errors.Is(err, notSameDevice) || errors.Is(err, syscall.EXDEV)
}
