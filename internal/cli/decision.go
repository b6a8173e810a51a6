package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func (d *door) decisionCommands() *cobra.Command {
	return d.group("decision", "Record decisions and find them again",
		"Decisions stand in the digest, the newest few of them; older ones move to DECISIONS_ARCHIVE.md beside it. None is ever in\nneither of the two files, nor in both.",
		d.decisionAddCommand(), d.decisionListCommand(), d.rotateCommand("decision"))
}

func (d *door) decisionAddCommand() *cobra.Command {
	var r digests.DecisionRequest
	cmd := d.command(spec{
		use: "add TEXT", short: "Record a decision",
		long: "Add a decision to the digest, at the newest end of its list, in the shape that the list has. When the digest grows past\n" +
			"its limits, the oldest decisions move to the archive in the same step. TEXT - reads standard input, @FILE a file; line\n" +
			"breaks become blanks. A decision longer than 500 characters is refused; --split keeps its beginning in the digest and\n" +
			"the full text in the archive.",
		example: "baton decision add \"Use SQLite for the cache\" --rationale \"no server to run\"\n" +
			"baton decision add \"Retry three times\" --date 2026-03-14 --phase 4\n" +
			"baton decision add \"Split the parser\" --spec SPEC-007",
		least: 1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			ask := r
			var err error
			if ask.Text, err = d.given(cmd, "TEXT", args[0]); err != nil {
				return err
			}
			if ask.Rationale, err = d.words(cmd.Context(), "rationale", r.Rationale); err != nil {
				return err
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.DecisionAdded, error) {
				return p.Digests.AddDecision(ctx, ask)
			}, pageDecisionAdded)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Date, "date", "", "the day it was made: `YYYY-MM-DD` (default: today)")
	flags.StringVar(&r.Spec, "spec", "", "SpecFlow: the specification `ID` (default: the only active one)")
	flags.StringVar(&r.Phase, "phase", "", "the `PHASE` (default: the current one)")
	flags.StringVar(&r.Rationale, "rationale", "", "why: `TEXT`")
	flags.BoolVar(&r.Split, "split", false, "put a long text into the archive and its beginning into the digest")
	return cmd
}

func pageDecisionAdded(p *page, r digests.DecisionAdded) {
	p.line(good, "Recorded the decision")
	p.decisions(digests.DecisionList{Decisions: append(digests.DecisionList{}.Decisions, r.Decision)}, 0)
	if r.Split {
		p.line(accent, "  the full text is in %s", r.Rotation.Archive)
	}
	if r.Archived {
		p.line(accent, "  it went to %s at once: it is older than those that stay", r.Rotation.Archive)
	}
	p.after(r.StateChange)
}

func (d *door) decisionListCommand() *cobra.Command {
	var r digests.DecisionListRequest
	cmd := d.command(spec{
		use: "list", short: "List decisions, oldest first",
		long:    "List the decisions of the digest, oldest first. --archived lists those of the archive, --all both.",
		example: "baton decision list\nbaton decision list --all --json\nbaton decision list --archived --spec SPEC-007",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			if err := exclusive(cmd, "archived", "all"); err != nil {
				return err
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.DecisionList, error) {
				return p.Digests.Decisions(ctx, r)
			}, func(p *page, l digests.DecisionList) { pageDecisions(p, l, r) })
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.Archived, "archived", false, "only those of the archive")
	flags.BoolVar(&r.All, "all", false, "those of the digest and of the archive")
	flags.StringVar(&r.Spec, "spec", "", "SpecFlow: only those of the specification `ID`")
	return cmd
}

func pageDecisions(p *page, l digests.DecisionList, r digests.DecisionListRequest) {
	p.remarks = l.Warnings
	if len(l.Decisions) > 0 {
		p.decisionTable(l)
		if l.Archived > 0 && !r.Archived && !r.All {
			p.hint("%d more in %s: baton decision list --all", l.Archived, l.Archive)
		}
		return
	}
	switch {
	case r.Spec != "":
		p.line(plain, "No decision names %s. All of them: baton decision list --all", r.Spec)
	case r.Archived:
		p.line(plain, "%s", noArchive)
	case l.Archived > 0:
		p.line(plain, "No decisions in %s. Archived ones, %d: baton decision list --archived", l.Path, l.Archived)
	default:
		p.line(plain, `No decisions yet. Record one: baton decision add "TEXT"`)
	}
}

// noArchive is what the contract has answered where nothing was archived (specflow.md 5.12).
const noArchive = "No archived decisions yet"
