package safety

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/doctor"
	"baton/internal/usecase/merging"
)

func mergeCommands(d *app.App) *cobra.Command {
	return d.Group(
		"merge",
		"Teach git to merge baton's files",
		"With baton as its merge driver, git merges tasks, decisions, sessions, blockers and queue "+
			"rows entry by entry, and front matter and metadata key by key. Archives keep the entries of "+
			"both sides. This holds for merge, rebase, cherry-pick and stash pop. If both sides wrote into "+
			"the same field, the newer text comes first and the other one stays next to it. You get "+
			"conflict markers only if both sides rewrote the same text.",
		mergeInstallCommand(d),
		mergeDriverCommand(d),
		mergeCheckCommand(d),
	)
}

func mergeInstallCommand(d *app.App) *cobra.Command {
	remove := false
	cmd := d.Command(app.Spec{
		Use: "install", Short: "Teach git to merge these files",
		Long: `Write a block of patterns into .gitattributes, which is part of the repository, and the driver's
command into the config of this clone, which is not: run this once in each clone. Without it, or on
a machine without baton, git merges line by line.

Run it again after you add a layout. --remove removes both and leaves the rest as it was.`,
		Example: "baton merge install\nbaton merge install --remove",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (merging.MergeSetup, error) {
				return p.Merging.MergeInstall(ctx, remove)
			}, pageMergeSetup)
		},
	})
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the block and the command again")
	return cmd
}

func pageMergeSetup(p *app.Page, r merging.MergeSetup) {
	switch {
	case len(r.Changed) == 0 && r.Removed:
		p.Line(app.Plain, "Nothing to do: git does not use baton to merge.")
	case len(r.Changed) == 0:
		p.Line(app.Plain, "Nothing to do: git already merges these with baton:")
	case r.Removed:
		p.Line(app.Good, "Git merges line by line again")
	default:
		p.Line(app.Good, "Git now merges these with baton:")
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
		p.Hint("Next: git add %s; run `baton merge install` once in each clone", r.Attributes)
	default:
		p.Hint("%s already lists them and is unchanged", r.Attributes)
	}
	p.Remarks = r.Warnings
}

func mergeDriverCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "driver BASE OURS THEIRS PATH", Short: "Merge three versions of a document for git",
		Long: "Git calls this command after `baton merge install`. BASE, OURS and THEIRS are files; PATH is " +
			"the document's name in the repository, which says what kind of document it is. The result is " +
			"written to OURS. The exit code is 0 if the merge is clean, and 4 if conflict markers are " +
			"left, which git reports as a conflict.\n\n" +
			"If both sides logged a session under the same number, baton renumbers one; if both wrote " +
			"into the same field, it puts one text next to the other. It reports this on standard error. " +
			"The command opens no project and takes no lock.",
		Example: "baton merge driver base.md ours.md theirs.md .baton/STATE.md",
		MinArgs: 4, MaxArgs: 4,
		Exits: []report.Kind{report.Conflict, report.Refused},
		Run: func(_ *cobra.Command, args []string) error {
			result, failed := merging.Merge(
				d.Env, merging.MergeRequest{Dir: d.Dir, Base: args[0], Ours: args[1], Theirs: args[2], Path: args[3]},
			)
			if err := app.Present(
				d, result, func(p *app.Page, r merging.MergeResult) { p.Remarks = r.Warnings },
			); err != nil {
				return err
			}
			return failed
		},
	})
}

func mergeCheckCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "check", Short: "List what a merge left for you to resolve",
		Long: "List conflict markers, ids that two tasks have, session numbers that exist twice, " +
			"and references to tasks that do not exist, each with the way to resolve it. Nothing is " +
			"written. The exit code is 6 if there is anything to resolve. If git merges line by line " +
			"because `baton merge install` was not run, that is only a note.",
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
				return app.FindingsError("", "the merge left "+safetext.Count(n, "error"), n, 0)
			})
		},
	})
}

func pageMergeCheck(p *app.Page, r doctor.MergeCheck) {
	for _, f := range r.Findings {
		ailment(p, f)
	}
	if len(r.Findings) == 0 {
		p.Line(app.Good, "Nothing to resolve in %s.", safetext.Count(r.Files, "document"))
	}
}
