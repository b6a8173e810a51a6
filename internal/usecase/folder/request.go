package folder

// DirRequest says which state folder is meant: of an instance, or the project's own.
type DirRequest struct {
	Instance string // --instance; "" is DEVT_WORKFLOW_ID, and without that the project's own folder
}

// CleanupRequest asks for a cleanup.
type CleanupRequest struct {
	DirRequest
	Apply          bool
	StaleDays      *int // age in days from which an allowed name moves; nil: as the contract says
	AdHocStaleDays *int // younger ad hoc entries stay; nil: all of them move
}

// SweepRequest asks for a reset or an evict.
type SweepRequest struct {
	DirRequest
	Apply bool
}

// BeginRequest begins a workflow.
type BeginRequest struct {
	DirRequest
	Type       string
	Task       string
	NewSession bool
	DryRun     bool
}

// RecordRequest changes the record of the workflow.
type RecordRequest struct {
	DirRequest
	Pairs []string // KEY=VALUE
	Force bool     // store phases, tiers and types that are not known
}

// DirValidateRequest asks for the checks of validate.
type DirValidateRequest struct {
	DirRequest
	Strict bool // warnings count as errors
}

// ContractRequest asks what the contract says: of one name, or all of it.
type ContractRequest struct {
	Name   string
	Schema string // the JSON Schema of this file
}

// LintRequest asks for references to state files that the contract does not know.
type LintRequest struct {
	Paths []string // files and folders; none: the places where agents and workflows are written down
}

// DirHistoryRequest asks for the snapshots.
type DirHistoryRequest struct {
	DirRequest
	Limit int // newest snapshots to show; 0: all
}

// RestoreRequest brings entries of a snapshot back.
type RestoreRequest struct {
	DirRequest
	Snapshot string // name, or a beginning that only one has
	Names    []string
	Swap     bool // a record that is in the way goes to a snapshot of its own
	DryRun   bool
}

// UnlockRequest takes a lock away that nobody holds any more.
type UnlockRequest struct {
	DirRequest
	Stale bool
}
