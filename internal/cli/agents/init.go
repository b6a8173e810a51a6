package agents

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/setup"
)

func initCommand(d *app.App) *cobra.Command {
	var ask initAsk
	cmd := d.Command(app.Spec{
		Use: "init", Short: "Set up a project, or coding agents in it",
		Long: "Create the folders for task files and the digest STATE.md. If the project already has a " +
			"layout, nothing is added unless you name another one with --layout: baton, specflux (tasks), " +
			"gsd or specflow (digests), devt (the working folder of agents). Running it twice changes " +
			"nothing. If baton's own digest was deleted, it is created again, unless it can be restored.\n\n" +
			"With --agent, baton also writes its entries into the settings of coding agents: hooks, the " +
			"MCP server, a skill, and a short block in AGENTS.md. NAMES are claude, codex, gemini, qwen, " +
			"copilot, opencode, cursor, vscode, kiro and amp, separated by commas. Without names, or with " +
			"`auto`, baton takes the agents that it finds in the project or on PATH. Everything else in " +
			"those files stays as it is, byte for byte. Before its first change to a file that git does " +
			"not have, baton copies it to .baton/local/backup. --remove removes all of baton's entries and " +
			"these copies; with --dry-run, it only shows how. --check writes nothing and ends with exit code 6 " +
			"unless everything is current.",
		Example: "baton init\nbaton init --layout specflux\nbaton init --layout gsd\nbaton init --layout devt\n" +
			"baton init --agent claude,codex\nbaton init --agent claude --dry-run\n" +
			"baton init --agent claude --check\nbaton init --agent claude --allow\n" +
			"baton init --agent claude --remove",
		MaxArgs: 16, // names behind --agent, which may stand without one
		Exits: []report.Kind{
			report.NotFound, report.Conflict, report.Violation, report.Corrupt, report.Locked, report.Unavailable,
			report.Refused,
		},
		Run: func(cmd *cobra.Command, args []string) error {
			if slices.ContainsFunc(agentFlags(), cmd.Flags().Changed) {
				return initAgents(d, cmd, ask, args)
			}
			if len(args) > 0 {
				return app.Unwanted(cmd, args[0])
			}
			d.DryRun = ask.modes[2]
			o := d.Options(cmd)
			o.Layout = "" // here it names what to make, not where to look
			return app.AnswerWith(d, cmd, o, func(ctx context.Context, p *project.Project) (setup.InitResult, error) {
				return p.Setup.Init(ctx, setup.InitRequest{Layout: d.Layout})
			}, pageInit)
		},
	})
	ask.flags(cmd)
	cmd.ValidArgsFunction = completeOperand
	return cmd
}

func pageInit(p *app.Page, r setup.InitResult) {
	gone := func(f report.Finding) bool { return f.Code == report.CodeDigestMissing }
	switch {
	case len(r.Created) == 0 && slices.ContainsFunc(r.Warnings, gone):
		p.Line(app.Plain, "Nothing was created: %s has the layout %s.", r.Root, r.Layout)
	case len(r.Created) == 0:
		p.Line(app.Plain, "Nothing to do: %s has the layout %s.", r.Root, r.Layout)
	default:
		p.Line(app.Good, "Set up the layout %s in %s", r.Layout, r.Root)
		for _, path := range r.Created {
			p.Line(app.Plain, "  + %s", path)
		}
	}
	p.Remarks = r.Warnings
	if others := without(r.Found, r.Layout); len(others) > 0 {
		p.Line(app.Plain, "Also found: %s", strings.Join(others, ", "))
	}
	switch r.Layout {
	case "gsd", "specflow":
		if slices.ContainsFunc(r.Warnings, gone) {
			return // the warning says what is next
		}
		p.Hint("Next: baton state show")
	case "devt":
		p.Hint("Next: baton dir begin TYPE TASK")
		p.Hint("To see what is already there: baton dir audit")
	default:
		p.Hint("Next: baton task new \"TITLE\" --accept \"WHAT MUST BE TRUE\"")
	}
}

// without returns the names that are not the one.
func without(names []string, name string) []string {
	var others []string
	for _, other := range names {
		if other != name {
			others = append(others, other)
		}
	}
	return others
}
