package history

import (
	"context"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// Change is one record of the log: what one commit did. Each names the sum of the one before it, so
// that nobody takes one out or changes one unnoticed.
type Change struct {
	Seq      int64       `json:"seq"` // 1 for the first
	At       time.Time   `json:"at"`
	By       string      `json:"by,omitempty"`      // the holder: a name, the session of an agent, or a person
	Agent    string      `json:"agent,omitempty"`   // client of the agent, such as "claude"; "" where unknown
	Session  string      `json:"session,omitempty"` // the client's id of its session; "" where unknown
	Command  string      `json:"command,omitempty"`
	Head     string      `json:"head,omitempty"` // commit that HEAD named
	Docs     []DocChange `json:"docs,omitempty"`
	Claims   []ClaimStep `json:"claims,omitempty"`   // of a change that touched no document, see LogClaims
	Accepted int         `json:"accepted,omitempty"` // missing entries that may be gone, see Accept
	More     int         `json:"more,omitempty"`     // documents beyond those that are listed
	Moved    int         `json:"moved,omitempty"`    // entries of folders that were moved
	Undoes   int64       `json:"undoes,omitempty"`   // the oldest change that it took back
	Broken   bool        `json:"broken,omitempty"`   // what was before is torn or missing: a new chain begins
	Prev     string      `json:"prev,omitempty"`     // Sum of the record before
	Sum      string      `json:"sum"`                // SHA-256 over all the rest, in hex
}

// DocChange is one document of a Change.
type DocChange struct {
	Name    string      `json:"name"`
	Kind    string      `json:"kind"` // one of the Doc words below
	Before  DocSum      `json:"before,omitzero"`
	After   DocSum      `json:"after,omitzero"`
	ModTime time.Time   `json:"mtime,omitzero"`    // of the file afterwards; zero of an append
	ID      disk.FileID `json:"id,omitzero"`       // of the file afterwards; zero where it is not known
	Missing int         `json:"missing,omitempty"` // entries of its family that are missing
}

// The kinds of DocChange. They are written into logs, so they only ever grow in number.
const (
	DocCreated  = "created"
	DocReplaced = "replaced"
	DocAppended = "appended"
	DocRemoved  = "removed"
	DocOutside  = "outside" // somebody else changed it, and a hook noted that
)

// DocSum identifies a document's content: whole, or by length and end (D7).
type DocSum struct {
	Exists bool   `json:"exists,omitempty"`
	Size   int64  `json:"size,omitempty"`
	Tail   int64  `json:"tail,omitempty"` // bytes at the end that Hash is over; 0: all
	Hash   string `json:"hash,omitempty"`
}

// DocSumOf identifies a document as a whole.
func DocSumOf(data []byte) DocSum {
	return DocSum{Exists: true, Size: int64(len(data)), Hash: store.HashOf(data)}
}

// Matches reports whether a document is the one that the sum was made of, as far as it knows (D7).
func (d DocSum) Matches(exists bool, data []byte) bool {
	size := int64(len(data))
	if d.Exists != exists || d.Size != size {
		return false
	}
	if d.Tail > 0 {
		data = data[size-min(d.Tail, size):]
	}
	return !exists || store.HashOf(data) == d.Hash
}

// Outside reports whether a change is not baton's.
func (c *Change) Outside() bool { return len(c.Docs) > 0 && c.Docs[0].Kind == DocOutside }

// LogFault is a place where the log is not what was written.
type LogFault struct {
	Seq  int64  // of the record behind it, 0 at the end
	File string // below the runtime folder
	Line int    // 1-based; 0 is the whole file
	Text string // what is wrong there
}

// Changes returns the log, the oldest first, from the record behind after on, and what is wrong
// with its chain. It takes no lock; a record that is being written is passed over. Errors: Refused.
func (h *History) Changes(ctx context.Context, after int64) ([]Change, []LogFault, error) {
	r, err := h.readLog(ctx)
	if err != nil {
		return nil, nil, err
	}
	changes := r.changes
	for len(changes) > 0 && changes[0].Seq <= after {
		changes = changes[1:]
	}
	return changes, r.faults, nil
}
