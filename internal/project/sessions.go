package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// sessionRecord is what is kept of a running session, in the runtime folder of this checkout (D18).
type sessionRecord struct {
	Name    string  `json:"-"`
	Task    task.ID `json:"task"`
	As      string  `json:"as"`
	Started string  `json:"started"`         // RFC 3339 UTC
	Head    string  `json:"head,omitempty"`  // commit when it began, or after the last entry that took its commits
	Logged  int     `json:"logged"`          // entries written since the start
	Fence   int64   `json:"fence,omitempty"` // of the claim that it took, 0 without one
}

// sessionName names the session of a holder on a task: the same holder's session goes on under the same name.
func sessionName(id task.ID, as string) string {
	sum := sha256.Sum256([]byte(as))
	return string(id) + "-" + hex.EncodeToString(sum[:4])
}

func sessionFile(name string) string { return "sessions/" + name + ".json" }

// session gives the record of a holder's running session on a task, nil when there is none.
func (p *Project) session(id task.ID, as string) *sessionRecord {
	rec := p.sessionNamed(sessionName(id, as))
	if rec == nil || rec.Task != id || rec.As != as {
		return nil
	}
	return rec
}

// sessionNamed gives a session's record by its name, nil when there is none or it cannot be read.
func (p *Project) sessionNamed(name string) *sessionRecord {
	if strings.Contains(name, "/") || store.CheckName(name) != nil {
		return nil
	}
	data, err := p.store.ReadSwapped(sessionFile(name))
	if err != nil || len(data) == 0 {
		return nil
	}
	rec := &sessionRecord{}
	if json.Unmarshal(data, rec) != nil || rec.Task == "" {
		return nil
	}
	rec.Name = name
	return rec
}

// atWork tells who is working on a task now: the holder of a live claim, else one whose session is still recorded in this
// checkout, the caller or the last holder. Who is at work has read the inputs as they are, whether or not anything was
// logged yet.
func (p *Project) atWork(ctx context.Context, c *change, id task.ID) (string, bool) {
	book := c.claims
	if book == nil {
		book, _ = p.claimsNow(ctx)
	}
	last, live := book.live(id, c.now)
	if live {
		return last.By, true
	}
	for _, who := range [...]string{last.By, c.as} {
		if who != "" && p.session(id, who) != nil {
			return who, true
		}
	}
	return "", false
}

// saveSession keeps a session's record under its own name.
func (p *Project) saveSession(rec *sessionRecord) error {
	if rec.Name == "" {
		rec.Name = sessionName(rec.Task, rec.As)
	}
	data, err := encoded(rec, "")
	if err != nil {
		return err
	}
	return p.store.SwapCache(sessionFile(rec.Name), data)
}

// endSession removes a session's record.
func (p *Project) endSession(name string) error { return p.store.RemoveCache(sessionFile(name)) }

// unknownSession is the error for a name that is no running session.
func unknownSession(name string) error {
	return &report.Error{
		Op: "session.end", Kind: report.NotFound, Code: "session_unknown",
		Message: "there is no running session " + quote(name),
		Hint:    "`baton session start ID` begins one; give the task's id or the name that it printed, with the same --as",
	}
}
