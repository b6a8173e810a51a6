package statusbar

import (
	"cmp"
	"os"
	"path/filepath"

	"baton/internal/workspace"
	"baton/internal/workspace/planning"
)

// lineSite holds the places of the files for a status line. Paths are absolute, or "" if there is
// none.
type lineSite struct {
	root     string // nearest folder with a layout, or else with .git; its configuration applies
	top      string // folder that contains .git
	holder   string // nearest folder with a digest
	state    string // .planning/STATE.md, or that of its workstream
	lost     bool   // there are workstreams, but none is chosen (1.10)
	specflow string // .specflow/STATE.md
	own      string // .baton/STATE.md
	gsd      string // nearest .planning/config.json
	tasks    string // nearest folder with a layout for tasks
}

// survey searches upward from dir for the nearest digest and the nearest folder of tasks,
// separately (D16), within the limits of D28. given means that a person named the folder, which
// overrides BATON_ROOT.
func (g *glance) survey(dir string, given bool) {
	named := g.env.Getenv("BATON_ROOT")
	only := named != "" && !given
	if only {
		dir = workspace.AbsoluteIn(g.env.Dir, named)
	}
	start := workspace.Real(dir)
	owner := ""
	if !only && !workspace.IsDir(filepath.Join(start, ".planning")) {
		if owner = workspace.GsdOwner(start, g.env.Home); owner != "" {
			g.lookDigest(owner, true, false, false)
		}
	}
	_, g.top = workspace.Upward(start, g.env.Home, only, func(dir string) bool {
		g.look(dir)
		return false
	})
	if name := filepath.Join(owner, ".planning", "config.json"); owner != "" && g.gsd == "" && IsFile(name) {
		g.gsd = name
	}
	g.root = cmp.Or(g.root, g.holder, g.top, start)
}

// look adds the contents of one folder.
func (g *glance) look(dir string) {
	planning := workspace.IsDir(filepath.Join(dir, ".planning"))
	specflow := workspace.IsDir(filepath.Join(dir, ".specflow"))
	baton := workspace.IsDir(filepath.Join(dir, ".baton"))
	if g.holder == "" && (planning || specflow || baton) {
		g.lookDigest(dir, planning, specflow, baton)
	}
	if planning && g.gsd == "" {
		if name := filepath.Join(dir, ".planning", "config.json"); IsFile(name) {
			g.gsd = name
		}
	}
	if g.tasks == "" && g.holdsTasks(dir, baton) {
		g.tasks = dir
	}
	if g.root == "" && (g.holder == dir || g.tasks == dir) {
		g.root = dir
	}
}

// lookDigest adds the digests of a folder, if it has any.
func (g *glance) lookDigest(dir string, planning, specflow, baton bool) {
	if planning {
		g.lookPlanning(dir)
	}
	if name := filepath.Join(dir, ".specflow", "STATE.md"); specflow && IsFile(name) {
		g.specflow = name
	}
	if name := filepath.Join(dir, ".baton", "STATE.md"); baton && IsFile(name) {
		g.own = name
	}
	if g.state != "" || g.lost || g.specflow != "" || g.own != "" {
		g.holder = dir
	}
}

// lookPlanning finds the digest of a GSD project: its own, or else that of the chosen workstream
// (1.10). It does not follow GSD_PROJECT, because the original line does not either.
func (g *glance) lookPlanning(dir string) {
	name := filepath.Join(dir, ".planning", "STATE.md")
	if IsFile(name) {
		g.state = name
		return
	}
	streams := filepath.Join(dir, ".planning", "workstreams")
	if !holdsFolder(streams) {
		return
	}
	chosen := planning.Workstream(dir, g.env.Getenv)
	if chosen == "" {
		g.lost = true
		return
	}
	if name = filepath.Join(streams, chosen, "STATE.md"); IsFile(name) {
		g.state = name
	}
}

// holdsTasks reports whether a folder has a layout for tasks.
func (g *glance) holdsTasks(dir string, baton bool) bool {
	if baton && workspace.IsDir(filepath.Join(dir, ".baton", "tasks")) ||
		workspace.IsDir(filepath.Join(dir, ".specflux")) {
		return true
	}
	if !baton { // without .baton the older folders have no active task
		return false
	}
	for _, d := range workspace.OlderDirs() {
		if workspace.IsDir(filepath.Join(dir, filepath.FromSlash(d.Dir))) {
			return true
		}
	}
	return false
}

// IsFile reports whether path is a regular file or a link to one. It returns false on any error.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// holdsFolder reports whether a folder contains any folder.
func holdsFolder(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.IsDir() {
			return true
		}
	}
	return false
}
