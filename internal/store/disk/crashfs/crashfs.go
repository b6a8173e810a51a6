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

// Op is one operation that is about to happen.
type Op struct {
	N    int    // number since the file system was made, from 1
	Name string // "create", "write", "exchange", …
	Path string // the file; the first one of two
}

// FS is the file system. Paths are absolute with slashes. Safe for concurrent use.
type FS struct {
	// Hook, if set, is called before every operation and may fail it. It may use the file system.
	Hook func(Op) error
	// NoExchange makes Exchange unsupported, as outside Linux.
	NoExchange bool
	// LinkRename makes RenameNew give files the new name before it takes the old one, as where no
	// system call does both.
	LinkRename bool
	// FixedFolders makes RenameNew refuse folders, as a file system of layers does with those of a
	// lower layer.
	FixedFolders bool

	mu    sync.Mutex
	root  *node
	ops   int
	ids   uint64 // identities given so far
	clock time.Time
	locks map[string]bool
}

// node is a file, a folder or a link.
type node struct {
	mode   fs.FileMode
	mtime  time.Time
	id     uint64 // given when somebody asks
	data   []byte // content, or where a link leads
	synced []byte // content that is durable
	floor  int    // bytes at the beginning that no write since the last sync touched
	dev    uint64 // file system that it lies on; only folders know
	names  map[string]*node
	// durable names of a folder, and the changes since, each of which is one step
	kept    map[string]*node
	pending []*step
}

// step is a change of names that happens as a whole or not at all, in one folder or across two.
type step struct {
	parts   []part
	durable bool
}

type part struct {
	dir   *node
	names map[string]*node // nil takes a name away
}

// New gives an empty file system.
func New() *FS {
	return &FS{root: folder(0o777), clock: time.Unix(1_700_000_000, 0), locks: map[string]bool{}}
}

func folder(mode fs.FileMode) *node {
	return &node{mode: fs.ModeDir | mode, names: map[string]*node{}, kept: map[string]*node{}}
}

// begin announces an operation to the hook and takes the mutex; the caller unlocks when err is nil.
func (f *FS) begin(name, p string) error {
	f.mu.Lock()
	f.ops++
	op := Op{N: f.ops, Name: name, Path: p}
	hook := f.Hook
	f.mu.Unlock()
	if hook != nil {
		if err := hook(op); err != nil {
			return &fs.PathError{Op: name, Path: p, Err: err}
		}
	}
	f.mu.Lock()
	return nil
}

// Ops is the number of operations so far.
func (f *FS) Ops() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ops
}

func fault(op, p string, err error) error { return &fs.PathError{Op: op, Path: p, Err: err} }

// find walks to the folder of p and gives it with the last element, following links on the way but
// not at the end.
func (f *FS) find(p string) (dir *node, base string, err error) {
	return f.walk(path.Clean(p), 0)
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

func (f *FS) get(op, p string) (*node, error) {
	dir, base, err := f.find(p)
	if err != nil {
		return nil, fault(op, p, err)
	}
	if base == "" {
		return dir, nil
	}
	n := dir.names[base]
	if n == nil {
		return nil, fault(op, p, fs.ErrNotExist)
	}
	return n, nil
}

// change sets names of a folder in one step; nil takes a name away.
func (n *node) change(names map[string]*node) { take(part{n, names}) }

// take makes a step now; on the disk it is not yet.
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

// commit makes a step durable. One across two folders is one change for the disk; and what came
// before it in either folder is on the disk then as well, as file systems with a journal have it.
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

// touches tells whether a step touches a name of a folder.
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

// Open opens for reading.
func (f *FS) Open(p string) (disk.File, error) { return f.open("open", p, false) }

// Append opens for reading and appending.
func (f *FS) Append(p string) (disk.File, error) { return f.open("append", p, true) }

func (f *FS) open(op, p string, write bool) (disk.File, error) {
	if err := f.begin(op, p); err != nil {
		return nil, err
	}
	defer f.mu.Unlock()
	n, err := f.get(op, p)
	if err != nil {
		return nil, err
	}
	if n.mode&fs.ModeSymlink != 0 {
		return nil, fault(op, p, disk.ErrLink)
	}
	if write && n.mode.IsDir() {
		return nil, fault(op, p, syscall.EISDIR)
	}
	return &file{fs: f, n: n, path: p, write: write}, nil
}

// Create makes a new file.
func (f *FS) Create(p string, mode fs.FileMode) (disk.File, error) {
	return f.create("create", p, mode, true)
}

// Overwrite opens a file, emptied, and creates it when absent.
func (f *FS) Overwrite(p string, mode fs.FileMode) (disk.File, error) {
	return f.create("overwrite", p, mode, false)
}

func (f *FS) create(op, p string, mode fs.FileMode, excl bool) (disk.File, error) {
	if err := f.begin(op, p); err != nil {
		return nil, err
	}
	defer f.mu.Unlock()
	dir, base, err := f.find(p)
	if err != nil {
		return nil, fault(op, p, err)
	}
	n := dir.names[base]
	switch {
	case n != nil && excl:
		return nil, fault(op, p, fs.ErrExist)
	case n != nil && n.mode&fs.ModeSymlink != 0:
		return nil, fault(op, p, disk.ErrLink)
	case n != nil && n.mode.IsDir():
		return nil, fault(op, p, syscall.EISDIR)
	case n != nil:
		n.data, n.floor, n.mtime = nil, 0, f.tick()
	default:
		n = &node{mode: mode.Perm() &^ 0o022, mtime: f.tick()}
		dir.change(map[string]*node{base: n})
	}
	return &file{fs: f, n: n, path: p, write: true}, nil
}

// WriteOver writes over the beginning of a file.
func (f *FS) WriteOver(p string, data []byte, mode fs.FileMode) error {
	if err := f.begin("scribble", p); err != nil {
		return err
	}
	defer f.mu.Unlock()
	dir, base, err := f.find(p)
	if err != nil {
		return fault("scribble", p, err)
	}
	n := dir.names[base]
	if n == nil {
		n = &node{mode: mode.Perm() &^ 0o022}
		dir.change(map[string]*node{base: n})
	}
	rest := n.data[min(len(data), len(n.data)):]
	n.data, n.floor, n.mtime = append(slices.Clone(data), rest...), 0, f.tick()
	return nil
}

// Lstat describes a file, a folder or a link.
func (f *FS) Lstat(p string) (disk.FileInfo, error) {
	if err := f.begin("lstat", p); err != nil {
		return disk.FileInfo{}, err
	}
	defer f.mu.Unlock()
	n, err := f.get("lstat", p)
	if err != nil {
		return disk.FileInfo{}, err
	}
	return f.info(n, path.Base(p)), nil
}

// lstat is Lstat without an operation.
func (f *FS) lstat(p string) (disk.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.get("lstat", p)
	if err != nil {
		return disk.FileInfo{}, err
	}
	return f.info(n, path.Base(p)), nil
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

// ReadDir lists a folder, in no useful order.
func (f *FS) ReadDir(p string) ([]disk.FileInfo, error) {
	if err := f.begin("readdir", p); err != nil {
		return nil, err
	}
	defer f.mu.Unlock()
	n, err := f.get("readdir", p)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, fault("readdir", p, syscall.ENOTDIR)
	}
	var out []disk.FileInfo
	for name, child := range n.names {
		out = append(out, f.info(child, name))
	}
	slices.SortFunc(out, func(a, b disk.FileInfo) int { return strings.Compare(b.Name, a.Name) })
	return out, nil
}

// Readlink gives where a link leads.
func (f *FS) Readlink(p string) (string, error) {
	if err := f.begin("readlink", p); err != nil {
		return "", err
	}
	defer f.mu.Unlock()
	n, err := f.get("readlink", p)
	if err != nil {
		return "", err
	}
	if n.mode&fs.ModeSymlink == 0 {
		return "", fault("readlink", p, syscall.EINVAL)
	}
	return string(n.data), nil
}

var errDirNotEmpty = errors.New("directory not empty")
