// Command batond is the daemon of baton: it serves the Model Context Protocol to coding agents.
package main

import (
	"context"
	"os"

	"baton/internal/cli"
	"baton/internal/mcpserver"
	"baton/internal/report"
)

func main() {
	os.Exit(cli.RunDaemon(os.Args[1:], cli.Servers{
		MCP: func(ctx context.Context, env report.Env, o cli.MCPOptions) error {
			return mcpserver.Run(ctx, env, mcpserver.Options(o))
		},
	}))
}
