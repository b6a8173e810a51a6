package sessions

import (
	"time"
)

// SessionStartRequest begins a session of a task (D18).
type SessionStartRequest struct {
	ID    string
	Lease time.Duration
	Force bool
}

// SessionEndRequest ends a session, named by task id or by session name.
type SessionEndRequest struct {
	Name  string
	NoLog bool
}

// ContextRequest asks for the pack that a session of a task needs.
type ContextRequest struct {
	Task    string // "" is the active task
	Budget  int    // estimated tokens; 0 is DefaultContextBudget
	Explain bool   // say what a fresh session gets and why, with a score
}

// DefaultContextBudget is the size of a context pack in estimated tokens when nothing is asked for.
const DefaultContextBudget = 2000

// What SetUpAgents does.
const (
	AgentsPrint = "print"

	AgentsList = "list"
)
