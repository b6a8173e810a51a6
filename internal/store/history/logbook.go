package history

import (
	"context"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// Change is one record of the log: what one commit did. Each record holds the checksum of the one
// before it, so that removing or changing one is noticed.
type Change struct {
	Seq      int64       `json:"seq"` // 1 for the first record
	At       time.Time   `json:"at"`
	By       string      `json:"by,omitempty"`      // the holder: a name, an agent's session, or a person
	Agent    string      `json:"agent,omitempty"`   // client of the agent, such as "claude"; "" if unknown
	Session  string      `json:"session,omitempty"` // the client's id of its session; "" if unknown
	Command  string      `json:"command,omitempty"`
	Head     string      `json:"head,omitempty"` // commit that HEAD named
	Docs     []DocChange `json:"docs,omitempty"`
	Claims   []ClaimStep `json:"claims,omitempty"`   // of a change that touched no document; see LogClaims
	Accepted int         `json:"accepted,omitempty"` // missing entries that were accepted; see Accept
	More     int         `json:"more,omitempty"`     // documents beyond those that Docs lists
	Moved    int         `json:"moved,omitempty"`    // entries of folders that were moved
	Undoes   int64       `json:"undoes,omitempty"`   // the oldest change that it undid
	Broken   bool        `json:"broken,omitempty"`   // the records before are torn or missing: a new chain begins
	Prev     string      `json:"prev,omitempty"`     // Sum of the previous record
	Sum      string      `json:"sum"`                // SHA-256 over the rest of the record, in hex
}

// DocChange is one document of a Change.
type DocChange struct {
	Name    string      `json:"name"`
	Kind    string      `json:"kind"` // one of the Doc constants below
	Before  DocSum      `json:"before,omitzero"`
	After   DocSum      `json:"after,omitzero"`
	ModTime time.Time   `json:"mtime,omitzero"`    // of the file afterwards; zero for an append
	ID      disk.FileID `json:"id,omitzero"`       // of the file afterwards; zero if unknown
	Missing int         `json:"missing,omitempty"` // missing entries of its family
}

// The kinds of DocChange. They are written into logs, so kinds are only ever added.
const (
	DocCreated  = "created"
	DocReplaced = "replaced"
	DocAppended = "appended"
	DocRemoved  = "removed"
	DocOutside  = "outside" // somebody else changed it, and a hook noticed
	DocEmptied  = "emptied" // it was accepted that somebody else emptied or removed it
)

// DocSum identifies a document's content as a whole, or by its length and end (D7).
type DocSum struct {
	Exists bool   `json:"exists,omitempty"`
	Size   int64  `json:"size,omitempty"`
	Tail   int64  `json:"tail,omitempty"` // bytes at the end that Hash covers; 0: all
	Hash   string `json:"hash,omitempty"`
}

// DocSumOf returns the sum of a whole document.
func DocSumOf(data []byte) DocSum {
	return DocSum{Exists: true, Size: int64(len(data)), Hash: store.HashOf(data)}
}

// Matches reports whether a document may be the one that the sum identifies (D7).
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

// Outside reports whether somebody other than baton made the change.
func (c *Change) Outside() bool { return len(c.Docs) > 0 && c.Docs[0].Kind == DocOutside }

// LogFault is a place where the log was damaged or altered.
type LogFault struct {
	Seq  int64  // of the next record; 0 at the end
	File string // below the runtime folder
	Line int    // 1-based; 0 means the whole file
	Text string // what is wrong there
}

// Changes returns the records after number after, oldest first, and the faults of the whole chain.
// It takes no lock, and skips a record that is being written. Errors: Refused.
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
