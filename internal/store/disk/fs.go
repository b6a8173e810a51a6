package disk

import (
	"errors"
	"io"
	"io/fs"
	"time"

	"baton/internal/store"
)

// FS is the file-system seam: everything that the store asks of a disk. Paths are absolute and
// native. Errors answer errors.Is for fs.ErrNotExist, fs.ErrExist and fs.ErrPermission. No method
// follows a link in the last element of a path. Package crashfs has one in memory that loses what
// was not synced.
type FS interface {
	// Open opens for reading; a link is ErrLink. Opening a folder may succeed: Stat tells.
	Open(path string) (File, error)
	// Create makes a new file for writing, mode less the umask; one that is there is fs.ErrExist.
	Create(path string, mode fs.FileMode) (File, error)
	// Append opens a file that exists for reading and for writing at its end.
	Append(path string) (File, error)
	// WriteOver writes over the beginning of a file without shortening it; created when absent,
	// never synced. A file with a second name, which may be somebody else's, is replaced by a new
	// one.
	WriteOver(path string, data []byte, mode fs.FileMode) error
	// Lstat describes what path is, a link as a link.
	Lstat(path string) (FileInfo, error)
	// ReadDir gives the names in a folder, in any order, with what Lstat says of each.
	ReadDir(path string) ([]FileInfo, error)
	// Readlink gives where a link points.
	Readlink(path string) (string, error)
	// Mkdir makes one folder, mode less the umask.
	Mkdir(path string, mode fs.FileMode) error
	// Remove takes away a file or an empty folder.
	Remove(path string) error
	// Rename moves a file over whatever newpath is.
	Rename(oldpath, newpath string) error
	// RenameNew moves a file, a folder, a link or anything else to a name that is free, else
	// fs.ErrExist. To another file system: syscall.EXDEV.
	RenameNew(oldpath, newpath string) error
	// Exchange swaps two files in one step; errors.ErrUnsupported where the system cannot.
	Exchange(a, b string) error
	// Link gives a file a second name; errors.ErrUnsupported where the system cannot.
	Link(oldpath, newpath string) error
	// MakeLink makes a symbolic link with that text.
	MakeLink(text, path string) error
	// SetTime sets the time of the last change, of a link its own where the system can.
	SetTime(path string, to time.Time) error
	// CopyMeta gives path the mode of like, and its owner where that is allowed.
	CopyMeta(path string, like FileInfo) error
	// SyncDir makes the names in a folder durable; nothing on systems where folders cannot be
	// synced.
	SyncDir(path string) error
	// TryLock takes the kernel lock on path, which is created when absent, and never waits.
	TryLock(path string) (release func() error, got bool, err error)
	// OpenFolder opens a folder, to be held. Where all is done by paths, it returns
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
	UID, GID int    // owner, -1 where the system has none
	ID       FileID // which file it is, whatever its name
	Links    uint64 // names that it has, 0 where the system does not tell
}

// FileID tells files of one system apart; the zero value where the system does not.
type FileID struct{ Device, Inode uint64 }

// Link reports whether it is a symbolic link.
func (i FileInfo) Link() bool { return i.Mode&fs.ModeSymlink != 0 }

// Item returns what a look at the file says about an entry of a folder. The number of the file is
// enough to know it again within one folder.
func (i *FileInfo) Item() store.Item {
	return store.Item{Name: i.Name, Mode: i.Mode, Size: i.Size, ModTime: i.ModTime, ID: i.ID.Inode}
}

// ErrLink says that the last element of a path is a symbolic link.
var ErrLink = errors.New("is a symbolic link")
