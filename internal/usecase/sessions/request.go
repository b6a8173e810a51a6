package sessions

import (
	"time"
)

// SessionStartRequest begins a session of a task (D18).
type SessionStartRequest struct {
	ID    string `json:"id" required:"true"`
	Lease time.Duration
	Force bool
	// Refresh replaces inputs that somebody edited by what the tasks before it said last.
	Refresh bool

	Reason string // why the task is started although it is complete on another branch
}

// SessionEndRequest ends a session, named by task id or by session name.
type SessionEndRequest struct {
	Name  string `json:"id" doc:"task id, or the session's name" required:"true"`
	NoLog bool
}

// ContextRequest asks for the pack for a session of a task.
type ContextRequest struct {
	Task    string `json:"task" doc:"default: the active task"`
	Budget  int    `json:"budget" doc:"tokens" minimum:"200" maximum:"8000"` // 0 means DefaultContextBudget
	Explain bool   // return the text for a fresh session, with a score
}

// DefaultContextBudget is the default size of a context pack, in estimated tokens.
const DefaultContextBudget = 2000
