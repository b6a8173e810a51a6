package loss

import (
	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/workspace"
)

// The sources of entries.
const (
	BlameChange  = "change"  // a change by baton; At, By and Command describe it
	BlameOutside = "outside" // somebody else wrote it; At is when baton found it, "" if it is not in the ledger yet
	BlameBefore  = "before"  // it existed when the ledger began
)

// LostEntry is an entry that is in the ledger but in no document.
type LostEntry struct {
	ID       string `json:"id"`               // unambiguous beginning of its key, at least seven digits
	Key      string `json:"key"`              //
	Kind     string `json:"kind"`             // decision, session, criterion, blocker or output
	Label    string `json:"label"`            // the beginning of its text, on one line
	Text     string `json:"text"`             // its whole text
	Document string `json:"document"`         // the document that contained it last
	Section  string `json:"section"`          // the heading above it
	Number   int    `json:"number,omitempty"` // of a session
	Fate     string `json:"fate"`             // lost, perhaps, reworded or accepted
	Became   string `json:"became,omitempty"` // for reworded: the beginning of its new text
	Seen     string `json:"seen"`             // when it was last seen, RFC 3339 UTC
	Source   string `json:"source"`           // change, outside or before, as in a BlameEntry
	By       string `json:"by,omitempty"`     // the holder who added it; "" if it was somebody else
	Command  string `json:"command,omitempty"`
	Head     string `json:"head,omitempty"` // commit of HEAD at that time
}

// LostFile is a file of a task that baton knew and that is gone.
type LostFile struct {
	Path    string  `json:"path"`
	Kind    string  `json:"kind"` // task, archive or evidence
	Task    task.ID `json:"task"`
	Restore string  `json:"restore,omitempty"` // command that restores it; "" if nothing of it was kept
}

// LostList is the answer of `lost`.
type LostList struct {
	Lost     []LostEntry      `json:"lost"`                // by family, in the order of the ledger
	Files    []LostFile       `json:"files"`               // files of tasks that are gone, by id
	Since    string           `json:"since,omitempty"`     // when the first book began
	AllSince string           `json:"all_since,omitempty"` // when the last document was first read
	Unseen   []string         `json:"unseen"`              // documents that were never read
	Busy     bool             `json:"busy"`                // nothing is listed during a merge, a rebase or a bisect
	Off      bool             `json:"off"`                 // ledger.keep is false: newer entries are not in the ledger
	Unsure   int              `json:"unsure"`              // entries that may be lost; git gave no answer
	Warnings []report.Finding `json:"warnings"`
}

// LostRestored is the answer of `lost --restore`.
type LostRestored struct {
	Applied   bool                     `json:"applied"`
	Entries   []LostEntry              `json:"entries"`   // the restored ones, or those that would be
	Changes   []workspace.DoctorChange `json:"changes"`   // how each document changed or would change
	Rotations []decision.Result        `json:"rotations"` // of digests that became too long
	Unsure    int                      `json:"unsure"`    // as in LostList, for entries that were not restored
	Warnings  []report.Finding         `json:"warnings"`
}

// LostAccepted is the answer of `lost --accept`.
type LostAccepted struct {
	Entries  []LostEntry      `json:"entries"` // that nobody misses any more
	Emptied  []string         `json:"emptied"` // documents that may be empty from now on
	Gone     []string         `json:"gone"`    // files that may be absent from now on
	Unsure   int              `json:"unsure"`  // as in LostList, of those that were not accepted
	Warnings []report.Finding `json:"warnings"`
}

// LostStatus is the part of a status about missing entries.
type LostStatus struct {
	Count     int            `json:"count"`
	Unsure    int            `json:"unsure"` // as in LostList
	Documents map[string]int `json:"documents"`
}
