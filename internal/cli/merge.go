package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/doctor"
	"baton/internal/usecase/merging"
)

func (d *door) mergeCommands() *cobra.Command {
	return d.group("merge", "Let git merge branches by meaning",
		"With baton as merge driver, git merge, rebase, cherry-pick and stash pop join tasks, decisions, sessions, blockers and queue rows as\n"+
			"sets, front matter and metadata key by key, and archives as unions. Of what both wrote into one field the newer words stand, and the\n"+
			"others beside them. Conflict markers remain only where two people wrote different sentences in one place.",
		d.mergeInstallCommand(), d.mergeDriverCommand(), d.mergeCheckCommand())
}

func (d *door) mergeInstallCommand() *cobra.Command {
	remove := false
	cmd := d.command(spec{
		use: "install", short: "Set git up to merge baton's documents by meaning",
		long: "Write a block of patterns into .gitattributes, which travels with the repository, and the driver's command into the config\n" +
			"of this repository, which does not: each clone runs this once. Without it, or without baton, git merges by lines.\n\n" +
			"Run it again when a layout was added. --remove takes both away and leaves the rest as it was.",
		example: "baton merge install\nbaton merge install --remove",
		exits:   writing[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (merging.MergeSetup, error) {
				return p.Merging.MergeInstall(ctx, remove)
			}, pageMergeSetup)
		},
	})
	cmd.Flags().BoolVar(&remove, "remove", false, "take block and command away again")
	return cmd
}

func pageMergeSetup(p *page, r merging.MergeSetup) {
	switch {
	case len(r.Changed) == 0 && r.Removed:
		p.line(plain, "Nothing to do: git is not set up to merge by baton.")
	case len(r.Changed) == 0:
		p.line(plain, "Nothing to do: git merges these by baton:")
	case r.Removed:
		p.line(good, "Git merges by lines again")
	default:
		p.line(good, "Git merges these by baton now:")
	}
	if !r.Removed {
		for _, pattern := range r.Patterns {
			p.line(plain, "  %s", pattern)
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
		p.line(faint, "  %s  %s", what, name)
	}
	switch {
	case r.Removed || len(r.Changed) == 0:
	case slices.Contains(r.Changed, r.Attributes):
		p.hint("Next: git add %s; each clone runs `baton merge install` once", r.Attributes)
	default:
		p.hint("%s named them already, and is as it was", r.Attributes)
	}
	p.remarks = r.Warnings
}

func (d *door) mergeDriverCommand() *cobra.Command {
	return d.command(spec{
		use: "driver BASE OURS THEIRS PATH", short: "Merge three versions of a document, as git asks",
		long: "Git calls this command; `baton merge install` tells it to. BASE, OURS and THEIRS are files, PATH is the document's name in\n" +
			"the repository, which says what it is. The result is written to OURS. It ends with exit code 0 when that is clean,\n" +
			"and with 4 when conflict markers are left, which git reports as a conflict.\n\n" +
			"Sessions that both sides logged under one number are renumbered, and words that both sides wrote into one field are put aside:\n" +
			"it says so, on standard error. It opens no project and takes no lock.",
		example: "baton merge driver base.md ours.md theirs.md .baton/STATE.md",
		least:   4, most: 4,
		exits: []report.Kind{report.Conflict, report.Refused},
		run: func(_ *cobra.Command, args []string) error {
			result, failed := merging.Merge(d.env, merging.MergeRequest{Dir: d.dir, Base: args[0], Ours: args[1], Theirs: args[2], Path: args[3]})
			if err := present(d, result, func(p *page, r merging.MergeResult) { p.remarks = r.Warnings }); err != nil {
				return err
			}
			return failed
		},
	})
}

func (d *door) mergeCheckCommand() *cobra.Command {
	return d.command(spec{
		use: "check", short: "Find what a merge left to be mended",
		long: "Look for conflict markers, ids that two tasks have, session numbers that were given twice, and names of tasks that are not\n" +
			"there, and say what mends each. Nothing is written. It ends with exit code 6 when something has to be mended; that git merges by\n" +
			"lines here, for want of `baton merge install`, is a remark.",
		example: "baton merge check",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answerJudged(d, cmd, func(ctx context.Context, p *project.Project) (doctor.MergeCheck, error) {
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
				return findings("", "the merge left "+problems(n, 0), n, 0)
			})
		},
	})
}

func pageMergeCheck(p *page, r doctor.MergeCheck) {
	for _, f := range r.Findings {
		p.ailment(f)
	}
	if len(r.Findings) == 0 {
		p.line(good, "Nothing to mend in %s.", plural(r.Files, "document"))
	}
}
