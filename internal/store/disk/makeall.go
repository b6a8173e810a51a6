package disk

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// MakeAll makes path and the folders that are missing above it, and returns those that it made,
// outermost first: the folder above each must be synced before something in it is durable.
func MakeAll(fsys FS, path string) (made []string, err error) {
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
	err = fsys.Mkdir(path, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return made, nil
	}
	if err != nil {
		return made, err
	}
	return append(made, path), nil
}

// Exists reports whether path is known to be there: a file, a folder or a link, which is not
// followed.
func Exists(fsys FS, path string) bool {
	_, err := fsys.Lstat(path)
	return err == nil
}
