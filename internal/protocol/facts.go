package protocol

// Facts are what a session is told at its start, as values: project gathers them, this room words
// them.
type Facts struct {
	Source   string // startup, resume, clear, compact, fork; "" for a look from outside
	First    bool   // no session of the task was logged yet
	Client   string
	Project  Digest
	Task     *Task // nil: no task is active
	Proposed bool  // Task is not taken: it is the next that is ready
	Open     int   // tasks that are not complete; -1: not counted
	Ready    int   // -1: not counted
	// task files that there are when none is active and they were too many to be looked at; 0
	// otherwise
	Files    int
	NoTasks  bool     // the project keeps none
	Held     []string // open tasks that other sessions hold: which, by whom and until when
	Git      Git
	Since    Since
	Touched  []string // files that the session wrote, newest last
	Moved    []string // what baton itself moved to archives just now, one clause each
	Lost     string   // what is gone from documents and how it comes back, one line; "" when nothing is
	Warnings []string // drift, sizes: one sentence each, most important first
	Summary  string   // of the last compaction, cut; "" for none
}

// The kinds of digests that have commands of their own.
const (
	KindGSD      = "gsd"
	KindSpecflow = "specflow"
	KindNone     = "none" // of Options only
)

// Digest is where the project stands.
type Digest struct {
	Name      string
	Kind      string // KindGSD, KindSpecflow, or "" for baton's own and where there is no digest
	Path      string // of the digest, or "" if there is none
	Milestone string
	Phase     string
	Status    string
	Percent   int    // -1: unknown
	Next      string // the next step, with the command where there is one
	Blockers  []string
	Decisions []string // newest last, at most five
	Folder    string   // the workflow that runs in the state folder, one line, "" for none
}

// Task is the task of the session.
type Task struct {
	ID           string // as "#101" or a word
	Command      string // as commands take it
	Title        string
	Path         string
	Status       string
	Holder       string // somebody else's live claim, "" otherwise
	Until        string // of that claim, as people read it
	Claimed      bool   // this session holds it
	Requirements string
	Criteria     []Criterion
	Done         int
	Total        int
	Words        string   // "criterion" or "feature"
	Session      int      // number of the session that begins
	LastDid      []string // of the last entry
	Next         []string // its next steps
	Failed       []string // issues and failed attempts, newest last
	Drafted      bool     // the last entry was drafted by baton from facts
	Inputs       []Input
	Size         int64
}

// Criterion is one acceptance criterion.
type Criterion struct {
	N       int
	Text    string
	Checked bool
	Verify  string // command that shows it, or "" if none is known
}

// Input is what an upstream task handed over.
type Input struct {
	ID      string
	Title   string
	Brief   string // its first sentences
	Full    string // all of it, or "" if only the brief is at hand
	Command string // that prints all of it
	Changed bool   // it is another one than the task was given before
}

// Git is the checkout.
type Git struct {
	Known   bool
	Branch  string
	Head    string   // short
	Commits []string // "hash subject", newest first
	Dirty   []string // paths, at most ten
	More    int      // further dirty paths
	Late    bool     // git gave no answer in time
	Missing bool     // there is no git to ask; Late is set too
}

// Since is what changed since a session was last seen in this checkout: this one, or else the
// newest other.
type Since struct {
	When    string   // RFC 3339, or "" if nothing is known
	Commits []string // made since
	Files   []string // documents, and files that the session wrote, that have another text now
}
