// Package doctor examines a project and repairs what needs no decision by a person.
package doctor

import "baton/internal/workspace"

// Doctor has the use cases of this package for one open workspace. It has no state of its own.
type Doctor struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Doctor { return Doctor{w} }
