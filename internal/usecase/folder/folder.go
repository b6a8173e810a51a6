// Package folder maintains the state folder of a workflow: audit, sweeps, snapshots, the record,
// and the contract.
package folder

import "baton/internal/workspace"

// Folder has the use cases of this package for one open workspace. It has no state of its own.
type Folder struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Folder { return Folder{w} }
