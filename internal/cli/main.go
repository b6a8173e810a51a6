package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
)

// Main runs one command line and gives the exit code of the process. It neither exits nor touches a global, and
// writes to the streams of env only. A cancelled ctx ends the command with exit code 130.
func Main(ctx context.Context, env report.Env) int {
	return run(ctx, env, openProject)
}

// opener makes the use cases of a project available; tests put their own behind it.
type opener func(ctx context.Context, o project.Options) (backend, error)

func openProject(ctx context.Context, o project.Options) (backend, error) {
	return project.Open(ctx, o)
}

func run(ctx context.Context, env report.Env, open opener) int {
	d := &door{env: env, open: open}
	if done, err := d.quick(); done {
		return d.end(err)
	}
	root := d.tree()
	args := env.Args
	if args == nil {
		args = []string{} // cobra takes the process's own arguments for nil
	}
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = d.unsaid
	}
	return d.end(named(err, cmd))
}

// quick answers what must not wait for the command tree: the version, the list of commands, and the status line, which
// an agent asks for after each of its messages (D31).
func (d *door) quick() (done bool, err error) {
	args := d.env.Args
	if len(args) == 0 {
		return true, d.print([]byte(rootHelp))
	}
	switch args[0] {
	case "version", "--version":
		if len(args) == 1 {
			return true, d.printVersion()
		}
		if len(args) == 2 && args[1] == "--json" {
			d.json = true
			return true, d.printVersion()
		}
	case "statusline":
		return d.quickStatusLine(args[1:])
	case "help", "--help", "-h":
		if len(args) == 1 {
			return true, d.print([]byte(rootHelp))
		}
	}
	return false, nil
}

// named gives an error the name of the command that failed as its operation: what the caller did, whichever part of
// the house noticed (D14).
func named(err error, cmd *cobra.Command) error {
	if err == nil {
		return nil
	}
	with := *report.As(err)
	if cmd != nil && cmd.HasParent() {
		with.Op = operation(cmd)
	}
	return &with
}
