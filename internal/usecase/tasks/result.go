package tasks

import (
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/workspace"
)

// TaskRow is one line of a list. Ready is computed, never stored (TS-D28).
type TaskRow struct {
	ID            task.ID          `json:"id"`
	Title         string           `json:"title"`
	Status        string           `json:"status"`
	State         string           `json:"state"` // Status, or "waiting" for a ready task that waits for others
	Epic          string           `json:"epic"`
	Ready         bool             `json:"ready"`
	CriteriaDone  int              `json:"criteria_done"`
	CriteriaTotal int              `json:"criteria_total"`
	Sessions      int              `json:"sessions"`
	SizeBytes     int64            `json:"size_bytes"`
	Claim         *workspace.Claim `json:"claim"`
	WaitingFor    []task.ID        `json:"waiting_for,omitempty"`   // dependencies that are not complete, or missing
	Note          string           `json:"note,omitempty"`          // why it is blocked, or how far its parts are
	InputChanged  []InputChange    `json:"input_changed,omitempty"` // inputs that are newer than the last session (D12)
	Path          string           `json:"path"`
	Priority      string           `json:"priority,omitempty"`        // high or low
	From          task.ID          `json:"discovered_from,omitempty"` // the task during which it was found
	Source        string           `json:"source,omitempty"`          // where it was imported from
	Agent         string           `json:"agent,omitempty"`           // the agent that should do it

	CompleteOn *workspace.CompleteOn `json:"complete_on,omitempty"` // another branch on which it is complete
	ReadyOnce  *workspace.ReadyOnce  `json:"ready_once,omitempty"`  // what to merge before it can be started
	StatusOn   *workspace.StatusOn   `json:"status_on,omitempty"`   // another branch on which it is open
}

// LaterTask is a task that can be started once a branch is merged.
type LaterTask struct {
	ID    task.ID `json:"id"`
	Title string  `json:"title"`
	workspace.ReadyOnce
}

// TaskList is the answer of "task list" and "task ready".
type TaskList struct {
	Tasks    []TaskRow        `json:"tasks"`
	More     int              `json:"more,omitempty"`       // tasks beyond the limit
	Later    []LaterTask      `json:"ready_once,omitempty"` // of "task ready": what a merge would make ready
	Warnings []report.Finding `json:"warnings,omitempty"`
}

// InputChange reports that an upstream task's output differs from the one that this task received
// (D12).
type InputChange struct {
	Task task.ID `json:"task"`
	// number of the session after which the old text had arrived, or 0 if it was there from the
	// start
	Since int    `json:"since"`
	Diff  string `json:"diff,omitempty"`
}

// Evidence is the newest record of a criterion (D6).
type Evidence struct {
	Kind       string `json:"kind"` // run, claim or word
	Passed     bool   `json:"passed"`
	Command    string `json:"command,omitempty"`
	Text       string `json:"text,omitempty"` // a person's statement
	Dir        string `json:"dir,omitempty"`
	Exit       *int   `json:"exit,omitempty"`
	DurationMS int64  `json:"duration_ms,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Dirty      bool   `json:"dirty,omitempty"`
	By         string `json:"by,omitempty"`
	At         string `json:"at"`
	Tail       string `json:"tail,omitempty"`
}

// CriterionView is one criterion of a task.
type CriterionView struct {
	N        int       `json:"n"`
	Key      string    `json:"key"`
	Text     string    `json:"text"`
	Checked  bool      `json:"checked"`
	Verified bool      `json:"verified"`         // checked, and the last run of its command passed
	Verify   string    `json:"verify,omitempty"` // command that the file proposes
	Evidence *Evidence `json:"evidence"`
}

// InputView is one chain input.
type InputView struct {
	Task  task.ID `json:"task"`
	Title string  `json:"title"`
	Text  string  `json:"text"`
}

// OutputView is the chain output.
type OutputView struct {
	State string            `json:"state"` // empty, minimal or written
	Text  string            `json:"text"`
	Parts map[string]string `json:"parts,omitempty"`
}

// Dependent is a downstream task, for --deps.
type Dependent struct {
	ID         task.ID   `json:"id"`
	Title      string    `json:"title"`
	Status     string    `json:"status"`
	State      string    `json:"state"`
	Ready      bool      `json:"ready"`
	WaitingFor []task.ID `json:"waiting_for,omitempty"`
}

// Forced explains why a task was completed although something was missing.
type Forced struct {
	Reason     string   `json:"reason"`
	Overridden []string `json:"overridden,omitempty"` // what was missing, as far as it was recorded
	By         string   `json:"by"`
	At         string   `json:"at"`
}

// TaskDetail is the answer of "task show".
type TaskDetail struct {
	ID     task.ID `json:"id"`
	Title  string  `json:"title"`
	Status string  `json:"status"`
	State  string  `json:"state"` // as of a TaskRow
	Ready  bool    `json:"ready"` // computed, never stored
	// dependencies that are not complete, or missing
	WaitingFor []task.ID `json:"waiting_for,omitempty"`
	// why it is blocked, cancelled or was reopened, until the next entry
	Reason           string                  `json:"reason,omitempty"`
	Forced           *Forced                 `json:"forced,omitempty"` // for a task that was completed by force
	Dialect          string                  `json:"dialect"`
	Path             string                  `json:"path"`
	Epic             string                  `json:"epic"`
	Repository       string                  `json:"repository"`
	PRD              string                  `json:"prd,omitempty"`
	Agent            string                  `json:"agent,omitempty"`
	Requirements     string                  `json:"requirements"`
	Dependencies     []task.ID               `json:"dependencies"`
	Parent           task.ID                 `json:"parent,omitempty"`
	Children         []task.ID               `json:"children,omitempty"`
	Priority         string                  `json:"priority,omitempty"`        // high or low
	From             task.ID                 `json:"discovered_from,omitempty"` // the task during which it was found
	Found            []task.ID               `json:"discovered,omitempty"`      // tasks found during this one
	Source           string                  `json:"source,omitempty"`          // where it was imported from
	Criteria         []CriterionView         `json:"criteria"`
	Sessions         []workspace.SessionView `json:"sessions"`
	TotalSessions    int                     `json:"total_sessions"`
	ArchivedSessions int                     `json:"archived_sessions"`
	ArchivedSummary  string                  `json:"archived_summary,omitempty"`
	ChainInputs      []InputView             `json:"chain_inputs"`
	ChainOutput      OutputView              `json:"chain_output"`
	Claim            *workspace.Claim        `json:"claim"`
	SizeBytes        int64                   `json:"size_bytes"`
	InputChanged     []InputChange           `json:"input_changed,omitempty"`
	CompleteOn       *workspace.CompleteOn   `json:"complete_on,omitempty"`
	ReadyOnce        *workspace.ReadyOnce    `json:"ready_once,omitempty"`
	StatusOn         *workspace.StatusOn     `json:"status_on,omitempty"`
	Dependents       []Dependent             `json:"dependents,omitzero"` // with --deps
	Commits          []workspace.CommitView  `json:"commits,omitzero"`    // with --commits
	Section          *SectionView            `json:"section,omitempty"`   // with --section
	Warnings         []report.Finding        `json:"warnings"`
}

// SectionView is one section as it is in the file.
type SectionView struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// NewResult lists the created tasks, in the requested order.
type NewResult struct {
	Tasks    []Created        `json:"tasks"`
	Import   *ImportReport    `json:"import,omitempty"` // of a list of another system, or of boxes
	Warnings []report.Finding `json:"warnings"`
}

// Created is one new task.
type Created struct {
	ID           task.ID   `json:"id"`
	Title        string    `json:"title"`
	Path         string    `json:"path"`
	Ready        bool      `json:"ready"`
	Dependencies []task.ID `json:"dependencies"`
	Inputs       []task.ID `json:"inputs"` // upstream tasks whose output was added at once
}

// ClaimResult is a taken or renewed claim.
type ClaimResult struct {
	Task     task.ID          `json:"task"`
	Title    string           `json:"title"`
	Path     string           `json:"path"`
	Claim    workspace.Claim  `json:"claim"`
	Stolen   string           `json:"stolen_from,omitempty"`
	Warnings []report.Finding `json:"warnings"`
}

// TaskChange is the answer of commands that change a task's state: release, block, reopen.
type TaskChange struct {
	Task     task.ID          `json:"task"`
	Title    string           `json:"title"`
	Status   string           `json:"status"`
	Changed  bool             `json:"changed"`
	BuiltOn  []task.ID        `json:"built_on,omitempty"` // of reopen: open tasks that received its output
	Warnings []report.Finding `json:"warnings"`
}

// InputReceipt describes what happened to one chain input.
type InputReceipt struct {
	Task   task.ID `json:"task"`
	Title  string  `json:"title"`
	Change string  `json:"change"`            // inserted, replaced, unchanged, kept_edited
	Begins string  `json:"begins,omitempty"`  // the input's first line, at the start of a session
	AtWork string  `json:"at_work,omitempty"` // at completion: who is working on the task and has not read the new text
}

// LogResult is the answer of "task log".
type LogResult struct {
	Task     task.ID                `json:"task"`
	Session  int                    `json:"session"`
	Extended bool                   `json:"extended,omitempty"` // it was added to an entry of the same sitting (D53)
	Archived []int                  `json:"archived_sessions"`
	Commits  []workspace.CommitView `json:"commits"`
	Size     int64                  `json:"size_bytes"`
	Path     string                 `json:"path"`
	Notice   string                 `json:"notice,omitempty"` // boxed decomposition notice (5.15)
	// inputs that differ from those that earlier sessions worked with (D12)
	InputChanged []InputChange    `json:"input_changed,omitempty"`
	Warnings     []report.Finding `json:"warnings"`
	Open         int              `json:"-"` // the first open criterion, from the file alone; 0: unknown, see Show
	Held         bool             `json:"-"` // somebody has claimed the task
	Entry        string           `json:"-"` // hash of the newest entry, as it was written
}

// CheckResult is the answer of "task check" and "task uncheck".
type CheckResult struct {
	Task      task.ID          `json:"task"`
	Criterion CriterionView    `json:"criterion"`
	Changed   bool             `json:"changed"`
	Done      int              `json:"criteria_done"`
	Total     int              `json:"criteria_total"`
	Warnings  []report.Finding `json:"warnings"`
}

// OutputResult is the answer of "task output".
type OutputResult struct {
	Task      task.ID           `json:"task_id"`
	Title     string            `json:"task_title"`
	State     string            `json:"state"`
	Summary   string            `json:"summary"` // whole section
	Parts     map[string]string `json:"parts"`
	Timestamp string            `json:"timestamp"`
	Changed   bool              `json:"changed"`
	Draft     string            `json:"draft,omitempty"` // draft file with a non-holder's text (D3)
	Warnings  []report.Finding  `json:"warnings"`
}

// CompleteResult is the answer of "task complete".
type CompleteResult struct {
	Task       task.ID  `json:"task"`
	Title      string   `json:"title"`
	Status     string   `json:"status"`
	Changed    bool     `json:"changed"`
	Forced     bool     `json:"forced"`
	Overridden []string `json:"overridden,omitempty"` // what --force overrode
	// downstream tasks that received the output; Task is the downstream id
	HandedTo []InputReceipt   `json:"handed_to"`
	Ready    []TaskRow        `json:"ready"`                  // tasks that became ready
	Parent   task.ID          `json:"parent_ready,omitempty"` // the split task whose last open part this was
	Warnings []report.Finding `json:"warnings"`
}

// ArchiveResult is the answer of "task archive".
type ArchiveResult struct {
	Task     task.ID          `json:"task"`
	Archived []int            `json:"archived_sessions"`
	Path     string           `json:"archive_path"`
	Size     int64            `json:"size_bytes"`
	Text     string           `json:"text,omitempty"` // with --show: the original bytes
	Rebuilt  bool             `json:"summary_rebuilt,omitempty"`
	Warnings []report.Finding `json:"warnings"`
}

// SplitResult is the answer of "task split".
type SplitResult struct {
	Task      task.ID          `json:"task"`
	Sessions  int              `json:"sessions"`
	SizeBytes int64            `json:"size_bytes"`
	Open      int              `json:"open_criteria"`
	Suggested []SubTask        `json:"suggested"` // empty if the open criteria make fewer than two parts
	Applied   bool             `json:"applied"`
	Dismissed bool             `json:"dismissed"`
	Created   []Created        `json:"created"`
	Box       string           `json:"box,omitempty"`
	Warnings  []report.Finding `json:"warnings"`
}

// SubTask is one suggested part of a task.
type SubTask struct {
	ID       task.ID  `json:"id"`
	Title    string   `json:"title"`
	Criteria []string `json:"criteria"`
	Estimate int      `json:"estimated_sessions"`
}

// ConvertResult is the answer of "task convert".
type ConvertResult struct {
	Task     task.ID          `json:"task"`
	From     string           `json:"from"`
	To       string           `json:"to"`
	Applied  bool             `json:"applied"`
	Diff     string           `json:"diff"`
	Warnings []report.Finding `json:"warnings"`
}
