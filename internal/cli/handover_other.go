//go:build !unix

package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// become starts batond as a child, because the system cannot replace a process. batond gets the
// streams and the environment, and its exit code becomes that of baton.
func become(ctx context.Context, d *app.App, program string, args []string) error {
	cmd := exec.CommandContext(ctx, program, args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = d.Env.Stdin, d.Env.Stdout, d.Env.Stderr, d.Env.Environ
	// An interrupt reaches batond directly, because it belongs to the same console, and batond ends
	// by itself.
	cmd.Cancel = func() error { return nil }
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode()) // batond has said what there was to say
	}
	if err != nil && ctx.Err() == nil {
		return refusedStart(program, err)
	}
	if ctx.Err() != nil {
		return &report.Error{Kind: report.Interrupted, Message: "interrupted"}
	}
	return nil
}
