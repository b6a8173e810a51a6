package gitrepo

import (
	"os"
	"path/filepath"
)

// Worktree is one checkout of a repository, as the common git folder lists it.
type Worktree struct {
	Name string // git's own name, the folder below worktrees; "" for the main checkout
	Top  string // root of the checkout; "" if it is not where git remembers it
	Place
}

// Worktrees returns at most so many checkouts of the repository, the main one first, from files.
func (p Place) Worktrees(most int) []Worktree {
	if p.Dir == "" {
		return nil
	}
	var out []Worktree
	if p.Main != "" {
		out = append(out, Worktree{Top: p.Main, Place: Place{Top: p.Main, GitDir: p.Dir, Dir: p.Dir, Main: p.Main}})
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
		out = append(out, w)
	}
	return out
}
