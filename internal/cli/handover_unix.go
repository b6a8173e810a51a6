//go:build unix

package cli

import (
	"context"
	"syscall"
)

// become replaces the process: whoever started baton then talks to batond, and ends it by its own signals.
func become(_ context.Context, d *door, program string, args []string) error {
	return refusedStart(program, syscall.Exec(program, args, d.env.Environ))
}
