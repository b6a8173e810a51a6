//go:build unix

package cli

import (
	"context"
	"syscall"

	"baton/internal/cli/app"
)

// become replaces the process: anyone who started baton then talks to batond, and ends it by its
// own signals.
func become(_ context.Context, d *app.App, program string, args []string) error {
	return refusedStart(program, syscall.Exec(program, args, d.Env.Environ))
}
