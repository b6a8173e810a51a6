package ledger

import "time"

// Mark is a moment at which entries were seen, and who made the change.
type Mark struct {
	At time.Time `json:"at"`
	// commit that HEAD named, "" outside git and before the first commit (D9)
	Head    string `json:"head,omitempty"`
	By      string `json:"by,omitempty"`      // the holder; "" if somebody else changed the document
	Command string `json:"command,omitempty"` // of the change, "task log"; "" if somebody else made it
}

// DocState is the state of a document at a Mark: as a whole, or by its length and its end (D7).
type DocState struct {
	Name   string `json:"name"`
	Exists bool   `json:"exists"`
	Size   int64  `json:"size"`           // bytes of the whole document
	Tail   int64  `json:"tail,omitempty"` // bytes at the end that Hash covers; 0: all
	Hash   string `json:"hash"`           // SHA-256 in hex
	// SHA-256 over the last EndLength bytes, if the document is longer, may be appended to, and
	// Hash covers all of it
	End string `json:"end,omitempty"`
	// somebody else changed it and baton only appended to it, so its entries were not compared
	Unsure bool `json:"unsure,omitempty"`
}

// Sighting is an entry in a document.
type Sighting struct {
	Doc string `json:"doc"`
	Entry
}

// Departure says why an entry of the book is no longer missed.
type Departure struct {
	Key  string `json:"key"`
	How  How    `json:"how"`
	Into string `json:"into,omitempty"` // if Reworded: the key of the new entry
}

// How says why an entry left.
type How string

// The ways in which an entry leaves. They are written into books, so ways are only ever added.
const (
	Removed  How = "removed"  // a change by baton removed it: a blocker resolved, an output replaced
	Reworded How = "reworded" // somebody else changed its words, see Similar
	Accepted How = "accepted" // somebody accepted the loss
)

// Record is what one change by baton, or one look at the changes of others, adds to a book.
type Record struct {
	Family string `json:"family"`
	Mark
	Outside bool       `json:"outside,omitempty"` // somebody else changed the documents
	Docs    []DocState `json:"docs,omitempty"`    // the changed documents in their new state
	// entries that are new, came back, or are now in another document of the family
	Seen []Sighting  `json:"seen,omitempty"`
	Left []Departure `json:"left,omitempty"` //
	// keys of entries that somebody else removed, as far as is known
	Missing []string `json:"missing,omitempty"`
	Lacking int      `json:"lacking,omitempty"` // missing entries of the book after this record
	More    bool     `json:"more,omitempty"`    // the next record continues this one's sightings, and has the documents
}

// Idle reports whether a record says nothing about entries.
func (r *Record) Idle() bool { return len(r.Seen)+len(r.Left)+len(r.Missing) == 0 }
