package crashfs

import (
	"errors"
	"io/fs"
	"maps"
	"syscall"
	"time"

	"baton/internal/store/disk"
)

// Mkdir makes a folder.
func (f *FS) Mkdir(p string, mode fs.FileMode) error {
	if err := f.begin("mkdir", p); err != nil {
		return err
	}
	defer f.mu.Unlock()
	dir, base, err := f.find(p)
	if err != nil {
		return fault("mkdir", p, err)
	}
	if base == "" || dir.names[base] != nil {
		return fault("mkdir", p, fs.ErrExist)
	}
	n := folder(mode.Perm() &^ 0o022)
	n.mtime, n.dev = f.tick(), dir.dev
	dir.change(map[string]*node{base: n})
	return nil
}

// Remove takes away a file, a link or an empty folder.
func (f *FS) Remove(p string) error {
	if err := f.begin("remove", p); err != nil {
		return err
	}
	defer f.mu.Unlock()
	dir, base, err := f.find(p)
	if err != nil {
		return fault("remove", p, err)
	}
	n := dir.names[base]
	if n == nil {
		return fault("remove", p, fs.ErrNotExist)
	}
	if len(n.names) > 0 {
		return fault("remove", p, errDirNotEmpty)
	}
	dir.change(map[string]*node{base: nil})
	return nil
}

// pair finds two names for an exchange or a rename over another name, which must be in one folder:
// filestore never does these between folders.
func (f *FS) pair(op, a, b string) (dir *node, first, second string, err error) {
	dirA, first, err := f.find(a)
	if err != nil {
		return nil, "", "", fault(op, a, err)
	}
	dirB, second, err := f.find(b)
	if err != nil {
		return nil, "", "", fault(op, b, err)
	}
	if dirA != dirB {
		return nil, "", "", fault(op, b, syscall.EXDEV)
	}
	if dirA.names[first] == nil {
		return nil, "", "", fault(op, a, fs.ErrNotExist)
	}
	return dirA, first, second, nil
}

// Rename moves a file over another one.
func (f *FS) Rename(from, to string) error {
	if err := f.begin("rename", from); err != nil {
		return err
	}
	defer f.mu.Unlock()
	dir, a, b, err := f.pair("rename", from, to)
	if err != nil {
		return err
	}
	if n := dir.names[b]; n != nil && n.mode.IsDir() {
		return fault("rename", to, syscall.EISDIR)
	}
	dir.change(map[string]*node{a: nil, b: dir.names[a]})
	return nil
}

// RenameNew moves a file, a folder, a link or a pipe to a free name, in any folder of the same file
// system.
func (f *FS) RenameNew(from, to string) error {
	if info, err := f.lstat(from); f.LinkRename && err == nil && info.Mode.IsRegular() {
		if err := f.Link(from, to); err != nil {
			return err
		}
		return f.Remove(from)
	}
	if err := f.begin("renamenew", from); err != nil {
		return err
	}
	defer f.mu.Unlock()
	dirA, a, err := f.find(from)
	if err != nil {
		return fault("rename", from, err)
	}
	dirB, b, err := f.find(to)
	if err != nil {
		return fault("rename", to, err)
	}
	n := dirA.names[a]
	switch {
	case n == nil:
		return fault("rename", from, fs.ErrNotExist)
	case dirB.names[b] != nil:
		return fault("rename", to, fs.ErrExist)
	case dirA.dev != dirB.dev, f.FixedFolders && n.mode.IsDir():
		return fault("rename", to, syscall.EXDEV)
	case n.mode.IsDir() && n.holds(dirB):
		return fault("rename", to, syscall.EINVAL)
	case dirA == dirB:
		dirA.change(map[string]*node{a: nil, b: n})
	default:
		take(part{dirA, map[string]*node{a: nil}}, part{dirB, map[string]*node{b: n}})
	}
	return nil
}

// holds tells whether a folder lies in n, or is n.
func (n *node) holds(dir *node) bool {
	if n == dir {
		return true
	}
	for _, child := range n.names {
		if child.mode.IsDir() && child.holds(dir) {
			return true
		}
	}
	return false
}

// MakeLink makes a symbolic link.
func (f *FS) MakeLink(text, p string) error {
	if err := f.begin("makelink", p); err != nil {
		return err
	}
	defer f.mu.Unlock()
	dir, base, err := f.find(p)
	if err != nil {
		return fault("symlink", p, err)
	}
	if dir.names[base] != nil {
		return fault("symlink", p, fs.ErrExist)
	}
	dir.change(map[string]*node{base: {mode: fs.ModeSymlink |
		0o777, data: []byte(text), synced: []byte(text), floor: len(text), mtime: f.tick()}})
	return nil
}

// SetTime sets the time of a file, a folder or a link.
func (f *FS) SetTime(p string, to time.Time) error {
	if err := f.begin("settime", p); err != nil {
		return err
	}
	defer f.mu.Unlock()
	n, err := f.get("settime", p)
	if err == nil {
		n.mtime = to
	}
	return err
}

// Exchange swaps two files of one folder.
func (f *FS) Exchange(from, to string) error {
	if f.NoExchange {
		return fault("exchange", from, errors.ErrUnsupported)
	}
	if err := f.begin("exchange", from); err != nil {
		return err
	}
	defer f.mu.Unlock()
	dir, a, b, err := f.pair("exchange", from, to)
	if err != nil {
		return err
	}
	if dir.names[b] == nil {
		return fault("exchange", to, fs.ErrNotExist)
	}
	dir.change(map[string]*node{a: dir.names[b], b: dir.names[a]})
	return nil
}

// Link gives a file a second name.
func (f *FS) Link(from, to string) error {
	if err := f.begin("link", from); err != nil {
		return err
	}
	defer f.mu.Unlock()
	n, err := f.get("link", from)
	if err != nil {
		return err
	}
	dir, base, err := f.find(to)
	if err != nil {
		return fault("link", to, err)
	}
	if dir.names[base] != nil {
		return fault("link", to, fs.ErrExist)
	}
	dir.change(map[string]*node{base: n})
	return nil
}

// CopyMeta copies the mode; there are no owners.
func (f *FS) CopyMeta(p string, like disk.FileInfo) error {
	if err := f.begin("copymeta", p); err != nil {
		return err
	}
	defer f.mu.Unlock()
	n, err := f.get("copymeta", p)
	if err != nil {
		return err
	}
	n.mode = n.mode.Type() | like.Mode.Perm()
	return nil
}

// SyncDir makes the names of a folder durable.
func (f *FS) SyncDir(p string) error {
	if err := f.begin("syncdir", p); err != nil {
		return err
	}
	defer f.mu.Unlock()
	n, err := f.get("syncdir", p)
	if err != nil {
		return err
	}
	for _, s := range n.pending {
		s.commit()
	}
	n.kept, n.pending = maps.Clone(n.names), nil
	return nil
}

// TryLock takes a lock that lasts until release.
func (f *FS) TryLock(p string) (func() error, bool, error) {
	if err := f.begin("lock", p); err != nil {
		return nil, false, err
	}
	defer f.mu.Unlock()
	dir, base, err := f.find(p)
	if err != nil {
		return nil, false, fault("lock", p, err)
	}
	if dir.names[base] == nil {
		dir.change(map[string]*node{base: {mode: 0o644, mtime: f.tick()}})
	}
	if f.locks[p] {
		return nil, false, nil
	}
	f.locks[p] = true
	return func() error {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.locks, p)
		return nil
	}, true, nil
}
