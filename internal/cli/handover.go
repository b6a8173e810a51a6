package cli

import (
	"context"
	"os"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/usecase/setup"
)

// handOver replaces this process with batond. It returns an error if that fails. Where the system
// cannot replace a process, batond runs as a child, and handOver returns when it has ended.
func handOver(d *app.App, ctx context.Context, word string, args []string) error {
	if d.Env.PID != os.Getpid() {
		return &report.Error{
			Kind: report.Unavailable, Code: report.CodeNoProgram,
			Message: "this is not the process of baton, so batond cannot replace it",
		}
	}
	program := setup.Daemon(d.Env)
	if program == "" {
		return &report.Error{
			Kind: report.Unavailable, Code: report.CodeBatondMissing,
			Message: "the program batond is missing: it is neither next to baton nor on PATH",
			Hint:    "install both programs of a release into the same folder, as `make install` does",
		}
	}
	return become(ctx, d, program, append([]string{"batond", word}, args...))
}

// refusedStart says why batond did not start.
func refusedStart(program string, err error) error {
	return &report.Error{
		Kind: report.Refused, Code: report.CodeBatondRefused, Path: program,
		Message: program + " cannot be started: " + err.Error(), Err: err,
	}
}
