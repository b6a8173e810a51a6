package loss

import (
	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/workspace"
)

// The sources of entries.
const (
	BlameChange  = "change"  // a change of baton's: At, By and Command say which
	BlameOutside = "outside" // somebody else wrote it; baton found it At, "" if the ledger does not have it yet
	BlameBefore  = "before"  // it was there when the ledger began
)

// LostEntry is an entry that the ledger knows and that is in no document now.
type LostEntry struct {
	ID       string `json:"id"`               // the first digits of its key that no other one has, seven at least
	Key      string `json:"key"`              //
	Kind     string `json:"kind"`             // decision, session, criterion, blocker or output
	Label    string `json:"label"`            // the beginning of its text in one line
	Text     string `json:"text"`             // all of it
	Document string `json:"document"`         // that held it last
	Section  string `json:"section"`          // the heading above it
	Number   int    `json:"number,omitempty"` // of a session
	Fate     string `json:"fate"`             // lost, perhaps, reworded or accepted
	Became   string `json:"became,omitempty"` // of reworded: the beginning of what it is now
	Seen     string `json:"seen"`             // when it was there last, RFC 3339 UTC
	Source   string `json:"source"`           // change, outside or before, as of a BlameEntry
	By       string `json:"by,omitempty"`     // the holder who brought it; "" when somebody else did
	Command  string `json:"command,omitempty"`
	Head     string `json:"head,omitempty"` // commit of HEAD then
}

// LostList is the answer of `lost`.
type LostList struct {
	Lost     []LostEntry      `json:"lost"`                // by family, in the order of the ledger
	Since    string           `json:"since,omitempty"`     // when the first book began
	AllSince string           `json:"all_since,omitempty"` // when the last document was first read
	Unseen   []string         `json:"unseen"`              // documents that were never read
	Busy     bool             `json:"busy"`                // nothing is listed during a merge, a rebase or a bisect
	Off      bool             `json:"off"`                 // ledger.keep is false: newer entries are not in the ledger
	Unsure   int              `json:"unsure"`              // entries that may be lost: git gave no answer
	Warnings []report.Finding `json:"warnings"`
}

// LostRestored is the answer of `lost --restore`.
type LostRestored struct {
	Applied   bool                     `json:"applied"`
	Entries   []LostEntry              `json:"entries"`   // those that were put back, or would be
	Changes   []workspace.DoctorChange `json:"changes"`   // how each document changed, or would
	Rotations []decision.Result        `json:"rotations"` // of digests that became too long
	Unsure    int                      `json:"unsure"`    // as in LostList, of those that were not put back
	Warnings  []report.Finding         `json:"warnings"`
}

// LostAccepted is the answer of `lost --accept`.
type LostAccepted struct {
	Entries  []LostEntry      `json:"entries"` // that nobody misses any more
	Unsure   int              `json:"unsure"`  // as in LostList, of those that were not accepted
	Warnings []report.Finding `json:"warnings"`
}

// LostStatus is what a status says of entries that are missing.
type LostStatus struct {
	Count     int            `json:"count"`
	Unsure    int            `json:"unsure"` // as in LostList
	Documents map[string]int `json:"documents"`
}
