//go:build unix && !linux && !darwin

package disk

// RenameNew is FS.RenameNew.
func (OS) RenameNew(oldpath, newpath string) error { return linkNew(oldpath, newpath) }
