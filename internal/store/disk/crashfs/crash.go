package crashfs

import (
	"bytes"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"
)

// Crash returns the file system as a power cut at this moment leaves it, without hook and locks. f
// itself is not changed. The same state and random source give the same disk.
func (f *FS) Crash(r *rand.Rand) *FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := survivor{r: r, seen: map[*node]*node{}, fates: map[*step]bool{}}
	return f.successor(func() *node { return s.node(f.root) })
}

// Kill returns the file system as it is after every process died: the kernel loses nothing except
// locks.
func (f *FS) Kill() *FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := duplicate{nodes: map[*node]*node{}, steps: map[*step]*step{}}
	return f.successor(func() *node { return d.node(f.root) })
}

// successor returns the file system that the next process finds. To that process the files are the
// same ones, so they keep their numbers.
func (f *FS) successor(root func() *node) *FS {
	out := New()
	out.NoExchange, out.LinkRename, out.FixedFolders = f.NoExchange, f.LinkRename, f.FixedFolders
	out.clock, out.ids = f.clock, f.ids
	out.root = root()
	return out
}

func (n *node) bare() *node { return &node{mode: n.mode, mtime: n.mtime, id: n.id, dev: n.dev} }

// duplicate copies each file, and each step that is not yet durable, exactly once.
type duplicate struct {
	nodes map[*node]*node
	steps map[*step]*step
}

func (d duplicate) node(n *node) *node {
	if n == nil {
		return nil
	}
	if c := d.nodes[n]; c != nil {
		return c
	}
	c := n.bare()
	c.data, c.synced, c.floor = slices.Clone(n.data), slices.Clone(n.synced), n.floor
	d.nodes[n] = c
	if !n.mode.IsDir() {
		return c
	}
	c.names, c.kept = d.names(n.names), d.names(n.kept)
	for _, s := range n.pending {
		c.pending = append(c.pending, d.step(s))
	}
	return c
}

func (d duplicate) names(m map[string]*node) map[string]*node {
	out := make(map[string]*node, len(m))
	for name, child := range m {
		out[name] = d.node(child)
	}
	return out
}

func (d duplicate) step(s *step) *step {
	if c := d.steps[s]; c != nil {
		return c
	}
	c := &step{durable: s.durable}
	d.steps[s] = c
	for _, p := range s.parts {
		c.parts = append(c.parts, part{d.node(p.dir), d.names(p.names)})
	}
	return c
}

// survivor draws what a power cut leaves.
type survivor struct {
	r     *rand.Rand
	seen  map[*node]*node
	fates map[*step]bool // whether a step reached the disk
}

func (s survivor) node(n *node) *node {
	if c := s.seen[n]; c != nil {
		return c // n is a second name of a file that was copied already
	}
	c := n.bare()
	s.seen[n] = c
	if !n.mode.IsDir() {
		c.data = survivingBytes(n, s.r)
		c.synced, c.floor = slices.Clone(c.data), len(c.data)
		return c
	}
	names := maps.Clone(n.kept)
	chance := []float64{0, 0.5, 1}[s.r.IntN(3)]
	for _, step := range n.pending {
		if step.durable || !s.fate(step, chance) {
			continue
		}
		for _, p := range step.parts {
			if p.dir == n {
				apply(names, p.names)
			}
		}
	}
	c.names = map[string]*node{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c.names[name] = s.node(names[name])
	}
	c.kept = maps.Clone(c.names)
	return c
}

// fate reports whether a step reached the disk, and always gives the same answer. A step across two
// folders reached it only if all earlier steps that touched its names did, and vice versa: no file
// system moves an entry twice out of order.
func (s survivor) fate(st *step, chance float64) bool {
	if happened, ok := s.fates[st]; ok {
		return happened
	}
	happened := s.r.Float64() < chance
	for _, p := range st.parts {
		for _, earlier := range p.dir.pending {
			if earlier == st {
				break
			}
			if earlier.durable || len(earlier.parts) == 1 && len(st.parts) == 1 {
				continue
			}
			for name := range p.names {
				if earlier.touches(p.dir, name) && !s.fate(earlier, chance) {
					happened = false
				}
			}
		}
	}
	s.fates[st] = happened
	return happened
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

// The methods below act as other programs and people. They do not call the hook, and their bytes
// reach the disk at once.

// Put writes a file in place, as some editors do, and creates missing folders above it.
func (f *FS) Put(p, data string) { f.setFile(p, data, 0o644, false) }

// Swap puts a new file in place of the old one, as an editor that renames does.
func (f *FS) Swap(p, data string) { f.setFile(p, data, 0o644, true) }

// Symlink makes a link.
func (f *FS) Symlink(target, p string) { f.setFile(p, target, fs.ModeSymlink|0o777, true) }

// Pipe makes a named pipe.
func (f *FS) Pipe(p string) { f.setFile(p, "", fs.ModeNamedPipe|0o644, true) }

// Mount puts an empty folder of another file system at p, so that nothing can be renamed into it or
// out of it.
func (f *FS) Mount(p string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ids++
	f.ensure(p).dev = f.ids
}

// Touch sets the time of a file, a folder or a link.
func (f *FS) Touch(p string, to time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n, err := f.get("touch", p); err == nil {
		n.mtime = to
	}
}

// MkdirAll makes a folder and those above it, all durable at once.
func (f *FS) MkdirAll(p string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ensure(p)
}

// Delete removes a name, whatever it is.
func (f *FS) Delete(p string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if dir, base, err := f.find(p); err == nil {
		dir.names[base].vanish()
		dir.setDurably(base, nil)
	}
}

// vanish empties a folder that is removed. Even a process that holds it open finds nothing in it
// and can put nothing into it.
func (n *node) vanish() {
	if n == nil || n.names == nil {
		return
	}
	for _, child := range n.names {
		child.vanish()
	}
	n.names, n.gone = map[string]*node{}, true
}

func (f *FS) ensure(p string) *node {
	at := f.root
	for seg := range strings.SplitSeq(strings.Trim(path.Clean(p), "/"), "/") {
		if seg == "" || seg == "." {
			continue
		}
		if at.names[seg] == nil {
			n := folder(0o755)
			n.dev, n.mtime = at.dev, f.tick()
			at.names[seg], at.kept[seg] = n, n
		}
		at = at.names[seg]
	}
	return at
}

func (f *FS) setFile(p, data string, mode fs.FileMode, fresh bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dir, base := f.ensure(path.Dir(p)), path.Base(p)
	n := dir.names[base]
	if n == nil || fresh {
		n = &node{mode: mode}
		dir.setDurably(base, n)
	}
	n.data, n.synced, n.floor, n.mtime = []byte(data), []byte(data), len(data), f.tick()
}

// setDurably sets a name durably at once and drops what is pending for it in this folder. A pending
// move of the name from or to another folder becomes durable, too.
func (n *node) setDurably(name string, to *node) {
	for _, step := range n.pending {
		if !step.touches(n, name) {
			continue
		}
		if len(step.parts) > 1 {
			step.commit()
			continue
		}
		delete(step.parts[0].names, name)
	}
	if to == nil {
		delete(n.names, name)
		delete(n.kept, name)
		return
	}
	n.names[name], n.kept[name] = to, to
}

// Get returns the content of a file or the target of a link; ok is false if there is neither.
func (f *FS) Get(p string) (data string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.get("get", p)
	if err != nil || n.mode.IsDir() {
		return "", false
	}
	return string(n.data), true
}

// Files returns the content of every file below p, by path.
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

// Entries returns everything below p, by path: "file" and its bytes, "link" and its text, "folder",
// or "pipe".
func (f *FS) Entries(p string) map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := map[string]string{}
	var walk func(n *node, at string)
	walk = func(n *node, at string) {
		for name, child := range n.names {
			at := at + "/" + name // path.Join would clean the name, which may hold anything
			switch {
			case child.mode.IsDir():
				out[at] = "folder"
				walk(child, at)
			case child.mode&fs.ModeSymlink != 0:
				out[at] = "link " + string(child.data)
			case !child.mode.IsRegular():
				out[at] = "pipe"
			default:
				out[at] = "file " + string(child.data)
			}
		}
	}
	if n, err := f.get("entries", p); err == nil {
		walk(n, path.Clean(p))
	}
	return out
}
