package project

import "baton/internal/report"

// Blame is the answer of `blame`: where each entry of a document came from.
type Blame struct {
	Document string           `json:"document"`
	Since    string           `json:"since,omitempty"` // when the ledger of this document began, RFC 3339 UTC; "" before that
	Entries  []BlameEntry     `json:"entries"`         // those that stand in it now, from top to bottom
	Missing  int              `json:"missing"`         // entries that it had and that are lost
	Warnings []report.Finding `json:"warnings"`
}

// The sources of entries.
const (
	BlameChange  = "change"  // a change of baton's: At, By and Command say which
	BlameOutside = "outside" // somebody else wrote it; baton found it At, "" when its ledger has not noted it yet
	BlameBefore  = "before"  // it stood there when the ledger began
)

// BlameEntry is one entry and the change that it came with.
type BlameEntry struct {
	Line    int    `json:"line"`              // 1-based, of its beginning
	Kind    string `json:"kind"`              // decision, session, criterion, blocker or output
	Label   string `json:"label"`             // the beginning of its text in one line
	Number  int    `json:"number,omitempty"`  // of a session
	Section string `json:"section,omitempty"` // the heading under which it stands
	Source  string `json:"source"`            // change, outside or before
	Change  int64  `json:"change,omitempty"`  // its number in the log; 0 where the log does not know it
	At      string `json:"at,omitempty"`      // RFC 3339 UTC
	By      string `json:"by,omitempty"`      // holder: the name that somebody goes by, else an agent's session, else a person
	Agent   string `json:"agent,omitempty"`   // client of the agent that was the holder or worked for it, "" where nothing tells
	Session string `json:"session,omitempty"` // that client's id of its session, "" where nothing tells
	Command string `json:"command,omitempty"`
	Head    string `json:"head,omitempty"` // commit that HEAD named then
}
