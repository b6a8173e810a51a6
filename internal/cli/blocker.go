package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func (d *door) blockerCommands() *cobra.Command {
	return d.group("blocker", "Say what is in the way",
		"Blockers and concerns of the project, as a GSD digest or baton's own keeps them. A resolved one moves to STATE-ARCHIVE.md\nbeside it.",
		d.blockerAddCommand(), d.blockerListCommand(), d.blockerResolveCommand())
}

func (d *door) blockerAddCommand() *cobra.Command {
	var r digests.BlockerRequest
	cmd := d.command(spec{
		use: "add TEXT", short: "Record a blocker",
		long:    "Add a blocker to the digest. TEXT - reads standard input, @FILE a file; line breaks become blanks.",
		example: "baton blocker add \"The key server is down\"\nbaton blocker add \"No test data\" --phase 4",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			ask := r
			var err error
			if ask.Text, err = d.given(cmd, "TEXT", args[0]); err != nil {
				return err
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.BlockerChange, error) {
				return p.Digests.AddBlocker(ctx, ask)
			}, func(p *page, c digests.BlockerChange) {
				pageBlockers(p, c, "Recorded the blocker")
			})
		},
	})
	cmd.Flags().StringVar(&r.Phase, "phase", "", "the `PHASE` that it is about (default: the current one)")
	return cmd
}

func (d *door) blockerListCommand() *cobra.Command {
	return d.command(spec{
		use: "list", short: "List the blockers",
		long:    "List the blockers of the digest, with the numbers that `baton blocker resolve` takes.",
		example: "baton blocker list\nbaton blocker list --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.BlockerList, error) {
				return p.Digests.Blockers(ctx)
			}, func(p *page, l digests.BlockerList) {
				p.remarks = l.Warnings
				if len(l.Blockers) == 0 {
					p.line(plain, "No blockers.")
					return
				}
				for _, b := range l.Blockers {
					p.item("", bad, ordinal(b.N, len(l.Blockers)), b.Text)
				}
				p.hint("Out of the way: baton blocker resolve N")
			})
		},
	})
}

func (d *door) blockerResolveCommand() *cobra.Command {
	var r digests.ResolveRequest
	cmd := d.command(spec{
		use: "resolve TEXT|N", short: "Say that a blocker is out of the way",
		long: "Move a blocker to STATE-ARCHIVE.md. It is named by its number in the list or by a part of its text; when several have\n" +
			"that part, nothing is done unless --all is given.",
		example: "baton blocker resolve 1\nbaton blocker resolve \"key server\" --all",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			ask := r
			var err error
			if ask.Text, err = d.given(cmd, "TEXT", args[0]); err != nil {
				return err
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.BlockerChange, error) {
				return p.Digests.ResolveBlocker(ctx, ask)
			}, func(p *page, c digests.BlockerChange) {
				pageBlockers(p, c, "Resolved "+plural(len(c.Blockers), "blocker"))
			})
		},
	})
	cmd.Flags().BoolVar(&r.All, "all", false, "every blocker that has this text")
	cmd.ValidArgsFunction = first(d.completeBlocker)
	return cmd
}

func pageBlockers(p *page, c digests.BlockerChange, done string) {
	p.line(good, "%s", done)
	for _, b := range c.Blockers {
		mark := "·"
		if b.N > 0 {
			mark = strconv.Itoa(b.N)
		}
		p.item("  ", accent, mark, b.Text)
	}
	p.after(c.StateChange)
}
