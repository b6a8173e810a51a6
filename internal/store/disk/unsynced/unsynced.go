// Package unsynced is the disk without fsync, for tests that do not check what a power cut leaves.
// A process that dies loses nothing by that.
package unsynced

import (
	"io/fs"

	"baton/internal/store/disk"
)

// FS is the disk. Sync and SyncDir do nothing.
type FS struct{ disk.OS }

// SyncDir is disk.FS.SyncDir.
func (FS) SyncDir(string) error { return nil }

// Create is disk.FS.Create.
func (f FS) Create(path string, mode fs.FileMode) (disk.File, error) {
	return unsynced(f.OS.Create(path, mode))
}

// Append is disk.FS.Append.
func (f FS) Append(path string) (disk.File, error) { return unsynced(f.OS.Append(path)) }

// Overwrite is disk.FS.Overwrite.
func (f FS) Overwrite(path string, mode fs.FileMode) (disk.File, error) {
	return unsynced(f.OS.Overwrite(path, mode))
}

// OpenFolder is disk.FS.OpenFolder.
func (f FS) OpenFolder(path string) (disk.Folder, error) { return opened(f.OS.OpenFolder(path)) }

func opened(f disk.Folder, err error) (disk.Folder, error) {
	if err != nil {
		return nil, err
	}
	return folder{f}, nil
}

// folder is a folder that is held open.
type folder struct{ disk.Folder }

// SyncDir is disk.FS.SyncDir.
func (folder) SyncDir(string) error { return nil }

// Create is disk.FS.Create.
func (f folder) Create(name string, mode fs.FileMode) (disk.File, error) {
	return unsynced(f.Folder.Create(name, mode))
}

// Append is disk.FS.Append.
func (f folder) Append(name string) (disk.File, error) { return unsynced(f.Folder.Append(name)) }

// Overwrite is disk.FS.Overwrite.
func (f folder) Overwrite(name string, mode fs.FileMode) (disk.File, error) {
	return unsynced(f.Folder.Overwrite(name, mode))
}

// OpenFolder is disk.FS.OpenFolder.
func (f folder) OpenFolder(path string) (disk.Folder, error) {
	return opened(f.Folder.OpenFolder(path))
}

// Move is disk.Folder.Move.
func (f folder) Move(name string, to disk.Folder, target string) error {
	return f.Folder.Move(name, to.(folder).Folder, target)
}

func unsynced(f disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return file{f}, nil
}

type file struct{ disk.File }

// Sync is disk.File.Sync.
func (file) Sync() error { return nil }
