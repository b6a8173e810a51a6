package cli

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/safetext"
)

// Servers are what batond serves; cmd hands them in, because doors do not import each other.
type Servers struct {
	// MCP serves the Model Context Protocol until ctx ends or the client goes.
	MCP func(ctx context.Context, env report.Env, o MCPOptions) error
	// Selftest crash-tests a baton and prints what it found.
	Selftest func(ctx context.Context, d *app.App, o SelftestOptions) error
}

// RunDaemon is the whole of cmd/batond: Daemon in the real world, where SIGINT and SIGTERM end a
// server.
func RunDaemon(args []string, servers Servers) int {
	dieLoudly()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return Daemon(ctx, Environment(args), servers)
}

// Daemon runs batond: `version` and the servers; any other command is Unavailable (exit code 8).
func Daemon(ctx context.Context, env report.Env, servers Servers) int {
	d := &app.App{Env: env}
	word := ""
	for _, arg := range env.Args {
		if arg == "mcp" || arg == "selftest" || arg == "version" || arg == "--version" {
			word = arg
			break
		}
	}
	switch word {
	case "mcp":
		return runServer(d, ctx, mcpServerCommand(d, func(cmd *cobra.Command, o MCPOptions) error {
			return servers.MCP(cmd.Context(), d.Env, o)
		}))
	case "selftest":
		return runServer(d, ctx, selftestServerCommand(d, func(cmd *cobra.Command, o SelftestOptions) error {
			return servers.Selftest(cmd.Context(), d, o)
		}))
	case "version", "--version":
		v := app.VersionOf("batond", true)
		if len(env.Args) > 1 && env.Args[1] == "--json" {
			return d.ExitCode(d.PrintJSON(v))
		}
		return d.ExitCode(d.Print([]byte("batond " + v.Version + "\n")))
	}
	return d.ExitCode(&report.Error{
		Op: "batond", Kind: report.Unavailable, Code: report.CodeUnavailable,
		Message: "batond only runs mcp, selftest and version", Hint: "for everything else, use baton: baton help",
	})
}

// runServer runs a command of batond. Its flags, its help and its errors are those of the command
// of baton that hands over.
func runServer(d *app.App, ctx context.Context, cmd *cobra.Command) int {
	root := tree(d)
	root.Use = "batond"
	root.RemoveCommand(root.Commands()...)
	root.AddCommand(cmd)
	root.SetArgs(d.Env.Args)
	ran, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = d.HelpError
	}
	return d.ExitCode(named(err, ran))
}

// warnOfVersion warns that the baton that hands over is from another release.
func warnOfVersion(d *app.App, caller string) {
	own := app.VersionOf("", false).Version
	if caller == "" || caller == own {
		return
	}
	_, _ = fmt.Fprintf(
		d.Env.Stderr, "warning: batond has version %s, but baton has version %s; install both from the same release\n",
		safetext.Visible(own), safetext.Visible(caller),
	)
}
