package filestore

import (
	"path/filepath"
	"strings"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// settle finds out once where the root and the runtime folder really are. A repository may hold
// either as a link: one that stays inside is resolved here, because nothing later follows links;
// one that leads out makes the store refuse to write. What cannot be resolved is left as it is,
// and fails with the system's own words when it is used.
func (s *Store) resolve() {
	s.once.Do(func() {
		s.fence = s.root
		if s.o.Within != "" {
			s.resolveRoot()
		}
		if filepath.IsAbs(filepath.FromSlash(s.o.Runtime)) {
			return // the caller's own word, not a name below the root
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
	})
}

// settleRoot resolves a root that is itself a folder in a checkout.
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

// inner gives the real path of a folder below the runtime folder ("" is that folder itself), for
// caches and kept files. Violation path_outside when it leads out of the project.
func (s *Store) inner(dir string) (string, error) {
	if s.refusal != nil {
		return "", s.refusal
	}
	if dir == "" || dir == "." {
		return s.runtime, nil
	}
	p, err := s.follow(s.runtime, filepath.FromSlash(dir))
	if err != nil {
		return disk.Join(s.runtime, filepath.FromSlash(dir)), nil // using it says why
	}
	if !disk.Within(p.path, s.fence) && !disk.Within(p.path, s.runtime) {
		return "", strayed(s.shown(disk.Join(s.runtime, filepath.FromSlash(dir))), p.path)
	}
	return p.path, nil
}

// strayed is the error for a runtime folder that leads out of the project. paths.allow does not
// help: it is for documents, and baton's own files have no reason to lie elsewhere.
func strayed(name, target string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodePathOutside, Path: name,
		Message: "the runtime folder " + name + " leads outside the project, to " + target,
		Hint:    "remove the link; baton makes a folder in its place",
	}
}

// offLimits tells that a real path is none for documents: git's own folder, and the files that
// the store itself keeps. A journal that names one was not written by baton.
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

// isGit recognises git's folder also under the spellings that Windows and macOS take for it.
func isGit(segment string) bool {
	segment = strings.TrimRight(segment, ". ")
	return strings.EqualFold(segment, ".git") || strings.EqualFold(segment, "git~1")
}
