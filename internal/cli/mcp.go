package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// MCPOptions say what `mcp` serves and how. The fields are those of the options of the server.
type MCPOptions struct {
	HTTP        string
	AllTools    bool
	NoToken     bool
	AllowRemote bool
	NoRun       bool

	Dir, TasksDir, Layout, As string

	Version string // of this program
}

// mcpCommand hands over to batond, which holds everything that serves.
func mcpCommand(d *app.App) *cobra.Command {
	return mcpServerCommand(d, func(cmd *cobra.Command, o MCPOptions) error {
		return handOver(d, cmd.Context(), "mcp", o.args())
	})
}

// mcpServerCommand returns the command of both programs: baton parses its flags to refuse wrong
// ones, and hands them on.
func mcpServerCommand(d *app.App, serve func(*cobra.Command, MCPOptions) error) *cobra.Command {
	var o MCPOptions
	var tools, caller string
	cmd := d.Command(app.Spec{
		Use: "mcp", Short: "Serve the Model Context Protocol",
		Long: `Serve tools, resources and prompts of the Model Context Protocol to the coding agent that started
this command. Messages go over standard input and output, one per line. The server ends when its
input ends, or on SIGINT or SIGTERM. baton starts the program batond for this, from its own folder
or from PATH.

--http serves over HTTP instead, on loopback, at /mcp. Clients need a token: the one in
BATON_MCP_TOKEN, or one that baton makes and prints on standard error. With port 0, baton takes a
free port and prints the address.

task_check can run a command that shows that a criterion holds. The agent's sandbox does not
confine this command. baton tells clients so, and --no-run turns it off. Over HTTP, commands run
only on loopback and with a token.`,
		Example: "baton mcp\nbaton mcp --tools all\nbaton mcp --http 127.0.0.1:8765",
		Exits:   []report.Kind{report.Unavailable, report.Refused},
		Run: func(cmd *cobra.Command, _ []string) error {
			switch tools {
			case "default", "all":
				o.AllTools = tools == "all"
			default:
				return app.Usage(cmd.CommandPath(), fmt.Sprintf("--tools: %q is not default or all", tools))
			}
			for _, name := range []string{"no-token", "allow-remote"} {
				if cmd.Flags().Changed(name) && o.HTTP == "" {
					return app.Usage(cmd.CommandPath(), "--"+name+" needs --http")
				}
			}
			o.Dir, o.TasksDir, o.Layout, o.As = d.Dir, d.TasksDir, d.Layout, d.As
			o.Version = app.VersionOf("", false).Version
			warnOfVersion(d, caller)
			return serve(cmd, o)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&o.HTTP, "http", "", "serve HTTP at `ADDR`, like 127.0.0.1:8765")
	flags.StringVar(&tools, "tools", "default", "offer these tools: `SET` is default or all")
	flags.BoolVar(&o.NoRun, "no-run", false, "let task_check run no commands")
	flags.BoolVar(&o.NoToken, "no-token", false, "serve HTTP without a token, on loopback only")
	flags.BoolVar(&o.AllowRemote, "allow-remote", false, "serve HTTP beyond loopback, where the network can reach it")
	flags.StringVar(&caller, "called-by", "", "version of the baton that hands over: `V`")
	_ = flags.MarkHidden("called-by")
	return cmd
}

// args returns the options as flags, for the program that is handed over to.
func (o MCPOptions) args() []string {
	var args []string
	for _, f := range []struct{ name, value string }{
		{
			"http", o.HTTP,
		}, {"dir", o.Dir}, {"tasks-dir", o.TasksDir}, {"layout", o.Layout}, {"as", o.As}, {"called-by", o.Version},
	} {
		if f.value != "" {
			args = append(args, "--"+f.name+"="+f.value)
		}
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"tools=all", o.AllTools}, {"no-token", o.NoToken}, {"allow-remote", o.AllowRemote}, {"no-run", o.NoRun}} {
		if f.set {
			args = append(args, "--"+f.name)
		}
	}
	return args
}
