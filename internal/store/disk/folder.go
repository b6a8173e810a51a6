package disk

import "errors"

// Folder is a folder that is held open: an FS whose paths are names in the folder, where "." is the
// folder itself. It stays the same folder, even if the path by which it was found changes.
//
// Its OpenFolder takes a path of several names and follows no link on the way.
type Folder interface {
	FS
	// Info describes the folder.
	Info() (FileInfo, error)
	// Move is RenameNew to a name in another folder that was opened on the same FS.
	Move(name string, to Folder, target string) error
	Close() error
}

// ErrElsewhere says that a path no longer leads where it led when it was resolved.
var ErrElsewhere = errors.New("its path no longer leads to the same folder as when the change was planned")
