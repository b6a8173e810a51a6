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
func (v view) Mkdir(p string, mode fs.FileMode) error {
	if err := v.begin("mkdir", p); err != nil {
		return err
	}
	defer v.mu.Unlock()
	dir, base, err := v.find(p)
	if err != nil {
		return v.fault("mkdir", p, err)
	}
	if base == "" || dir.names[base] != nil {
		return v.fault("mkdir", p, fs.ErrExist)
	}
	n := folder(mode.Perm() &^ 0o022)
	n.mtime, n.dev = v.tick(), dir.dev
	dir.change(map[string]*node{base: n})
	return nil
}

// Remove removes a file, a link or an empty folder.
func (v view) Remove(p string) error {
	if err := v.begin("remove", p); err != nil {
		return err
	}
	defer v.mu.Unlock()
	dir, base, err := v.find(p)
	if err != nil {
		return v.fault("remove", p, err)
	}
	n := dir.names[base]
	if n == nil {
		return v.fault("remove", p, fs.ErrNotExist)
	}
	if len(n.names) > 0 {
		return v.fault("remove", p, errDirNotEmpty)
	}
	n.gone = true
	dir.change(map[string]*node{base: nil})
	return nil
}

// pair finds the two names of an exchange or of a rename over another name. They must be in one
// folder, because filestore never does either across folders.
func (v view) pair(op, a, b string) (dir *node, first, second string, err error) {
	dirA, first, err := v.find(a)
	if err != nil {
		return nil, "", "", v.fault(op, a, err)
	}
	dirB, second, err := v.find(b)
	if err != nil {
		return nil, "", "", v.fault(op, b, err)
	}
	if dirA != dirB {
		return nil, "", "", v.fault(op, b, syscall.EXDEV)
	}
	if dirA.names[first] == nil {
		return nil, "", "", v.fault(op, a, fs.ErrNotExist)
	}
	return dirA, first, second, nil
}

// Rename moves a file over another.
func (v view) Rename(from, to string) error {
	if err := v.begin("rename", from); err != nil {
		return err
	}
	defer v.mu.Unlock()
	dir, a, b, err := v.pair("rename", from, to)
	if err != nil {
		return err
	}
	if n := dir.names[b]; n != nil && n.mode.IsDir() {
		return v.fault("rename", to, syscall.EISDIR)
	}
	dir.change(map[string]*node{a: nil, b: dir.names[a]})
	return nil
}

// RenameNew moves a file, folder, link or pipe to a free name in any folder of the same file
// system.
func (v view) RenameNew(from, to string) error { return v.moveNew(from, v, to) }

func (v view) moveNew(from string, w view, to string) error {
	if info, err := v.lstat(from); v.LinkRename && err == nil && info.Mode.IsRegular() {
		if err := v.linkTo(from, w, to); err != nil {
			return err
		}
		return v.Remove(from)
	}
	if err := v.begin("renamenew", from); err != nil {
		return err
	}
	defer v.mu.Unlock()
	dirA, a, err := v.find(from)
	if err != nil {
		return v.fault("rename", from, err)
	}
	dirB, b, err := w.find(to)
	if err != nil {
		return w.fault("rename", to, err)
	}
	n := dirA.names[a]
	switch {
	case n == nil:
		return v.fault("rename", from, fs.ErrNotExist)
	case dirB.names[b] != nil:
		return w.fault("rename", to, fs.ErrExist)
	case dirA.dev != dirB.dev, v.FixedFolders && n.mode.IsDir():
		return w.fault("rename", to, syscall.EXDEV)
	case n.mode.IsDir() && n.holds(dirB):
		return w.fault("rename", to, syscall.EINVAL)
	case dirA == dirB:
		dirA.change(map[string]*node{a: nil, b: n})
	default:
		take(part{dirA, map[string]*node{a: nil}}, part{dirB, map[string]*node{b: n}})
	}
	return nil
}

// holds reports whether dir is n or lies below it.
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
func (v view) MakeLink(text, p string) error {
	if err := v.begin("makelink", p); err != nil {
		return err
	}
	defer v.mu.Unlock()
	dir, base, err := v.find(p)
	if err != nil {
		return v.fault("symlink", p, err)
	}
	if dir.names[base] != nil {
		return v.fault("symlink", p, fs.ErrExist)
	}
	dir.change(map[string]*node{base: {mode: fs.ModeSymlink |
		0o777, data: []byte(text), synced: []byte(text), floor: len(text), mtime: v.tick()}})
	return nil
}

// SetTime sets the modification time of a file, folder or link.
func (v view) SetTime(p string, to time.Time) error {
	if err := v.begin("settime", p); err != nil {
		return err
	}
	defer v.mu.Unlock()
	n, err := v.get("settime", p)
	if err == nil {
		n.mtime = to
	}
	return err
}

// Exchange swaps two files in one folder.
func (v view) Exchange(from, to string) error {
	if v.NoExchange {
		return v.fault("exchange", from, errors.ErrUnsupported)
	}
	if err := v.begin("exchange", from); err != nil {
		return err
	}
	defer v.mu.Unlock()
	dir, a, b, err := v.pair("exchange", from, to)
	if err != nil {
		return err
	}
	if dir.names[b] == nil {
		return v.fault("exchange", to, fs.ErrNotExist)
	}
	dir.change(map[string]*node{a: dir.names[b], b: dir.names[a]})
	return nil
}

// Link gives a file a second name.
func (v view) Link(from, to string) error { return v.linkTo(from, v, to) }

func (v view) linkTo(from string, w view, to string) error {
	if err := v.begin("link", from); err != nil {
		return err
	}
	defer v.mu.Unlock()
	n, err := v.get("link", from)
	if err != nil {
		return err
	}
	dir, base, err := w.find(to)
	if err != nil {
		return w.fault("link", to, err)
	}
	if dir.names[base] != nil {
		return w.fault("link", to, fs.ErrExist)
	}
	dir.change(map[string]*node{base: n})
	return nil
}

// CopyMeta copies the mode. There are no owners.
func (v view) CopyMeta(p string, like disk.FileInfo) error {
	if err := v.begin("copymeta", p); err != nil {
		return err
	}
	defer v.mu.Unlock()
	n, err := v.get("copymeta", p)
	if err != nil {
		return err
	}
	n.mode = n.mode.Type() | like.Mode.Perm()
	return nil
}

// SyncDir makes the names of a folder durable.
func (v view) SyncDir(p string) error {
	if err := v.begin("syncdir", p); err != nil {
		return err
	}
	defer v.mu.Unlock()
	n, err := v.get("syncdir", p)
	if err != nil {
		return err
	}
	for _, s := range n.pending {
		s.commit()
	}
	n.kept, n.pending = maps.Clone(n.names), nil
	return nil
}

// TryLock takes a lock that is held until it is released.
func (v view) TryLock(p string) (func() error, bool, error) {
	if err := v.begin("lock", p); err != nil {
		return nil, false, err
	}
	defer v.mu.Unlock()
	dir, base, err := v.find(p)
	if err != nil {
		return nil, false, v.fault("lock", p, err)
	}
	if dir.names[base] == nil {
		dir.change(map[string]*node{base: {mode: 0o644, mtime: v.tick()}})
	}
	p = v.shown(p)
	if v.locks[p] {
		return nil, false, nil
	}
	v.locks[p] = true
	return func() error {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.locks, p)
		return nil
	}, true, nil
}
