// Package setup sets a project up: layouts, the settings of coding agents, plugins, the protocol.
package setup

import "baton/internal/workspace"

// Setup has the use cases of this package for one open workspace. It has no state of its own.
type Setup struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Setup { return Setup{w} }
