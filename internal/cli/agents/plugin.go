package agents

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/setup"
)

func pluginCommands(d *app.App) *cobra.Command {
	return d.Group(
		"plugin",
		"The plugin for coding agents",
		"The plugin for Claude Code, Codex and Copilot: the same hooks, server and skill that `baton init --agent` writes into a\n"+
			"project, for all projects of whoever installs it.",
		pluginBuildCommand(d),
	)
}

func pluginBuildCommand(d *app.App) *cobra.Command {
	out := ""
	cmd := d.Command(app.Spec{
		Use: "build", Short: "Write the plugin and its marketplace into a folder",
		Long: "Write the plugin, and a marketplace that lists it, into a folder, from which Claude Code, Codex and Copilot install it.\n" +
			"The same version of baton gives the same bytes. A file that is there and is not from an earlier build is never\n" +
			"replaced. The programs baton and batond are not in the plugin: it starts them from PATH.",
		Example: "baton plugin build --out market",
		Exits:   []report.Kind{report.Conflict, report.Violation, report.Locked, report.Refused},
		Run: func(cmd *cobra.Command, _ []string) error {
			r := setup.PluginRequest{Out: out, Version: app.VersionOf("baton", false).Version}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (setup.PluginResult, error) {
				return p.Setup.BuildPlugin(ctx, r)
			}, pagePlugin)
		},
	})
	cmd.Flags().StringVar(&out, "out", "", "write into `DIR`, which is made when it is absent")
	return cmd
}

func pagePlugin(p *app.Page, r setup.PluginResult) {
	p.Line(app.Good, "Plugin and marketplace in %s", r.Out)
	for _, name := range r.Files {
		p.Line(app.Plain, "  %s", name)
	}
	p.Hint("Next: claude plugin marketplace add %s", r.Out)
	p.Hint("      claude plugin install baton@baton-market")
}
