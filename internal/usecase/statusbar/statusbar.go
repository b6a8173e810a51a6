// Package statusbar makes the status line of an agent's client; it opens a handful of files and
// asks nobody.
package statusbar

import "baton/internal/workspace"

// StatusBar holds the use cases of this room for one open workspace. It keeps nothing of its own.
type StatusBar struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) StatusBar { return StatusBar{w} }
