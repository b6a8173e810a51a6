package agentsession

import (
	"slices"

	"baton/internal/task"
)

// Unbound is what a session did that belongs to no task, until somebody adopts it (D54).
type Unbound struct {
	ID      string        `json:"id"` // 8 hex digits
	Session string        `json:"session"`
	Client  string        `json:"client"`
	From    string        `json:"from"` // RFC 3339 UTC
	To      string        `json:"to"`
	Branch  string        `json:"branch,omitempty"`
	Did     []string      `json:"did"`
	Next    []string      `json:"next,omitempty"`
	Commits []task.Commit `json:"commits,omitempty"`
	// when somebody decided that it belongs to no task, RFC 3339 UTC; nobody hears of it then
	Dismissed string `json:"dismissed,omitempty"`
	// the task into which somebody is moving it, or was killed while moving it
	Into task.ID `json:"into,omitempty"`
}

// UnboundFolder has the entries of sessions without a task, below .baton/local.
const UnboundFolder = "unbound"

// UnboundID returns the id of a session's entry.
func UnboundID(session string) string { return Hash(session)[:8] }

// IsUnboundID reports whether a text can be the id of such an entry.
func IsUnboundID(id string) bool {
	return len(id) == 8 && !slices.ContainsFunc([]byte(id), func(c byte) bool {
		return (c < '0' || c > '9') && (c < 'a' || c > 'f')
	})
}

// Add appends what the same session did later.
func (u *Unbound) Add(more Unbound) {
	if u.Session == "" {
		*u = more
		return
	}
	for _, text := range more.Did {
		if !slices.Contains(u.Did, text) {
			u.Did = append(u.Did, text)
		}
	}
	u.Next, u.To, u.Branch, u.Dismissed = more.Next, more.To, more.Branch, ""
	for _, c := range more.Commits {
		if !slices.ContainsFunc(u.Commits, func(had task.Commit) bool { return had.Hash == c.Hash }) {
			u.Commits = append(u.Commits, c)
		}
	}
}
