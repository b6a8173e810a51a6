package cli

import (
	"context"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"baton/internal/report"
)

// Servers are what batond serves; cmd hands them in, because doors do not import each other.
type Servers struct {
	// MCP serves the Model Context Protocol until ctx ends or the client goes.
	MCP func(ctx context.Context, env report.Env, o MCPOptions) error
}

// RunDaemon is the whole of cmd/batond: Daemon in the real world, where SIGINT and SIGTERM end a server.
func RunDaemon(args []string, servers Servers) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return Daemon(ctx, Environment(args), servers)
}

// Daemon runs batond: `version` and the servers; any other command is Unavailable (exit code 8).
func Daemon(ctx context.Context, env report.Env, servers Servers) int {
	d := &door{env: env}
	word := ""
	for _, arg := range env.Args {
		if arg == "mcp" || arg == "version" || arg == "--version" {
			word = arg
			break
		}
	}
	switch word {
	case "mcp":
		return d.serve(ctx, servers)
	case "version", "--version":
		v := versionOf("batond", true)
		if len(env.Args) > 1 && env.Args[1] == "--json" {
			return d.end(d.printJSON(v))
		}
		return d.end(d.print([]byte("batond " + v.Version + "\n")))
	}
	return d.end(&report.Error{
		Op: "batond", Kind: report.Unavailable, Code: "unavailable",
		Message: "batond knows mcp and version",
		Hint:    "everything about tasks is in baton: baton help",
	})
}

// serve runs a server of batond. Its flags, its help and its mistakes are those of the command of baton that hands over.
func (d *door) serve(ctx context.Context, servers Servers) int {
	root := d.tree()
	root.Use = "batond"
	root.RemoveCommand(root.Commands()...)
	root.AddCommand(d.mcpServerCommand(func(cmd *cobra.Command, o MCPOptions) error {
		return servers.MCP(cmd.Context(), d.env, o)
	}))
	root.SetArgs(d.env.Args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = d.unsaid
	}
	return d.end(named(err, cmd))
}
