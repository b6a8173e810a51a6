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

func unsynced(f disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return file{f}, nil
}

type file struct{ disk.File }

// Sync is disk.File.Sync.
func (file) Sync() error { return nil }
