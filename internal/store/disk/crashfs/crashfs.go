package crashfs

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"baton/internal/store/disk"
)

// Op is an operation that is about to happen.
type Op struct {
	N    int    // its number since the file system was created, from 1
	Name string // "create", "write", "exchange", …
	Path string // the file, or the first of two
}

// FS is the file system. Paths are absolute, with slashes. It is safe for concurrent use.
type FS struct {
	// Hook, if set, is called before every operation and may make it fail. It may use the file
	// system.
	Hook func(Op) error
	// NoExchange makes Exchange unsupported, as on systems other than Linux.
	NoExchange bool
	// LinkRename makes RenameNew link a file to its new name before it removes the old one, as on
	// systems without a call that does both.
	LinkRename bool
	// FixedFolders makes RenameNew refuse folders, as an overlay file system does with folders of a
	// lower layer.
	FixedFolders bool

	view

	mu    sync.Mutex
	root  *node
	ops   int
	ids   uint64 // the last identity that was given out
	clock time.Time
	locks map[string]bool
}

// node is a file, a folder or a link.
type node struct {
	mode   fs.FileMode
	mtime  time.Time
	id     uint64 // assigned when it is first asked for
	data   []byte // content, or the target of a link
	synced []byte // content that is durable
	floor  int    // number of leading bytes that no write touched since the last sync
	dev    uint64 // file system that it is on; only set for folders
	names  map[string]*node
	gone   bool // removed, but perhaps still held open
	// durable names of a folder, and the steps since then
	kept    map[string]*node
	pending []*step
}

// step is a change of names in one folder or two. It happens as a whole or not at all.
type step struct {
	parts   []part
	durable bool
}

type part struct {
	dir   *node
	names map[string]*node // nil removes a name
}

// New returns an empty file system.
func New() *FS {
	f := &FS{root: folder(0o777), clock: time.Unix(1_700_000_000, 0), locks: map[string]bool{}}
	f.view = view{FS: f}
	return f
}

// view is the file system seen from a folder, with paths as names in it. Without a folder, paths
// are absolute.
type view struct {
	*FS
	at   *node  // an open folder
	path string // by which the folder was found
}

// shown returns a path as hooks and errors show it.
func (v view) shown(p string) string {
	switch {
	case v.at == nil:
		return p
	case p == ".":
		return v.path
	}
	return path.Join(v.path, "/") + "/" + p
}

func folder(mode fs.FileMode) *node {
	return &node{mode: fs.ModeDir | mode, names: map[string]*node{}, kept: map[string]*node{}}
}

// begin announces an operation to the hook and locks the mutex. If err is nil, the caller unlocks
// it.
func (v view) begin(name, p string) error {
	p = v.shown(p)
	v.mu.Lock()
	v.ops++
	op := Op{N: v.ops, Name: name, Path: p}
	hook := v.Hook
	v.mu.Unlock()
	if hook != nil {
		if err := hook(op); err != nil {
			return &fs.PathError{Op: name, Path: p, Err: err}
		}
	}
	v.mu.Lock()
	return nil
}

// Ops returns the number of operations so far.
func (f *FS) Ops() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ops
}

func (v view) fault(op, p string, err error) error {
	return &fs.PathError{Op: op, Path: v.shown(p), Err: err}
}

// find returns the folder of p and the last element of p. It follows links on the way, but not at
// the end.
func (v view) find(p string) (dir *node, base string, err error) {
	switch {
	case v.at == nil:
		return v.walk(path.Clean(p), 0)
	case v.at.gone:
		return nil, "", fs.ErrNotExist
	case p == ".":
		return v.at, "", nil
	}
	return v.at, p, nil
}

func (f *FS) walk(p string, links int) (*node, string, error) {
	if links > 40 {
		return nil, "", syscall.ELOOP
	}
	dir, base := path.Split(p)
	at, done := f.root, "/"
	for seg := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
		if seg == "" {
			continue
		}
		next := at.names[seg]
		if next == nil {
			return nil, "", fs.ErrNotExist
		}
		if next.mode&fs.ModeSymlink != 0 {
			target := string(next.data)
			if !path.IsAbs(target) {
				target = path.Join(done, target)
			}
			rest := strings.TrimPrefix(p, path.Join(done, seg))
			return f.walk(path.Join(target, rest), links+1)
		}
		if !next.mode.IsDir() {
			return nil, "", syscall.ENOTDIR
		}
		at, done = next, path.Join(done, seg)
	}
	return at, base, nil
}

func (v view) get(op, p string) (*node, error) {
	dir, base, err := v.find(p)
	if err != nil {
		return nil, v.fault(op, p, err)
	}
	if base == "" {
		return dir, nil
	}
	n := dir.names[base]
	if n == nil {
		return nil, v.fault(op, p, fs.ErrNotExist)
	}
	return n, nil
}

// change sets names of a folder in one step; nil removes a name.
func (n *node) change(names map[string]*node) { take(part{n, names}) }

// take applies a step in memory; it is not durable yet.
func take(parts ...part) {
	s := &step{parts: parts}
	for _, p := range parts {
		apply(p.dir.names, p.names)
		p.dir.pending = append(p.dir.pending, s)
	}
}

func apply(to, names map[string]*node) {
	for name, n := range names {
		if n == nil {
			delete(to, name)
		} else {
			to[name] = n
		}
	}
}

// commit makes a step durable. A step across two folders is a single change on disk. All earlier
// steps of both folders become durable as well, as in a file system with a journal.
func (s *step) commit() {
	if s.durable {
		return
	}
	s.durable = true
	for _, p := range s.parts {
		for _, earlier := range p.dir.pending {
			if earlier == s {
				break
			}
			earlier.commit()
		}
	}
	for _, p := range s.parts {
		apply(p.dir.kept, p.names)
	}
}

// touches reports whether a step changes a name of a folder.
func (s *step) touches(dir *node, name string) bool {
	for _, p := range s.parts {
		if _, ok := p.names[name]; ok && p.dir == dir {
			return true
		}
	}
	return false
}

func (f *FS) tick() time.Time {
	f.clock = f.clock.Add(time.Millisecond)
	return f.clock
}

// Open opens a file for reading.
func (v view) Open(p string) (disk.File, error) { return v.open("open", p, false) }

// Append opens a file for reading and appending.
func (v view) Append(p string) (disk.File, error) { return v.open("append", p, true) }

func (v view) open(op, p string, write bool) (disk.File, error) {
	if err := v.begin(op, p); err != nil {
		return nil, err
	}
	defer v.mu.Unlock()
	n, err := v.get(op, p)
	if err != nil {
		return nil, err
	}
	if n.mode&fs.ModeSymlink != 0 {
		return nil, v.fault(op, p, disk.ErrLink)
	}
	if write && n.mode.IsDir() {
		return nil, v.fault(op, p, syscall.EISDIR)
	}
	return &file{fs: v.FS, n: n, path: v.shown(p), write: write}, nil
}

// Create creates a file.
func (v view) Create(p string, mode fs.FileMode) (disk.File, error) {
	if err := v.begin("create", p); err != nil {
		return nil, err
	}
	defer v.mu.Unlock()
	dir, base, err := v.find(p)
	if err != nil {
		return nil, v.fault("create", p, err)
	}
	if dir.names[base] != nil {
		return nil, v.fault("create", p, fs.ErrExist)
	}
	n := &node{mode: mode.Perm() &^ 0o022, mtime: v.tick()}
	dir.change(map[string]*node{base: n})
	return &file{fs: v.FS, n: n, path: v.shown(p), write: true}, nil
}

// WriteOver overwrites the beginning of a file.
func (v view) WriteOver(p string, data []byte, mode fs.FileMode) error {
	if err := v.begin("scribble", p); err != nil {
		return err
	}
	defer v.mu.Unlock()
	dir, base, err := v.find(p)
	if err != nil {
		return v.fault("scribble", p, err)
	}
	n := dir.names[base]
	if n == nil {
		n = &node{mode: mode.Perm() &^ 0o022}
		dir.change(map[string]*node{base: n})
	}
	rest := n.data[min(len(data), len(n.data)):]
	n.data, n.floor, n.mtime = append(slices.Clone(data), rest...), 0, v.tick()
	return nil
}

// Lstat describes a file, a folder or a link.
func (v view) Lstat(p string) (disk.FileInfo, error) {
	if err := v.begin("lstat", p); err != nil {
		return disk.FileInfo{}, err
	}
	defer v.mu.Unlock()
	n, err := v.get("lstat", p)
	if err != nil {
		return disk.FileInfo{}, err
	}
	return v.info(n, path.Base(p)), nil
}

// lstat is Lstat without calling the hook.
func (v view) lstat(p string) (disk.FileInfo, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n, err := v.get("lstat", p)
	if err != nil {
		return disk.FileInfo{}, err
	}
	return v.info(n, path.Base(p)), nil
}

func (f *FS) info(n *node, name string) disk.FileInfo {
	if n.id == 0 {
		f.ids++
		n.id = f.ids
	}
	return disk.FileInfo{
		Name: name, Mode: n.mode, Size: int64(len(n.data)), ModTime: n.mtime, UID: -1, GID: -1,
		Links: 1, ID: disk.FileID{Device: 1 + n.dev, Inode: n.id},
	}
}

// ReadDir lists a folder in no useful order.
func (v view) ReadDir(p string) ([]disk.FileInfo, error) {
	if err := v.begin("readdir", p); err != nil {
		return nil, err
	}
	defer v.mu.Unlock()
	n, err := v.get("readdir", p)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, v.fault("readdir", p, syscall.ENOTDIR)
	}
	var out []disk.FileInfo
	for name, child := range n.names {
		out = append(out, v.info(child, name))
	}
	slices.SortFunc(out, func(a, b disk.FileInfo) int { return strings.Compare(b.Name, a.Name) })
	return out, nil
}

// Names lists the names in a folder.
func (v view) Names(p string) ([]string, error) {
	infos, err := v.ReadDir(p)
	names := make([]string, len(infos))
	for i, info := range infos {
		names[i] = info.Name
	}
	return names, err
}

// Readlink returns the target of a link.
func (v view) Readlink(p string) (string, error) {
	if err := v.begin("readlink", p); err != nil {
		return "", err
	}
	defer v.mu.Unlock()
	n, err := v.get("readlink", p)
	if err != nil {
		return "", err
	}
	if n.mode&fs.ModeSymlink == 0 {
		return "", v.fault("readlink", p, syscall.EINVAL)
	}
	return string(n.data), nil
}

var errDirNotEmpty = errors.New("directory not empty")
