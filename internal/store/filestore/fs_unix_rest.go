//go:build unix && !linux && !darwin

package filestore

// RenameNew is FS.RenameNew.
func (Disk) RenameNew(oldpath, newpath string) error { return linkNew(oldpath, newpath) }
