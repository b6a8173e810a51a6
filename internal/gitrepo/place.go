package gitrepo

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Place is the position of a folder in git. The zero value is a folder outside git.
type Place struct {
	Top    string // root of the checkout, the folder that holds .git
	GitDir string // git folder of this checkout
	Dir    string // common git folder of all checkouts
	Main   string // root of the main checkout; "" if the repository is bare
	seen   *seen  // what files said already; nil to read them each time
}

// Common finds the checkout that holds dir, and the folder that all its checkouts share. It reads
// .git, commondir and config, and never runs git (D1). dir is a real absolute path.
//
// A .git that leads to the git folder of another checkout is no place in git: a folder that
// somebody sent would share its claims with that repository, and have what was approved for it
// (D45).
func Common(dir string) Place {
	for top := dir; ; top = filepath.Dir(top) {
		dotgit := filepath.Join(top, ".git")
		if info, err := os.Lstat(dotgit); err == nil {
			real := dotgit
			if info.Mode()&os.ModeSymlink != 0 {
				real = resolve(top, ".git")
				info, err = os.Stat(real)
			}
			if err == nil && info.IsDir() {
				return checkout(top, dotgit, real)
			}
			if gitdir, ok := pointer(dotgit, "gitdir:"); ok {
				return checkout(top, gitdir, gitdir)
			}
		}
		if filepath.Dir(top) == top {
			return Place{}
		}
	}
}

// checkout returns the place of a checkout with this git folder. real is its path without links.
func checkout(top, gitdir, real string) Place {
	p := Place{Top: top, GitDir: gitdir, Dir: gitdir, Main: top}
	common, linked := pointer(filepath.Join(gitdir, "commondir"), "")
	if !linked {
		if real != filepath.Join(top, ".git") && !serves(real, top) {
			return Place{}
		}
		return p
	}
	if filepath.Dir(real) != filepath.Join(common, "worktrees") || !lists(real, top) {
		return Place{}
	}
	p.Dir = common
	bare, worktree := settings(filepath.Join(common, "config"))
	switch {
	case worktree != "":
		if p.Main = resolve(common, worktree); resolve(p.Main, ".git") != common {
			if gitdir, ok := pointer(filepath.Join(p.Main, ".git"), "gitdir:"); !ok || gitdir != common {
				p.Main = ""
			}
		}
	case bare || filepath.Base(common) != ".git":
		p.Main = ""
	default:
		p.Main = filepath.Dir(common)
	}
	return p
}

// serves reports whether a git folder outside a checkout may be that checkout's own: its config
// says so, or it does not belong to another one.
func serves(gitdir, top string) bool {
	bare, worktree := settings(filepath.Join(gitdir, "config"))
	if worktree != "" {
		return resolve(gitdir, worktree) == top
	}
	return !bare && filepath.Base(gitdir) != ".git"
}

// lists reports whether the git folder of a linked checkout names it. If what it names is not there
// any more, somebody moved the checkout.
func lists(gitdir, top string) bool {
	file, ok := pointer(filepath.Join(gitdir, "gitdir"), "")
	if !ok {
		return false
	}
	if filepath.Dir(file) == top {
		return true
	}
	back, points := pointer(file, "gitdir:")
	if !points || back != gitdir {
		return true
	}
	there, err1 := os.Stat(filepath.Dir(file))
	here, err2 := os.Stat(top)
	return err1 == nil && err2 == nil && os.SameFile(there, here)
}

// mostBytes is larger than any file of git that is read as a whole here.
const mostBytes = 64 << 20

// readFile reads a regular file of git.
func readFile(name string) ([]byte, error) {
	f, size, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > mostBytes {
		return nil, fmt.Errorf("%s is too large for a file of git", name)
	}
	data := make([]byte, size)
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return data[:n], err
}

// openFile opens a regular file without waiting, and returns its size, which limits how much is
// read. An unpacked archive may hold pipes, and links to devices.
func openFile(name string) (*os.File, int64, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file of git", name)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// pointer reads a one-line file with the path of a folder, which is absolute or relative to the
// file.
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

// settings reads core.bare and core.worktree from a git config file. It understands only plain
// lines.
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

// Head returns the commit that HEAD names, from files. It returns "" before the first commit,
// outside git, and if refs are kept in a format other than files.
func (p Place) Head() string {
	if p.Dir == "" {
		return ""
	}
	return once(p, "HEAD", p.readHead)
}

func (p Place) readHead() string {
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

// ref reads one reference: from its file in this checkout, then in the common folder, then from
// packed-refs.
func (p Place) ref(name string) string {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	for _, dir := range [...]string{p.GitDir, p.Dir} {
		if data, err := readFile(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			return strings.TrimSpace(string(data))
		}
	}
	hash, _ := p.packedRef(name)
	return hash
}

// packedRef returns the commit of a reference in packed-refs, or "" if it is not there. It reads
// line by line, because a million references take more than mostBytes.
func (p Place) packedRef(name string) (string, error) {
	f, size, err := openFile(filepath.Join(p.Dir, "packed-refs"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, size))
	for lines.Scan() {
		if hash, ref, ok := strings.Cut(strings.TrimSpace(lines.Text()), " "); ok && ref == name {
			return hash, nil
		}
	}
	return "", lines.Err()
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
