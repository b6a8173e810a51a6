package tasks

import (
	"io"
	"time"

	"baton/internal/task"
	"baton/internal/task/create"
)

// NewRequest requests new tasks. All tasks of one request are created in one transaction and may
// depend on each other (D20).
type NewRequest struct {
	Tasks []NewTask
}

// NewTask is one task to create. Zero fields have defaults.
type NewTask struct {
	ID           string // "" = next free number
	Title        string // required
	Epic         string // "TITLE (#ID)", "TITLE" or "#ID"
	Repository   string
	PRD          string
	Agent        string
	After        []string // ids of dependencies
	Requirements string
	Criteria     []create.Criterion
	Dialect      string // "v1", "v2" or "" for the configured one
	Priority     string // high, normal, low, or "" for normal
	From         string // id of the task during which this one was found
	Source       string // where it was imported from
}

// ListRequest limits a list. Status is any accepted status word, where ready leaves out tasks that
// wait; Epic matches an epic's id or title.
type ListRequest struct {
	Status string `json:"status" doc:"ready, waiting, in_progress, blocked, complete …"`
	Epic   string `json:"epic"`
	Match  string // in the title, the epic or the agent, ignoring case
	Mine   bool   // tasks that the caller holds, or that name the caller as their agent
	Ready  bool   // tasks that can start now
	Sort   string // one of Orders; "" is the first
	Limit  int    // most rows; 0 = all
}

// ShowRequest requests one task.
type ShowRequest struct {
	ID      string `json:"id" required:"true"`
	Section string `json:"section" doc:"only this section, by heading"` // or its kind
	All     bool   `json:"archived"`
	Deps    bool   // add dependents and warnings about other files (D29)
	Commits bool   // list commits
}

// ClaimRequest requests a task exclusively (D3, D17).
type ClaimRequest struct {
	ID     string        `json:"id" doc:"task id"`
	Next   bool          // take the first ready task
	Lease  time.Duration // 0 = the configured one
	Steal  bool          // take it from a live holder; Reason required
	From   string        // Steal: only from this holder; "" from anybody
	Reason string
	Force  bool // accept a task that is neither ready nor complete

	// Scope names the files that the holder works on, by path patterns as in claimscope.Parse.
	// Empty: the scope of the holder's present claim.
	Scope []string `json:"scope" doc:"files you will work on, as path patterns like src/auth/**"`
}

// TaskRequest names a task and, if the command needs one, a reason.
type TaskRequest struct {
	ID     string `json:"id" required:"true"`
	Reason string
	Force  bool
}

// LogRequest appends one entry.
type LogRequest struct {
	ID  string `json:"id" required:"true"`
	New bool   `json:"-"` // write a new entry instead of adding to the one of this session (D53)
	task.Entry
}

// CheckRequest checks or unchecks a criterion (D6, D19).
type CheckRequest struct {
	ID       string `json:"id" required:"true"`
	Selector string `json:"criterion" doc:"its number, key or whole text" required:"true"`
	Evidence string `json:"evidence" doc:"what you saw"`
	Uncheck  bool   `json:"uncheck"`
	Run      string `json:"run" doc:"command that must succeed; if it fails, the criterion is open again"`

	By      string        // "", "index", "id", "text": how to read Selector
	Timeout time.Duration // for Run, 0 = 10 minutes
	Stream  io.Writer     // receives the command's output while it runs; may be nil
}

// OutputRequest reads the chain output, or writes it if Set or Whole is given.
type OutputRequest struct {
	ID    string
	Set   map[task.Part]string
	Whole string // text of the whole section
	Write bool
}

// ArchiveRequest archives now, returns archived sessions, or rebuilds the summary.
type ArchiveRequest struct {
	ID             string
	Keep           int    // number of sessions that stay; -1 = the configured one
	Show           string // "N" or "N-M": return archived sessions with their original bytes
	RebuildSummary bool
}

// SplitRequest proposes sub-tasks; with Apply it creates them.
type SplitRequest struct {
	ID      string `json:"id" required:"true"`
	Apply   bool   `json:"apply" doc:"create the parts"`
	Dismiss bool
}

// ImportRequest imports a task file from elsewhere.
type ImportRequest struct {
	Name    string // the file's base name, for its id and for messages
	Data    []byte
	ID      string // "" = the file's own, or else the next free number
	Lenient bool   // read nested fences as they were meant (TS-D15)
}

// ConvertRequest converts a file to another dialect; without Apply it is a dry run (D40).
type ConvertRequest struct {
	ID    string
	To    string // "v1" or "v2"
	Apply bool
}
