package folder

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/folder"
)

func dirHistoryCommand(d *app.App) *cobra.Command {
	var r folder.DirHistoryRequest
	cmd := d.Command(app.Spec{
		Use: "history", Short: "List the snapshots in the archive",
		Long: "List the snapshots in .archive, newest first, with the workflow that was running " +
			"when each was made. `baton dir restore` brings a snapshot or single entries of it back.",
		Example: "baton dir history\nbaton dir history --limit 5 --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.NotNegative(cmd, "limit"); err != nil {
				return err
			}
			return app.AnswerJudged(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirHistory, error) {
				return p.Folder.DirHistory(ctx, r)
			}, func(p *app.Page, got folder.DirHistory) {
				p.Remarks = got.Warnings
				restore := pageHint(p, r.DirRequest, "restore %s --apply")
				snapshots(p, got, inLayout(restore, got.Layout, len(got.Others)))
				for _, other := range got.Others {
					p.Remarks = append(p.Remarks, other.Warnings...)
					p.Heading("%s", other.Folder)
					snapshots(p, other, inLayout(restore, other.Layout, 1))
				}
			}, func(got folder.DirHistory) error { return broken(got.Warnings) })
		},
	})
	cmd.Flags().IntVar(&r.Limit, "limit", 0, "only the newest `NUMBER`; 0 lists all")
	return inFolder(cmd, &r.DirRequest)
}

// snapshots lists the snapshots of one folder. restore is how a hint calls the command, with %s for
// the snapshot.
func snapshots(p *app.Page, r folder.DirHistory, restore string) {
	if len(r.Snapshots) == 0 {
		p.Line(app.Plain, "No snapshots yet: nothing in %s was ever moved.", r.Folder)
		return
	}
	rows := make([][]app.Cell, 0, len(r.Snapshots))
	for _, s := range r.Snapshots {
		note := app.Cell{Text: inPhase(headline(s.WorkflowType, s.Task), s.Phase)}
		if !s.Complete {
			note = app.Cell{Tone: app.Warn, Text: "unfinished"}
		}
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: s.Name},
			{Tone: app.Faint, Text: p.Clock(s.Moment)},
			{Text: app.Thousands(s.Entries)},
			note,
		})
	}
	p.Table(
		[]app.Column{
			{Name: "SNAPSHOT"},
			{Name: "WHEN"},
			{Name: "ENTRIES", Right: true},
			{Name: "WORKFLOW", Shrinks: true},
		},
		rows,
	)
	p.Hint("To bring one back: %s", withWords(restore, r.Snapshots[0].Name))
}

func dirRestoreCommand(d *app.App) *cobra.Command {
	var r folder.RestoreRequest
	apply := false
	cmd := d.Command(app.Spec{
		Use: "restore STAMP [NAME…]", Short: "Bring entries of a snapshot back",
		Long: "Move the entries of a snapshot back to the folder, or only those with the given names. STAMP " +
			"is the name of a snapshot, or the beginning of exactly one name. Nothing is overwritten: if " +
			"a name is taken, baton names that entry and leaves it in the snapshot, and the others move. " +
			"If `baton dir begin` made the snapshot, its files come back, but the record of the new " +
			"workflow stays; with --swap, the earlier record comes back too, and the current " +
			"workflow.yaml goes into a snapshot of its own. You can write NAME as a page shows it, with " +
			"\\xNN and ␊ for characters that a terminal cannot show, if only one entry looks like that. " +
			"Without --apply, baton only shows what would come back.",
		Example: "baton dir restore 2026-06-10T09-00-00-000Z\n" +
			"baton dir restore 2026-06-10 notes.md --apply\n" +
			"baton dir restore 2026-06-10 workflow.yaml --swap --apply",
		MinArgs: 1, MaxArgs: 1 << 16,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "") {
				return app.Usage(cmd.CommandPath(), "STAMP or NAME is empty")
			}
			if err := app.Exclusive(cmd, "apply", "dry-run"); err != nil {
				return err
			}
			ask := r
			ask.Snapshot, ask.Names, ask.DryRun = args[0], args[1:], !apply
			words := []string{"restore", "--apply"}
			if ask.Swap {
				words = append(words, "--swap")
			}
			same := hintFor(d, ask.DirRequest, words...)
			return app.AnswerJudged(d, cmd,
				func(ctx context.Context, p *project.Project) (folder.RestoreResult, error) {
					return p.Folder.DirRestore(ctx, ask)
				},
				func(p *app.Page, got folder.RestoreResult) { pageRestored(p, got, ask, same) },
				func(got folder.RestoreResult) error {
					if err := broken(got.Warnings); err != nil {
						return err
					}
					return unrestored(got, ask, hintFor(d, ask.DirRequest, "restore", got.Snapshot))
				},
			)
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.Swap, "swap", false, "put a record that is in the way into its own snapshot")
	flags.BoolVar(&apply, "apply", false, "move it")
	app.OldSpelling(flags, "dry-run")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeSnapshot))
	return inFolder(cmd, &r.DirRequest)
}

func pageRestored(p *app.Page, r folder.RestoreResult, asked folder.RestoreRequest, same string) {
	p.Remarks = r.Warnings
	var back []listed
	for _, e := range r.Entries {
		if e.State == "would_move" || e.State == "restored" {
			back = append(
				back,
				listed{
					name: filename(e.Name),
					size: sizeOf(e.Kind, e.Size),
					note: kindWord(e.Kind, ""),
					t:    app.Faint,
				},
			)
		}
	}
	switch {
	case len(back) == 0 && asked.DryRun:
		p.Item("", app.Plain, "No entry", fmt.Sprintf("of %s would come back to %s.", r.Snapshot, r.Folder))
	case len(back) == 0:
		p.Item("", app.Plain, "No entry", fmt.Sprintf("of %s came back to %s.", r.Snapshot, r.Folder))
	default:
		mark, t := "Brought", app.Good
		if asked.DryRun {
			mark, t = "Would bring", app.Strong
		}
		p.Item("", t, mark, fmt.Sprintf("%s of %s back to %s", app.EntryCount(len(back)), r.Snapshot, r.Folder))
	}
	list(p, measure(p, back[:min(len(back), sweptLines+1)]), back, sweptLines, "; --json has all of them")
	for _, e := range r.Entries {
		if text := staysWords(e.State, e.Error, r.Folder); text != "" {
			t := app.Warn
			if e.State == "failed" {
				t = app.Bad
			}
			p.Item("  ", t, "not restored:", shortFilename(p, e.Name)+" "+text)
		}
	}
	switch {
	case r.Swapped != nil:
		p.Item("  ", app.Plain, "the record that was in the way is in", archiveOf(r.Folder)+"/"+*r.Swapped)
	case asked.DryRun && asked.Swap && slices.ContainsFunc(
		r.Entries, func(e folder.RestoredEntry) bool { return isRecord(e) && e.State == "would_move" },
	):
		p.Item(
			"  ", app.Plain, "swap:",
			"the workflow.yaml that is in the way would go to a snapshot of its own in "+archiveOf(r.Folder),
		)
	}
	if r.Emptied {
		p.Item("  ", app.Faint, r.Snapshot, "is now empty and was removed")
	}
	if asked.DryRun && len(back) > 0 {
		p.DoIt("Nothing was moved.", app.InShell(same, append([]string{r.Snapshot}, asked.Names...)))
	}
}

// isRecord reports whether an entry is the record of a workflow.
func isRecord(e folder.RestoredEntry) bool { return strings.EqualFold(e.Name, "workflow.yaml") }

// staysWords says why an entry of a snapshot did not come back; "" for one that did.
func staysWords(state, fault, folder string) string {
	switch state {
	case "taken":
		return "stays in the snapshot: " + cmp.Or(fault, "the name is taken in "+folder)
	case "missing":
		return "is no longer in the snapshot"
	case "changed":
		return "stays in the snapshot: it changed in the meantime"
	case "failed":
		return "stays in the snapshot: " + fault
	}
	return ""
}

// unrestored returns the error of a restore that left something behind: first for what the system
// refused, then for names that are taken, then for names that were asked for and are gone. look is
// the command that shows what is there.
func unrestored(r folder.RestoreResult, asked folder.RestoreRequest, look string) error {
	count := map[string]int{}
	for _, e := range r.Entries {
		count[e.State]++
	}
	failed, taken, missing := count["failed"], count["taken"], count["missing"]
	switch {
	case failed > 0:
		return &report.Error{
			Kind: report.Refused, Code: report.CodeNotMoved, Path: r.Folder,
			Message: fmt.Sprintf("%s of %s could not be brought back", app.EntryCount(failed), r.Snapshot),
			Hint: "what was not moved is still in the snapshot; fix the cause named above and run the " +
				"command again",
			Details: map[string]any{"failed": failed},
		}
	case taken > 0:
		hint := "move what is there away, and run the command again"
		for _, e := range r.Entries {
			if e.State == "taken" && isRecord(e) {
				hint += "; for the record, there is --swap"
			}
		}
		return &report.Error{
			Kind: report.Conflict, Code: report.CodeNameTaken, Path: r.Folder,
			Message: fmt.Sprintf(
				"%s of %s did not come back, because the %s taken in %s", app.EntryCount(taken), r.Snapshot,
				safetext.Noun(taken, "name is", "names are"), r.Folder,
			),
			Hint: hint, Details: map[string]any{"taken": taken},
		}
	case missing > 0 && len(asked.Names) > 0:
		return &report.Error{
			Kind: report.NotFound, Code: report.CodeEntryUnknown, Path: archiveOf(r.Folder) + "/" + r.Snapshot,
			Message: fmt.Sprintf(
				"%s of %s did not come back, because the snapshot no longer has %s", app.EntryCount(missing),
				r.Snapshot, safetext.Noun(missing, "it", "them"),
			),
			Hint: "`" + look + "` shows what is in it", Details: map[string]any{"missing": missing},
		}
	}
	return nil
}
