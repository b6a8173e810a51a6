// Package loss finds entries that documents lost, and restores them.
package loss

import "baton/internal/workspace"

// Loss provides the use cases of this room for one open workspace. It has no state of its own.
type Loss struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Loss { return Loss{w} }
