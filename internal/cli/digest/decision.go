package digest

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/digest/decision"
	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func decisionCommands(d *app.App) *cobra.Command {
	return d.Group(
		"decision",
		"Record decisions and find them again",
		"The digest holds the newest decisions; older ones move to DECISIONS_ARCHIVE.md in "+
			"the same folder. Every decision is always in exactly one of the two files.",
		decisionAddCommand(d),
		decisionListCommand(d),
		app.AliasOf(rotateCommand(d), "decision rotate", "state rotate"),
	)
}

func decisionAddCommand(d *app.App) *cobra.Command {
	var r digests.DecisionRequest
	cmd := d.Command(app.Spec{
		Use: "add TEXT", Short: "Record a decision",
		Long: `Add a decision to the digest, at the newest end of its list and in the form of that list. If the
digest grows past its limits, the oldest decisions move to the archive in the same step. As TEXT,
- reads standard input, and @FILE reads a file; line breaks become spaces. A decision longer than
500 characters is refused; with --split, its beginning goes into the digest and the full text into
the archive.`,
		Example: "baton decision add \"Use SQLite for the cache\" --rationale \"no server to run\"\n" +
			"baton decision add \"Retry three times\" --date 2026-03-14 --phase 4\n" +
			"baton decision add \"Split the parser\" --spec SPEC-007",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			ask := r
			var err error
			if ask.Text, err = d.RequiredText(cmd, "TEXT", args[0]); err != nil {
				return err
			}
			if ask.Rationale, err = d.TextOrFile(cmd.Context(), "rationale", r.Rationale); err != nil {
				return err
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.DecisionAdded, error) {
				return p.Digests.AddDecision(ctx, ask)
			}, pageDecisionAdded)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Date, "date", "", "the day of the decision: `YYYY-MM-DD` (default: today)")
	flags.StringVar(&r.Spec, "spec", "", "SpecFlow: the specification `ID` (default: the only active one)")
	flags.StringVar(&r.Phase, "phase", "", "the `PHASE` (default: the current one)")
	flags.StringVar(&r.Rationale, "rationale", "", "why: `TEXT`")
	flags.BoolVar(&r.Split, "split", false, "put a long text into the archive, and its beginning into the digest")
	return cmd
}

func pageDecisionAdded(p *app.Page, r digests.DecisionAdded) {
	p.Line(app.Good, "Recorded the decision")
	decisions(p, digests.DecisionList{Decisions: append(digests.DecisionList{}.Decisions, r.Decision)}, 0)
	if r.Decision.Phase == "?" {
		p.Line(app.Faint, "  ? stands for the phase, which the digest does not name; --phase N says which one")
	}
	if r.Split {
		p.Line(app.Accent, "  the full text is in %s", r.Rotation.Archive)
	}
	if r.Archived {
		p.Line(app.Accent, "  it went straight to %s, because it is older than those that stay", r.Rotation.Archive)
	}
	after(p, r.StateChange)
}

func decisionListCommand(d *app.App) *cobra.Command {
	var r digests.DecisionListRequest
	cmd := d.Command(app.Spec{
		Use: "list", Short: "List decisions, oldest first",
		Long: `List the decisions of the digest, oldest first. --archived lists those in the archive instead, and
--all lists both.`,
		Example: "baton decision list\nbaton decision list --all --json\n" +
			"baton decision list --archived --spec SPEC-007",
		Exits: app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.Exclusive(cmd, "archived", "all"); err != nil {
				return err
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.DecisionList, error) {
				return p.Digests.Decisions(ctx, r)
			}, func(p *app.Page, l digests.DecisionList) { pageDecisions(p, l, r) })
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.Archived, "archived", false, "only those in the archive")
	flags.BoolVar(&r.All, "all", false, "those in the digest and in the archive")
	flags.StringVar(&r.Spec, "spec", "", "SpecFlow: only those of the specification `ID`")
	return cmd
}

func pageDecisions(p *app.Page, l digests.DecisionList, r digests.DecisionListRequest) {
	p.Remarks = l.Warnings
	if len(l.Decisions) > 0 {
		decisionTable(p, l)
		if l.Archived > 0 && !r.Archived && !r.All {
			all := "baton decision list --all"
			if r.Spec != "" {
				all += " --spec " + r.Spec
			}
			p.Hint("%d in %s: %s", l.Archived, l.Archive, all)
			if slices.ContainsFunc(l.Decisions, decision.Row.IsExcerpt) {
				p.Hint("whole texts: baton history --texts")
			}
		}
		return
	}
	switch {
	case r.Spec != "":
		p.Line(app.Plain, "No decision names %s. To see them all: baton decision list --all", r.Spec)
	case r.Archived:
		p.Line(app.Plain, "%s", noArchive)
	case l.Archived > 0:
		p.Line(
			app.Plain, "No decisions in %s. There are %d in the archive: baton decision list --archived", l.Path,
			l.Archived,
		)
	default:
		p.Line(app.Plain, `No decisions yet. To record one: baton decision add "TEXT"`)
	}
}

// noArchive is what the contract has answered where nothing was archived (specflow.md 5.12).
const noArchive = "No archived decisions yet"
