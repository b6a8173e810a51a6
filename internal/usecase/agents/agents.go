// Package agents answers the events of agents' sessions: it tells them what they must know, records
// what they do, binds them to tasks, and drafts the entries that they leave out.
package agents

import "baton/internal/workspace"

// Agents has the use cases of this package for one open workspace. It has no state of its own.
type Agents struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Agents { return Agents{w} }
