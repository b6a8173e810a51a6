package filestore

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// A relocation to another file system cannot be a rename. The entry is copied under a temporary name and made durable;
// then the source gets a temporary name of its own, so that nobody changes it any more; the two are compared; the copy
// gets its name; and only then the source goes. Both temporary names follow from the journal, so that recovery knows what
// a crash left: a source that was set aside is carried on, or put back.

// errSpecialCopy says that a kind of entry cannot be copied.
var errSpecialCopy = errors.New("it cannot be copied to another file system")

func (m *mover) carry(i int, src, dst string, now disk.FileInfo) (state, fault string) {
	part, aside := m.carryTemps(i, src, dst)
	if err := m.copyTree(src, part, now); err != nil {
		return m.dropPart(part, err)
	}
	after, err := m.fs.Lstat(src)
	switch {
	case err != nil && disk.Gone(err):
		m.dropPart(part, nil)
		return store.Vanished, ""
	case err != nil:
		return m.dropPart(part, err)
	case !now.Item().Same(after.Item()):
		m.dropPart(part, nil)
		return store.Changed, ""
	}
	if err := m.fs.RenameNew(src, aside); err != nil {
		return m.dropPart(part, err)
	}
	if err := m.fs.SyncDir(filepath.Dir(src)); err != nil {
		m.dropPart(part, nil)
		return m.putBackSource(aside, src, err)
	}
	return m.deliver(i, src, aside, part, dst)
}

func (m *mover) carryTemps(i int, src, dst string) (part, aside string) {
	return disk.Join(filepath.Dir(dst), m.j.copyTemp(i)), disk.Join(filepath.Dir(src), m.j.sourceTemp(i))
}

// deliver gives the copy its name and takes the source away.
func (m *mover) deliver(i int, src, aside, part, dst string) (state, fault string) {
	same, err := m.contained(aside, part)
	if err != nil || !same {
		m.dropPart(part, nil)
		state, fault = m.putBackSource(aside, src, err)
		if err == nil && state == store.Failed {
			state, fault = store.Changed, ""
		}
		return state, fault
	}
	if err := m.fs.RenameNew(part, dst); err != nil {
		m.dropPart(part, nil)
		state, fault = m.putBackSource(aside, src, err)
		if errors.Is(err, fs.ErrExist) && state == store.Failed {
			state, fault = store.Changed, ""
		}
		return state, fault
	}
	return m.takeSource(i, src, aside, dst)
}

// takeSource ends a relocation by copy. Where that fails, the source gets its name back as long as nothing of it is gone;
// otherwise the entry has arrived, and the next writer takes away the rest.
func (m *mover) takeSource(i int, src, aside, dst string) (state, fault string) {
	err := m.fs.SyncDir(filepath.Dir(dst))
	if err == nil {
		err = m.removeTree(aside)
	}
	if err != nil && m.takeBack(i, src, aside, dst) {
		return failed(err)
	}
	switch {
	case err == nil:
	case m.rules == nil:
		// The entry has arrived. What cannot be removed twice shall not stand in the way of every write.
		m.note("temp_left", m.shown(aside), "an entry was copied to another file system, but what is left of its source could not be removed ("+disk.Cause(err)+")")
	default:
		m.pending = refused(err, m.shown(aside), "removed")
	}
	return store.Moved, ""
}

// takeBack undoes a relocation by copy whose source cannot be removed: the copy gets its temporary name again, then the source
// its own, then the copy goes. It tells whether that was done; it is not where something of the source is gone already, or
// where its name is taken. A crash in between leaves what resume knows.
func (m *mover) takeBack(i int, src, aside, dst string) bool {
	if all, err := m.contained(dst, aside); err != nil || !all {
		return false
	}
	if _, err := m.fs.Lstat(src); err == nil || !disk.Gone(err) {
		return false
	}
	part, _ := m.carryTemps(i, src, dst)
	if m.fs.RenameNew(dst, part) != nil {
		return false
	}
	if err := m.fs.SyncDir(filepath.Dir(dst)); err != nil {
		m.pending = refused(err, m.shown(dst), "taken back") // the next writer finds both under their temporary names
		return true
	}
	m.putBackSource(aside, src, nil)
	m.dropPart(part, nil)
	return true
}

// putBackSource gives a source its name again. When that fails it stands under its temporary name; the journal stays, so
// that the next writer tries again.
func (m *mover) putBackSource(aside, src string, cause error) (state, fault string) {
	if err := m.fs.RenameNew(aside, src); err != nil {
		m.pending = refused(err, m.shown(aside), "put back")
	}
	if cause == nil {
		return store.Failed, ""
	}
	return failed(cause)
}

// dropPart removes a copy that does not count. What cannot be removed is an ephemeral file.
func (m *mover) dropPart(part string, cause error) (state, fault string) {
	if err := m.removeTree(part); err != nil {
		m.note("temp_left", m.shown(part), "a temporary copy could not be removed")
	}
	if cause == nil {
		return store.Failed, ""
	}
	if errors.Is(cause, errSpecialCopy) {
		return store.Failed, errSpecialCopy.Error()
	}
	return failed(cause)
}

// resume goes on with a relocation by copy that a crash interrupted; done is false when there is none.
func (m *mover) resume(i int, src, dst string) (state, fault string, done bool) {
	part, aside := m.carryTemps(i, src, dst)
	if disk.Exists(m.fs, part) {
		m.dropPart(part, nil) // it may be half a copy
	}
	now, err := m.fs.Lstat(aside)
	if err != nil {
		return "", "", false
	}
	// Who died may not have made that name durable; a power cut would bring back the old one beside the copy.
	if err := m.fs.SyncDir(filepath.Dir(src)); err != nil {
		m.pending = refused(err, m.shown(aside), "moved")
		state, fault = failed(err)
		return state, fault, true
	}
	// What is left of the source must be in the new place to the last byte, or it is carried there once more.
	if same, err := m.contained(aside, dst); err == nil && same {
		state, fault = m.takeSource(i, src, aside, dst)
		return state, fault, true
	}
	if err := m.copyTree(aside, part, now); err != nil {
		m.dropPart(part, nil)
		state, fault = m.putBackSource(aside, src, err)
		return state, fault, true
	}
	state, fault = m.deliver(i, src, aside, part, dst)
	return state, fault, true
}

// copyTree copies a file, a link, or a folder with everything in it, and makes it durable but for its own name. Mode, owner
// and time come along as far as the file system takes them.
func (m *mover) copyTree(src, dst string, info disk.FileInfo) error {
	switch {
	case info.Link():
		text, err := m.fs.Readlink(src)
		if err == nil {
			err = m.fs.MakeLink(text, dst)
		}
		if err == nil {
			_ = m.fs.SetTime(dst, info.ModTime)
		}
		return err
	case info.Mode.IsRegular():
		return m.copyFile(src, dst, info)
	case !info.Mode.IsDir():
		return errSpecialCopy
	}
	if err := m.fs.Mkdir(dst, info.Mode.Perm()|0o700); err != nil {
		return err
	}
	infos, err := m.fs.ReadDir(src)
	if err != nil {
		return err
	}
	for n := range infos {
		name := infos[n].Name
		if err := m.copyTree(disk.Join(src, name), disk.Join(dst, name), infos[n]); err != nil {
			return err
		}
	}
	_ = m.fs.CopyMeta(dst, info)
	_ = m.fs.SetTime(dst, info.ModTime)
	return m.fs.SyncDir(dst)
}

func (m *mover) copyFile(src, dst string, info disk.FileInfo) error {
	in, err := m.fs.Open(src)
	if err != nil {
		return err
	}
	out, err := m.fs.Create(dst, info.Mode.Perm()|0o200)
	if err != nil {
		return disk.Closing(in, err)
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, struct{ io.Reader }{in}, m.room())
	if err == nil {
		_ = m.fs.CopyMeta(dst, info)
		_ = m.fs.SetTime(dst, info.ModTime)
		err = out.Sync()
	}
	return errors.Join(err, out.Close(), in.Close())
}

// contained tells whether everything at a is at b as well, byte for byte. b may hold more: a may be half removed.
func (m *mover) contained(a, b string) (bool, error) {
	left, err := m.fs.Lstat(a)
	if err != nil {
		return false, err
	}
	right, err := m.fs.Lstat(b)
	if err != nil && disk.Gone(err) {
		return false, nil
	}
	if err != nil || left.Mode.Type() != right.Mode.Type() {
		return false, err
	}
	switch {
	case left.Link():
		one, errOne := m.fs.Readlink(a)
		other, errOther := m.fs.Readlink(b)
		return one == other, errors.Join(errOne, errOther)
	case left.Mode.IsRegular():
		if left.Size != right.Size {
			return false, nil
		}
		return m.sameBytes(a, b)
	case !left.Mode.IsDir():
		return false, nil
	}
	infos, err := m.fs.ReadDir(a)
	for n := 0; err == nil && n < len(infos); n++ {
		var same bool
		if same, err = m.contained(disk.Join(a, infos[n].Name), disk.Join(b, infos[n].Name)); err == nil && !same {
			return false, nil
		}
	}
	return err == nil, err
}

// room is what files are copied and compared through; a sweep may carry ten thousand.
func (m *mover) room() []byte {
	if m.buffer == nil {
		m.buffer = make([]byte, 256<<10)
	}
	return m.buffer
}

// sameBytes compares two files without holding either.
func (m *mover) sameBytes(a, b string) (bool, error) {
	one, err := m.fs.Open(a)
	if err != nil {
		return false, err
	}
	other, err := m.fs.Open(b)
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

// removeTree removes what is at path with everything in it; links are removed, not followed. What is not there is removed.
func (m *mover) removeTree(path string) error {
	info, err := m.fs.Lstat(path)
	if err != nil {
		if disk.Gone(err) {
			return nil
		}
		return err
	}
	if info.Mode.IsDir() {
		if info.Mode.Perm()&0o300 != 0o300 { // what is in a folder can only be removed where the folder may be written
			was := info
			info.Mode |= 0o700
			_ = m.fs.CopyMeta(path, info)
			defer func() { _ = m.fs.CopyMeta(path, was) }() // should it stay
		}
		infos, err := m.fs.ReadDir(path)
		if err != nil {
			return err
		}
		for n := range infos {
			if err := m.removeTree(disk.Join(path, infos[n].Name)); err != nil {
				return err
			}
		}
	}
	err = m.fs.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
