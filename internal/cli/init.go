package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/setup"
)

func (d *door) initCommand() *cobra.Command {
	var ask initAsk
	cmd := d.command(spec{
		use: "init", short: "Make the files and folders of a new project",
		long: "Make the folders that task files live in, and the digest STATE.md. Where a layout exists already, nothing is added\n" +
			"unless --layout names another one: baton, specflux (tasks), gsd or specflow (digests), devt (the working folder of\n" +
			"agents). Doing it twice changes nothing; a digest of baton's own that is gone begins anew, unless it can be brought back.\n\n" +
			"With --agent it also writes baton's entries into the settings of coding agents: hooks, the MCP server, a skill, and a\n" +
			"short block in AGENTS.md. Names are claude, codex, gemini, qwen, copilot, opencode, cursor, vscode, kiro and amp,\n" +
			"separated by commas; without names, or as `auto`, those that are found in the project or on PATH. What stands in those\n" +
			"files stays as it is, byte for byte; each file is kept as NAME.baton.bak before its first change, and --remove takes\n" +
			"everything out again. --check writes nothing and ends with exit code 6 unless all is current.",
		example: "baton init\nbaton init --layout specflux\nbaton init --layout gsd\nbaton init --layout devt\n" +
			"baton init --agent claude,codex\nbaton init --agent claude --dry-run\nbaton init --agent claude --check\nbaton init --agent claude --remove",
		most:  16, // names behind --agent, which may stand without one
		exits: []report.Kind{report.NotFound, report.Conflict, report.Violation, report.Corrupt, report.Locked, report.Unavailable, report.Refused},
		run: func(cmd *cobra.Command, args []string) error {
			if ask.meant(cmd) {
				return d.initAgents(cmd, ask, args)
			}
			if len(args) > 0 {
				return usage(cmd.CommandPath(), "init takes no operand, but \""+args[0]+"\" was given")
			}
			o := d.options(cmd)
			o.Layout = "" // here it names what to make, not where to look
			return answerWith(d, cmd, o, func(ctx context.Context, p *project.Project) (setup.InitResult, error) {
				return p.Setup.Init(ctx, setup.InitRequest{Layout: d.layout})
			}, pageInit)
		},
	})
	ask.flags(cmd)
	cmd.ValidArgsFunction = completeOperand
	return cmd
}

func pageInit(p *page, r setup.InitResult) {
	gone := func(f report.Finding) bool { return f.Code == "digest_missing" }
	switch {
	case len(r.Created) == 0 && slices.ContainsFunc(r.Warnings, gone):
		p.line(plain, "Nothing was made: %s has the layout %s.", r.Root, r.Layout)
	case len(r.Created) == 0:
		p.line(plain, "Nothing to do: %s has the layout %s.", r.Root, r.Layout)
	default:
		p.line(good, "Layout %s in %s", r.Layout, r.Root)
		for _, path := range r.Created {
			p.line(plain, "  + %s", path)
		}
	}
	p.remarks = r.Warnings
	if others := without(r.Found, r.Layout); len(others) > 0 {
		p.line(plain, "Found besides: %s", strings.Join(others, ", "))
	}
	switch r.Layout {
	case "gsd", "specflow":
		p.hint("Next: baton state show")
	case "devt":
		p.hint("Next: baton dir begin TYPE TASK")
		p.hint("See what is there already: baton dir audit")
	default:
		p.hint(`Next: baton task new "TITLE" --accept "WHAT MUST HOLD"`)
	}
}

// without gives the names that are not the one.
func without(names []string, name string) []string {
	var others []string
	for _, other := range names {
		if other != name {
			others = append(others, other)
		}
	}
	return others
}
