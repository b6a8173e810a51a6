package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/agents"
	"baton/internal/cli/app"
	"baton/internal/report"
)

// Doors are the other doors of the program. cmd passes them in, because doors do not import each
// other.
type Doors struct {
	// Hook answers `baton hook` and returns its exit code. args are those after the word.
	Hook func(ctx context.Context, env report.Env, args []string) int
}

// Main runs one command line and returns the exit code of the process. It neither exits nor touches
// a global, and writes only to the streams of env. A cancelled ctx ends the command with exit code
// 130.
func Main(ctx context.Context, env report.Env, doors Doors) int {
	return run(ctx, &app.App{Env: env, Hook: doors.Hook})
}

// run is Main for an App that exists already.
func run(ctx context.Context, d *app.App) int {
	if isHook(d.Env.Args, Doors{Hook: d.Hook}) {
		return d.Hook(ctx, d.Env, d.Env.Args[1:])
	}
	if done, err := quick(d); done {
		return d.ExitCode(err)
	}
	root := tree(d)
	args := d.Env.Args
	if args == nil {
		args = []string{} // cobra takes the process's own arguments for nil
	}
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = d.HelpError
	}
	return d.ExitCode(named(err, cmd))
}

// isHook reports whether the command line is an event of a coding agent: it is handed on before the
// command tree is built.
func isHook(args []string, doors Doors) bool {
	return doors.Hook != nil && len(args) > 0 && args[0] == "hook" && !slices.Contains(args, "--help") &&
		!slices.Contains(args, "-h")
}

// quick answers what must not wait for the command tree: the version, the list of commands, and the
// status line, which an agent asks for after each of its messages (D31).
func quick(d *app.App) (done bool, err error) {
	args := d.Env.Args
	if len(args) == 0 {
		return false, nil
	}
	if page := pageAsked(args); page != "" {
		return true, d.Print([]byte(page))
	}
	switch args[0] {
	case "version", "--version":
		if len(args) == 1 {
			return true, printVersion(d)
		}
		if len(args) == 2 && args[1] == "--json" {
			d.JSON = true
			return true, printVersion(d)
		}
	case "statusline":
		return agents.QuickStatusLine(d, args[1:])
	}
	return false, nil
}

// named returns the error with the command as its operation, like task.show: what the caller did,
// whichever package found the error (D14).
func named(err error, cmd *cobra.Command) error {
	if err == nil {
		return nil
	}
	with := *report.As(err)
	if cmd != nil && cmd.HasParent() {
		path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())
		with.Op = strings.ReplaceAll(strings.TrimSpace(path), " ", ".")
	}
	return &with
}
