package moves

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"

	"baton/internal/store/disk"
)

// file moves a file or a link.
func (m *Mover) file(src, dst string, before disk.FileInfo) error {
	part := m.temp(dst, partTemp)
	err := m.copy(src, part, before)
	if err == nil {
		err = m.readBack(src, part, before)
	}
	var made disk.FileInfo
	if err == nil {
		made, err = m.FS.Lstat(part)
	}
	if err == nil {
		err = free(m.FS.RenameNew(part, dst))
	}
	if err != nil {
		return m.drop(part, err)
	}
	if err := m.FS.SyncDir(filepath.Dir(dst)); err != nil {
		return m.dropCopy(dst, made, err)
	}
	return m.take(src, dst, made)
}

// readBack compares a copy with its source, which must be unchanged.
func (m *Mover) readBack(src, part string, before disk.FileInfo) error {
	after, err := m.FS.Lstat(src)
	switch {
	case err != nil && disk.Gone(err):
		return ErrVanished
	case err != nil:
		return err
	case !before.Item().Same(after.Item()):
		return ErrChanged
	}
	same, err := m.Same(src, part)
	if err == nil && !same {
		err = ErrChanged
	}
	return err
}

// take removes the source of a copy that is durable. First it renames the source to a temporary
// name, so that a write until then is noticed. The source then gets its name back.
func (m *Mover) take(src, dst string, made disk.FileInfo) error {
	aside := m.temp(src, asideTemp)
	if err := m.FS.RenameNew(src, aside); err != nil {
		if disk.Gone(err) {
			err = ErrVanished
		}
		return m.dropCopy(dst, made, err)
	}
	return m.takeAside(src, aside, dst, made)
}

// takeAside removes a source that has a temporary name, or restores its name.
func (m *Mover) takeAside(src, aside, dst string, made disk.FileInfo) error {
	same, err := m.Same(aside, dst)
	if err == nil && !same {
		err = ErrChanged
	}
	if err == nil {
		if err = m.FS.Remove(aside); err == nil || disk.Gone(err) {
			return nil
		}
	}
	if back := m.FS.RenameNew(aside, src); back != nil {
		return &HalfwayError{Path: aside, Left: Aside, Err: back}
	}
	return m.dropCopy(dst, made, err)
}

// dropCopy removes a copy after a failed move, unless somebody changed it: then both stay.
func (m *Mover) dropCopy(dst string, made disk.FileInfo, cause error) error {
	now, err := m.FS.Lstat(dst)
	if err == nil && now.ID == made.ID && now.Size == made.Size && now.ModTime.Equal(made.ModTime) {
		err = m.FS.Remove(dst)
	}
	if err == nil || disk.Gone(err) {
		return cause
	}
	return &HalfwayError{Path: dst, Left: Arrived, Err: err}
}

// resumeFile continues the move of a file or a link. Either its copy is in the new place, or the
// copy is discarded.
func (m *Mover) resumeFile(src, dst string) (done bool, err error) {
	_ = m.drop(m.temp(dst, partTemp), nil) // it may be half a copy
	aside := m.temp(src, asideTemp)
	if _, err := m.FS.Lstat(aside); err == nil {
		made, err := m.FS.Lstat(dst)
		if same, errSame := m.Same(aside, dst); err == nil && errSame == nil && same {
			return true, m.takeAside(src, aside, dst, made)
		}
		if err := m.FS.RenameNew(aside, src); err != nil {
			return true, &HalfwayError{Path: aside, Left: Aside, Err: err}
		}
		return false, nil
	}
	from, err := m.FS.Lstat(src)
	if err != nil {
		return false, nil
	}
	to, err := m.FS.Lstat(dst)
	if err != nil || from.ID == to.ID || !from.ModTime.Equal(to.ModTime) {
		return false, nil
	}
	if same, err := m.Same(src, dst); err != nil || !same {
		return false, nil
	}
	if err := m.FS.SyncDir(filepath.Dir(dst)); err != nil {
		return true, m.dropCopy(dst, to, err)
	}
	return true, m.take(src, dst, to)
}

// copy copies a file or a link, and makes everything but its name durable. It copies mode, owner
// and time as far as the file system allows.
func (m *Mover) copy(src, dst string, info disk.FileInfo) error {
	if info.Link() {
		text, err := m.FS.Readlink(src)
		if err == nil {
			err = m.FS.MakeLink(text, dst)
		}
		if err == nil {
			_ = m.FS.SetTime(dst, info.ModTime)
		}
		return err
	}
	in, err := m.FS.Open(src)
	if err != nil {
		return err
	}
	out, err := m.FS.Create(dst, info.Mode.Perm()|0o200)
	if err != nil {
		return disk.Closing(in, err)
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, struct{ io.Reader }{in}, m.room())
	if err == nil {
		_ = m.FS.CopyMeta(dst, info)
		_ = m.FS.SetTime(dst, info.ModTime)
		err = out.Sync()
	}
	return errors.Join(err, out.Close(), in.Close())
}

// Same reports whether two files or links hold the same bytes.
func (m *Mover) Same(a, b string) (bool, error) {
	left, err := m.FS.Lstat(a)
	if err != nil {
		return false, err
	}
	right, err := m.FS.Lstat(b)
	if err != nil && disk.Gone(err) {
		return false, nil
	}
	if err != nil || left.Mode.Type() != right.Mode.Type() {
		return false, err
	}
	switch {
	case left.Link():
		one, errOne := m.FS.Readlink(a)
		other, errOther := m.FS.Readlink(b)
		return one == other, errors.Join(errOne, errOther)
	case !left.Mode.IsRegular() || left.Size != right.Size:
		return false, nil
	}
	return m.sameBytes(a, b)
}

// sameBytes compares two files without reading either as a whole.
func (m *Mover) sameBytes(a, b string) (bool, error) {
	one, err := m.FS.Open(a)
	if err != nil {
		return false, err
	}
	other, err := m.FS.Open(b)
	if err != nil {
		return false, disk.Closing(one, err)
	}
	half := len(m.room()) / 2
	left, right := m.room()[:half], m.room()[half:]
	same := true
	for same && err == nil {
		var n, k int
		n, err = io.ReadFull(one, left)
		var errOther error
		k, errOther = io.ReadFull(other, right)
		same = bytes.Equal(left[:n], right[:k])
		if err == nil {
			err = errOther
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return same && err == nil, errors.Join(err, one.Close(), other.Close())
}

// room returns the buffer for copying and comparing files, because a sweep may move ten thousand.
func (m *Mover) room() []byte {
	if m.buffer == nil {
		m.buffer = make([]byte, 256<<10)
	}
	return m.buffer
}
