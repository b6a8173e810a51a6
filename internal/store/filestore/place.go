package filestore

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// place is where a name leads on disk.
type place struct {
	path    string // real path without links; its end need not exist
	outside bool   // not below the root (D36)
}

// maxLinks is the most links on the way to a name, as in the kernel. More count as a loop.
const maxLinks = 40

// locate returns the place of a document with all links resolved, including the last element.
func (s *Store) locate(name string) (place, error) {
	dir, err := s.folder(path.Dir(name))
	if err != nil {
		return place{}, err
	}
	return s.follow(dir.path, path.Base(name))
}

// folder returns the place of a folder. Resolving it looks at every folder on the way, so the store
// remembers the place. Every transaction and every listing resolves it again.
func (s *Store) folder(dir string) (place, error) {
	if dir == "." {
		return place{path: s.root}, nil
	}
	s.mu.Lock()
	p, ok := s.folders[dir]
	s.mu.Unlock()
	if ok {
		return p, nil
	}
	if err := store.CheckName(dir); err != nil {
		return place{}, err
	}
	p, err := s.follow(s.root, filepath.FromSlash(dir))
	if err != nil {
		return place{}, err
	}
	s.mu.Lock()
	s.folders[dir] = p
	s.mu.Unlock()
	return p, nil
}

// hold starts to hold open the folders that a change uses, until release is called. From then on
// nobody can put a link in the way.
func (s *Store) hold() (release func()) {
	s.resolve()
	return s.fs.Hold()
}

// startOver resolves names and opens folders again, for a change that starts over.
func (s *Store) startOver() {
	s.forgetFolders()
	s.fs.Refresh()
}

// lookAgain makes a reader resolve folders again, unless a change holds them open.
func (s *Store) lookAgain() {
	if !s.fs.Held() {
		s.forgetFolders()
	}
}

func (s *Store) forgetFolders() {
	s.mu.Lock()
	clear(s.folders)
	s.mu.Unlock()
}

// follow resolves rest from the real folder done, through links to wherever they lead. It accepts
// names that do not exist, so that a document can be created behind a link whose target is still
// missing.
func (s *Store) follow(done, rest string) (place, error) {
	links := 0
	for rest != "" {
		var first string
		first, rest, _ = strings.Cut(rest, disk.Separator)
		switch first {
		case "", ".":
			continue
		case "..":
			done = filepath.Dir(done)
			continue
		}
		next := disk.Join(done, first)
		info, err := s.fs.Lstat(next)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return place{}, err
		}
		if err != nil || !info.Link() {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return place{}, disk.ErrLoop
		}
		target, err := s.fs.Readlink(next)
		if err != nil {
			return place{}, err
		}
		if filepath.IsAbs(target) {
			volume := filepath.VolumeName(target)
			done, target = volume+disk.Separator, target[len(volume):]
		}
		rest = filepath.FromSlash(target) + disk.Separator + rest
	}
	return place{path: done, outside: !disk.Within(done, s.root)}, nil
}

// writable refuses places outside the root, except those that Options.Allow allows.
func (s *Store) writable(name string, p place) error {
	switch {
	case !p.outside:
		return nil
	case s.o.Allow == nil || s.confined():
		return Outside(name, p.path)
	}
	return s.o.Allow(name, p.path)
}

// readOnly reports whether a place is outside the root and nothing allows writing there.
func (s *Store) readOnly(name string, p place) bool { return p.outside && s.writable(name, p) != nil }

// visible refuses places outside the root to readers that must not follow links there (D45).
func (s *Store) visible(name string, p place) error {
	if !p.outside || !s.o.ReadAllowed && !s.confined() {
		return nil
	}
	return s.writable(name, p)
}

// Confine makes the store neither read nor write anything outside the root until release is called,
// whatever Options.Allow says (D45).
func (s *Store) Confine() (release func()) {
	before := s.confine(true)
	return func() { s.confine(before) }
}

func (s *Store) confine(within bool) (before bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.within = s.within, within
	return before
}

func (s *Store) confined() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.within
}

// Below returns an Options.Allow for these real paths and everything below them.
func Below(paths ...string) func(name, path string) error {
	return func(name, path string) error {
		for _, allowed := range paths {
			if disk.Within(path, filepath.Clean(allowed)) {
				return nil
			}
		}
		return Outside(name, path)
	}
}
