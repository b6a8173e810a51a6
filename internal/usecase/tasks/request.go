package tasks

import (
	"io"
	"time"

	"baton/internal/task"
	"baton/internal/task/create"
)

// NewRequest asks for new tasks. All tasks of one request are created in one transaction and may
// depend on each other (D20).
type NewRequest struct {
	Tasks []NewTask
}

// NewTask is one task to create; zero fields take their defaults.
type NewTask struct {
	ID           string // "" = next free number
	Title        string // required
	Epic         string // "TITLE (#ID)", "TITLE" or "#ID"
	Repository   string
	PRD          string
	Agent        string
	After        []string // ids depended on
	Requirements string
	Criteria     []create.Criterion
	Dialect      string // "v1", "v2" or "" for the config's
}

// ListRequest narrows a list. Status takes any accepted status word; Epic matches an epic's id or
// title.
type ListRequest struct {
	Status string
	Epic   string
}

// ShowRequest asks for one task.
type ShowRequest struct {
	ID      string
	Deps    bool   // add dependents and warnings about other files (D29)
	All     bool   // add archived sessions
	Section string // only this section's text: a section kind or a heading's name
	Commits bool   // list commits
}

// ClaimRequest asks for the exclusive hold on a task (D3, D17).
type ClaimRequest struct {
	ID     string
	Next   bool          // the first ready task
	Lease  time.Duration // 0 = the config's
	Steal  bool          // take it from a live holder; Reason required
	From   string        // Steal: from this holder only; "" from anybody
	Reason string
	Force  bool // claim a task that is not ready but not complete either

	// Scope names the files that the holder works on, by path patterns as task.ParseScope takes
	// them. Empty: the scope of the holder's claim so far.
	Scope []string
}

// TaskRequest names a task and, where a command asks for one, a reason.
type TaskRequest struct {
	ID     string
	Reason string
	Force  bool
}

// LogRequest appends one entry.
type LogRequest struct {
	ID    string
	Entry task.Entry
}

// CheckRequest checks or unchecks a criterion (D6, D19).
type CheckRequest struct {
	ID       string
	Selector string
	By       string        // "", "index", "id", "text"
	Run      string        // command whose success is the evidence
	Evidence string        // a person's word
	Timeout  time.Duration // 0 = 10 minutes
	Stream   io.Writer     // where the command's output goes while it runs; nil = nowhere
	Uncheck  bool
}

// OutputRequest reads the chain output, or writes it when Set or Whole is given.
type OutputRequest struct {
	ID    string
	Set   map[task.Part]string
	Whole string // text of the whole section
	Write bool
}

// ArchiveRequest archives now, reads archived sessions back, or makes the summary again.
type ArchiveRequest struct {
	ID             string
	Keep           int    // sessions that stay; -1 = the config's
	Show           string // "N" or "N-M": print archived sessions with their original bytes
	RebuildSummary bool
}

// SplitRequest proposes sub-tasks, and with Apply creates them.
type SplitRequest struct {
	ID      string
	Apply   bool
	Dismiss bool
}

// ImportRequest takes in a task file that stands elsewhere.
type ImportRequest struct {
	Name    string // the file's base name, for its id and for messages
	Data    []byte
	ID      string // "" = the file's own, else the next free number
	Lenient bool   // read nested fences as they are meant (TS-D15)
}

// ConvertRequest converts a file to another dialect; a dry run until Apply (D40).
type ConvertRequest struct {
	ID    string
	To    string // "v1" or "v2"
	Apply bool
}
