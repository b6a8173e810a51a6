package protocol

// Facts are what a session learns at its start. The use cases collect them, and this package turns
// them into text.
type Facts struct {
	Source   string // startup, resume, clear, compact, fork; "" if no session starts
	First    bool   // no session of the task is logged yet
	Client   string
	Tools    bool // the client has the tools of baton's server, so texts name these instead of commands
	Project  Digest
	Task     *Task // nil if no task is active
	Proposed bool  // nobody has taken Task; it is the next ready one
	Open     int   // tasks that are not complete, or -1 if not counted
	Ready    int   // or -1 if not counted
	// Files is the number of task files if no task is active and there were too many to read;
	// otherwise 0.
	Files      int
	NoTasks    bool     // the project has no tasks
	Held       []string // open tasks that other sessions hold: which one, by whom, until when
	Git        Git
	Neighbours []Neighbour // other sessions at work, those with overlaps first
	// MoreNeighbours is the number of further sessions at work.
	MoreNeighbours int
	Since          Since
	Touched        []string // files that the session wrote, newest last
	Seen           []string // what hooks saw of the session's work since its last entry, in words
	Moved          []string // what baton itself has just moved to archives, one clause each
	Lost           string   // entries that are missing from documents and how to restore them, on one line, or ""
	Warnings       []string // about drift and sizes, one sentence each, most important first
	MoreWarnings   int      // number of further ones
	Summary        string   // start of the summary of the last compaction, or ""
}

// The kinds of digests that have their own commands.
const (
	KindGSD      = "gsd"
	KindSpecflow = "specflow"
	KindNone     = "none" // used only in Options
)

// Digest describes the state of the project.
type Digest struct {
	Name      string
	Kind      string // KindGSD, KindSpecflow, or "" for baton's own digest and for none
	Path      string // of the digest, or "" if there is none
	Milestone string
	Phase     string
	Status    string
	Percent   int      // or -1 if unknown
	Tasks     string   // how many tasks are complete, as long as no phase has begun; or ""
	Next      string   // the next step, with its command if there is one
	Blockers  []string // newest first
	// MoreBlockers is the number of further, older ones.
	MoreBlockers int
	Decisions    []string // newest last, at most five
	Undecided    bool     // neither the digest nor its archive has a decision
	Folder       string   // the workflow in the state folder, on one line, or ""
}

// Task is the task of the session.
type Task struct {
	ID           string // "#101" or a word
	Command      string // the id in the form that commands accept
	Title        string
	Path         string
	Status       string
	Holder       string // another session that has a live claim, or ""
	Until        string // end of that claim, in a form for people
	Claimed      bool   // this session holds it
	Requirements string
	Criteria     []Criterion
	Done         int
	Total        int
	Words        string   // "criterion" or "feature"
	Session      int      // number of the session that starts
	LastDid      []string // from the last entry
	MoreDid      int      // number of further ones
	Notes        []string // from fields of the last entry that baton does not know, each with its label
	MoreNotes    int      // number of further ones
	Unread       bool     // the file has text about the work that is not in these facts
	Next         []string // next steps of the last entry
	NextFrom     int      // number of the entry that has them, if the last one has none; otherwise 0
	MoreNext     int      // number of further ones
	Failed       []string // issues and failed attempts, newest last
	MoreFailed   int      // number of further, older ones
	Blocked      string   // why it is blocked, or ""
	Drafted      bool     // baton drafted the last entry from facts
	Lacks        bool     // criteria or sessions of it are lost, so it cannot be completed
	Inputs       []Input
	From         string   // the task during which this one was found, "#12", or ""
	Found        []string // open tasks that were found during this one, with number and title
	Size         int64
}

// Criterion is one acceptance criterion.
type Criterion struct {
	N       int
	Text    string
	Checked bool
	Verify  string // command that verifies it, or ""
	Proof   string // command that verified it: it ran and succeeded; or ""
}

// Input is what an upstream task passed on.
type Input struct {
	ID      string
	Title   string
	Brief   string // its first sentences
	Full    string // all of it, or "" if only Brief is available
	Command string // prints all of it
	Changed bool   // it differs from what the task received before
}

// Git is the state of the checkout.
type Git struct {
	Known   bool
	Branch  string
	Head    string   // abbreviated
	Commits []string // "hash subject", newest first
	Dirty   []string // paths of uncommitted files, at most ten
	More    int      // number of further uncommitted files
	Late    bool     // git did not answer in time
	Missing bool     // git is not installed; then Late is set, too
}

// Neighbour is another session at work.
type Neighbour struct {
	Text     string // one line
	Overlaps bool   // it edits files that concern this session
}

// Since is what changed since a session was last seen in this checkout: this session, or the most
// recent other one.
type Since struct {
	When    string   // RFC 3339, or "" if unknown
	Commits []string // made since then
	Files   []string // documents, and files that the session wrote, whose text has changed
}
