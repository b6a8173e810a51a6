// Command batond holds what baton hands over: the server of the Model Context Protocol for coding
// agents, and the self-test.
package main

import (
	"context"
	"os"

	"baton/internal/cli"
	"baton/internal/cli/app"
	"baton/internal/cli/crashtest"
	"baton/internal/mcpserver"
	"baton/internal/report"
)

func main() {
	os.Exit(cli.RunDaemon(os.Args[1:], cli.Servers{
		MCP: func(ctx context.Context, env report.Env, o cli.MCPOptions) error {
			return mcpserver.Run(ctx, env, mcpserver.Options(o))
		},
		Selftest: func(ctx context.Context, d *app.App, o cli.SelftestOptions) error {
			return crashtest.Run(ctx, d, crashtest.Options(o))
		},
	}))
}
