package folder

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/folder"
)

func dirCleanupCommand(d *app.App) *cobra.Command {
	var r folder.CleanupRequest
	stale, adHoc := 0, 0
	cmd := d.Command(app.Spec{
		Use: "cleanup", Short: "Move stray files to the archive",
		Long: "Move ad hoc entries, files that programs left over, and files that match a pattern and are " +
			"older than 21 days to a new snapshot in .archive. Names in the contract stay. Without " +
			"--apply, baton only shows what would move; `baton dir restore` brings back what moved.",
		Example: "baton dir cleanup\nbaton dir cleanup --apply\n" +
			"baton dir cleanup --stale-days 7 --ad-hoc-stale-days 1 --apply",
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			words := []string{"cleanup --apply"}
			for _, limit := range [...]struct {
				name  string
				value *int
				into  **int
			}{{"stale-days", &stale, &r.StaleDays}, {"ad-hoc-stale-days", &adHoc, &r.AdHocStaleDays}} {
				if err := app.NotNegative(cmd, limit.name); err != nil {
					return err
				}
				if cmd.Flags().Changed(limit.name) {
					*limit.into = limit.value
					words = append(words, "--"+limit.name, strconv.Itoa(*limit.value))
				}
			}
			return sweep(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirSweep, error) {
				return p.Folder.DirCleanup(ctx, r)
			}, r.DirRequest, hintFor(d, r.DirRequest, words...))
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.Apply, "apply", false, "move the entries")
	flags.IntVar(
		&stale,
		"stale-days",
		0,
		"move files that match a pattern and are older than `DAYS`, 0 or more (default: 21, or "+
			"the limit in contract.yaml)",
	)
	flags.IntVar(&adHoc, "ad-hoc-stale-days", 0, "keep ad hoc entries that are not older than `DAYS`")
	return inFolder(cmd, &r.DirRequest)
}

func dirResetCommand(d *app.App) *cobra.Command {
	return sweepCommand(d, "reset", app.Spec{
		Short: "Move everything of a finished workflow to the archive",
		Long: "Move everything that the contract does not exempt to a new snapshot in .archive, " +
			"including the record workflow.yaml. Use it at the end of a workflow. Logs, locks, deferred " +
			"items and the like are exempt, and so are the folders of instances. If somebody else is at work " +
			"on the workflow, the command is refused without --steal. Without --apply, baton only shows what " +
			"would move; `baton dir restore` brings back what moved.",
	}, func(ctx context.Context, p *project.Project, r folder.SweepRequest) (folder.DirSweep, error) {
		return p.Folder.DirReset(ctx, r)
	})
}

func dirEvictCommand(d *app.App) *cobra.Command {
	return sweepCommand(d, "evict", app.Spec{
		Short: "Move outputs of earlier workflows to the archive",
		Long: "Move gate marks and verifications, and reviews, summaries and slices that are older than the " +
			"session, to a new snapshot in .archive, so that nobody takes them for results of the current work. " +
			"While a workflow is running, files that are newer than its start stay. Without --apply, baton only " +
			"shows what would move.",
	}, func(ctx context.Context, p *project.Project, r folder.SweepRequest) (folder.DirSweep, error) {
		return p.Folder.DirEvict(ctx, r)
	})
}

// sweepCommand is reset and evict.
func sweepCommand(
	d *app.App, name string, s app.Spec,
	use func(context.Context, *project.Project, folder.SweepRequest) (folder.DirSweep, error),
) *cobra.Command {
	var r folder.SweepRequest
	s.Use, s.Exits = name, app.WritingExits[:]
	s.Example = "baton dir " + name + "\nbaton dir " + name + " --apply"
	s.Run = func(cmd *cobra.Command, _ []string) error {
		return sweep(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirSweep, error) {
			return use(ctx, p, r)
		}, r.DirRequest, hintFor(d, r.DirRequest, name+" --apply"))
	}
	cmd := d.Command(s)
	cmd.Flags().BoolVar(&r.Apply, "apply", false, "move the entries")
	if name == "reset" {
		cmd.Flags().BoolVar(&r.Steal, "steal", false, "also end a workflow that somebody else is at work on")
	}
	return inFolder(cmd, &r.DirRequest)
}

// sweep prints what a sweep moved or would move, and fails when the system refused to move
// something.
func sweep(
	d *app.App, cmd *cobra.Command, use func(context.Context, *project.Project) (folder.DirSweep, error),
	where folder.DirRequest, apply string,
) error {
	return app.AnswerJudged(d, cmd, use, func(p *app.Page, got folder.DirSweep) {
		p.Remarks = got.Warnings
		if len(got.Entries) == 0 {
			p.Item("", app.Plain, "Nothing to do:", fmt.Sprintf("%s has nothing to move in %s.", got.Sweep, got.Folder))
			stayed(p, got)
			return
		}
		moves(p, got)
		if got.Sweep == "reset" {
			ends(p, got)
		}
		stayed(p, got)
		ring(p, got)
		undo(p, got, where)
		if !got.Applied {
			p.DoIt("Nothing was moved.", apply)
		}
	}, func(got folder.DirSweep) error {
		if err := broken(got.Warnings); err != nil {
			return err // a dry run; a change is refused
		}
		return unmoved(got.Entries, got.Folder)
	})
}

// sweptLines is how many entries that moved, or would move, are listed.
const sweptLines = 40

// archiveOf returns where the snapshots of a folder lie.
func archiveOf(folder string) string { return folder + "/.archive" }

// moves lists what moved or would move, and what did not.
func moves(p *app.Page, r folder.DirSweep) {
	would, moved := swept(r.Entries, "would_move"), swept(r.Entries, "moved")
	widths := measure(p, would[:min(len(would), sweptLines+1)], moved[:min(len(moved), sweptLines+1)])
	if len(would) > 0 {
		p.Item("", app.Strong, "Would move", sized(len(would), r.Bytes)+", to "+archiveOf(r.Folder))
		list(p, widths, would, sweptLines, "; --json has all of them")
	}
	switch {
	case r.Snapshot == nil:
	case len(moved) == 0:
		p.Item("", app.Warn, "Nothing was moved to", archiveOf(r.Folder)+"/"+*r.Snapshot)
	default:
		p.Item("", app.Good, "Moved", sized(len(moved), r.Bytes)+", to "+archiveOf(r.Folder)+"/"+*r.Snapshot)
		list(p, widths, moved, sweptLines, "; --json has all of them")
	}
	for _, e := range r.Entries {
		switch e.State {
		case "failed":
			p.Item("  ", app.Bad, "not moved:", shortFilename(p, e.Name)+" stays: "+e.Error)
		case "changed":
			p.Item("  ", app.Warn, "not moved:", shortFilename(p, e.Name)+" stays: it changed in the meantime")
		case "vanished":
			p.Item("  ", app.Faint, "gone:", "somebody else removed "+shortFilename(p, e.Name)+" in the meantime")
		}
	}
}

// undo says how to bring back what moved.
func undo(p *app.Page, r folder.DirSweep, where folder.DirRequest) {
	if r.Snapshot != nil && len(swept(r.Entries, "moved")) > 0 {
		p.Hint("To bring it back: %s", pageHint(p, where, "restore", *r.Snapshot, "--apply"))
	}
}

// reasonWords says why an entry moves.
func reasonWords(reason string) string {
	switch reason {
	case "ad_hoc":
		return "not in the contract"
	case "ephemeral":
		return "left over by a program"
	case "stale":
		return "older than its limit"
	case "reset":
		return "" // it moves all that is not exempt
	case "listed":
		return "belongs to earlier work"
	case "stale_output":
		return "output of an earlier workflow"
	case "stale_variant":
		return "part of an earlier workflow"
	case "graph":
		return "impact of earlier work"
	}
	return reason
}

// keptWords says why an entry stays.
func keptWords(reason string) string {
	switch reason {
	case "exempt":
		return "exempt"
	case "instance":
		return "the folder of an instance"
	case "fresh":
		return "not older than the limit"
	case "future":
		return "its time is in the future"
	case "no_anchor":
		return "the start of the session is unknown"
	case "no_start":
		return "the start of the workflow is unknown"
	case "folder":
		return "folders are never evicted"
	}
	return reason
}

// unmoved returns the error of a sweep in which the system refused to move something; what did move
// stays moved.
func unmoved(entries []folder.SweptEntry, folder string) error {
	failed := 0
	for _, e := range entries {
		if e.State == "failed" {
			failed++
		}
	}
	if failed == 0 {
		return nil
	}
	return &report.Error{
		Kind: report.Refused, Code: report.CodeNotMoved, Path: folder,
		Message: fmt.Sprintf("%s of %s could not be moved", app.EntryCount(failed), folder),
		Hint: "what was not moved is still where it was; fix the cause named above and run the " +
			"command again",
		Details: map[string]any{"failed": failed},
	}
}
