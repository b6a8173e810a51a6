package filestore

import (
	"path/filepath"
	"strings"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// resolve finds the real paths of the root and the runtime folder, once, because a repository may
// hold either as a link. A link that stays inside is resolved here, since nothing later follows
// links. If a link leads outside, the store refuses to write. A path that cannot be resolved stays
// as it is, and its first use returns the system's error.
func (s *Store) resolve() {
	s.once.Do(func() {
		s.fence = s.root
		if s.o.Within != "" {
			s.resolveRoot()
		}
		s.resolveRuntime()
		s.fs.Tops = []string{s.fence}
		if !disk.Within(s.runtime, s.fence) {
			s.fs.Tops = append(s.fs.Tops, s.runtime)
		}
	})
}

func (s *Store) resolveRuntime() {
	if filepath.IsAbs(filepath.FromSlash(s.o.Runtime)) {
		return // an explicit path from the caller, not a name below the root
	}
	lexical := s.runtime
	p, err := s.follow(s.root, filepath.FromSlash(s.o.Runtime))
	if err != nil {
		return
	}
	s.runtime = p.path
	if s.refusal == nil && !disk.Within(p.path, s.fence) {
		s.refusal = strayed(s.shown(lexical), p.path)
	}
}

// resolveRoot resolves a root that is a folder in a checkout.
func (s *Store) resolveRoot() {
	lexical := filepath.Clean(s.o.Within)
	s.fence = lexical
	volume := filepath.VolumeName(lexical)
	if p, err := s.follow(volume+disk.Separator, lexical[len(volume):]); err == nil {
		s.fence = p.path
	}
	rel, err := filepath.Rel(lexical, s.root)
	if err != nil || !filepath.IsLocal(rel) {
		s.refusal, s.lost = strayed(s.root, s.root), true
		return
	}
	p, err := s.follow(s.fence, rel)
	if err != nil {
		return
	}
	if !disk.Within(p.path, s.fence) {
		s.refusal, s.lost = strayed(filepath.ToSlash(rel), p.path), true
	}
	s.root, s.runtime = p.path, p.path
}

// inner returns the real path of a folder below the runtime folder, for caches and kept files; ""
// is the runtime folder itself. It fails with Violation path_outside if the folder is outside the
// project.
func (s *Store) inner(dir string) (string, error) {
	if s.refusal != nil {
		return "", s.refusal
	}
	if dir == "" || dir == "." {
		return s.runtime, nil
	}
	p, err := s.follow(s.runtime, filepath.FromSlash(dir))
	if err != nil {
		return disk.Join(s.runtime, filepath.FromSlash(dir)), nil // its first use reports the error
	}
	if !disk.Within(p.path, s.fence) && !disk.Within(p.path, s.runtime) {
		return "", strayed(s.shown(disk.Join(s.runtime, filepath.FromSlash(dir))), p.path)
	}
	return p.path, nil
}

// strayed returns the error for a runtime folder outside the project. paths.allow is only for
// documents, because baton's own files never need to be elsewhere.
func strayed(name, target string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodePathOutside, Path: name,
		Message: "the runtime folder " + name + " is outside the project: a link points to " + target,
		Hint:    "remove the link; baton creates a folder in its place",
	}
}

// offLimits reports whether a real path is in git's folder or among the store's own files, where no
// document may be. baton never writes a journal that names such a path.
func (s *Store) offLimits(path string) bool {
	rel, inside := strings.CutPrefix(path, strings.TrimSuffix(s.root, disk.Separator)+disk.Separator)
	for segment := range strings.SplitSeq(rel, disk.Separator) {
		if isGit(segment) {
			return true
		}
	}
	if s.runtime != s.root {
		return disk.Within(path, s.runtime)
	}
	first, _, _ := strings.Cut(rel, disk.Separator)
	switch strings.ToLower(first) {
	case "lock", "lock.json", "journal", ".gitignore":
		return inside
	}
	return false
}

// isGit reports whether a name means git's folder, in any spelling that Windows and macOS accept.
func isGit(segment string) bool {
	segment = strings.TrimRight(segment, ". ")
	return strings.EqualFold(segment, ".git") || strings.EqualFold(segment, "git~1")
}
