package folder

// DirRequest selects a state folder: an instance's, or the project's own.
type DirRequest struct {
	Instance string // --instance; "" means DEVT_WORKFLOW_ID, or else the project's own folder
}

// CleanupRequest requests a cleanup.
type CleanupRequest struct {
	DirRequest
	Apply          bool
	StaleDays      *int // minimum age in days for allowed names to move; nil: as in the contract
	AdHocStaleDays *int // minimum age in days for ad hoc entries to move; nil: all of them move
}

// SweepRequest requests a reset or an evict.
type SweepRequest struct {
	DirRequest
	Apply bool
	Steal bool // reset: also end a workflow that somebody else is at work on
}

// BeginRequest begins a workflow.
type BeginRequest struct {
	DirRequest
	Type       string
	Task       string
	NewSession bool
	DryRun     bool
	Steal      bool // also end a workflow that somebody else is at work on
}

// RecordRequest changes the record of the workflow.
type RecordRequest struct {
	DirRequest
	Pairs []string // KEY=VALUE
	Force bool     // accept unknown phases, tiers and types
}

// DirValidateRequest requests the checks of validate.
type DirValidateRequest struct {
	DirRequest
	Strict bool // warnings count as errors
}

// ContractRequest requests one name of the contract, or all of it.
type ContractRequest struct {
	Name   string
	Schema string // the JSON Schema of this file
}

// LintRequest requests a search for references to state files that the contract does not know.
type LintRequest struct {
	Paths []string // files and folders; empty: the usual places of texts for agents
}

// DirHistoryRequest requests the list of snapshots.
type DirHistoryRequest struct {
	DirRequest
	Limit int // newest snapshots to show; 0: all
}

// RestoreRequest restores entries of a snapshot.
type RestoreRequest struct {
	DirRequest
	Snapshot string // name, or an unambiguous beginning of one
	Names    []string
	Swap     bool // move the present record to its own snapshot
	DryRun   bool
}

// UnlockRequest removes a lock that nobody holds.
type UnlockRequest struct {
	DirRequest
	Stale bool
}
