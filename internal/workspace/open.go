// Package workspace opens a project: its root, layouts, configuration and holder, the store of its
// documents, and what all worktrees of a repository share. It loads and saves documents for the use
// cases above it. If it needs something from packages above it, it asks through Above.
package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"baton/internal/agentsession"
	"baton/internal/shared"

	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/workspace/config"
	"baton/internal/workspace/index"
)

// FoundNow searches again after a layout was created, so that the same run can use the project.
func (p *Workspace) FoundNow() error {
	if p.Found {
		return nil
	}
	return p.locate()
}

// Options say where to look for the project, and on whose behalf.
type Options struct {
	Env      report.Env // clock, variables, user and process as values
	Dir      string     // -C: where the search upward begins; "" is Env.Dir
	TasksDir string     // --tasks-dir: the folder of task files; takes precedence over BATON_TASKS_DIR
	Layout   string     // --layout: baton, specflux, gsd, specflow or devt, for every command (D16)
	As       string     // --as: the holder (D3)
	// session of the agent that this run serves, if known; the holder if As and BATON_AS are empty
	Session string
	Command string        // for lock messages, "task log"
	Wait    time.Duration // how long to wait for locks; 0 means the store's default (D35), hooks have 300 ms (D15)
	GitTime time.Duration // how long one question to git may take; 0: 300 ms
	FS      disk.FS       // file-system seam; nil means the disk

	// an agent started this run; if nothing else names its session, it is the only live one
	Agent   bool
	Process func(pid int) disk.ProcessInfo // looks up a process; nil asks the system

	Looked    int        // number of tasks up to which a change looks at every file; 0: 256, negative: none (D43)
	Rehearsal *Rehearsal // collects changes instead of making them; nil makes them

	Above     Above  // the packages above
	Here      bool   // ignore what other worktrees completed (D42)
	Client    string // client of Session, if an event named it
	FixedRoot string // the root is known already: it has the digest or the state folder
	Confined  bool   // nothing outside the root is read or written, whatever is approved
	// an agent asks: what a link leads to outside the root is read only if it is approved
	Wary bool
}

// Workspace is an opened project. Opening finds things and writes nothing (D2). A Workspace is used
// by one goroutine at a time.
type Workspace struct {
	O     Options
	Env   report.Env
	Root  string // real path of the folder that holds the layout's folder (D2)
	Found bool   // there is a layout or a folder of tasks
	Dirs  []TaskDir
	Wide  []string // names of the layouts found, for status and init

	Git    gitrepo.Repo // the checkout; zero outside git
	Store  *filestore.Store
	Index  *index.Keeper    // what lists need of each task file (D43)
	Kept   *history.History // the history of the store's documents
	Shared *filestore.Store // claims and ids of all checkouts (D1)
	Prefix string           // folder of this project's documents in the shared folder; "" or "services/api/"

	Patience time.Duration // of a session's hook, to record an edit or to ask git about a loss; 0: 300 ms each

	configOnce sync.Once
	Conf       config.Config
	records    *[]disk.FileInfo      // of agents' sessions, once listed
	recorded   map[string]recordRead // of them, those that were read, by file
	client     clientProcess         // of the session that was last looked at
	place      string                // system and container of this process, once known
	around     *agentsession.Record  // record of the session whose agent started this run, or nil
	looked     bool                  // around was looked up
	writing    *writingAgent         // the agent on whose behalf this run writes, once known
	belief     *belief               // what the user approved, once known
	handled    *agentsession.Record  // that the first event of this run changed
	read       atomic.Pointer[readClaims]
	linkedFrom *Workspace // where a link of a layout's folder led here from; nil: there was none
}

// Above holds what this package needs from packages above it. The caller of Open fills it in. Every
// function in it can be called with any open project.
type Above struct {
	Losses   func(*Workspace) Losses                                         // what documents lost
	Joins    []func(*Workspace, *Change) error                               // called before each commit, in this order
	Follows  []Follow                                                        // called after each commit, in this order
	Manifest func(name string, data []byte, outcomes []store.Outcome) []byte // completes the manifest of a clean-up
}

// Losses answers questions about entries and files that are gone.
type Losses interface {
	// Prepare begins to read what GoneTaskFindings needs, and returns a function that waits for it.
	Prepare(ctx context.Context) (wait func())
	// LostIn reports whether entries of a document are missing.
	LostIn(ctx context.Context, name string, git bool) bool
	// LostWork describes the criteria and sessions that the documents of a task lost; "" for none.
	// It also returns warnings if git gave no answer.
	LostWork(ctx context.Context, name string) (words string, doubts []report.Finding)
	// GoneEvidence returns the kept text of an evidence file that is gone, or nil.
	GoneEvidence(ctx context.Context, name string) ([]byte, error)
	// GoneTaskError returns the error for a task file that baton has seen before, or nil.
	GoneTaskError(ctx context.Context, id task.ID, known []task.ID) error
	GoneTaskFindings(ctx context.Context, existing []*Head) []report.Finding // for all such task files
}

// Open finds the project around o.Dir. A folder without any layout is no error; methods that need a
// layout then return NotFound no_project. Usage for an unknown layout word.
func Open(ctx context.Context, o Options) (*Workspace, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Workspace{O: o, Env: o.Env}
	if p.Env.Now == nil {
		p.Env.Now = time.Now
	}
	if p.Env.Getenv == nil {
		p.Env.Getenv = func(string) string { return "" }
	}
	if p.O.Process == nil {
		p.O.Process = disk.ProcessTable()
	}
	if err := p.locate(); err != nil {
		return nil, err
	}
	p.Git = gitrepo.Open(p.Root, p.Env.Environ)
	p.Git.Patience = o.GitTime
	runtime, within, prefix := p.sharedRuntime()
	p.Prefix = prefix
	p.Store = filestore.Open(filestore.Options{
		Root: p.Root, Runtime: RuntimeDir, Command: o.Command, Env: p.Env, FS: o.FS, Allow: p.allow,
		ReadAllowed: o.Agent || o.Wary, Foreign: ForeignLock, RecordOutcomes: o.Above.Manifest, Wait: o.Wait,
		Committed: func(names []string, alone bool) { p.Index.Committed(names, alone) },
	})
	if o.Confined {
		p.Store.Confine()
	}
	p.Index = p.newIndex()
	p.Kept = history.Keep(p.Store, history.Options{Snapshots: p.snapshotLimits(), Watch: p.watch()})
	p.Shared = filestore.Open(filestore.Options{
		Root: runtime, Within: within, Runtime: ".", Command: o.Command, Env: p.Env, FS: o.FS, Wait: o.Wait,
	})
	return p, nil
}

// watch returns what the store's ledger and log record (D9, D37). The log is kept even if
// ledger.keep is off.
func (p *Workspace) watch() history.Watch {
	w := history.Watch{Head: p.Git.Place.Head, By: p.Holder, Agent: p.AgentWriting}
	if p.Settings().On("ledger.keep") {
		w.Family, w.Entries = p.FamilyOf, p.EntriesOf
	}
	return w
}

// Close closes the stores.
func (p *Workspace) Close() error {
	return errors.Join(p.Store.Close(), p.Shared.Close())
}

// RuntimeDir is this checkout's runtime folder below the root (D1).
const RuntimeDir = ".baton/local"

// sharedRuntime returns the folder that all checkouts of a repository share, and in it the folder
// of this project's documents. Two projects in different folders of one repository have one lock
// and separate claims (D1). within is the folder that dir must not leave, because a repository may
// hold any part of it as a link.
func (p *Workspace) sharedRuntime() (dir, within, prefix string) {
	local := filepath.Join(".baton", "local", "shared")
	switch {
	case p.Git.Dir == "":
		return filepath.Join(p.Root, local), p.Root, ""
	case p.Git.Main != "":
		dir, within = filepath.Join(p.Git.Main, local), p.Git.Main
	default:
		dir, within = filepath.Join(p.Git.Dir, "baton"), p.Git.Dir
	}
	if rel, err := filepath.Rel(p.Git.Top, p.Root); err == nil && rel != "." && filepath.IsLocal(rel) {
		prefix = strings.ReplaceAll(filepath.ToSlash(rel), ":", "%3A") + "/" // names of documents must not have a colon
	}
	return dir, within, prefix
}

// Now returns the time of the run's clock, in the local zone.
func (p *Workspace) Now() time.Time { return p.Env.Now() }

// Stamp formats a time for JSON (TS-D8).
func Stamp(t time.Time) string { return shared.Stamp(t) }

// ParseStamp parses the output of Stamp. Anything else is the zero time.
func ParseStamp(text string) time.Time { return shared.ParseStamp(text) }

// Need returns an error without a project, and if a named folder of tasks is missing.
func (p *Workspace) Need(op string) error {
	if err := p.KeepsTasks(op); err != nil {
		return err
	}
	if err := p.Folders(op); err != nil {
		return err
	}
	if root := p.AnyRoot(); !p.Found && root != "" {
		return &report.Error{
			Op: op, Kind: report.NotFound, Code: report.CodeNoProject, Message: "no tasks are kept in " + root,
			Hint: "`baton task new TITLE --accept TEXT` creates the first one",
		}
	}
	if !p.Found {
		return p.NoProject(op)
	}
	if len(p.Dirs) > 0 && p.Dirs[0].Layout == LayoutGiven {
		if dir := filepath.Join(p.Root, filepath.FromSlash(p.Dirs[0].Dir)); !Exists(dir) {
			return &report.Error{
				Op: op, Kind: report.NotFound, Code: report.CodeTasksDirMissing,
				Message: "there is no folder " +
					dir, Hint: "check --tasks-dir and BATON_TASKS_DIR; `baton task new` makes the folder",
			}
		}
	}
	return nil
}

// KeepsTasks returns an error if the requested layout has no tasks.
func (p *Workspace) KeepsTasks(op string) error {
	l := p.O.Layout
	if l == "" || slices.Contains(TaskLayouts(), l) {
		return nil
	}
	return &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodeLayoutUnknown,
		Message: "the layout " + l + " has no tasks",
		Hint:    "use --layout " + strings.Join(TaskLayouts(), " or --layout "),
	}
}

// Folders returns an error if something else is in the place of a folder of tasks. The search skips
// such a place, so the error "no project" would send people looking elsewhere.
func (p *Workspace) Folders(op string) error {
	paths := make([]string, 0, len(p.Dirs)+1)
	for _, d := range p.Dirs {
		paths = append(paths, filepath.Join(p.Root, filepath.FromSlash(d.Dir)))
	}
	if !p.Found {
		for dir := Real(p.Start()); ; dir = filepath.Dir(dir) {
			paths = append(paths, filepath.Join(dir, ".baton", "tasks"))
			if dir == p.Root || dir == filepath.Dir(dir) {
				break
			}
		}
	}
	for _, path := range paths {
		if Exists(path) && !IsDir(path) {
			return &report.Error{
				Op: op, Kind: report.Refused, Code: report.CodeTasksDirInvalid, Path: path,
				Message: path + " is not a folder", Hint: "move it away: the task files are in a folder of that name",
			}
		}
	}
	return nil
}

var _ store.Reader = (*filestore.Store)(nil)
