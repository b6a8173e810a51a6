// Package merging merges documents of branches, and renumbers tasks and sessions with the same
// number.
package merging

import "baton/internal/workspace"

// Merging holds the use cases of this room for one open workspace. It has no state of its own.
type Merging struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Merging { return Merging{w} }
