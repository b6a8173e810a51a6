// Package history provides the change log, kept versions, undo, and blame.
package history

import "baton/internal/workspace"

// History has the use cases of this package for one open workspace. It has no state of its own.
type History struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) History { return History{w} }
