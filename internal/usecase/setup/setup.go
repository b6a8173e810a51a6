// Package setup sets a project up: layouts, the settings of coding agents, plugins, the protocol.
package setup

import "baton/internal/workspace"

// Setup holds the use cases of this room for one open workspace. It keeps nothing of its own.
type Setup struct{ *workspace.Workspace }

// Of returns the use cases of this room for w.
func Of(w *workspace.Workspace) Setup { return Setup{w} }
