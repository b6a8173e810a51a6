// Package digests keeps the project's digest: position, decisions, blockers, phases, and what
// SpecFlow's and GSD's digests add.
package digests

import "baton/internal/workspace"

// Digests holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Digests struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Digests { return Digests{w} }
