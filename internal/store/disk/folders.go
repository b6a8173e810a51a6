package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// CheckFolder refuses a path that is not a folder. MakeAll accepts a link, but somebody may have
// put one there since the name was resolved.
func CheckFolder(seam FS, path string) error {
	info, err := seam.Lstat(path)
	if err == nil && !info.Mode.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotFolder}
	}
	return err
}

// Gone reports whether an error says that a name does not exist, also because its folder is gone or
// is no longer a folder.
func Gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

// Closing closes a file and joins err, the error of an earlier operation on it, with that of
// closing.
func Closing(f File, err error) error { return errors.Join(err, f.Close()) }
