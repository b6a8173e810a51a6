// Package history says what baton did: the change log, kept versions, undo, blame.
package history

import "baton/internal/workspace"

// History holds the use cases of this room for one open workspace. It keeps nothing of its own.
type History struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) History { return History{w} }
