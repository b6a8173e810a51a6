// Package find searches a project's documents for words, and reads whole documents by name.
package find

import "baton/internal/workspace"

// Find provides the use cases of this room for one open workspace. It has no state of its own.
type Find struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Find { return Find{w} }
