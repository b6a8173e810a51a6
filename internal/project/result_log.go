package project

import "baton/internal/report"

// LoggedChange is one change in the log.
type LoggedChange struct {
	Number  int64        `json:"number"`
	Root    string       `json:"root,omitempty"` // of the log in which it stands, where several are asked
	At      string       `json:"at"`
	By      string       `json:"by,omitempty"`
	Agent   string       `json:"agent,omitempty"`
	Session string       `json:"session,omitempty"`
	Command string       `json:"command,omitempty"`
	Commit  string       `json:"commit,omitempty"`
	Outside bool         `json:"outside"`
	Undoes  []int64      `json:"undoes,omitempty"`
	Undone  bool         `json:"undone"`
	Anew    bool         `json:"anew"`
	Files   []LoggedFile `json:"files"`
	More    int          `json:"more"`
	Moved   int          `json:"moved"`

	Claims   []LoggedClaim `json:"claims,omitempty"`
	Accepted int           `json:"accepted,omitempty"` // missing entries that may be gone
}

// LoggedClaim is what a change that touched no file did to the claim on a task.
type LoggedClaim struct {
	Task string `json:"task"`
	Kind string `json:"kind"`           // taken, released or scoped
	From string `json:"from,omitempty"` // the other one who held it until then
}

// LoggedFile is one file of a change.
type LoggedFile struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Size    int64  `json:"size"`
	Grown   int64  `json:"grown"`
	Missing int    `json:"missing,omitempty"`
}

// ChangeLog is the answer of `log`.
type ChangeLog struct {
	Changes  []LoggedChange   `json:"changes"`
	Total    int              `json:"total"`
	LeftOut  int              `json:"left_out,omitempty"` // looks that found nothing changed
	Begun    string           `json:"begun,omitempty"`
	Task     string           `json:"task,omitempty"`
	From     string           `json:"from,omitempty"`
	Check    *LogCheck        `json:"check,omitempty"`
	Warnings []report.Finding `json:"warnings"`
}

// LogCheck says that the chain of the log holds.
type LogCheck struct {
	Records int    `json:"records"`
	Anew    int    `json:"anew"`
	Last    string `json:"last,omitempty"`
}

// UndoResult is the answer of `undo`.
type UndoResult struct {
	Applied  bool             `json:"applied"`
	Changes  []LoggedChange   `json:"changes"`
	Passed   []LoggedChange   `json:"passed"`
	Files    []string         `json:"files"`
	Diff     string           `json:"diff"`
	Redo     string           `json:"redo,omitempty"` // revision of what was replaced, where that is one file
	Warnings []report.Finding `json:"warnings"`
}
