package folder

import (
	"encoding/json"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/declaration"
)

// DirAudit is the answer of "dir audit" (devt.md 5.7, 5.19).
type DirAudit struct {
	Layout     string                           `json:"layout"` // devt or baton
	Folder     string                           `json:"folder"` // relative to the root
	Exists     bool                             `json:"exists"`
	Buckets    map[statedir.Bucket][]AuditEntry `json:"buckets"` // all four, each by name
	Counts     map[string]int                   `json:"counts"`  // by bucket, and "total"
	TotalBytes int64                            `json:"total_bytes"`
	Findings   []report.Finding                 `json:"findings"`
	// the state folder of another layout in the same root
	Others []DirAudit `json:"others,omitempty"`
}

// AuditEntry is one entry of the folder.
type AuditEntry struct {
	Name      string            `json:"name"` // invalid bytes shown as \xNN
	NameBytes []byte            `json:"name_bytes,omitempty"`
	Kind      statedir.Kind     `json:"kind"`
	Size      int64             `json:"size"`
	ModTime   string            `json:"mtime"` // RFC 3339 with nanoseconds, UTC
	AgeS      float64           `json:"age_s"` // seconds; negative for a time in the future
	Row       *string           `json:"row"`   // canonical name or pattern
	Exempt    bool              `json:"exempt"`
	Inherited bool              `json:"inherited"`        // left by an earlier workflow
	Link      string            `json:"link,omitempty"`   // dangling, looping or outside
	Would     map[string]string `json:"would"`            // sweeps that would move it now, with the reason
	Reason    string            `json:"reason,omitempty"` // why a known name does not count: folder
	// for an ad hoc entry with a similar allowed name, otherwise null
	Suggestion *string `json:"suggestion"`
}

// DirSweep is the answer of cleanup, reset, evict and begin.
type DirSweep struct {
	Layout   string           `json:"layout"`
	Folder   string           `json:"folder"`
	Sweep    statedir.Sweep   `json:"sweep"`
	Applied  bool             `json:"applied"`
	Snapshot *string          `json:"snapshot"` // null in a dry run, and if nothing moved
	Entries  []SweptEntry     `json:"entries"`
	Counts   map[string]int   `json:"counts"` // entries by state
	Bytes    int64            `json:"bytes"`  // of the entries that moved or would move
	Kept     []cleanup.Kept   `json:"spared"`
	Dropped  []string         `json:"dropped"` // snapshots that left the ring; `baton snapshot` has their files
	Due      []string         `json:"due"`     // older snapshots beyond the ring that are still there
	Running  *RunningWorkflow `json:"running"` // the workflow running before the sweep, or null
	Warnings []report.Finding `json:"warnings"`
}

// RunningWorkflow is a workflow whose record says that it is active.
type RunningWorkflow struct {
	WorkflowType string `json:"workflow_type"`
	Task         string `json:"task"`
	Phase        string `json:"phase"`
}

// SweptEntry is one entry of a sweep.
type SweptEntry struct {
	Name      string          `json:"name"`
	NameBytes []byte          `json:"name_bytes,omitempty"`
	Kind      statedir.Kind   `json:"kind"`
	Size      int64           `json:"size"`
	Bucket    statedir.Bucket `json:"bucket"`
	Reason    string          `json:"reason"`
	State     string          `json:"state"` // would_move, moved, vanished, changed or failed
	Error     string          `json:"error"` // "" if there is none
}

// BeginResult is the answer of "dir begin".
type BeginResult struct {
	DirSweep
	Resumed   bool            `json:"resumed"` // the same workflow continues, and nothing was done
	Record    json.RawMessage `json:"record"`
	Inherited []string        `json:"inherited"` // entries of an earlier workflow that remain
}

// RecordResult is the answer of "dir read": the record itself with its own keys.
type RecordResult struct {
	Layout   string           `json:"-"`
	Path     string           `json:"-"`
	Exists   bool             `json:"-"`
	Record   json.RawMessage  `json:"-"`
	Warnings []report.Finding `json:"-"`
}

// MarshalJSON returns the record unchanged.
func (r RecordResult) MarshalJSON() ([]byte, error) { return r.Record, nil }

// RecordChange is the answer of "dir update".
type RecordChange struct {
	Layout   string           `json:"layout"`
	Path     string           `json:"path"`
	Record   json.RawMessage  `json:"record"`
	Changed  []string         `json:"changed"`
	Warnings []report.Finding `json:"warnings"`
}

// DirValidation is the answer of "dir validate".
type DirValidation struct {
	Layout   string             `json:"layout"`
	Folder   string             `json:"folder"`
	OK       bool               `json:"ok"`
	Checked  int                `json:"checked"` // number of checked files
	Errors   []statedir.Problem `json:"errors"`
	Warnings []statedir.Problem `json:"warnings"`
}

// ContractResult is the answer of "dir contract". Exactly one of its fields is set.
type ContractResult struct {
	Name     *declaration.Explanation `json:"-"`
	Contract *declaration.Description `json:"-"`
	Schema   json.RawMessage          `json:"-"`
	Warnings []report.Finding         `json:"-"` // problems of the project's contract.yaml
}

// MarshalJSON returns the field that is set.
func (r ContractResult) MarshalJSON() ([]byte, error) {
	switch {
	case r.Name != nil:
		return json.Marshal(r.Name)
	case r.Schema != nil:
		return r.Schema, nil
	}
	return json.Marshal(r.Contract)
}

// LintResult is the answer of "dir lint".
type LintResult struct {
	OK       bool             `json:"ok"`
	Files    int              `json:"files"` // number of checked files
	Findings []LintFinding    `json:"findings"`
	Warnings []report.Finding `json:"warnings"`
}

// LintFinding is one reference that the contract does not know.
type LintFinding struct {
	File string `json:"file"` // relative to the root
	declaration.Reference
}

// DirHistory is the answer of "dir history".
type DirHistory struct {
	Layout    string           `json:"layout"`
	Folder    string           `json:"folder"`
	Snapshots []SnapshotView   `json:"snapshots"` // newest first
	Warnings  []report.Finding `json:"warnings"`
	Others    []DirHistory     `json:"others,omitempty"` // of the state folder of another layout in the same root
}

// SnapshotView is one snapshot.
type SnapshotView struct {
	Name    string         `json:"name"`
	Kind    statedir.Sweep `json:"kind"`
	Moment  string         `json:"moment"` // RFC 3339 with milliseconds, UTC
	Entries int            `json:"entries"`
	// false: its sweep was interrupted; Entries is then the number of entries in the folder
	Complete     bool   `json:"complete"`
	Manifest     bool   `json:"manifest"` // false: made by the original tool
	WorkflowID   string `json:"workflow_id,omitempty"`
	WorkflowType string `json:"workflow_type,omitempty"`
	Task         string `json:"task,omitempty"`
	Phase        string `json:"phase,omitempty"`
	Status       string `json:"status,omitempty"`
}

// RestoreResult is the answer of "dir restore".
type RestoreResult struct {
	Layout   string           `json:"layout"`
	Folder   string           `json:"folder"`
	Snapshot string           `json:"snapshot"`
	Applied  bool             `json:"applied"`
	Entries  []RestoredEntry  `json:"entries"`
	Swapped  *string          `json:"swapped"` // new snapshot of the previous record
	Emptied  bool             `json:"emptied"` // the snapshot became empty and was removed with its manifest
	Warnings []report.Finding `json:"warnings"`
}

// RestoredEntry is one entry of a restore.
type RestoredEntry struct {
	Name      string        `json:"name"`
	NameBytes []byte        `json:"name_bytes,omitempty"`
	Kind      statedir.Kind `json:"kind"`
	Size      int64         `json:"size"`
	State     string        `json:"state"` // would_move, restored, taken, missing, changed or failed
	Error     string        `json:"error"` // "" if there is none
}

// FolderStatus is the state folder in brief, for "status".
type FolderStatus struct {
	Layout       string         `json:"layout"`
	Path         string         `json:"path"` // of the folder, relative to the root
	Exists       bool           `json:"exists"`
	Counts       map[string]int `json:"counts"` // by bucket, and "total"
	Bytes        int64          `json:"bytes"`
	Active       bool           `json:"active"` // a workflow is running
	WorkflowType string         `json:"workflow_type,omitempty"`
	Task         string         `json:"task,omitempty"`
	Phase        string         `json:"phase,omitempty"`
}

// DirLock is the answer of "dir lock" and "dir unlock".
type DirLock struct {
	Layout   string           `json:"layout"`
	Path     string           `json:"path"`
	Held     bool             `json:"held"`              // the lock file exists
	PID      *int             `json:"pid"`               // process that it names, or nil
	Command  string           `json:"command,omitempty"` // of that process, if the system tells it
	Alive    bool             `json:"alive"`
	Stale    bool             `json:"stale"`
	Why      string           `json:"why"` // one sentence
	AgeS     float64          `json:"age_s"`
	Removed  bool             `json:"removed"` // unlock removed it
	Rebuild  bool             `json:"rebuild"` // .graphify-rebuild.lock of another program exists
	Warnings []report.Finding `json:"warnings"`
}

// SlugResult is the answer of "dir slug".
type SlugResult struct {
	Lanes []LaneName `json:"lanes"`
}

// LaneName is a lane with the file of its review.
type LaneName struct {
	Title string `json:"title"`
	Slug  string `json:"slug"`
	File  string `json:"file"` // name of its review in the folder
}
