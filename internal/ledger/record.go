package ledger

import "time"

// Mark is a moment at which entries were seen, and who wrote then.
type Mark struct {
	At time.Time `json:"at"`
	// commit that HEAD named, "" outside git and before the first commit (D9)
	Head    string `json:"head,omitempty"`
	By      string `json:"by,omitempty"`      // the holder; "" when somebody else changed the document
	Command string `json:"command,omitempty"` // of the change, "task log"; "" when somebody else made it
}

// DocState is a document as it was at a Mark: whole, or by its length and its end (D7).
type DocState struct {
	Name   string `json:"name"`
	Exists bool   `json:"exists"`
	Size   int64  `json:"size"`           // bytes of the whole document
	Tail   int64  `json:"tail,omitempty"` // bytes at the end that Hash is over; 0: Hash is over all of it
	Hash   string `json:"hash"`           // SHA-256 in hex
	// SHA-256 over the last EndLength bytes, of a longer document that is also appended to, where
	// Hash is over all of it
	End string `json:"end,omitempty"`
	// somebody else changed it and it was only appended to: what it holds was not compared
	Unsure bool `json:"unsure,omitempty"`
}

// Sighting is an entry in a document.
type Sighting struct {
	Doc string `json:"doc"`
	Entry
}

// Departure says why an entry of the book is missed no more.
type Departure struct {
	Key  string `json:"key"`
	How  How    `json:"how"`
	Into string `json:"into,omitempty"` // of Reworded: the entry that it became
}

// How says why an entry left.
type How string

// The ways in which an entry leaves. They are written into books, so they only ever grow in number.
const (
	Removed  How = "removed"  // a change of baton's took it out: a blocker resolved, an output replaced
	Reworded How = "reworded" // somebody else changed its words, see Similar
	Accepted How = "accepted" // somebody said that it may be gone
)

// Record is what one change, or one look at what somebody else changed, adds to a book.
type Record struct {
	Family string `json:"family"`
	Mark
	Outside bool       `json:"outside,omitempty"` // somebody else changed the documents
	Docs    []DocState `json:"docs,omitempty"`    // the documents that changed, as they are after it
	// entries that came, came back, or are in another document of the family now
	Seen []Sighting  `json:"seen,omitempty"`
	Left []Departure `json:"left,omitempty"` //
	// keys of entries that an outside change took away, as far as it is known
	Missing []string `json:"missing,omitempty"`
	Lacking int      `json:"lacking,omitempty"` // entries of the book that are missing after it
	More    bool     `json:"more,omitempty"`    // the next record goes on with what was seen, and names the documents
}

// Idle reports that a record says nothing of entries.
func (r *Record) Idle() bool { return len(r.Seen)+len(r.Left)+len(r.Missing) == 0 }
