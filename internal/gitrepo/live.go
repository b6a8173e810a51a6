package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Live is the current state of the checkout. Whatever git did not tell in time is empty, and Late
// names it.
type Live struct {
	Branch  string   // from files; "" if HEAD names no branch
	Head    string   // full commit of HEAD, from files; "" before the first commit
	Commits []Commit // newest first, first parents only, at most 50
	Dirty   []string // changed and untracked paths as slash paths relative to Root, which may begin with "../"
	Late    []string // "commits", "dirty"
}

// Live asks for the newest commits and the dirty files at the same time. It waits at most Limit for
// both together (D30). except lists files and folders that do not count as dirty, as slash paths
// below Root. Outside git it returns the zero value.
func (r Repo) Live(ctx context.Context, except ...string) Live {
	out := Live{Branch: r.Branch(), Head: r.Place.Head()}
	if r.Dir == "" {
		return out
	}
	patience := r.Patience
	if patience <= 0 {
		patience = Limit
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	commits, dirty := make(chan []byte, 1), make(chan []byte, 1)
	begin := func(answer chan<- []byte, args ...string) {
		text, err := r.ask(ctx, args...)
		if err != nil {
			close(answer)
			return
		}
		answer <- text
	}
	if !r.unborn() {
		go begin(commits, commitLog("HEAD", "%H %s", mostCommits)...)
	} else {
		commits <- nil // before the first commit, git would report an error
	}
	go begin(dirty, statusOf("--porcelain=v2", except, "-z")...)
	// Killed children may keep a pipe open, so do not wait for the goroutines.
	if text, ok := await(ctx, commits); ok {
		out.Commits = commitLines(text)
	} else {
		out.Late = append(out.Late, "commits")
	}
	if text, ok := await(ctx, dirty); ok {
		out.Dirty = r.dirtyPaths(text)
	} else {
		out.Late = append(out.Late, "dirty")
	}
	return out
}

// await returns an answer unless the time runs out first.
func await(ctx context.Context, answer <-chan []byte) ([]byte, bool) {
	select {
	case text, ok := <-answer:
		return text, ok
	default:
	}
	select {
	case text, ok := <-answer:
		return text, ok
	case <-ctx.Done():
		return nil, false
	}
}

// unusual reports whether refs may be kept in a format other than files.
func (p Place) unusual() bool {
	_, err := os.Stat(filepath.Join(p.Dir, "reftable"))
	return err == nil
}

// Branch returns the branch that HEAD names, from files; "" outside git and on a detached HEAD.
func (p Place) Branch() string {
	if p.GitDir == "" {
		return ""
	}
	return once(p, "branch", p.readBranch)
}

func (p Place) readBranch() string {
	data, err := readFile(filepath.Join(p.GitDir, "HEAD"))
	if err != nil {
		return ""
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref:")
	if name = strings.TrimSpace(name); !ok || strings.ContainsAny(name, "\n\r\x00") {
		return ""
	}
	return strings.TrimPrefix(name, "refs/heads/")
}

// Busy reports whether a merge, rebase, pick or bisect is in progress, from files. HEAD is then
// only temporary (D9).
func (p Place) Busy() bool {
	if p.GitDir == "" {
		return false
	}
	return once(p, "busy", p.looksBusy)
}

func (p Place) looksBusy() bool {
	for _, name := range [...]string{
		"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply",
	} {
		if _, err := os.Lstat(filepath.Join(p.GitDir, name)); err == nil {
			return true
		}
	}
	return false
}

// mostDirty is the most dirty paths that are read; a project with more of them is dirty enough.
const mostDirty = 10000

// dirtyPaths parses `git status --porcelain=v2 -z`, whose paths are relative to the top of the
// checkout.
func (r Repo) dirtyPaths(text []byte) []string {
	below := ""
	if rel, err := filepath.Rel(r.Top, r.Root); err == nil && rel != "." && filepath.IsLocal(rel) {
		below = filepath.ToSlash(rel) + "/"
	}
	var out []string
	records := strings.Split(string(text), "\x00")
	for i := 0; i < len(records) && len(out) < mostDirty; i++ {
		path, renamed := statusPath(records[i])
		if renamed {
			i++ // skip the old name
		}
		if path == "" {
			continue
		}
		if inner, ok := strings.CutPrefix(path, below); ok {
			path = inner
		} else {
			path = strings.Repeat("../", strings.Count(below, "/")) + path
		}
		out = append(out, path)
	}
	return out
}

// statusPath returns the path of one record. renamed reports that the next record is its old name.
func statusPath(record string) (path string, renamed bool) {
	fields := 0
	switch record[:min(2, len(record))] {
	case "1 ":
		fields = 8
	case "2 ":
		fields, renamed = 9, true
	case "u ":
		fields = 10
	case "? ", "! ":
		fields = 1
	default:
		return "", false
	}
	parts := strings.SplitN(record, " ", fields+1)
	if len(parts) <= fields {
		return "", renamed
	}
	return parts[fields], renamed
}
