package disk

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// MakeAll creates path and missing folders above it. It returns the folders that it made, outermost
// first. Before anything in one of them is durable, the folder above it must be synced.
func MakeAll(fsys FS, path string) (made []string, err error) { return makeAll(fsys, path, 0o777) }

// MakePrivate is MakeAll for a folder into which only its owner may look.
func MakePrivate(fsys FS, path string) (made []string, err error) { return makeAll(fsys, path, 0o700) }

func makeAll(fsys FS, path string, mode fs.FileMode) (made []string, err error) {
	info, err := fsys.Lstat(path)
	if err == nil && !info.Mode.IsDir() && !info.Link() {
		return nil, &fs.PathError{Op: "mkdir", Path: path, Err: ErrNotFolder}
	}
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	parent := filepath.Dir(path)
	if parent == path {
		return nil, err
	}
	if made, err = MakeAll(fsys, parent); err != nil {
		return made, err
	}
	err = fsys.Mkdir(path, mode)
	if errors.Is(err, fs.ErrExist) {
		return made, nil
	}
	if err != nil {
		return made, err
	}
	return append(made, path), nil
}

// Exists reports whether path is known to exist as a file, a folder or a link. It follows no link.
func Exists(fsys FS, path string) bool {
	_, err := fsys.Lstat(path)
	return err == nil
}
