package safety

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/doctor"
	"baton/internal/usecase/merging"
)

func mergeCommands(d *app.App) *cobra.Command {
	return d.Group(
		"merge",
		"Let git merge branches by meaning",
		"With baton as merge driver, git merge, rebase, cherry-pick and stash pop join tasks, decisions, sessions, blockers and queue rows as\n"+
			"sets, front matter and metadata key by key, and archives as unions. Of what both wrote into one field the newer words stand, and the\n"+
			"others beside them. Conflict markers remain only where two people wrote different sentences in one place.",
		mergeInstallCommand(d),
		mergeDriverCommand(d),
		mergeCheckCommand(d),
	)
}

func mergeInstallCommand(d *app.App) *cobra.Command {
	remove := false
	cmd := d.Command(app.Spec{
		Use: "install", Short: "Let git merge these files by meaning",
		Long: "Write a block of patterns into .gitattributes, which travels with the repository, and the driver's command into the config\n" +
			"of this repository, which does not: each clone runs this once. Without it, or without baton, git merges by lines.\n\n" +
			"Run it again when a layout was added. --remove takes both away and leaves the rest as it was.",
		Example: "baton merge install\nbaton merge install --remove",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (merging.MergeSetup, error) {
				return p.Merging.MergeInstall(ctx, remove)
			}, pageMergeSetup)
		},
	})
	cmd.Flags().BoolVar(&remove, "remove", false, "take block and command away again")
	return cmd
}

func pageMergeSetup(p *app.Page, r merging.MergeSetup) {
	switch {
	case len(r.Changed) == 0 && r.Removed:
		p.Line(app.Plain, "Nothing to do: git is not set up to merge by baton.")
	case len(r.Changed) == 0:
		p.Line(app.Plain, "Nothing to do: git merges these by baton:")
	case r.Removed:
		p.Line(app.Good, "Git merges by lines again")
	default:
		p.Line(app.Good, "Git merges these by baton now:")
	}
	if !r.Removed {
		for _, pattern := range r.Patterns {
			p.Line(app.Plain, "  %s", pattern)
		}
	}
	for _, name := range r.Changed {
		what := "changed"
		switch {
		case slices.Contains(r.Deleted, name):
			what = "deleted"
		case r.Removed && name != r.Attributes:
			what = "removed"
		}
		p.Line(app.Faint, "  %s  %s", what, name)
	}
	switch {
	case r.Removed || len(r.Changed) == 0:
	case slices.Contains(r.Changed, r.Attributes):
		p.Hint("Next: git add %s; each clone runs `baton merge install` once", r.Attributes)
	default:
		p.Hint("%s named them already, and is as it was", r.Attributes)
	}
	p.Remarks = r.Warnings
}

func mergeDriverCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "driver BASE OURS THEIRS PATH", Short: "Merge three versions of a document for git",
		Long: "Git calls this command; `baton merge install` tells it to. BASE, OURS and THEIRS are files, PATH is the document's name in\n" +
			"the repository, which says what it is. The result is written to OURS. It ends with exit code 0 when that is clean,\n" +
			"and with 4 when conflict markers are left, which git reports as a conflict.\n\n" +
			"Sessions that both sides logged under one number are renumbered, and words that both sides wrote into one field are put aside:\n" +
			"it says so, on standard error. It opens no project and takes no lock.",
		Example: "baton merge driver base.md ours.md theirs.md .baton/STATE.md",
		MinArgs: 4, MaxArgs: 4,
		Exits: []report.Kind{report.Conflict, report.Refused},
		Run: func(_ *cobra.Command, args []string) error {
			result, failed := merging.Merge(
				d.Env,
				merging.MergeRequest{Dir: d.Dir, Base: args[0], Ours: args[1], Theirs: args[2], Path: args[3]},
			)
			if err := app.Present(d, result, func(p *app.Page, r merging.MergeResult) { p.Remarks = r.Warnings }); err != nil {
				return err
			}
			return failed
		},
	})
}

func mergeCheckCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "check", Short: "List what a merge left for you to resolve",
		Long: "Look for conflict markers, ids that two tasks have, session numbers that were given twice, and names of tasks that are not\n" +
			"there, and say what mends each. Nothing is written. It ends with exit code 6 when something has to be mended; that git merges by\n" +
			"lines here, for want of `baton merge install`, is a remark.",
		Example: "baton merge check",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.AnswerJudged(d, cmd, func(ctx context.Context, p *project.Project) (doctor.MergeCheck, error) {
				return p.Doctor.MergeCheck(ctx)
			}, pageMergeCheck, func(got doctor.MergeCheck) error {
				n := 0
				for _, f := range got.Findings {
					if f.Severity == report.Severe {
						n++
					}
				}
				if n == 0 {
					return nil
				}
				return app.FindingsError("", "the merge left "+app.CountProblems(n, 0), n, 0)
			})
		},
	})
}

func pageMergeCheck(p *app.Page, r doctor.MergeCheck) {
	for _, f := range r.Findings {
		ailment(p, f)
	}
	if len(r.Findings) == 0 {
		p.Line(app.Good, "Nothing to mend in %s.", app.Plural(r.Files, "document"))
	}
}
