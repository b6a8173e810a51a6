// Package loss finds entries that documents lost, and restores them.
package loss

import "baton/internal/workspace"

// Loss has the use cases of this package for one open workspace. It has no state of its own.
type Loss struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Loss { return Loss{w} }
