// Package sessions handles sessions: their start and end, the facts that they are told, and the
// status of the project.
package sessions

import "baton/internal/workspace"

// Sessions has the use cases of this package for one open workspace. It has no state of its own.
type Sessions struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Sessions { return Sessions{w} }
