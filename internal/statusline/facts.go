package statusline

import (
	"slices"

	"baton/internal/digest/gsd"
	"baton/internal/digest/standing"
	"baton/internal/task"
)

// Digest is the kind of digest that the line describes.
type Digest string

// The kinds of digest. A folder with both GSD and SpecFlow counts as GSD, and the line also shows
// the specification (specflow.md 5.14).
const (
	NoDigest Digest = ""
	GSD      Digest = "gsd"
	Specflow Digest = "specflow"
	Own      Digest = "baton"
)

// Facts are what the files around the agent's folder say.
type Facts struct {
	Dir    string // base name of the folder
	Branch string // "" outside a git repository
	Digest Digest
	Tasks  bool // the project has a folder of task files

	State *gsd.Head // of a digest in the GSD schema, or nil

	Standing *standing.Facts // how far the tasks are, if the digest says it; or nil

	Note  string // replaces the state if it is unclear which workstream is meant (1.10)
	Spec  *Spec  // active specification, or nil
	Task  *Task  // active task, or nil
	Agent *Agent // what was put into the session's context, or nil if unknown
	Lost  int    // number of lost entries at the last time git was asked (D9)

	// What GSD's own line shows besides the digest (F-60).
	Todo        string      // the to-do in progress; it takes the place of the state
	Update      bool        // a newer release of GSD is there
	Hooks       HooksNotice // GSD's hooks are of another version than GSD
	LastCommand string      // the last command of the session, without its slash

	Git *GitStatus // only if GSD's settings ask for it, or nil

	Waiting int // number of agents' sessions that wait for a person, if it was counted a short time ago
}

// GitStatus is what git says about the folder, as GSD's line counts it.
type GitStatus struct {
	Branch        string // (detached) without one
	Ahead, Behind int
	Staged        int
	Unstaged      int // with conflicts
	Untracked     int
}

// HooksNotice says that GSD's hooks have another version than GSD.
type HooksNotice string

// The notices of GSD's line.
const (
	HooksStale HooksNotice = "stale hooks — run /gsd:update"
	HooksAhead HooksNotice = "dev install — re-run installer to sync hooks"
)

// Agent is what baton put into the context of the agent's session.
type Agent struct {
	Times      int
	Characters int
	Tokens     int // estimated
}

// Spec is SpecFlow's active specification.
type Spec struct {
	ID     string
	Status string // "" if unknown
	More   int    // number of further active specifications
}

// Task is the active task (D24).
type Task struct {
	ID       task.ID
	Title    string
	Checked  int // number of checked criteria
	Criteria int // number of all criteria
	Sessions int // number of logged sessions
	Status   task.Status
	Next     *Next // the task to start next, if this one is finished and another is ready
}

// finished reports whether nobody works on the task any more.
func (t *Task) finished() bool {
	return t.Status == task.StatusComplete || t.Status == task.StatusCancelled
}

// original reports whether the line must match that of the layout's original tool. That is so for
// its digest, and outside any project (D23).
func (f Facts) original() bool {
	return f.Digest == GSD || f.Digest == Specflow || f.Digest == NoDigest && !f.Tasks
}

// scaled reports whether by default the context bar shows the usable part of the window instead of
// all of it.
func (f Facts) scaled() bool {
	return f.Digest == GSD || f.Digest == NoDigest && !f.Tasks
}

// Options control the appearance of the line.
type Options struct {
	Format      string // full or compact (1.10); "" is full
	Plain       bool   // ASCII bars and no colours
	NoColor     bool
	Columns     int      // width of the terminal, or 0 if unknown or unlimited
	Segments    []string // names in order; nil for those of the layout
	Scale       Scale
	Tokens      bool // show tokens in use after the percentage
	Front       bool // show the context after the model instead of at the end
	Git         bool // ask git, as GSD's settings ask for
	LastCommand bool // show the last command, as GSD's settings ask for
	AutoCompact int  // number of tokens at which the agent compacts, or 0 if unknown
}

// SegmentNames returns the words that the setting statusline.segments accepts.
func SegmentNames() []string {
	return []string{
		"update", "hooks", "model", "spec", "state", "task", "waiting", "lost", "agent", "directory", "git",
		"branch", "context", "last",
	}
}

// Wants reports whether the line has a segment. If not, its facts need not be collected.
func (o Options) Wants(name string, f Facts) bool { return slices.Contains(o.segments(f), name) }

// segments returns the names of the segments in order.
func (o Options) segments(f Facts) []string {
	if len(o.Segments) > 0 {
		return o.Segments
	}
	names := []string{"model"}
	if f.Spec != nil {
		names = []string{"spec", "model"}
	}
	if o.Front {
		names = append(names, "context")
	}
	names = append(names, "state")
	if f.Tasks {
		names = append(names, "task")
	}
	if !f.original() {
		names = append(names, "waiting", "lost", "agent")
	}
	names = append(names, "directory")
	if f.Digest == GSD {
		names = append(names, "git")
	}
	if !f.original() {
		names = append(names, "branch")
	}
	if !o.Front {
		names = append(names, "context")
	}
	if f.Digest == GSD {
		names = append(append([]string{"update", "hooks"}, names...), "last")
	}
	return names
}
