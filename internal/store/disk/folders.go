package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// CheckFolder refuses what MakeAll takes for a folder: a link that was put there since the name was
// resolved.
func CheckFolder(seam FS, path string) error {
	info, err := seam.Lstat(path)
	if err == nil && !info.Mode.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotFolder}
	}
	return err
}

// Gone reports whether an error says that a name is not there, also because the folder that it was
// in is not, or is none any more.
func Gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

// Closing closes a file and returns the error of what was done to it, with that of closing it.
func Closing(f File, err error) error { return errors.Join(err, f.Close()) }
