package crashfs

import (
	"bytes"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// Crash gives the file system as a power cut leaves it at this moment; f itself goes on untouched. Without a hook,
// without locks. The same state and random source give the same disk.
func (f *FS) Crash(r *rand.Rand) *FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := New()
	out.NoExchange, out.clock = f.NoExchange, f.clock
	out.root = survive(f.root, r, map[*node]*node{})
	return out
}

// Kill gives the file system as the death of every process leaves it: the kernel loses nothing, but locks.
func (f *FS) Kill() *FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := New()
	out.NoExchange, out.clock = f.NoExchange, f.clock
	out.root = duplicate(f.root, map[*node]*node{})
	return out
}

func duplicate(n *node, seen map[*node]*node) *node {
	if n == nil {
		return nil
	}
	if c := seen[n]; c != nil {
		return c
	}
	c := &node{mode: n.mode, mtime: n.mtime, data: slices.Clone(n.data), synced: slices.Clone(n.synced), floor: n.floor}
	seen[n] = c
	if !n.mode.IsDir() {
		return c
	}
	names := func(m map[string]*node) map[string]*node {
		out := make(map[string]*node, len(m))
		for name, child := range m {
			out[name] = duplicate(child, seen)
		}
		return out
	}
	c.names, c.kept = names(n.names), names(n.kept)
	for _, step := range n.pending {
		c.pending = append(c.pending, names(step))
	}
	return c
}

func survive(n *node, r *rand.Rand, seen map[*node]*node) *node {
	if c := seen[n]; c != nil {
		return c // a second name of the same file
	}
	c := &node{mode: n.mode, mtime: n.mtime}
	seen[n] = c
	if !n.mode.IsDir() {
		c.data = survivingBytes(n, r)
		c.synced, c.floor = slices.Clone(c.data), len(c.data)
		return c
	}
	names := maps.Clone(n.kept)
	chance := []float64{0, 0.5, 1}[r.IntN(3)]
	for _, step := range n.pending {
		if r.Float64() >= chance {
			continue
		}
		maps.Copy(names, step)
	}
	c.names = map[string]*node{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if names[name] != nil {
			c.names[name] = survive(names[name], r, seen)
		}
	}
	c.kept = maps.Clone(c.names)
	return c
}

func survivingBytes(n *node, r *rand.Rand) []byte {
	if n.mode&fs.ModeSymlink != 0 || bytes.Equal(n.data, n.synced) {
		return slices.Clone(n.data)
	}
	base, more := n.data[:n.floor], n.data[n.floor:]
	cut := r.IntN(len(more) + 1)
	switch r.IntN(5) {
	case 0:
		return slices.Clone(n.synced)
	case 1:
		return slices.Clone(n.data)
	case 2:
		return append(slices.Clip(base), make([]byte, len(more))...)
	case 3:
		torn := append(slices.Clone(base), more[:cut]...)
		return append(torn, make([]byte, len(more)-cut)...)
	default:
		return append(slices.Clip(base), more[:cut]...)
	}
}

// The following are other programs and people: they do not pass the hook, and their bytes reach the disk at once.

// Put writes a file in its place, as an editor that writes in place does; folders above it are made.
func (f *FS) Put(p, data string) { f.hand(p, data, 0o644, false) }

// Swap puts a new file over the name, as an editor that renames does.
func (f *FS) Swap(p, data string) { f.hand(p, data, 0o644, true) }

// Symlink makes a link.
func (f *FS) Symlink(target, p string) { f.hand(p, target, fs.ModeSymlink|0o777, true) }

// MkdirAll makes a folder and those above it, durable at once.
func (f *FS) MkdirAll(p string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ensure(p)
}

// Delete takes a name away, whatever it is.
func (f *FS) Delete(p string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if dir, base, err := f.find(p); err == nil {
		dir.settle(base, nil)
	}
}

func (f *FS) ensure(p string) *node {
	at := f.root
	for seg := range strings.SplitSeq(strings.Trim(path.Clean(p), "/"), "/") {
		if seg == "" || seg == "." {
			continue
		}
		if at.names[seg] == nil {
			n := folder(0o755)
			at.names[seg], at.kept[seg] = n, n
		}
		at = at.names[seg]
	}
	return at
}

func (f *FS) hand(p, data string, mode fs.FileMode, fresh bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dir, base := f.ensure(path.Dir(p)), path.Base(p)
	n := dir.names[base]
	if n == nil || fresh {
		n = &node{mode: mode}
		dir.settle(base, n)
	}
	n.data, n.synced, n.floor, n.mtime = []byte(data), []byte(data), len(data), f.tick()
}

// settle sets a name so that it is durable at once, whatever is still pending for it.
func (n *node) settle(name string, to *node) {
	for _, step := range n.pending {
		delete(step, name)
	}
	if to == nil {
		delete(n.names, name)
		delete(n.kept, name)
		return
	}
	n.names[name], n.kept[name] = to, to
}

// Get gives the content of a file or the target of a link; ok is false when nothing is there.
func (f *FS) Get(p string) (data string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.get("get", p)
	if err != nil || n.mode.IsDir() {
		return "", false
	}
	return string(n.data), true
}

// Files gives the content of every file below p by its path.
func (f *FS) Files(p string) map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := map[string]string{}
	var walk func(n *node, at string)
	walk = func(n *node, at string) {
		for name, child := range n.names {
			if child.mode.IsDir() {
				walk(child, path.Join(at, name))
			} else {
				out[path.Join(at, name)] = string(child.data)
			}
		}
	}
	if n, err := f.get("files", p); err == nil {
		walk(n, path.Clean(p))
	}
	return out
}
