package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
)

// SessionRecord is the record of a running session in the runtime folder of this checkout (D18).
type SessionRecord struct {
	Name    string  `json:"-"`
	Task    task.ID `json:"task"`
	As      string  `json:"as"`
	Started string  `json:"started"`         // RFC 3339 UTC
	Head    string  `json:"head,omitempty"`  // commit at its start, or after the last entry with commits
	Logged  int     `json:"logged"`          // entries written since the start
	Fence   int64   `json:"fence,omitempty"` // of its claim; 0 without one
	Entry   string  `json:"entry,omitempty"` // hash of the entry that it wrote last, which the next one extends (D53)
}

// SessionName returns the name of a holder's session on a task. It stays the same when the same
// holder continues.
func SessionName(id task.ID, as string) string {
	sum := sha256.Sum256([]byte(as))
	return string(id) + "-" + hex.EncodeToString(sum[:4])
}

func sessionFile(name string) string { return "sessions/" + name + ".json" }

// Session returns the record of a holder's running session on a task, or nil.
func (p *Workspace) Session(id task.ID, as string) *SessionRecord {
	rec := p.SessionNamed(SessionName(id, as))
	if rec == nil || rec.Task != id || rec.As != as {
		return nil
	}
	return rec
}

// SessionNamed returns a session's record by its name, or nil if it is missing or unreadable.
func (p *Workspace) SessionNamed(name string) *SessionRecord {
	if strings.Contains(name, "/") || store.CheckName(name) != nil {
		return nil
	}
	data, err := p.Store.ReadCache(sessionFile(name))
	if err != nil || len(data) == 0 {
		return nil
	}
	rec := &SessionRecord{}
	if json.Unmarshal(data, rec) != nil || rec.Task == "" {
		return nil
	}
	rec.Name = name
	return rec
}

// AtWork returns who is working on a task now: the holder of a live claim. Without one, it is the
// last holder or the caller, if this checkout has a record of their session. They have read the
// current inputs, whether or not anything was logged yet.
func (p *Workspace) AtWork(ctx context.Context, c *Change, id task.ID) (string, bool) {
	book := c.Claims
	if book == nil {
		book, _ = p.ClaimsNow(ctx)
	}
	last, live := book.Live(id, c.Now)
	if live {
		return last.By, true
	}
	for _, who := range [...]string{last.By, c.As} {
		if who != "" && p.Session(id, who) != nil {
			return who, true
		}
	}
	return "", false
}

// SaveSession saves a session's record under its own name.
func (p *Workspace) SaveSession(rec *SessionRecord) error {
	if rec.Name == "" {
		rec.Name = SessionName(rec.Task, rec.As)
	}
	data, err := Encoded(rec, "")
	if err != nil {
		return err
	}
	return p.Store.WriteCache(sessionFile(rec.Name), data)
}

// ForgetSession removes a session's record.
func (p *Workspace) ForgetSession(name string) error { return p.Store.RemoveCache(sessionFile(name)) }

// UnknownSession returns the error for a name that is not a running session.
func UnknownSession(name string) error {
	return &report.Error{
		Op: "session.end", Kind: report.NotFound, Code: report.CodeSessionUnknown,
		Message: "there is no running session " + safetext.Quote(name),
		Hint: "`baton session start ID` starts one; give the task's id or the name that it printed, with the same " +
			"--as",
	}
}
