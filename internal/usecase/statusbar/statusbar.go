// Package statusbar makes the status line of an agent's client. It opens only a handful of files
// and starts no program but git, and that only if GSD's settings ask for it.
package statusbar

import "baton/internal/workspace"

// StatusBar has the use cases of this package for one open workspace. It has no state of its own.
type StatusBar struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) StatusBar { return StatusBar{w} }
