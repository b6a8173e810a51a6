// Package folder maintains the state folder of a workflow: audit, sweeps, snapshots, the record,
// and the contract.
package folder

import "baton/internal/workspace"

// Folder provides the use cases of this room for one open workspace. It has no state of its own.
type Folder struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Folder { return Folder{w} }
