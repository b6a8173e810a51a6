package agents

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/setup"
)

func pluginCommands(d *app.App) *cobra.Command {
	return d.Group(
		"plugin",
		"Build the plugin for coding agents",
		"The plugin for Claude Code, Codex and Copilot, and the extensions of Gemini and Qwen, contain "+
			"the hooks, the server and the skill that `baton init --agent` writes into one project. They "+
			"work in all projects of the person who installs them.",
		pluginBuildCommand(d),
	)
}

func pluginBuildCommand(d *app.App) *cobra.Command {
	out := ""
	cmd := d.Command(app.Spec{
		Use: "build", Short: "Write the plugin and its marketplace into a folder",
		Long: "Write the plugin, and a marketplace that lists it, into a folder. Claude Code, Codex " +
			"and Copilot install it from there. Gemini and Qwen install the extensions in its folders " +
			"extensions/gemini and extensions/qwen. The same version of baton always writes the same bytes. A " +
			"file that does not come from an earlier build is never replaced. The plugin does not contain " +
			"the programs baton and batond; it starts them from PATH.",
		Example: "baton plugin build --out market",
		Exits:   []report.Kind{report.Conflict, report.Violation, report.Locked, report.Refused},
		Run: func(cmd *cobra.Command, _ []string) error {
			r := setup.PluginRequest{Out: out, Version: app.VersionOf("baton", false).Version}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (setup.PluginResult, error) {
				return p.Setup.BuildPlugin(ctx, r)
			}, pagePlugin)
		},
	})
	cmd.Flags().StringVar(&out, "out", "", "write into `DIR`, which is created if it does not exist")
	return cmd
}

func pagePlugin(p *app.Page, r setup.PluginResult) {
	p.Line(app.Good, "Plugin and marketplace in %s", r.Out)
	for _, name := range r.Files {
		p.Line(app.Plain, "  %s", name)
	}
	p.Hint("Next: claude plugin marketplace add %s", r.Out)
	p.Hint("      claude plugin install baton@baton-market")
	p.Hint("  or: codex plugin marketplace add %s", r.Out)
	p.Hint("      codex plugin add baton@baton-market")
	p.Hint("  or: copilot plugin marketplace add %s", r.Out)
	p.Hint("      copilot plugin install baton@baton-market")
	p.Hint("  or: gemini extensions install %s", filepath.Join(r.Out, "extensions", "gemini"))
	p.Hint("  or: qwen extensions install %s", filepath.Join(r.Out, "extensions", "qwen"))
}
