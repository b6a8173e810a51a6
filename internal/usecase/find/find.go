// Package find searches a project's documents for words, and reads whole documents by name.
package find

import "baton/internal/workspace"

// Find has the use cases of this package for one open workspace. It has no state of its own.
type Find struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Find { return Find{w} }
