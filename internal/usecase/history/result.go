package history

import (
	"baton/internal/report"
)

// Blame is the answer of `blame`: which change added each entry of a document.
type Blame struct {
	Document string `json:"document"`
	// when the ledger of this document began, RFC 3339 UTC; "" if it has not begun
	Since    string           `json:"since,omitempty"`
	Entries  []BlameEntry     `json:"entries"` // the present ones, from top to bottom
	Missing  int              `json:"missing"` // number of lost entries
	Warnings []report.Finding `json:"warnings"`
}

// BlameEntry is one entry and the change that added it.
type BlameEntry struct {
	Line    int    `json:"line"`              // 1-based first line
	Kind    string `json:"kind"`              // decision, session, criterion, blocker or output
	Label   string `json:"label"`             // the beginning of its text, on one line
	Number  int    `json:"number,omitempty"`  // of a session
	Section string `json:"section,omitempty"` // the heading above it
	Source  string `json:"source"`            // change, outside or before
	Change  int64  `json:"change,omitempty"`  // its number in the log, 0 if it is not there
	At      string `json:"at,omitempty"`      // RFC 3339 UTC
	// holder: the name that was used, or else an agent's session, or else a person
	By string `json:"by,omitempty"`
	// client of the agent that was the holder or worked for it, "" if unknown
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"` // that client's id of its session, "" if unknown
	Command string `json:"command,omitempty"`
	Head    string `json:"head,omitempty"` // commit of HEAD at that time
}

// LoggedChange is one change in the log.
type LoggedChange struct {
	Number   int64        `json:"number"`
	Root     string       `json:"root,omitempty"` // root of its log, if several logs were read
	At       string       `json:"at"`
	By       string       `json:"by,omitempty"`
	Agent    string       `json:"agent,omitempty"`
	Session  string       `json:"session,omitempty"`
	Command  string       `json:"command,omitempty"`
	Decision string       `json:"decision,omitempty"` // the decision that it recorded, or the beginning of it
	Commit   string       `json:"commit,omitempty"`
	Outside  bool         `json:"outside"`
	Undoes   []int64      `json:"undoes,omitempty"`
	Undone   bool         `json:"undone"`
	Restarts bool         `json:"anew"`
	Files    []LoggedFile `json:"files"`
	More     int          `json:"more"`
	Moved    int          `json:"moved"`

	Claims   []LoggedClaim `json:"claims,omitempty"`
	Accepted int           `json:"accepted,omitempty"` // number of missing entries that were accepted as gone
}

// LoggedClaim describes what a change without files did to the claim on a task.
type LoggedClaim struct {
	Task string `json:"task"`
	Kind string `json:"kind"`           // taken, released or scoped
	From string `json:"from,omitempty"` // previous holder, if it was another one
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
	LeftOut  int              `json:"left_out,omitempty"` // number of records without a change
	Begun    string           `json:"begun,omitempty"`
	Task     string           `json:"task,omitempty"`
	From     string           `json:"from,omitempty"`
	Check    *LogCheck        `json:"check,omitempty"`
	Warnings []report.Finding `json:"warnings"`
}

// LogCheck reports that the chain of the log is intact.
type LogCheck struct {
	Records  int    `json:"records"`
	Restarts int    `json:"anew"`
	Last     string `json:"last,omitempty"`
}

// UndoResult is the answer of `undo`.
type UndoResult struct {
	Applied  bool             `json:"applied"`
	Changes  []LoggedChange   `json:"changes"`
	Passed   []LoggedChange   `json:"passed"`
	Files    []string         `json:"files"`
	Diff     string           `json:"diff"`
	Redo     string           `json:"redo,omitempty"` // revision of the replaced content, if one file was undone
	Warnings []report.Finding `json:"warnings"`
}

// Version is a version of a document, kept when baton wrote the document.
type Version struct {
	Revision string `json:"revision"`
	Document string `json:"document"`
	At       string `json:"at"`
	Kind     string `json:"kind"`
	Size     int64  `json:"size"`
	Command  string `json:"command,omitempty"`
	Outside  bool   `json:"outside"`
}

// VersionList is the answer of `snapshot list`.
type VersionList struct {
	Versions []Version        `json:"versions"`
	Total    int              `json:"total"`
	Since    string           `json:"since,omitempty"`
	Warnings []report.Finding `json:"warnings"`
}

// VersionText is the answer of `snapshot show`.
type VersionText struct {
	Version
	Text  string `json:"text"`
	Bytes []byte `json:"bytes,omitempty"`
}

// VersionDiff is the answer of `snapshot diff`.
type VersionDiff struct {
	From Version  `json:"from"`
	To   *Version `json:"to,omitempty"`
	Same bool     `json:"same"`
	Diff string   `json:"diff"`
}

// VersionRestored is the answer of `snapshot restore`.
type VersionRestored struct {
	Version
	Applied  bool             `json:"applied"`
	Same     bool             `json:"same"`
	Diff     string           `json:"diff"`
	Replaced string           `json:"replaced,omitempty"`
	Warnings []report.Finding `json:"warnings"`
}
