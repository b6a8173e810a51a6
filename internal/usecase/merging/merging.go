// Package merging merges documents of branches, and gives doubled tasks and sessions new numbers.
package merging

import "baton/internal/workspace"

// Merging has the use cases of this package for one open workspace. It has no state of its own.
type Merging struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Merging { return Merging{w} }
