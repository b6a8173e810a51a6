// Package digests maintains the project's digest: position, decisions, blockers, phases, and the
// additional sections of SpecFlow and GSD.
package digests

import "baton/internal/workspace"

// Digests has the use cases of this package for one open workspace. It has no state of its own.
type Digests struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Digests { return Digests{w} }
