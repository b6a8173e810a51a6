package gitrepo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Place is where a folder is in git. The zero value is a folder outside git.
type Place struct {
	Top    string // folder that holds .git, the checkout's root
	GitDir string // this checkout's own git folder
	Dir    string // the common git folder of all checkouts
	Main   string // root of the main checkout, "" when the repository is bare
}

// Common finds the checkout that holds dir and the folder that all its checkouts share, by reading
// .git, commondir and config; git is never run (D1). dir is a real absolute path.
func Common(dir string) Place {
	for top := dir; ; top = filepath.Dir(top) {
		dotgit := filepath.Join(top, ".git")
		if info, err := os.Stat(dotgit); err == nil {
			if info.IsDir() {
				return checkout(top, dotgit)
			}
			if gitdir, ok := pointer(dotgit, "gitdir:"); ok {
				return checkout(top, gitdir)
			}
		}
		if filepath.Dir(top) == top {
			return Place{}
		}
	}
}

// checkout completes a place from the checkout's git folder.
func checkout(top, gitdir string) Place {
	p := Place{Top: top, GitDir: gitdir, Dir: gitdir, Main: top}
	common, linked := pointer(filepath.Join(gitdir, "commondir"), "")
	if !linked {
		return p
	}
	p.Dir = common
	bare, worktree := settings(filepath.Join(common, "config"))
	switch {
	case worktree != "":
		p.Main = resolve(common, worktree)
	case bare || filepath.Base(common) != ".git":
		p.Main = ""
	default:
		p.Main = filepath.Dir(common)
	}
	return p
}

// mostBytes is more than any file of git has that is read here.
const mostBytes = 64 << 20

// readFile reads a regular file of git. Anything else in its place would be read without an end: an
// unpacked archive may hold pipes, and links to devices.
func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > mostBytes) {
		err = fmt.Errorf("%s is no file of git", name)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// pointer reads a one-line file that names a folder, absolute or relative to the file.
func pointer(file, label string) (string, bool) {
	data, err := readFile(file)
	if err != nil {
		return "", false
	}
	text, ok := strings.CutPrefix(strings.TrimSpace(string(data)), label)
	if text = strings.TrimSpace(text); !ok || text == "" {
		return "", false
	}
	return resolve(filepath.Dir(file), text), true
}

func resolve(base, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// settings reads core.bare and core.worktree from a git config file, as far as plain lines go.
func settings(file string) (bare bool, worktree string) {
	data, err := readFile(file)
	if err != nil {
		return false, ""
	}
	core := false
	for line := range strings.SplitSeq(string(data), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			core = strings.EqualFold(line, "[core]")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !core || !ok {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "bare":
			bare = value == "true" || value == "yes" || value == "on" || value == "1"
		case "worktree":
			worktree = value
		}
	}
	return bare, worktree
}

// Head gives the commit that HEAD names, read from files: "" before the first commit, outside git,
// and where refs are kept in another format than files.
func (p Place) Head() string {
	if p.Dir == "" {
		return ""
	}
	data, err := readFile(filepath.Join(p.GitDir, "HEAD"))
	if err != nil {
		return ""
	}
	text := strings.TrimSpace(string(data))
	name, symbolic := strings.CutPrefix(text, "ref:")
	for depth := 0; symbolic && depth < 5; depth++ {
		text = p.ref(strings.TrimSpace(name))
		name, symbolic = strings.CutPrefix(text, "ref:")
	}
	if symbolic || !isHash(text) {
		return ""
	}
	return text
}

// ref reads one reference: its file in this checkout, then in the common folder, then packed-refs.
func (p Place) ref(name string) string {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	for _, dir := range [...]string{p.GitDir, p.Dir} {
		if data, err := readFile(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			return strings.TrimSpace(string(data))
		}
	}
	data, err := readFile(filepath.Join(p.Dir, "packed-refs"))
	if err != nil {
		return ""
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if hash, ref, ok := strings.Cut(strings.TrimSpace(line), " "); ok && ref == name {
			return hash
		}
	}
	return ""
}

func isHash(text string) bool {
	if len(text) != 40 && len(text) != 64 {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
