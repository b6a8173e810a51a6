// Package sessions is what happens around sessions: their start and end, the events of agents'
// hooks, what a session is given to read, and where the project stands.
package sessions

import "baton/internal/workspace"

// Sessions holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Sessions struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Sessions { return Sessions{w} }
