// Package history provides the change log, kept versions, undo, and blame.
package history

import "baton/internal/workspace"

// History provides the use cases of this room for one open workspace. It has no state of its own.
type History struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) History { return History{w} }
