package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// The layouts with tasks (D16), and the older folders of SpecFlux, which are read in place (5.1).
const (
	LayoutBaton    = "baton"
	LayoutSpecflux = "specflux"
	LayoutOlder    = "devflow"
	LayoutGiven    = "given" // --tasks-dir or BATON_TASKS_DIR
)

// LayoutWords returns the words that --layout accepts.
func LayoutWords() []string {
	return []string{LayoutBaton, LayoutSpecflux, LayoutGSD, LayoutSpecflow, LayoutDevt}
}

// TaskLayouts returns the layouts in which baton can create tasks.
func TaskLayouts() []string { return []string{LayoutBaton, LayoutSpecflux} }

// TaskDir is one folder of task files. Names are relative to the root, with slashes.
type TaskDir struct {
	Layout  string
	Dir     string
	Archive string // folder of the archives and evidence of its tasks
}

// StateFile returns the name of a task's file.
func (d TaskDir) StateFile(id task.ID) string { return Join(d.Dir, task.StateName(id)) }

// ArchiveFile returns the name of the archive of a task's sessions.
func (d TaskDir) ArchiveFile(id task.ID) string { return Join(d.Archive, task.ArchiveName(id)) }

// EvidenceFile returns the name of the file with a task's evidence.
func (d TaskDir) EvidenceFile(id task.ID) string { return Join(d.Archive, task.EvidenceName(id)) }

// Join returns the path of a base name in a folder of the root. "." is the root itself.
func Join(dir, base string) string {
	if dir == "." || dir == "" {
		return base
	}
	return dir + "/" + base
}

// BatonDir returns the folder of baton's own layout. It comes first in a search (5.1).
func BatonDir() TaskDir {
	return TaskDir{Layout: LayoutBaton, Dir: ".baton/tasks", Archive: ".baton/archive"}
}

// SpecfluxDir returns the folder of SpecFlux. It comes second.
func SpecfluxDir() TaskDir {
	return TaskDir{Layout: LayoutSpecflux, Dir: ".specflux/task-states", Archive: ".specflux/archives"}
}

// OlderDirs returns the folders of older versions of SpecFlux, in search order. They come last.
func OlderDirs() [2]TaskDir {
	return [2]TaskDir{
		{Layout: LayoutOlder, Dir: "devflow/task-states", Archive: ".specflux/archives"},
		{Layout: LayoutOlder, Dir: "orchestrator/devflow/task-states", Archive: ".specflux/archives"},
	}
}

// WorktreeDir returns the folder where a task's own SpecFlux worktree keeps its state file.
func WorktreeDir(id task.ID) TaskDir {
	base := ".specflux/worktrees/task-" + string(id) + "/.specflux/"
	return TaskDir{Layout: LayoutSpecflux, Dir: base + "task-states", Archive: ".specflux/archives"}
}

// layouts are the layouts found in one folder.
type layouts struct {
	Dirs  []TaskDir
	names []string
}

// OwnFolders returns the folders below the root that hold only baton's files.
func (p *Workspace) OwnFolders() []string {
	own := []string{".baton", ".specflux"}
	for _, d := range p.Dirs {
		for _, dir := range [...]string{d.Dir, d.Archive} {
			base, _, _ := strings.Cut(dir, "/")
			if dir != "." && filepath.IsLocal(filepath.FromSlash(dir)) && !slices.Contains(own, base) &&
				!slices.Contains(own, dir) {
				own = append(own, dir)
			}
		}
	}
	return own
}

// Look finds the layouts in one folder. A .baton with only the runtime folder and the configuration
// is not a layout (D2).
func Look(dir string) layouts {
	var l layouts
	baton := IsDir(filepath.Join(dir, ".baton"))
	tasks := baton && IsDir(filepath.Join(dir, ".baton", "tasks"))
	other := baton && !tasks &&
		(Exists(filepath.Join(dir, ".baton", "STATE.md")) || IsDir(filepath.Join(dir, ".baton", "work")))
	specflux := IsDir(filepath.Join(dir, ".specflux"))
	if tasks || other {
		l.names = append(l.names, LayoutBaton)
	}
	// A .baton with only a digest does not compete for the role of tasks (D16).
	if tasks || other && !specflux {
		l.Dirs = append(l.Dirs, BatonDir())
	}
	if specflux {
		l.names = append(l.names, LayoutSpecflux)
		l.Dirs = append(l.Dirs, SpecfluxDir())
	}
	for _, d := range OlderDirs() {
		if IsDir(filepath.Join(dir, filepath.FromSlash(d.Dir))) {
			l.names = append(l.names, LayoutOlder)
			l.Dirs = append(l.Dirs, d)
		}
	}
	return l
}

// IsDir reports whether path is a folder or a link to one. It returns false on any error.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Exists reports whether anything is at path, even a broken link. It returns false on any error.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Start returns the folder where the search upward begins.
func (p *Workspace) Start() string {
	dir := p.O.Dir
	if dir == "" {
		if named := p.Env.Getenv("BATON_ROOT"); named != "" {
			dir = named
		}
	}
	return p.Absolute(dir)
}

// Absolute returns dir as a clean absolute path, relative to the folder where baton was started.
func (p *Workspace) Absolute(dir string) string { return AbsoluteIn(p.Env.Dir, dir) }

// AbsoluteIn returns dir as a clean absolute path, relative to base.
func AbsoluteIn(base, dir string) string {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(base, dir)
	}
	return filepath.Clean(dir)
}

// locate sets Root and Dirs (5.1, D2, D16, D28).
func (p *Workspace) locate() error {
	if l := p.O.Layout; l != "" && !slices.Contains(LayoutWords(), l) {
		return &report.Error{
			Op: "project.open", Kind: report.Usage, Code: report.CodeLayoutUnknown,
			Message: "there is no layout " +
				safetext.Quote(l), Hint: "use --layout " + strings.Join(LayoutWords(), ", "),
		}
	}
	start := p.Start()
	if !IsDir(start) {
		return &report.Error{
			Op: "project.open", Kind: report.NotFound, Code: report.CodeNoFolder,
			Message: "there is no folder " + start, Hint: "check -C and BATON_ROOT",
		}
	}
	start = Real(start)
	if p.O.FixedRoot != "" {
		p.Root = p.O.FixedRoot
		return nil
	}
	var found layouts
	root, top := Upward(start, p.Env.Home, p.O.Dir == "" && p.Env.Getenv("BATON_ROOT") != "", func(dir string) bool {
		found = Look(dir)
		return len(found.names) > 0
	})
	switch {
	case root != "":
		p.Root = root
	case top != "":
		p.Root = top
	default:
		p.Root = start
	}
	p.Dirs, p.Wide = found.Dirs, found.names
	if len(found.names) == 1 {
		p.Root = p.followLink(p.Root, "."+found.names[0])
	}
	p.narrow()
	if err := p.given(); err != nil {
		return err
	}
	p.Found = len(p.Wide) > 0 || len(p.Dirs) > 0 && p.Dirs[0].Layout == LayoutGiven
	return nil
}

// LinkedRoot follows a layout's folder that is a link to a folder of the same name. The root is
// then the parent of the target, so that all writers of one file use one lock (D2, D36). With two
// layouts, links are not followed.
func LinkedRoot(root string, found layouts) string {
	if len(found.names) != 1 {
		return root
	}
	return followLink(root, "."+found.names[0])
}

func followLink(root, name string) string {
	target := Real(filepath.Join(root, name))
	if filepath.Base(target) != name {
		return root
	}
	return filepath.Dir(target)
}

// Upward searches for the nearest wanted folder, and for the folder with .git. It always checks the
// first folder. Without .git, the search ends below the home folder and below the root of the file
// system (D28).
func Upward(start, home string, only bool, wanted func(dir string) bool) (root, top string) {
	if home != "" {
		home = Real(home)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		git := Exists(filepath.Join(dir, ".git"))
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

// narrow drops the folders of other layouts than the requested one. Those of older versions of
// SpecFlux are SpecFlux's.
func (p *Workspace) narrow() {
	if p.O.Layout == "" || !slices.Contains(TaskLayouts(), p.O.Layout) {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(p.Dirs), func(d TaskDir) bool {
		return d.Layout != p.O.Layout && (d.Layout != LayoutOlder || p.O.Layout != LayoutSpecflux)
	})
	if len(kept) == 0 {
		kept = []TaskDir{LayoutDir(p.O.Layout)}
	}
	p.Dirs = kept
}

// LayoutDir returns the folder for new tasks: that of SpecFlux for its layout, and baton's own for
// all others.
func LayoutDir(name string) TaskDir {
	if name == LayoutSpecflux {
		return SpecfluxDir()
	}
	return BatonDir()
}

// given puts the folder of --tasks-dir or BATON_TASKS_DIR first. A folder outside the project
// determines its own root: the parent of .baton or .specflux if it is in one of these, or else its
// own parent.
func (p *Workspace) given() error {
	dir := p.O.TasksDir
	if dir == "" {
		dir = p.Env.Getenv("BATON_TASKS_DIR")
	}
	if dir == "" {
		return nil
	}
	dir = p.Absolute(dir)
	if Exists(dir) {
		if !IsDir(dir) {
			return &report.Error{
				Op: "project.open", Kind: report.Usage, Code: report.CodeTasksDirInvalid,
				Message: dir + " is not a folder", Hint: "name the folder that holds the task files",
			}
		}
		dir = Real(dir)
	}
	rel, err := filepath.Rel(p.Root, dir)
	if err != nil || !filepath.IsLocal(rel) ||
		len(p.Wide) == 0 && p.O.Dir == "" && !Exists(filepath.Join(p.Root, ".git")) {
		p.Root, p.Dirs, p.Wide = filepath.Dir(dir), nil, nil
		if name := filepath.Base(p.Root); name == ".baton" || name == ".specflux" {
			p.Root = filepath.Dir(p.Root)
		}
		p.Root = Real(p.Root)
		if rel, err = filepath.Rel(p.Root, dir); err != nil {
			return err
		}
	}
	first := TaskDir{Layout: LayoutGiven, Dir: filepath.ToSlash(rel), Archive: ".specflux/archives"}
	if first.Dir == BatonDir().Dir {
		first.Archive = BatonDir().Archive
	}
	rest := p.Dirs
	p.Dirs = []TaskDir{first}
	for _, d := range rest {
		if d.Dir != first.Dir {
			p.Dirs = append(p.Dirs, d)
		}
	}
	return nil
}

// Real resolves links; a path that does not exist is returned unchanged.
func Real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// SpecStatuses returns the status words of a specification (specflow.md 5.4).
func SpecStatuses() []string { return specflow.Statuses() }
