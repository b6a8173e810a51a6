// Package loss finds what documents lost, and restores it.
package loss

import "baton/internal/workspace"

// Loss holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Loss struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Loss { return Loss{w} }
