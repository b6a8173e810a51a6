package gitrepo

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Worktree is one checkout of a repository, as the common git folder lists it.
type Worktree struct {
	Name string // git's own name, the folder below worktrees; "" for the main checkout
	Top  string // root of the checkout; "" if it is not where git remembers it
	Place
}

// Name returns git's own name for this checkout: the folder below worktrees, or "" for the main
// one. It stays the same if the checkout is moved.
func (p Place) Name() string {
	if p.GitDir == p.Dir || filepath.Base(filepath.Dir(p.GitDir)) != "worktrees" {
		return ""
	}
	return filepath.Base(p.GitDir)
}

// Worktrees returns at most so many checkouts of the repository, the main one first, from files.
// They are still if the place is.
func (p Place) Worktrees(most int) []Worktree {
	if p.Dir == "" {
		return nil
	}
	var out []Worktree
	if p.Main != "" {
		w := Worktree{Top: p.Main, Place: Place{Top: p.Main, GitDir: p.Dir, Dir: p.Dir, Main: p.Main}}
		if p.seen != nil {
			w.Place = w.Still()
		}
		out = append(out, w)
	}
	entries, err := os.ReadDir(filepath.Join(p.Dir, "worktrees"))
	if err != nil {
		return out
	}
	for _, e := range entries {
		if len(out) == most {
			break
		}
		w := Worktree{Name: e.Name()}
		w.GitDir, w.Dir, w.Main = filepath.Join(p.Dir, "worktrees", e.Name()), p.Dir, p.Main
		file, ok := pointer(filepath.Join(w.GitDir, "gitdir"), "")
		switch top := filepath.Dir(file); {
		case w.GitDir == p.GitDir:
			w.Top = p.Top // git learns of a move only when it runs
		case !ok:
			continue
		default:
			if back, points := pointer(file, "gitdir:"); points && back == resolve(w.GitDir, ".") {
				w.Top = top
			}
		}
		w.Place.Top = w.Top
		if p.seen != nil {
			w.Place = w.Still()
		}
		out = append(out, w)
	}
	return out
}

// Working returns the branch that this checkout works on, from files; "" on a detached HEAD. During
// a rebase, HEAD is detached, and the branch is the one that is rebased.
func (p Place) Working() string {
	if branch := p.Branch(); branch != "" || p.GitDir == "" {
		return branch
	}
	for _, name := range [...]string{"rebase-merge", "rebase-apply"} {
		data, err := readFile(filepath.Join(p.GitDir, name, "head-name"))
		if branch, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "refs/heads/"); err == nil && ok {
			return branch
		}
	}
	return ""
}

// BranchTip returns the commit of a branch, from files, and whether the branch exists. If refs are
// kept in another format, every branch exists and its commit is unknown.
func (p Place) BranchTip(branch string) (commit string, exists bool) {
	if p.Dir == "" || branch == "" {
		return "", false
	}
	if once(p, "unusual", p.unusual) {
		return "", true
	}
	name := "refs/heads/" + branch
	if commit = once(p, name, func() string { return p.ref(name) }); isHash(commit) {
		return commit, true
	}
	return "", commit != ""
}

// OtherBranches reports whether there is a local branch besides this one, from files. It is true if
// files do not tell.
func (p Place) OtherBranches(branch string) bool {
	if p.Dir == "" || p.unusual() {
		return p.Dir != ""
	}
	if otherRef(filepath.Join(p.Dir, "refs", "heads"), "", branch) {
		return true
	}
	f, size, err := openFile(filepath.Join(p.Dir, "packed-refs"))
	if err != nil {
		return !os.IsNotExist(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, size))
	for lines.Scan() {
		_, ref, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok && name != branch {
			return true
		}
	}
	return lines.Err() != nil
}

// otherRef reports whether a folder of references has one with another name.
func otherRef(dir, prefix, branch string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return !os.IsNotExist(err)
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		if name := prefix + e.Name(); !e.IsDir() {
			return name != branch && !strings.HasSuffix(name, ".lock")
		}
		return otherRef(filepath.Join(dir, e.Name()), prefix+e.Name()+"/", branch)
	})
}
