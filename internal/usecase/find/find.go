// Package find finds words in a project's documents and reads whole documents for those who know
// their names.
package find

import "baton/internal/workspace"

// Find holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Find struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Find { return Find{w} }
