package disk

import (
	"errors"
	"io"
	"io/fs"
	"time"

	"baton/internal/store"
)

// FS is the file-system seam: everything that the store asks of a disk. Paths are absolute and
// native. Errors match fs.ErrNotExist, fs.ErrExist and fs.ErrPermission with errors.Is. No method
// follows a link in the last element of a path. Package crashfs implements FS in memory and loses
// what was not synced.
type FS interface {
	// Open opens a file for reading; a link is ErrLink. Opening a folder may succeed: check with
	// Stat.
	Open(path string) (File, error)
	// Create creates a file for writing with mode less the umask. If it exists: fs.ErrExist.
	Create(path string, mode fs.FileMode) (File, error)
	// Append opens an existing file for reading, and for writing at its end.
	Append(path string) (File, error)
	// WriteOver overwrites the beginning of a file without shortening it or syncing it. An absent
	// file is created. A file with a second name is replaced by a new one, because that name may
	// belong to somebody else.
	WriteOver(path string, data []byte, mode fs.FileMode) error
	// Lstat describes path. If it is a link, it describes the link.
	Lstat(path string) (FileInfo, error)
	// ReadDir returns the names in a folder in any order, with what Lstat reports for each.
	ReadDir(path string) ([]FileInfo, error)
	// Names returns only the names in a folder, in any order.
	Names(path string) ([]string, error)
	// Readlink returns the target of a link.
	Readlink(path string) (string, error)
	// Mkdir creates one folder with mode less the umask.
	Mkdir(path string, mode fs.FileMode) error
	// Remove removes a file or an empty folder.
	Remove(path string) error
	// Rename moves a file to newpath and replaces what is there.
	Rename(oldpath, newpath string) error
	// RenameNew moves a file, folder, link or anything else to a free name. If the name is taken:
	// fs.ErrExist. To another file system: syscall.EXDEV.
	RenameNew(oldpath, newpath string) error
	// Exchange swaps two files in one step. If the system cannot: errors.ErrUnsupported.
	Exchange(a, b string) error
	// Link gives a file a second name. If the system cannot: errors.ErrUnsupported.
	Link(oldpath, newpath string) error
	// MakeLink creates a symbolic link with that text.
	MakeLink(text, path string) error
	// SetTime sets the modification time. For a link it sets the link's own, if the system can.
	SetTime(path string, to time.Time) error
	// CopyMeta gives path the mode of like and, if allowed, its owner.
	CopyMeta(path string, like FileInfo) error
	// SyncDir makes the names in a folder durable. It does nothing on systems that cannot sync
	// folders.
	SyncDir(path string) error
	// TryLock takes the kernel lock on path without waiting. An absent file is created.
	TryLock(path string) (release func() error, got bool, err error)
	// OpenFolder opens a folder to be held. An FS that only works with paths returns
	// errors.ErrUnsupported itself.
	OpenFolder(path string) (Folder, error)
}

// File is an open file of an FS.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	Stat() (FileInfo, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// FileInfo describes a file.
type FileInfo struct {
	Name     string      // base name
	Mode     fs.FileMode // type and permission bits
	Size     int64       // bytes
	ModTime  time.Time
	UID, GID int    // -1 if the system has none
	ID       FileID // identifies the file, whatever its name is
	Links    uint64 // number of its names; 0 if the system does not say
	Changed  int64  // nanoseconds since 1970 of the last change of content, name or mode; 0 if the system has none
}

// Stamp returns what tells the file from a later one. It is zero for a link.
func (i *FileInfo) Stamp() store.Stamp {
	if i.Link() {
		return store.Stamp{}
	}
	return store.Stamp{Size: i.Size, ModTime: i.ModTime.UnixNano(), Changed: i.Changed, Inode: i.ID.Inode}
}

// FileID tells files of one system apart. It is zero if the system has no such numbers.
type FileID struct{ Device, Inode uint64 }

// Link reports whether it is a symbolic link.
func (i FileInfo) Link() bool { return i.Mode&fs.ModeSymlink != 0 }

// Item returns the entry of a folder that describes the file. The inode alone is enough to
// recognise a file within one folder.
func (i *FileInfo) Item() store.Item {
	return store.Item{Name: i.Name, Mode: i.Mode, Size: i.Size, ModTime: i.ModTime, ID: i.ID.Inode}
}

// ErrLink says that the last element of a path is a symbolic link.
var ErrLink = errors.New("is a symbolic link")
