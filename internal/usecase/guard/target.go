package guard

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/workspace"
)

// Target is one file on the disk that tools are about to write.
type Target struct {
	path string // with links resolved, as far as the path exists
	// slash paths of the file below the project's root, the resolved one first; empty for a file
	// outside
	Names []string
	edits []agentsession.FileEdit // in their order
}

// spot is a name below a root of the project. Different parts may have different roots (D16).
type spot struct{ root, name string }

func (s spot) shown() string { return workspace.PlainWord(s.name, mostName) }

// mostTargets is the largest number of files of one event that are checked.
const mostTargets = 256

// Targets returns the files that calls write. Each appears once with all its edits.
func (p Guard) Targets(calls []agentsession.ToolCall) []Target {
	var out []Target
	at := map[string]int{}
	for _, call := range calls {
		for _, edit := range call.Edits {
			path := p.editPath(edit.Path)
			if path == "" {
				continue
			}
			i, known := at[path]
			if !known {
				if i = len(out); i == mostTargets {
					return out
				}
				at[path] = i
				out = append(out, Target{path: workspace.Resolved(path), Names: p.namesOf(path)})
			}
			out[i].edits = append(out[i].edits, edit)
		}
	}
	return out
}

// editPath returns the absolute path of an edit, or "" if no file can have it. Clients on Windows
// write backslashes. On other systems they count as slashes too, as long as no file has such a name
// (agents.md 2.8).
func (p Guard) editPath(path string) string {
	if path == "" || len(path) > 4096 || strings.IndexByte(path, 0) >= 0 {
		return ""
	}
	if strings.IndexByte(path, '\\') >= 0 && filepath.Separator == '/' &&
		!workspace.Exists(workspace.AbsoluteIn(p.Start(), path)) {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	return workspace.AbsoluteIn(p.Start(), path)
}

// namesOf returns the names of a path below the root, both with links resolved and as written,
// because a document may be known by either.
func (p Guard) namesOf(path string) []string {
	var out []string
	add := func(root, path string) {
		if rel, err := filepath.Rel(root, path); err == nil && rel != "." && filepath.IsLocal(rel) &&
			!slices.Contains(out, filepath.ToSlash(rel)) {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	add(p.Root, workspace.Resolved(path))
	if len(out) == 0 && !p.writtenBelow(path) {
		return nil
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if dir == p.Root || workspace.Real(dir) == p.Root {
			add(dir, path)
			return out
		}
		if dir == filepath.Dir(dir) {
			return out
		}
	}
}

// writtenBelow reports whether a path that leads outside the root looks like one inside.
func (p Guard) writtenBelow(path string) bool {
	rel, err := filepath.Rel(p.Root, path)
	return err == nil && filepath.IsLocal(rel)
}

// spots returns the names of a target below the roots of the project's digest, state folder and
// runtime folders, which may differ from the root of its tasks (D16), and below the root of a
// task's own worktree.
func (p Guard) spots(t Target) []spot {
	var out []spot
	add := func(root, name string) {
		if s := (spot{root, name}); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, name := range t.Names {
		add(p.Root, name)
		if rest, below := cutFolder(name, ".specflux/worktrees"); below {
			if task, inner, ok := strings.Cut(rest, "/"); ok {
				add(filepath.Join(p.Root, ".specflux", "worktrees", task), inner)
			}
		}
	}
	roots := func() []string { // evaluated late, because most files are in no such folder
		digest, _ := p.DigestRoot()
		folder, _ := p.FolderRoot()
		return []string{digest, folder, p.Git.Main}
	}
	parts := strings.Split(filepath.ToSlash(t.path), "/")
	for i, part := range parts {
		if part != ".baton" && part != ".planning" && part != ".specflow" && part != ".devt" {
			continue
		}
		if root := filepath.FromSlash(strings.Join(parts[:i], "/")); root != p.Root && slices.Contains(roots(), root) {
			add(root, strings.Join(parts[i:], "/"))
		}
	}
	return out
}

// caseless reports whether names that differ only in case usually mean the same file on this
// system.
const caseless = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

func sameName(a, b string) bool { return a == b || caseless && strings.EqualFold(a, b) }

// Internal reports whether the target is one of baton's own files, below the runtime folder.
func (t Target) Internal() bool {
	if len(t.Names) == 0 {
		return false
	}
	_, below := cutFolder(t.Names[0], workspace.RuntimeDir)
	return below
}

// cutFolder returns the part of a slash path after a folder, and false if the path is not below
// that folder.
func cutFolder(name, folder string) (rest string, below bool) {
	if folder == "." {
		return name, true
	}
	n := len(folder)
	if len(name) <= n+1 || name[n] != '/' || !sameName(name[:n], folder) {
		return "", false
	}
	return name[n+1:], true
}
