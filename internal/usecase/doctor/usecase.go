// Package doctor looks a project over and repairs what needs nobody's judgement.
package doctor

import "baton/internal/workspace"

// Doctor holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Doctor struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Doctor { return Doctor{w} }
