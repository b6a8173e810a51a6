// Package moves moves entries of folders where the system refuses to rename them: to another file
// system, and folders of a lower layer in an image of layers.
//
// A file is planned or it is done. It is copied under a temporary name, synced and read back; the
// copy gets its name, and only then the source goes. A folder is made again, and what is in it
// moves one by one under the same rule. Whatever fails on the way, everything goes back.
//
// What a process leaves that dies here, Resume finds by the temporary names, which are the same
// whenever one journal is carried out.
package moves

import (
	"errors"
	"io/fs"
	"path/filepath"

	"baton/internal/store/disk"
)

// Why an entry stays where it is.
var (
	ErrChanged  = errors.New("somebody changed it meanwhile")
	ErrVanished = errors.New("it is gone")
	ErrSpecial  = errors.New("it cannot be copied to another file system")
)

// HalfwayError says that a move could be neither finished nor taken back.
type HalfwayError struct {
	Path string // what is in the way
	Left Left
	Err  error
}

// Left says where an entry is that stands half way.
type Left uint8

// Where it is.
const (
	Arrived Left = iota // all of it is in the new place, and Path is left over
	Divided             // some of it is in the new place, the rest in the old one
	Aside               // it is complete under the temporary name Path
)

// Error returns the path and what the system said.
func (e *HalfwayError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns what the system said.
func (e *HalfwayError) Unwrap() error { return e.Err }

// Mover moves entries of one journal. It is not safe for concurrent use.
type Mover struct {
	FS disk.FS
	// Temp returns a temporary name for base, another one for each of the two kinds, and the same
	// one whenever the journal is carried out.
	Temp func(base string, kind int) string
	// Ours reports whether Temp can have returned a name.
	Ours func(base string) bool

	buffer []byte
}

// Entry moves an entry to a name that is free. before is what a look at it said. Errors:
// ErrChanged, ErrVanished, ErrSpecial and those of the system leave the entry in its place; else
// HalfwayError.
func (m *Mover) Entry(src, dst string, before disk.FileInfo) error {
	switch {
	case before.Mode.IsRegular(), before.Link():
		return m.file(src, dst, before)
	case before.Mode.IsDir():
		return m.folder(src, dst, before)
	}
	return ErrSpecial
}

// Resume goes on with a move that a process left when it died. before is what a look at the entry
// said at first. done is false when the entry is in its old place.
func (m *Mover) Resume(src, dst string, before disk.FileInfo) (done bool, err error) {
	if before.Mode.IsDir() {
		return m.resumeFolder(src, dst, before)
	}
	return m.resumeFile(src, dst)
}

// The temporary names that an entry may need.
const (
	partTemp  = iota // beside the new place: the copy before it has its name, or the mark of a folder
	asideTemp        // beside the old place: the source when the copy has its name
)

// temp returns a temporary name beside a path.
func (m *Mover) temp(path string, kind int) string {
	return disk.Join(filepath.Dir(path), m.Temp(disk.BaseName(path), kind))
}

// drop removes a temporary file, and returns why.
func (m *Mover) drop(path string, cause error) error {
	err := m.FS.Remove(path)
	if err == nil || disk.Gone(err) {
		return cause
	}
	if cause == nil {
		return &HalfwayError{Path: path, Left: Arrived, Err: err}
	}
	return cause // the file is one of those that the next sweep archives
}

// free turns the error of a name that is taken into ErrChanged.
func free(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return ErrChanged
	}
	return err
}
