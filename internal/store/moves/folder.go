package moves

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/sorting"
	"baton/internal/store/disk"
)

// mostRounds is how often a folder is listed while others keep adding entries to it.
const mostRounds = 3

// folder creates a folder in its new place and moves the content. An empty file marks the folder
// until that is done: a folder without a mark belongs to somebody else.
func (m *Mover) folder(src, dst string, before disk.FileInfo) error {
	mark := m.temp(dst, partTemp)
	f, err := m.FS.Create(mark, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = m.FS.SyncDir(filepath.Dir(dst))
	}
	if err == nil {
		err = free(m.FS.Mkdir(dst, before.Mode.Perm()|0o700))
	}
	if err != nil {
		return m.drop(mark, err)
	}
	return m.conclude(src, dst, mark, before, m.contents(src, dst, before))
}

// remake creates a folder unless it exists.
func (m *Mover) remake(path string, mode fs.FileMode) error {
	err := m.FS.Mkdir(path, mode.Perm()|0o700)
	if errors.Is(err, fs.ErrExist) {
		if err = disk.CheckFolder(m.FS, path); errors.Is(err, disk.ErrNotFolder) {
			err = ErrChanged
		}
	}
	return err
}

// conclude ends the move of a folder: either it is complete, or everything goes back.
func (m *Mover) conclude(src, dst, mark string, before disk.FileInfo, err error) error {
	if err == nil {
		if err := m.FS.SyncDir(filepath.Dir(src)); err != nil {
			return &HalfwayError{Path: mark, Left: Arrived, Err: err}
		}
		return m.drop(mark, nil)
	}
	if half, is := errors.AsType[*HalfwayError](err); is {
		if half.Left == Arrived { // of one file in the folder
			half.Left = Divided
		}
		return half
	}
	if _, there := m.FS.Lstat(dst); there != nil && disk.Gone(there) {
		return m.drop(mark, err)
	}
	if back := m.contents(dst, src, before); back != nil {
		return &HalfwayError{Path: dst, Left: Divided, Err: errors.Join(err, back)}
	}
	return m.drop(mark, err)
}

// contents moves everything in a folder to another one, makes it durable there, and removes the
// first folder.
func (m *Mover) contents(src, dst string, before disk.FileInfo) error {
	if before.Mode.Perm()&0o300 != 0o300 { // an entry can leave only a folder that is writable
		open := before
		open.Mode |= 0o700
		_ = m.FS.CopyMeta(src, open)
	}
	if err := m.FS.SyncDir(filepath.Dir(dst)); err != nil { // an entry is only as durable as the name of its folder
		return err
	}
	for range mostRounds {
		infos, err := m.FS.ReadDir(src)
		if err != nil {
			return err
		}
		infos = slices.DeleteFunc(infos, func(i disk.FileInfo) bool { return m.Ours(i.Name) })
		if len(infos) == 0 {
			break
		}
		sorting.By(infos, func(a, b disk.FileInfo) int { return strings.Compare(a.Name, b.Name) })
		for i := range infos {
			if err := m.child(src, dst, infos[i]); err != nil {
				return err
			}
		}
	}
	_ = m.FS.CopyMeta(dst, before)
	_ = m.FS.SetTime(dst, before.ModTime)
	if err := m.FS.SyncDir(dst); err != nil {
		return err
	}
	return m.FS.Remove(src)
}

// child moves one entry of a folder.
func (m *Mover) child(src, dst string, info disk.FileInfo) error {
	src, dst = disk.Join(src, info.Name), disk.Join(dst, info.Name)
	err := m.FS.RenameNew(src, dst)
	taken := errors.Is(err, fs.ErrExist)
	switch {
	case err == nil, disk.Gone(err):
		return nil
	case !disk.CrossesDevices(err) && !(taken && info.Mode.IsDir()):
		return free(err)
	}
	if !info.Mode.IsDir() {
		if err = m.Entry(src, dst, info); errors.Is(err, ErrVanished) {
			err = nil
		}
		return err
	}
	if err := m.remake(dst, info.Mode); err != nil {
		return err
	}
	return m.contents(src, dst, info)
}

// resumeFolder continues the move of a folder that has a mark.
func (m *Mover) resumeFolder(src, dst string, before disk.FileInfo) (done bool, err error) {
	mark, aside := m.temp(dst, partTemp), m.temp(src, asideTemp)
	if _, err := m.FS.Lstat(aside); err == nil { // older versions of baton set folders aside, too
		_ = m.FS.RenameNew(aside, src)
	}
	if info, err := m.FS.Lstat(mark); err != nil || !info.Mode.IsRegular() {
		return false, nil
	}
	info, err := m.FS.Lstat(src)
	if err != nil && disk.Gone(err) || err == nil && !info.Mode.IsDir() {
		if _, err := m.FS.Lstat(dst); err != nil { // somebody removed the folder before anything was moved
			return false, m.drop(mark, nil)
		}
		// A killed process may have removed it without a sync. The mark must not go first.
		return true, m.conclude(src, dst, mark, before, nil)
	}
	if err == nil {
		err = m.files(src, dst)
	}
	if err == nil {
		err = m.remake(dst, info.Mode)
	}
	info.ModTime = before.ModTime
	if err == nil {
		err = m.contents(src, dst, info)
	}
	return true, m.conclude(src, dst, mark, info, err)
}

// files continues the interrupted moves of files in a folder, at any depth. It looks at files that
// are in either folder or in both.
func (m *Mover) files(src, dst string) error {
	var names []string
	folders := map[string]int{}
	for _, dir := range [...]string{src, dst} {
		infos, err := m.FS.ReadDir(dir)
		if err != nil && !disk.Gone(err) {
			return err
		}
		for i := range infos {
			if m.Ours(infos[i].Name) {
				continue
			}
			names = append(names, infos[i].Name)
			if infos[i].Mode.IsDir() {
				folders[infos[i].Name]++
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		from, to := disk.Join(src, name), disk.Join(dst, name)
		var err error
		switch folders[name] {
		case 0:
			_, err = m.resumeFile(from, to)
		case 2:
			err = m.files(from, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
