// Package merging merges documents of branches, and gives doubled tasks and sessions their own
// numbers.
package merging

import "baton/internal/workspace"

// Merging holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Merging struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Merging { return Merging{w} }
