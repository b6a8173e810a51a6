package digests

import (
	"baton/internal/digest/gsd"
)

// NameValue is one value to set.
type NameValue struct{ Name, Value string }

// StateSetRequest sets values of the digest. Either all are set or none.
type StateSetRequest struct {
	Values []NameValue
	Force  bool // replace text that a person wrote, too (N5)
}

// StateSyncRequest updates derived values (D22).
type StateSyncRequest struct {
	Check         bool // write nothing; Violation out_of_sync if something would change
	AllowDecrease bool // let completed counts go down (GSD-D16)
}

// RotateRequest moves decisions to the archive (specflow.md 5.7.6).
type RotateRequest struct {
	DryRun      bool
	Keep        *int // move all but so many
	SortArchive bool // rewrite the archive in time order
	Compress    bool // shorten long cells; the archive gets their whole texts (SF-D28)
}

// TransitionRequest is one step in the life of a phase (gsd.md N6).
type TransitionRequest = gsd.Step

// NextRequest sets the recommended next step. An empty action or none clears it.
type NextRequest struct {
	Action string   `json:"action" enum:"discuss-phase,plan-phase,execute-phase,verify-phase,none"`
	Phases []string `json:"phases"`
}

// MetricRequest adds a row to Performance Metrics (D39).
type MetricRequest struct {
	Phase, Plan string
	Duration    string
	Tasks       int // -1 if unknown
	Files       int // -1 if unknown
}

// DigestSessionRequest ends a session in a project that has a digest and no task (D18).
type DigestSessionRequest struct {
	StoppedAt, ResumeFile string
	Drafted               bool // baton writes this for a session that did not
}

// ActiveRequest changes the list of active specifications (SF-D37).
type ActiveRequest struct {
	Verb    string // add, set or remove
	ID      string
	Status  string
	Next    string
	Replace bool // add: replace the active one in a form with room for one
}

// QueueRequest changes the queue (SF-D37).
type QueueRequest struct {
	Verb     string // add, remove or move
	ID       string
	Title    string
	Priority string
	After    string // add: after this id
	To       int    // move: 1-based place
}

// DecisionRequest adds a decision.
type DecisionRequest struct {
	Text      string `json:"text" required:"true"`
	Rationale string `json:"rationale"`
	Phase     string `json:"phase"` // GSD, and baton's own digest
	Spec      string `json:"spec"`
	Date      string // YYYY-MM-DD; "" is today
	Split     bool
}

// DecisionListRequest asks for decisions.
type DecisionListRequest struct {
	All      bool   `json:"archived" doc:"also archived ones"`
	Spec     string `json:"spec" doc:"only of this specification (SpecFlow)"`
	Archived bool   // only archived ones
}

// BlockerRequest adds a blocker.
type BlockerRequest struct {
	Text  string `json:"text" required:"true"`
	Phase string `json:"phase"`
}

// ResolveRequest resolves blockers.
type ResolveRequest struct {
	Text string `json:"text" doc:"its number in blocker_list, or a part of its text" required:"true"`
	All  bool   // every one that matches
}

// HistoryRequest asks for finished specifications, one specification, the archived decisions, or
// the whole texts of which the digest has only the beginning.
type HistoryRequest struct {
	ID        string
	Decisions bool
	Texts     bool
}
