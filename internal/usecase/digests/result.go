package digests

import (
	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/digest/specflow"
	"baton/internal/digest/standing"
	"baton/internal/report"
	"baton/internal/task"
)

// StateResult is the answer of "state show". It has either GSD or Specflow, depending on the
// digest's layout.
type StateResult struct {
	Layout    string           `json:"layout"` // gsd, specflow or baton
	Path      string           `json:"path"`
	Size      digest.Size      `json:"size"`
	MaxLines  int              `json:"max_lines"`
	MaxBytes  int              `json:"max_bytes"`
	GSD       *gsd.Model       `json:"gsd,omitempty"`      // layouts gsd and baton
	Specflow  *specflow.Model  `json:"specflow,omitempty"` // layout specflow
	Tasks     *standing.Facts  `json:"tasks,omitempty"`    // layout baton, as long as no phase has begun
	Next      *phases.Next     `json:"next,omitempty"`     // recommendation, layouts gsd and baton
	Decisions []decision.Row   `json:"decisions"`
	Archived  int              `json:"archived"`         // decisions in the archive
	Others    []StateResult    `json:"others,omitempty"` // digests of other layouts in the same folder
	Warnings  []report.Finding `json:"warnings"`
}

// StateValue is the answer of "state get".
type StateValue struct {
	Name  string   `json:"name"`
	Value string   `json:"value"`          // text; "" for null
	Null  bool     `json:"null"`           // the value is null or says that it is absent
	List  []string `json:"list,omitempty"` // of a list
	Path  string   `json:"path"`
	Line  int      `json:"line,omitempty"`
}

// Preserved is a text that a change left alone because a person wrote it (GSD-D9).
type Preserved struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// StateChange is the answer of every change of a digest.
type StateChange struct {
	Layout    string           `json:"layout"`
	Path      string           `json:"path"`
	Changed   []StateField     `json:"changed"`   // fields with their old and new values; empty if nothing changed
	Lines     []int            `json:"lines"`     // 1-based numbers of the lines that differ, in the new file
	Preserved []Preserved      `json:"preserved"` // left alone because a person wrote it
	Repeated  bool             `json:"-"`         // an earlier command has named all of them
	Rotation  decision.Result  `json:"rotation"`
	Warnings  []report.Finding `json:"warnings"`
}

// StateField is one value that changed.
type StateField struct {
	Field string `json:"field"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

// TransitionResult is the answer of a step in the life of a phase.
type TransitionResult struct {
	StateChange
	Event       string   `json:"event"`
	Phase       string   `json:"phase,omitempty"`
	Status      string   `json:"status"`
	ActivePhase string   `json:"active_phase"` // "" between phases
	NextAction  string   `json:"next_action"`
	NextPhases  []string `json:"next_phases"`
	Docs        []string `json:"docs,omitempty"` // other documents that were changed
	Superseded  bool     `json:"superseded"`     // the phase is behind the project; nothing was written
	Current     string   `json:"-"`              // the phase that the digest is at
}

// StateSyncResult is the answer of "state sync".
type StateSyncResult struct {
	StateChange
	Check bool          `json:"check"`
	Next  *phases.Next  `json:"next,omitempty"`
	Facts *ProgressView `json:"progress,omitempty"`
}

// ProgressView is what a project's files say about its progress.
type ProgressView struct {
	Milestone       string `json:"milestone,omitempty"`
	MilestoneName   string `json:"milestone_name,omitempty"`
	TotalPhases     int    `json:"total_phases"`
	CompletedPhases int    `json:"completed_phases"`
	TotalPlans      int    `json:"total_plans"`
	CompletedPlans  int    `json:"completed_plans"`
	Percent         *int   `json:"percent"`
}

// StateValidation is the answer of "state validate".
type StateValidation struct {
	Layout   string           `json:"layout"`
	Path     string           `json:"path"`
	Valid    bool             `json:"valid"` // no finding of severity error
	Size     digest.Size      `json:"size"`
	Findings []report.Finding `json:"findings"`
}

// RotateResult is the answer of "state rotate" and "decision rotate".
type RotateResult struct {
	Layout   string           `json:"layout"`
	Path     string           `json:"path"`
	DryRun   bool             `json:"dry_run"`
	Rotation decision.Result  `json:"rotation"`
	Rows     []decision.Row   `json:"rows"` // the rows that moved or would move
	Warnings []report.Finding `json:"warnings"`
}

// DecisionAdded is the answer of "decision add".
type DecisionAdded struct {
	StateChange
	Decision decision.Row `json:"decision"`
	Split    bool         `json:"split"`    // the full text is in the archive
	Archived bool         `json:"archived"` // the row went to the archive because it is older than those that stay
}

// DecisionList is the answer of "decision list" and of "history --decisions", oldest first.
type DecisionList struct {
	Layout    string           `json:"layout"`
	Path      string           `json:"path"`
	Archive   string           `json:"archive"`
	Decisions []decision.Row   `json:"decisions"`
	Archived  int              `json:"archived"` // how many are in the archive
	Warnings  []report.Finding `json:"warnings"`
}

// Blocker is one blocker of the digest.
type Blocker struct {
	N    int    `json:"n"` // 1-based, for "blocker resolve"
	Text string `json:"text"`
	Line int    `json:"line"`
}

// BlockerList is the answer of "blocker list".
type BlockerList struct {
	Layout   string           `json:"layout"`
	Path     string           `json:"path"`
	Blockers []Blocker        `json:"blockers"`
	Warnings []report.Finding `json:"warnings"`
}

// BlockerChange is the answer of "blocker add" and "blocker resolve".
type BlockerChange struct {
	StateChange
	Blockers []Blocker `json:"blockers"` // added, or resolved
}

// ActiveList is the answer of "state active list".
type ActiveList struct {
	Path     string            `json:"path"`
	Form     string            `json:"form"` // A, B or C (specflow.md 5.3)
	Active   []specflow.Active `json:"active"`
	Warnings []report.Finding  `json:"warnings"`
}

// ActiveResolved is the answer of "state active resolve" (specflow.md 5.11).
type ActiveResolved struct {
	Action  string            `json:"action"` // use, ask or error
	ID      string            `json:"id,omitempty"`
	Code    string            `json:"code,omitempty"` // NO_ACTIVE_SPEC or SPEC_NOT_ACTIVE
	Options []specflow.Active `json:"options,omitempty"`
}

// QueueList is the answer of "state queue list" and, with one row or none, of "state queue next".
type QueueList struct {
	Path    string              `json:"path"`
	Columns []string            `json:"columns"`
	Queue   []specflow.QueueRow `json:"queue"`
	// A, B or C (specflow.md 5.3): A and B have room for one active specification
	Form     string           `json:"form"`
	Active   []string         `json:"active"` // ids of the active specifications; "" for one with only a title
	Warnings []report.Finding `json:"warnings"`
}

// MigrateResult is the answer of "state migrate".
type MigrateResult struct {
	StateChange
	From    string `json:"from"` // A, B or C
	Applied bool   `json:"applied"`
}

// HistoryResult is the answer of "history": the finished specifications, or one specification, or
// the archived decisions; outside SpecFlow projects the finished tasks and phases. The command
// "history --decisions" answers with a DecisionList instead, which also names the files.
type HistoryResult struct {
	Specs  []specflow.SpecSummary  `json:"specs"`
	Totals *specflow.HistoryTotals `json:"totals,omitempty"`
	Spec   *specflow.SpecHistory   `json:"spec,omitempty"`
	// of the one specification, from digest and archive; or all archived ones
	Decisions []decision.Row `json:"decisions,omitempty"`
	// Texts are the whole texts in the archive of which the digest has, or had, only the beginning:
	// those of the one specification, or all.
	Texts    []decision.Text  `json:"texts,omitempty"`
	Archived int              `json:"archived"`         // decisions in the archive
	Tasks    []FinishedTask   `json:"tasks,omitempty"`  // complete or cancelled, newest first
	Phases   []FinishedPhase  `json:"phases,omitempty"` // complete ones, in order
	Warnings []report.Finding `json:"warnings"`
}

// FinishedTask is a task that needs no more work.
type FinishedTask struct {
	ID     task.ID `json:"id"`
	Title  string  `json:"title"`
	Status string  `json:"status"`
	Last   string  `json:"last_session,omitempty"` // when it began, as written
}

// FinishedPhase is a complete phase of the milestone.
type FinishedPhase struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Plans int    `json:"plans"`
}
