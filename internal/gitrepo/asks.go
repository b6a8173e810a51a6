package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// asks is what the config of a repository may ask for, as far as baton must know it.
type asks struct {
	filters  bool // it may define filters, so git must say which
	include  bool // it may include other files
	worktree bool // it may name another folder as the checkout
}

// memory remembers what the config of a repository asks for, as long as its files stay the same. It
// is never written to a file, because a repository that somebody else made may contain forged
// files.
type memory struct {
	sync.Mutex
	stamps  []stamp
	asks    asks
	filters []string // nil if git has not said yet
}

// stamp tells versions of a file apart.
type stamp struct {
	size int64
	at   time.Time
	mode fs.FileMode
}

// stampsOf returns the stamps of all files that decide which config git reads. It costs one Lstat
// per file. ok is false if one of them is neither a regular file nor a folder, or cannot be looked
// at.
func (p Place) stampsOf() (stamps []stamp, ok bool) {
	names := [...]string{
		filepath.Join(p.Top, ".git"), filepath.Join(p.GitDir, "commondir"), filepath.Join(p.Dir, "config"),
		filepath.Join(p.GitDir, "config.worktree"),
	}
	for _, name := range names {
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			stamps = append(stamps, stamp{})
			continue
		case err != nil || !info.Mode().IsRegular() && !info.IsDir():
			return nil, false
		}
		s := stamp{info.Size(), info.ModTime(), info.Mode()}
		if info.IsDir() {
			s.size, s.at = 0, time.Time{} // its entries come and go
		}
		stamps = append(stamps, s)
	}
	return stamps, true
}

// asks returns what the config asks for. Whatever baton cannot rule out, it reports as asked for.
func (r Repo) asks() asks {
	all := asks{filters: true, include: true, worktree: true}
	stamps, ok := r.stampsOf()
	if !ok || r.memory == nil {
		return all
	}
	r.memory.Lock()
	defer r.memory.Unlock()
	if slices.Equal(r.memory.stamps, stamps) {
		return r.memory.asks
	}
	if r.plain() {
		all = r.readAsks()
	}
	r.memory.stamps, r.memory.asks, r.memory.filters = stamps, all, nil
	return all
}

// readAsks looks for the names of sections and keys in the config. Git knows no other way to write
// them than with their own letters, in either case.
func (p Place) readAsks() asks {
	var out asks
	for _, name := range [...]string{filepath.Join(p.Dir, "config"), filepath.Join(p.GitDir, "config.worktree")} {
		text, err := readFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return asks{filters: true, include: true, worktree: true}
		}
		text = bytes.ToLower(text)
		out.filters = out.filters || bytes.Contains(text, []byte("filter"))
		out.include = out.include || bytes.Contains(text, []byte("include"))
		out.worktree = out.worktree || bytes.Contains(text, []byte("worktree"))
	}
	return out
}

// plain reports whether it is certain that git finds the same checkout as Common, because all files
// look as git writes them. Otherwise git might read another config than baton: it takes a folder
// for a repository if it has HEAD, objects and refs, and passes over a .git that has none.
func (r Repo) plain() bool {
	for dir := r.Root; dir != r.Top; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, "HEAD")); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return false
		}
	}
	if info, err := os.Stat(filepath.Join(r.Top, ".git")); err != nil {
		return false
	} else if !info.IsDir() && !pointsTo(filepath.Join(r.Top, ".git"), "gitdir: ") {
		return false
	}
	if r.Dir != r.GitDir && !pointsTo(filepath.Join(r.GitDir, "commondir"), "") {
		return false
	}
	head, err := readFile(filepath.Join(r.GitDir, "HEAD"))
	text, ended := strings.CutSuffix(string(head), "\n")
	if err != nil || !ended || !strings.HasPrefix(text, "ref: refs/") && !isHash(text) {
		return false
	}
	for _, name := range [...]string{"objects", "refs"} {
		// The dot at the end needs the permission that git tests, to look into the folder.
		if _, err := os.Stat(filepath.Join(r.Dir, name) + string(filepath.Separator) + "."); err != nil {
			return false
		}
	}
	return true
}

// pointsTo reports whether a file is one line with a label and a path, as git writes it. The path
// has nothing around it that baton and git could read differently.
func pointsTo(file, label string) bool {
	data, err := readFile(file)
	path, labelled := strings.CutPrefix(string(data), label)
	path, ended := strings.CutSuffix(path, "\n")
	return err == nil && labelled && ended && path != "" && path == strings.TrimSpace(path) &&
		!strings.ContainsFunc(path, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// mostFilters is the most filters of a config that are overridden one by one.
const mostFilters = 100

// filters returns options that switch off the filters of the repository's config. A filter that the
// user's own config defines, too, is used as the user defined it.
func (r Repo) filters(ctx context.Context, a asks) ([]string, error) {
	if !a.filters && !a.include {
		return nil, nil
	}
	if r.memory != nil && !a.include {
		r.memory.Lock()
		defer r.memory.Unlock()
		if r.memory.filters != nil {
			return r.memory.filters, nil
		}
	}
	out, code, err := r.run(ctx, "", 0, "config", "--includes", "--show-scope", "-z", "--get-regexp", `^filter\.`)
	if err != nil && code != 1 { // 1 means that there is none
		return nil, err
	}
	list, err := filterOptions(string(out))
	if err == nil && r.memory != nil && !a.include {
		r.memory.filters = list
	}
	return list, err
}

// filterKeys are the keys of a filter.
var filterKeys = [...]string{"clean", "smudge", "process", "required"}

// filter is what a config says about a filter. Keys that it does not define are missing.
type filter map[string]string

// filterOptions returns the options for the filters that git listed with their scope.
func filterOptions(listed string) ([]string, error) {
	users, theirs, names := map[string]filter{}, map[string]filter{}, []string{}
	fields := strings.Split(listed, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, valued := strings.Cut(fields[i+1], "\n")
		name, ok := strings.CutPrefix(key, "filter.")
		dot := strings.LastIndexByte(name, '.')
		if !ok || dot < 0 {
			continue
		}
		if !valued {
			value = "true"
		}
		name, key = name[:dot], name[dot+1:]
		side := users
		if fields[i] == "local" || fields[i] == "worktree" {
			if side = theirs; side[name] == nil {
				names = append(names, name)
			}
		}
		if side[name] == nil {
			side[name] = filter{}
		}
		side[name][key] = value
	}
	out := []string{}
	for _, name := range names {
		// An equals sign would end the name too early. So many filters are nobody's config.
		if strings.Contains(name, "=") || len(names) > mostFilters {
			return nil, &silence{"the repository's config defines filters that baton cannot switch off"}
		}
		for key, value := range users[name].over(theirs[name]) {
			out = append(out, "-c", "filter."+name+"."+key+"="+value)
		}
	}
	return out, nil
}

// over yields the keys and values that make a filter what the user's config says, although the
// repository's config says otherwise. If the user does not define it, or only the repository has a
// process, which takes the place of the commands, the filter does nothing.
func (f filter) over(theirs filter) func(func(key, value string) bool) {
	_, own := f["process"]
	if _, other := theirs["process"]; other && !own {
		f = nil
	}
	return func(yield func(key, value string) bool) {
		for _, key := range filterKeys {
			value, own := f[key]
			if _, other := theirs[key]; f != nil && !own && !other {
				continue
			}
			if key == "required" && !own {
				value = "false"
			}
			if !yield(key, value) {
				return
			}
		}
	}
}
