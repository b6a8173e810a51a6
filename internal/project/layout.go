package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/task"
)

// The layouts that hold tasks (D16), and the older folders of SpecFlux that are read where they are found (5.1).
const (
	layoutBaton    = "baton"
	layoutSpecflux = "specflux"
	layoutOlder    = "devflow"
	layoutGiven    = "given" // --tasks-dir or BATON_TASKS_DIR
)

// layoutWords are the words that --layout takes, taskLayouts those of layouts that hold tasks.
func layoutWords() []string {
	return []string{layoutBaton, layoutSpecflux, layoutGSD, layoutSpecflow, layoutDevt}
}

func taskLayouts() []string { return []string{layoutBaton, layoutSpecflux} }

// taskDir is one folder that holds task files. Names are relative to the root, with slashes.
type taskDir struct {
	Layout  string
	Dir     string
	Archive string // where archives and evidence of its tasks go
}

func (d taskDir) state(id task.ID) string    { return join(d.Dir, task.StateName(id)) }
func (d taskDir) archive(id task.ID) string  { return join(d.Archive, task.ArchiveName(id)) }
func (d taskDir) evidence(id task.ID) string { return join(d.Archive, task.EvidenceName(id)) }

// join puts a base name into a folder of the root; "." is the root itself.
func join(dir, base string) string {
	if dir == "." || dir == "" {
		return base
	}
	return dir + "/" + base
}

// The folders of the layouts, in search order (5.1).
func batonDir() taskDir {
	return taskDir{Layout: layoutBaton, Dir: ".baton/tasks", Archive: ".baton/archive"}
}

func specfluxDir() taskDir {
	return taskDir{Layout: layoutSpecflux, Dir: ".specflux/task-states", Archive: ".specflux/archives"}
}

func olderDirs() [2]taskDir {
	return [2]taskDir{
		{Layout: layoutOlder, Dir: "devflow/task-states", Archive: ".specflux/archives"},
		{Layout: layoutOlder, Dir: "orchestrator/devflow/task-states", Archive: ".specflux/archives"},
	}
}

// worktreeDir is where a task's own SpecFlux worktree keeps its state file.
func worktreeDir(id task.ID) taskDir {
	base := ".specflux/worktrees/task-" + string(id) + "/.specflux/"
	return taskDir{Layout: layoutSpecflux, Dir: base + "task-states", Archive: ".specflux/archives"}
}

// layouts is what one folder holds.
type layouts struct {
	dirs  []taskDir
	names []string
}

// ownFolders gives the folders below the root that hold baton's files and no one's work.
func (p *Project) ownFolders() []string {
	own := []string{".baton", ".specflux"}
	for _, d := range p.dirs {
		for _, dir := range [...]string{d.Dir, d.Archive} {
			base, _, _ := strings.Cut(dir, "/")
			if dir != "." && filepath.IsLocal(filepath.FromSlash(dir)) && !slices.Contains(own, base) && !slices.Contains(own, dir) {
				own = append(own, dir)
			}
		}
	}
	return own
}

// look finds the layouts in one folder. A .baton that holds only runtime and configuration is none (D2).
func look(dir string) layouts {
	var l layouts
	baton := isDir(filepath.Join(dir, ".baton"))
	tasks := baton && isDir(filepath.Join(dir, ".baton", "tasks"))
	other := baton && !tasks && (exists(filepath.Join(dir, ".baton", "STATE.md")) || isDir(filepath.Join(dir, ".baton", "work")))
	specflux := isDir(filepath.Join(dir, ".specflux"))
	if tasks || other {
		l.names = append(l.names, layoutBaton)
	}
	// .baton with a digest only does not compete for the role of tasks (D16).
	if tasks || other && !specflux {
		l.dirs = append(l.dirs, batonDir())
	}
	if specflux {
		l.names = append(l.names, layoutSpecflux)
		l.dirs = append(l.dirs, specfluxDir())
	}
	for _, d := range olderDirs() {
		if isDir(filepath.Join(dir, filepath.FromSlash(d.Dir))) {
			l.names = append(l.names, layoutOlder)
			l.dirs = append(l.dirs, d)
		}
	}
	return l
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// start is the folder where looking upward begins.
func (p *Project) start() string {
	dir := p.o.Dir
	if dir == "" {
		if named := p.env.Getenv("BATON_ROOT"); named != "" {
			dir = named
		}
	}
	return p.absolute(dir)
}

func (p *Project) absolute(dir string) string { return absoluteIn(p.env.Dir, dir) }

func absoluteIn(base, dir string) string {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(base, dir)
	}
	return filepath.Clean(dir)
}

// locate sets root and dirs (5.1, D2, D16, D28).
func (p *Project) locate() error {
	if l := p.o.Layout; l != "" && !slices.Contains(layoutWords(), l) {
		return &report.Error{
			Op: "project.open", Kind: report.Usage, Code: "layout_unknown",
			Message: "there is no layout " + quote(l), Hint: "use --layout " + strings.Join(layoutWords(), ", "),
		}
	}
	start := p.start()
	if !isDir(start) {
		return &report.Error{
			Op: "project.open", Kind: report.NotFound, Code: "no_folder",
			Message: "there is no folder " + start, Hint: "check -C and BATON_ROOT",
		}
	}
	start = real(start)
	if p.o.fixedRoot != "" {
		p.root = p.o.fixedRoot
		return nil
	}
	var found layouts
	root, top := upward(start, p.env.Home, p.o.Dir == "" && p.env.Getenv("BATON_ROOT") != "", func(dir string) bool {
		found = look(dir)
		return len(found.names) > 0
	})
	switch {
	case root != "":
		p.root = root
	case top != "":
		p.root = top
	default:
		p.root = start
	}
	p.dirs, p.wide = found.dirs, found.names
	p.root = linkedRoot(p.root, found)
	p.narrow()
	if err := p.given(); err != nil {
		return err
	}
	p.found = len(p.wide) > 0 || len(p.dirs) > 0 && p.dirs[0].Layout == layoutGiven
	return nil
}

// linkedRoot follows a layout's folder that is a link to a folder of the same name elsewhere: the root is then where
// that one stands, so that all writers of one file meet at one lock (D2, D36). With two layouts the links stay links.
func linkedRoot(root string, found layouts) string {
	if len(found.names) != 1 {
		return root
	}
	return followLink(root, "."+found.names[0])
}

func followLink(root, name string) string {
	target := real(filepath.Join(root, name))
	if filepath.Base(target) != name {
		return root
	}
	return filepath.Dir(target)
}

// upward looks for the nearest folder that is the one wanted, and for the folder that holds .git. The folder where the
// search begins is always looked at; without .git the search ends below home and below the file system's root (D28).
func upward(start, home string, only bool, wanted func(dir string) bool) (root, top string) {
	if home != "" {
		home = real(home)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		git := exists(filepath.Join(dir, ".git"))
		parent := filepath.Dir(dir)
		if dir != start && !git && (dir == home || parent == dir) {
			return root, top
		}
		if root == "" && wanted(dir) {
			root = dir
		}
		if git {
			top = dir
		}
		if git || only || parent == dir || dir == home {
			return root, top
		}
	}
}

// narrow keeps the folders of the layout that was asked for.
func (p *Project) narrow() {
	if p.o.Layout == "" || !slices.Contains(taskLayouts(), p.o.Layout) {
		return
	}
	var kept []taskDir
	for _, d := range p.dirs {
		if d.Layout == p.o.Layout {
			kept = append(kept, d)
		}
	}
	if len(kept) == 0 {
		kept = []taskDir{layoutDir(p.o.Layout)}
	}
	p.dirs = kept
}

func layoutDir(name string) taskDir {
	if name == layoutSpecflux {
		return specfluxDir()
	}
	return batonDir()
}

// given puts the folder of --tasks-dir or BATON_TASKS_DIR first. A folder outside the project makes its own root:
// the folder that holds .baton or .specflux when its name is a layout's, else the folder above it.
func (p *Project) given() error {
	dir := p.o.TasksDir
	if dir == "" {
		dir = p.env.Getenv("BATON_TASKS_DIR")
	}
	if dir == "" {
		return nil
	}
	dir = p.absolute(dir)
	if exists(dir) {
		if !isDir(dir) {
			return &report.Error{
				Op: "project.open", Kind: report.Usage, Code: "tasks_dir_invalid",
				Message: dir + " is not a folder", Hint: "name the folder that holds the task files",
			}
		}
		dir = real(dir)
	}
	rel, err := filepath.Rel(p.root, dir)
	if err != nil || !filepath.IsLocal(rel) || len(p.wide) == 0 && p.o.Dir == "" && !exists(filepath.Join(p.root, ".git")) {
		p.root, p.dirs, p.wide = filepath.Dir(dir), nil, nil
		if name := filepath.Base(p.root); name == ".baton" || name == ".specflux" {
			p.root = filepath.Dir(p.root)
		}
		p.root = real(p.root)
		if rel, err = filepath.Rel(p.root, dir); err != nil {
			return err
		}
	}
	first := taskDir{Layout: layoutGiven, Dir: filepath.ToSlash(rel), Archive: ".specflux/archives"}
	if first.Dir == batonDir().Dir {
		first.Archive = batonDir().Archive
	}
	rest := p.dirs
	p.dirs = []taskDir{first}
	for _, d := range rest {
		if d.Dir != first.Dir {
			p.dirs = append(p.dirs, d)
		}
	}
	return nil
}

// real resolves links; a path that does not exist is taken as it is.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// quote puts a word from outside into a message.
func quote(word string) string { return `"` + strings.ToValidUTF8(neutral(word), "\uFFFD") + `"` }
