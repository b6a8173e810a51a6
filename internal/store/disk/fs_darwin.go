package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// RenameNew is FS.RenameNew by renamex_np, which some file systems do not have.
func (OS) RenameNew(oldpath, newpath string) error {
	err := retry(func() error { return unix.RenamexNp(oldpath, newpath, unix.RENAME_EXCL) })
	switch err {
	case nil:
		return nil
	case unix.ENOTSUP, unix.EINVAL:
		return linkNew(oldpath, newpath)
	}
	return &os.LinkError{Op: "rename", Old: oldpath, New: newpath, Err: err}
}
