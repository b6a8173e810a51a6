package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/setup"
)

func (d *door) pluginCommands() *cobra.Command {
	return d.group("plugin", "The plugin for coding agents",
		"The plugin for Claude Code, Codex and Copilot: the same hooks, server and skill that `baton init --agent` writes into a\n"+
			"project, for all projects of whoever installs it.", d.pluginBuildCommand())
}

func (d *door) pluginBuildCommand() *cobra.Command {
	out := ""
	cmd := d.command(spec{
		use: "build", short: "Write the plugin and its marketplace into a folder",
		long: "Write the plugin, and a marketplace that lists it, into a folder, from which Claude Code, Codex and Copilot install it.\n" +
			"The same version of baton gives the same bytes. A file that is there and is not from an earlier build is never\n" +
			"replaced. The programs baton and batond are not in the plugin: it starts them from PATH.",
		example: "baton plugin build --out market",
		exits:   []report.Kind{report.Conflict, report.Violation, report.Locked, report.Refused},
		run: func(cmd *cobra.Command, _ []string) error {
			r := setup.PluginRequest{Out: out, Version: versionOf("baton", false).Version}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (setup.PluginResult, error) {
				return p.Setup.BuildPlugin(ctx, r)
			}, pagePlugin)
		},
	})
	cmd.Flags().StringVar(&out, "out", "", "write into `DIR`, which is made when it is absent")
	return cmd
}

func pagePlugin(p *page, r setup.PluginResult) {
	p.line(good, "Plugin and marketplace in %s", r.Out)
	for _, name := range r.Files {
		p.line(plain, "  %s", name)
	}
	p.hint("Next: claude plugin marketplace add %s", r.Out)
	p.hint("      claude plugin install baton@baton-market")
}
