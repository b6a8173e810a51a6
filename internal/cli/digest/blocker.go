package digest

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

func blockerCommands(d *app.App) *cobra.Command {
	return d.Group(
		"blocker",
		"List, record and resolve blockers",
		`The digest lists the project's blockers and concerns: GSD's digest, or baton's own. Resolved
blockers move to STATE-ARCHIVE.md in the same folder. SpecFlow's digest has warnings instead, and
a resolved one is removed.`,
		blockerAddCommand(d),
		blockerListCommand(d),
		blockerResolveCommand(d),
	)
}

func blockerAddCommand(d *app.App) *cobra.Command {
	var r digests.BlockerRequest
	cmd := d.Command(app.Spec{
		Use: "add TEXT", Short: "Record a blocker",
		Long: `Add a blocker to the digest, or a warning to SpecFlow's. As TEXT, - reads standard input, and @FILE
reads a file; line breaks become spaces.`,
		Example: "baton blocker add \"The key server is down\"\nbaton blocker add \"No test data\" --phase 4\n" +
			"baton blocker add \"executed without audit approval\" --spec SPEC-007",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			ask := r
			var err error
			if ask.Text, err = d.RequiredText(cmd, "TEXT", args[0]); err != nil {
				return err
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.BlockerChange, error) {
				return p.Digests.AddBlocker(ctx, ask)
			}, func(p *app.Page, c digests.BlockerChange) {
				if !unchanged(p, c.StateChange) {
					pageBlockers(p, c, "Recorded the "+blockerNoun(c.Layout))
				}
			})
		},
	})
	cmd.Flags().StringVar(&r.Phase, "phase", "", "the `PHASE` that it is about (default: the current one)")
	cmd.Flags().StringVar(&r.Phase, "spec", "",
		"SpecFlow: the specification `ID` that it is about (default: the only active one)")
	return cmd
}

func blockerListCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "list", Short: "List the blockers",
		Long:    "List the blockers of the digest, with the numbers that `baton blocker resolve` takes.",
		Example: "baton blocker list\nbaton blocker list --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.BlockerList, error) {
				return p.Digests.Blockers(ctx)
			}, func(p *app.Page, l digests.BlockerList) {
				p.Remarks = l.Warnings
				if len(l.Blockers) == 0 {
					p.Line(app.Plain, "No %ss.", blockerNoun(l.Layout))
					return
				}
				for _, b := range l.Blockers {
					p.Item("", app.Bad, app.Ordinal(b.N, len(l.Blockers)), b.Text)
				}
				p.Hint("To resolve one: baton blocker resolve N")
			})
		},
	})
}

func blockerResolveCommand(d *app.App) *cobra.Command {
	var r digests.ResolveRequest
	cmd := d.Command(app.Spec{
		Use: "resolve TEXT|N", Short: "Mark a blocker as resolved",
		Long: `Move a blocker to STATE-ARCHIVE.md, or delete a warning of SpecFlow's digest. Give its number in the
list or a part of its text. If several contain that text, nothing happens unless you add --all.`,
		Example: "baton blocker resolve 1\nbaton blocker resolve \"key server\" --all",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			ask := r
			var err error
			if ask.Text, err = d.RequiredText(cmd, "TEXT", args[0]); err != nil {
				return err
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.BlockerChange, error) {
				return p.Digests.ResolveBlocker(ctx, ask)
			}, func(p *app.Page, c digests.BlockerChange) {
				pageBlockers(p, c, "Resolved "+safetext.Count(len(c.Blockers), blockerNoun(c.Layout)))
			})
		},
	})
	cmd.Flags().BoolVar(&r.All, "all", false, "resolve every blocker that contains TEXT")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeBlocker))
	return cmd
}

// blockerNoun returns what the digest of a layout calls a blocker.
func blockerNoun(layout string) string {
	if layout == workspace.LayoutSpecflow {
		return "warning"
	}
	return "blocker"
}

func pageBlockers(p *app.Page, c digests.BlockerChange, done string) {
	p.Line(app.Good, "%s", done)
	for _, b := range c.Blockers {
		mark := p.Marks().Dot
		if b.N > 0 {
			mark = strconv.Itoa(b.N)
		}
		p.Item("  ", app.Accent, mark, b.Text)
	}
	after(p, c.StateChange)
}
