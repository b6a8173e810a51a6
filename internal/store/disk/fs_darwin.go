package disk

import (
	"errors"

	"golang.org/x/sys/unix"
)

const searchOnly = unix.O_SEARCH

// renameNewAt renames to a free name by renameatx_np, which some file systems do not support.
func renameNewAt(from int, name string, to int, target string) error {
	err := unix.RenameatxNp(from, name, to, target, unix.RENAME_EXCL)
	if err == unix.ENOTSUP || err == unix.EINVAL {
		return errors.ErrUnsupported
	}
	return err
}
