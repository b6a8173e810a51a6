package project

import (
	"context"

	"baton/internal/task"
)

// Open finds the project around o.Dir. A folder without any layout is fine: then the methods that need one answer
// NotFound no_project. Usage for a layout word that does not exist.
func Open(ctx context.Context, o Options) (*Project, error) {
	o.above = Above{
		Losses:   func(p *Project) Losses { return p },
		Logged:   func(ctx context.Context, p *Project, id task.ID) { p.agentLogged(ctx, id) },
		Manifest: settleManifest,
	}
	return open(ctx, o)
}
