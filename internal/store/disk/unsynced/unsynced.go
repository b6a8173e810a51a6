// Package unsynced is the disk without fsync, for tests that do not check what a power cut leaves.
// Nothing is lost when a process dies.
package unsynced

import (
	"io/fs"

	"baton/internal/store/disk"
)

// Disk is the operating system's file system without fsync.
var Disk = FS{disk.OS{}}

// FS is another FS whose Sync and SyncDir do nothing.
type FS struct{ disk.FS }

// SyncDir is disk.FS.SyncDir.
func (FS) SyncDir(string) error { return nil }

// Create is disk.FS.Create.
func (f FS) Create(path string, mode fs.FileMode) (disk.File, error) {
	return unsynced(f.FS.Create(path, mode))
}

// Append is disk.FS.Append.
func (f FS) Append(path string) (disk.File, error) { return unsynced(f.FS.Append(path)) }

// OpenFolder is disk.FS.OpenFolder.
func (f FS) OpenFolder(path string) (disk.Folder, error) {
	held, err := f.FS.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	return folder{FS{held}, held}, nil
}

// folder is a folder that is held open.
type folder struct {
	FS
	held disk.Folder
}

// Info is disk.Folder.Info.
func (f folder) Info() (disk.FileInfo, error) { return f.held.Info() }

// Move is disk.Folder.Move.
func (f folder) Move(name string, to disk.Folder, target string) error {
	return f.held.Move(name, to.(folder).held, target)
}

// Close is disk.Folder.Close.
func (f folder) Close() error { return f.held.Close() }

func unsynced(f disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return file{f}, nil
}

type file struct{ disk.File }

// Sync is disk.File.Sync.
func (file) Sync() error { return nil }
