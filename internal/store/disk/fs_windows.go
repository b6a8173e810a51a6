package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/robustio"
)

// The real file system on Windows: os files; renames are tried again while a virus scanner holds
// the file.

type osFile struct{ *os.File }

func (f osFile) Stat() (FileInfo, error) {
	i, err := f.File.Stat()
	if err != nil {
		return FileInfo{}, err
	}
	return infoOf(i), nil
}

// ReadDir is FS.ReadDir.
func (OS) ReadDir(path string) ([]FileInfo, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	out := make([]FileInfo, 0, len(entries))
	for _, e := range entries {
		i, err := OS{}.Lstat(path + string(filepath.Separator) + e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue // it went away while we looked
		}
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	return out, nil
}

func infoOf(i fs.FileInfo) FileInfo {
	return FileInfo{Name: i.Name(), Mode: i.Mode(), Size: i.Size(), ModTime: i.ModTime(), UID: -1, GID: -1}
}

func lockFlags() int { return os.O_CREATE | os.O_RDONLY }

func open(path string, flags int, mode fs.FileMode) (File, error) {
	if i, err := os.Lstat(path); err == nil {
		if err := plain(path, infoOf(i)); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(path, flags, mode)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// Open is FS.Open.
func (OS) Open(path string) (File, error) { return open(path, os.O_RDONLY, 0) }

// Create is FS.Create.
func (OS) Create(path string, mode fs.FileMode) (File, error) {
	return open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// Append is FS.Append.
func (OS) Append(path string) (File, error) { return open(path, os.O_RDWR|os.O_APPEND, 0) }

// Overwrite is FS.Overwrite.
func (OS) Overwrite(path string, mode fs.FileMode) (File, error) {
	return open(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
}

// Lstat is FS.Lstat.
func (OS) Lstat(path string) (FileInfo, error) {
	i, err := os.Lstat(path)
	if err != nil {
		return FileInfo{}, err
	}
	return infoOf(i), nil
}

// SetTime is FS.SetTime.
func (OS) SetTime(path string, to time.Time) error { return os.Chtimes(path, time.Time{}, to) }

// CrossesDevices reports whether a rename failed because it leads to another file system.
func CrossesDevices(err error) bool {
	const notSameDevice = syscall.Errno(17) // ERROR_NOT_SAME_DEVICE
	return errors.Is(err, notSameDevice) || errors.Is(err, syscall.EXDEV)
}

// CopyMeta is FS.CopyMeta.
func (OS) CopyMeta(path string, like FileInfo) error { return os.Chmod(path, like.Mode.Perm()) }

// SyncDir is FS.SyncDir.
func (OS) SyncDir(string) error { return nil }

// Exchange is FS.Exchange.
func (OS) Exchange(a, b string) error {
	return &os.LinkError{Op: "exchange", Old: a, New: b, Err: errors.ErrUnsupported}
}

// RenameNew is FS.RenameNew.
func (OS) RenameNew(oldpath, newpath string) error {
	if _, err := os.Lstat(newpath); err == nil {
		return &os.LinkError{Op: "rename", Old: oldpath, New: newpath, Err: fs.ErrExist}
	}
	return linkNew(oldpath, newpath)
}

func rename(oldpath, newpath string) error { return robustio.Rename(oldpath, newpath) }
