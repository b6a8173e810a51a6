// Package merging merges documents of branches, and gives doubled tasks and sessions new numbers.
package merging

import "baton/internal/workspace"

// Merging provides the use cases of this room for one open workspace. It has no state of its own.
type Merging struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Merging { return Merging{w} }
