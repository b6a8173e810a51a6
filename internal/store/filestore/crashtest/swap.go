package crashtest

import (
	"path"

	"baton/internal/store/disk/crashfs"
)

// Swap is a hostile process: it replaces a folder by a link to /out, and later restores the folder.
type Swap struct {
	Folder string // the folder that becomes a link
	At     int    // operations before it does
	Back   int    // operations before the folder is back; 0 means never
}

// On makes the file system's hook the hostile process.
func (s Swap) On(fs *crashfs.FS) (done func() bool) {
	n, swapped, over := -1, false, false
	moved := path.Dir(s.Folder) + "/away"
	fs.Hook = func(crashfs.Op) error {
		n++
		hook := fs.Hook
		fs.Hook = nil
		defer func() { fs.Hook = hook }()
		switch {
		case !swapped && n >= s.At:
			if _, err := fs.Lstat(s.Folder); err != nil {
				return nil // it does not exist yet
			}
			swapped = true
			if err := fs.RenameNew(s.Folder, moved); err != nil {
				panic(err)
			}
			fs.Symlink("/out", s.Folder)
		case swapped && !over && s.Back > 0 && n >= s.At+s.Back:
			over = true
			fs.Delete(s.Folder)
			if err := fs.RenameNew(moved, s.Folder); err != nil {
				panic(err)
			}
		}
		return nil
	}
	return func() bool { return swapped }
}
