// Package moves moves entries of folders that the system refuses to rename: to another file system,
// or a folder of a lower layer in an overlay file system.
//
// A file is copied under a temporary name, synced and compared. Then the copy gets its name, and
// only then is the source removed. A folder is created again, and its entries move one by one under
// the same rule. If anything fails, everything goes back.
//
// If the process dies, Resume continues. It finds the leftovers by their temporary names, which are
// the same each time the journal is carried out.
package moves

import (
	"errors"
	"io/fs"
	"path/filepath"

	"baton/internal/store/disk"
)

// Reasons why an entry stays where it is.
var (
	ErrChanged  = errors.New("somebody changed it meanwhile")
	ErrVanished = errors.New("it is gone")
	ErrSpecial  = errors.New("it cannot be copied to another file system")
)

// HalfwayError says that a move could be neither completed nor taken back.
type HalfwayError struct {
	Path string // the leftover
	Left Left
	Err  error
}

// Left says where the entry of a half-done move is.
type Left uint8

// Places of such an entry.
const (
	Arrived Left = iota // all of it is in the new place, and Path is a leftover
	Divided             // some of it is in the new place, the rest in the old one
	Aside               // it is complete under the temporary name Path
)

// Error returns the path and the system's error.
func (e *HalfwayError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns the system's error.
func (e *HalfwayError) Unwrap() error { return e.Err }

// Mover moves the entries of one journal. It is not safe for concurrent use.
type Mover struct {
	FS disk.FS
	// Temp returns a temporary name for base, a different one for each of the two kinds. It must
	// return the same names each time the journal is carried out.
	Temp func(base string, kind int) string
	// Ours reports whether a name may come from Temp.
	Ours func(base string) bool

	buffer []byte
}

// Entry moves an entry to a free name. before is what Lstat returned for it. ErrChanged,
// ErrVanished, ErrSpecial and errors of the system leave the entry in its place. Any other failure
// is a HalfwayError.
func (m *Mover) Entry(src, dst string, before disk.FileInfo) error {
	switch {
	case before.Mode.IsRegular(), before.Link():
		return m.file(src, dst, before)
	case before.Mode.IsDir():
		return m.folder(src, dst, before)
	}
	return ErrSpecial
}

// Resume continues a move that was interrupted when a process died. before is what Lstat returned
// for the entry before the move. done is false if the entry is in its old place.
func (m *Mover) Resume(src, dst string, before disk.FileInfo) (done bool, err error) {
	if before.Mode.IsDir() {
		return m.resumeFolder(src, dst, before)
	}
	return m.resumeFile(src, dst)
}

// The kinds of temporary names.
const (
	partTemp  = iota // next to the new place: the copy before it gets its name, or the mark of a folder
	asideTemp        // next to the old place: the source once the copy has its name
)

// temp returns a temporary name next to a path.
func (m *Mover) temp(path string, kind int) string {
	return disk.Join(filepath.Dir(path), m.Temp(disk.BaseName(path), kind))
}

// drop removes a temporary file and returns cause. If there is no cause, it returns the error of
// removing.
func (m *Mover) drop(path string, cause error) error {
	err := m.FS.Remove(path)
	if err == nil || disk.Gone(err) {
		return cause
	}
	if cause == nil {
		return &HalfwayError{Path: path, Left: Arrived, Err: err}
	}
	return cause // the next sweep archives the file
}

// free replaces the error for a taken name by ErrChanged.
func free(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return ErrChanged
	}
	return err
}
