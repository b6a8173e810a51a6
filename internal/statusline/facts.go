package statusline

import (
	"slices"

	"baton/internal/digest/gsd"
	"baton/internal/task"
)

// Digest is the kind of digest that the line is about.
type Digest string

// The kinds of digest. GSD and SpecFlow in one folder count as GSD, with the specification besides
// (specflow.md 5.14).
const (
	NoDigest Digest = ""
	GSD      Digest = "gsd"
	Specflow Digest = "specflow"
	Own      Digest = "baton"
)

// Facts is what the files around the agent's folder say.
type Facts struct {
	Dir    string // base name of the folder
	Branch string // "" outside git
	Digest Digest
	Tasks  bool // the project has a folder of task files

	State *gsd.Head // of a digest in the GSD schema, nil without one
	Note  string    // is in place of the state: which workstream is meant is not known (1.10)
	Spec  *Spec     // active specification, nil without one
	Task  *Task     // active task, nil without one
	Agent *Agent    // what was put into the session's context, or nil if nothing is known of it
	Lost  int       // entries that are lost, as those said last that may ask git (D9)
}

// Agent is what baton put into the context of the agent's session.
type Agent struct {
	Times      int
	Characters int
	Tokens     int // estimated
}

// Spec is SpecFlow's active specification.
type Spec struct {
	ID     string
	Status string // "" when unknown
	More   int    // how many are active besides
}

// Task is the active task (D24).
type Task struct {
	ID       task.ID
	Title    string
	Checked  int // criteria that are met
	Criteria int // all of them
	Sessions int // logged so far
}

// original reports whether the line is to be what the original tool of the layout prints: with its
// digest, and without any project (D23).
func (f Facts) original() bool {
	return f.Digest == GSD || f.Digest == Specflow || f.Digest == NoDigest && !f.Tasks
}

// scaled reports whether the context bar shows what can be used rather than what there is, if
// nothing else is asked for.
func (f Facts) scaled() bool {
	return f.Digest == GSD || f.Digest == NoDigest && !f.Tasks
}

// Options are how the line is to look.
type Options struct {
	Format      string // full or compact (1.10); "" is full
	Plain       bool   // ASCII bars, and no colour
	NoColor     bool
	Columns     int      // width of the terminal, or 0 if unknown or of no matter
	Segments    []string // names in order; nil are the layout's
	Scale       Scale
	Tokens      bool // tokens in use after the percentage
	Front       bool // the context after the model and not at the end
	AutoCompact int  // tokens at which the agent compacts, or 0 if unknown
}

// SegmentNames are the words that the setting statusline.segments takes.
func SegmentNames() []string {
	return []string{"model", "spec", "state", "task", "lost", "agent", "directory", "branch", "context"}
}

// Wants reports whether a segment is one of the line's; what it is made of need not be looked for
// otherwise.
func (o Options) Wants(name string, f Facts) bool { return slices.Contains(o.segments(f), name) }

// segments returns the names in order.
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
		names = append(names, "lost", "agent")
	}
	names = append(names, "directory")
	if !f.original() {
		names = append(names, "branch")
	}
	if !o.Front {
		names = append(names, "context")
	}
	return names
}
