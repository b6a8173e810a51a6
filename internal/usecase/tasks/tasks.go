// Package tasks keeps tasks: create, list, show, claim, check, log, complete, archive, split,
// convert.
package tasks

import "baton/internal/workspace"

// Tasks holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Tasks struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Tasks { return Tasks{w} }
