// Package folder keeps the state folder of a workflow: audit, sweeps, snapshots, the record, the
// contract.
package folder

import "baton/internal/workspace"

// Folder holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Folder struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Folder { return Folder{w} }
