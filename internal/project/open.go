package project

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
	"baton/internal/task"
)

// Options say where to look and who asks.
type Options struct {
	Env      report.Env    // the world as values
	Dir      string        // -C: where looking upward begins; "" is Env.Dir
	TasksDir string        // --tasks-dir: the one folder of task files, before BATON_TASKS_DIR
	Layout   string        // --layout: baton, specflux, gsd, specflow or devt, narrows every command to it (D16)
	As       string        // --as: the holder (D3)
	Session  string        // the agent's session that this run serves, where the run was told of it: the holder after As and BATON_AS
	Command  string        // for lock messages, "task log"
	Wait     time.Duration // patience for locks; 0 is the store's own (D35), hooks have 300 ms (D15)
	FS       filestore.FS  // file-system seam, nil is the disk

	Agent   bool                        // an agent started this run: where nothing else names it, it is the only live session
	Process func(pid int) filestore.Kin // looks a process up; nil asks the system

	above     Above  // the rooms above
	client    string // of Session, where an event named it
	fixedRoot string // the root is settled: it holds the digest or the state folder
}

// Project is one opened project. Opening finds things and writes nothing (D2); the methods are the use cases.
// A Project is used by one goroutine at a time.
type Project struct {
	o     Options
	env   report.Env
	root  string // real path of the folder that holds the layout's folder (D2)
	found bool   // a layout or a folder of tasks is there
	dirs  []taskDir
	wide  []string // names of the layouts found, for status and init

	git    gitrepo.Repo // the checkout, zero outside git
	store  *filestore.Store
	shared *filestore.Store // claims and ids of all checkouts (D1)
	prefix string           // where this project's documents lie in the shared folder, "" or "services/api/"

	patience time.Duration // of a session's hook, to record what somebody else did; 0 is observePatience

	configOnce sync.Once
	conf       config
	records    *[]filestore.Info // of agents' sessions, once they were listed
	place      string            // system and container of this process, once they were asked for
	around     *agentRecord      // of the session of the agent that started this run, nil for none
	looked     bool              // for it
	writing    *writingAgent     // the agent that this run writes for, once that was asked
}

// Above is what this room asks of rooms above it; Open fills it in. Every field may be called with any open project.
type Above struct {
	Losses   func(*Project) Losses                                           // what documents lost
	Logged   func(context.Context, *Project, task.ID)                        // follows: the caller wrote an entry of a task
	Manifest func(name string, data []byte, outcomes []store.Outcome) []byte // completes the manifest of a sweep
}

// Losses answers questions on entries and files that are gone.
type Losses interface {
	lostIn(ctx context.Context, name string, git bool) bool               // reports whether a document misses entries
	lostFrom(ctx context.Context, name string) []report.Finding           // warnings for the session that takes a task up
	goneTaskError(ctx context.Context, id task.ID, known []task.ID) error // for a task file that baton knew, nil for none
	goneTaskFindings(ctx context.Context, heads []*head) []report.Finding // for all such task files
}

// open finds the project around o.Dir. A folder without any layout is fine: then the methods that need one answer
// NotFound no_project. Usage for a layout word that does not exist.
func open(ctx context.Context, o Options) (*Project, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Project{o: o, env: o.Env}
	if p.env.Now == nil {
		p.env.Now = time.Now
	}
	if p.env.Getenv == nil {
		p.env.Getenv = func(string) string { return "" }
	}
	if p.o.Process == nil {
		p.o.Process = filestore.Processes()
	}
	if err := p.locate(); err != nil {
		return nil, err
	}
	p.git = gitrepo.Open(p.root, p.env.Environ)
	runtime, within, prefix := p.sharedRuntime()
	p.prefix = prefix
	p.store = filestore.Open(filestore.Options{
		Root: p.root, Runtime: runtimeDir, Command: o.Command, Env: p.env, FS: o.FS, Allow: p.allowed(),
		Foreign: foreignLock, Settle: o.above.Manifest, Wait: o.Wait,
		Snapshots: p.snapshotLimits(), Watch: p.watch(),
	})
	p.shared = filestore.Open(filestore.Options{
		Root: runtime, Within: within, Runtime: ".", Command: o.Command, Env: p.env, FS: o.FS, Wait: o.Wait,
	})
	return p, nil
}

// watch says what the store's ledger and log keep (D9, D37): the log goes on where ledger.keep is off.
func (p *Project) watch() filestore.Watch {
	w := filestore.Watch{Head: p.git.Place.Head, By: p.holder, Agent: p.agentWriting}
	if p.config().on("ledger.keep") {
		w.Family, w.Entries = p.familyOf, p.entriesOf
	}
	return w
}

// Close lets go of the stores.
func (p *Project) Close() error {
	return errors.Join(p.store.Close(), p.shared.Close())
}

// runtimeDir is this checkout's runtime folder below the root (D1).
const runtimeDir = ".baton/local"

// sharedRuntime gives the folder that all checkouts of one repository share, and the place of this project's
// documents in it. Two projects in different folders of one repository have one lock and separate claims (D1). within
// is the folder that it must not leave: a repository may hold any part of it as a link.
func (p *Project) sharedRuntime() (dir, within, prefix string) {
	local := filepath.Join(".baton", "local", "shared")
	switch {
	case p.git.Dir == "":
		return filepath.Join(p.root, local), p.root, ""
	case p.git.Main != "":
		dir, within = filepath.Join(p.git.Main, local), p.git.Main
	default:
		dir, within = filepath.Join(p.git.Dir, "baton"), p.git.Dir
	}
	if rel, err := filepath.Rel(p.git.Top, p.root); err == nil && rel != "." && filepath.IsLocal(rel) {
		prefix = strings.ReplaceAll(filepath.ToSlash(rel), ":", "%3A") + "/" // no name of a document holds a colon
	}
	return dir, within, prefix
}

// now is the time of the run's clock, in the local zone.
func (p *Project) now() time.Time { return p.env.Now() }

// stamp writes a time for JSON: RFC 3339, UTC, whole seconds (TS-D8).
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// parseStamp reads what stamp wrote; the zero time for anything else.
func parseStamp(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// need refuses to go on without a project, and without its folder of tasks where one was named.
func (p *Project) need(op string) error {
	if err := p.keepsTasks(op); err != nil {
		return err
	}
	if err := p.folders(op); err != nil {
		return err
	}
	if root := p.anyRoot(); !p.found && root != "" {
		return &report.Error{
			Op: op, Kind: report.NotFound, Code: "no_project",
			Message: "no tasks are kept in " + root,
			Hint:    "`baton task new TITLE --accept TEXT` creates the first one",
		}
	}
	if !p.found {
		return &report.Error{
			Op: op, Kind: report.NotFound, Code: "no_project",
			Message: "no baton project was found in " + p.start() + " or above it",
			Hint:    "run `baton init` in the project's root, or name a folder with -C",
		}
	}
	if len(p.dirs) > 0 && p.dirs[0].Layout == layoutGiven {
		if dir := filepath.Join(p.root, filepath.FromSlash(p.dirs[0].Dir)); !exists(dir) {
			return &report.Error{
				Op: op, Kind: report.NotFound, Code: "tasks_dir_missing",
				Message: "there is no folder " + dir, Hint: "check --tasks-dir and BATON_TASKS_DIR; `baton task new` makes the folder",
			}
		}
	}
	return nil
}

// keepsTasks refuses a layout that was asked for and keeps no tasks.
func (p *Project) keepsTasks(op string) error {
	l := p.o.Layout
	if l == "" || slices.Contains(taskLayouts(), l) {
		return nil
	}
	return &report.Error{
		Op: op, Kind: report.Usage, Code: "layout_unknown",
		Message: "the layout " + l + " keeps no tasks", Hint: "use --layout " + strings.Join(taskLayouts(), " or --layout "),
	}
}

// folders refuses to go on where something else stands in the place of a folder of tasks: the search passes such a
// place over, and "no project" would send people looking elsewhere.
func (p *Project) folders(op string) error {
	paths := make([]string, 0, len(p.dirs)+1)
	for _, d := range p.dirs {
		paths = append(paths, filepath.Join(p.root, filepath.FromSlash(d.Dir)))
	}
	if !p.found {
		for dir := real(p.start()); ; dir = filepath.Dir(dir) {
			paths = append(paths, filepath.Join(dir, ".baton", "tasks"))
			if dir == p.root || dir == filepath.Dir(dir) {
				break
			}
		}
	}
	for _, path := range paths {
		if exists(path) && !isDir(path) {
			return &report.Error{
				Op: op, Kind: report.Refused, Code: "tasks_dir_invalid", Path: path,
				Message: path + " is not a folder", Hint: "move it away: the task files stand in a folder of that name",
			}
		}
	}
	return nil
}

var _ store.Reader = (*filestore.Store)(nil)
