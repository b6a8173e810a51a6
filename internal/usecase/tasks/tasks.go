// Package tasks manages tasks: create, list, show, claim, check, log, complete, archive, split,
// convert.
package tasks

import "baton/internal/workspace"

// Tasks has the use cases of this package for one open workspace. It has no state of its own.
type Tasks struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Tasks { return Tasks{w} }
