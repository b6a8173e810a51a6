package safety

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/loss"
)

func lostCommand(d *app.App) *cobra.Command {
	var all, restore, accept, dry bool
	cmd := d.Command(app.Spec{
		Use: "lost [ID|FILE…]", Short: "List entries that an edit removed, and restore them",
		Long: `List decisions, sessions, criteria, blockers and outputs that used to be in your documents and are
no longer anywhere: they were not moved, archived or reworded. baton remembers the exact text of
each in .baton/local/ledger. Entries that belong to another branch or to a stash are not lost.
During a merge, a rebase or a bisect, the list is empty.

--restore puts everything that is lost back where it was, or only the entries with these IDs, in one
change of all documents. A document that was deleted is first restored as baton last wrote it.
--accept says instead that the removal was intended; after that, only --all lists these entries. ID
is an id from the list, or its first four or more digits if no other id begins like that. FILE
stands for everything that a document lost.

The list also names files of tasks, archives and evidence that are gone, and the command that brings
each back. --restore restores them too; --accept FILE says that one was removed on purpose.

baton refuses to write a document that is suddenly empty. --restore also restores such a document;
--accept FILE says that it was emptied on purpose, and baton goes on writing it.`,
		Example: "baton lost\nbaton lost --all --json\nbaton lost --restore --dry-run\nbaton lost --restore\n" +
			"baton lost --accept",
		MaxArgs: 1000,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if err := lostFlags(cmd, args, restore, accept, dry); err != nil {
				return err
			}
			switch {
			case restore:
				r := loss.LostRestoreRequest{IDs: args, DryRun: dry}
				o := d.Options(cmd)
				o.Command += " --restore"
				return app.AnswerWith(d, cmd, o,
					func(ctx context.Context, p *project.Project) (loss.LostRestored, error) {
						return p.Loss.RestoreLost(ctx, r)
					},
					func(p *app.Page, got loss.LostRestored) { pageLostRestored(p, got, args) },
				)
			case accept:
				r := loss.LostAcceptRequest{IDs: args}
				o := d.Options(cmd)
				o.Command += " --accept"
				return app.AnswerWith(d, cmd, o,
					func(ctx context.Context, p *project.Project) (loss.LostAccepted, error) {
						return p.Loss.AcceptLost(ctx, r)
					},
					pageLostAccepted,
				)
			}
			r := loss.LostRequest{All: all}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (loss.LostList, error) {
				return p.Loss.Lost(ctx, r)
			}, pageLost)
		},
	})
	cmd.Flags().BoolVar(&all, "all", false, "also list entries that are perhaps lost, were reworded or accepted")
	cmd.Flags().BoolVar(&restore, "restore", false, "put entries back where they were; without an ID, all lost ones")
	cmd.Flags().BoolVar(&accept, "accept", false, "accept that entries were removed; without an ID, all lost ones")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "with --restore: show the differences and write nothing")
	return cmd
}

// lostFlags refuses flags that make no sense together.
func lostFlags(cmd *cobra.Command, args []string, restore, accept, dry bool) error {
	if err := app.Exclusive(cmd, "restore", "accept", "all"); err != nil {
		return err
	}
	switch {
	case len(args) > 0 && !restore && !accept:
		return app.Usage(cmd.CommandPath(), "ID and FILE need --restore or --accept: they say what to do it with")
	case dry && !restore:
		return app.Usage(cmd.CommandPath(), "--dry-run needs --restore")
	}
	return nil
}

func pageLost(p *app.Page, r loss.LostList) {
	p.Remarks = r.Warnings
	switch {
	case r.Busy:
		p.Line(app.Plain, "A merge, a rebase or a bisect is in progress. Run this command again when it is over.")
		return
	case len(r.Lost) == 0 && len(r.Files) > 0:
		lostFiles(p, r.Files)
		p.End()
		lostSince(p, r)
		return
	case len(r.Lost) == 0 && (lossUnknown(r.Warnings) || r.Off && r.Since == ""):
		p.Line(app.Plain, "baton does not know whether anything is lost.")
		lostSince(p, r)
		return
	case len(r.Lost) == 0 && r.Since == "" && len(r.Unseen) == 0:
		p.Line(app.Plain, "baton knows of no losses: it starts to remember entries with its next write.")
		return
	case len(r.Lost) == 0 && (r.Off || len(r.Unseen) > 0):
		p.Line(app.Plain, "baton knows of no losses.")
		lostSince(p, r)
		return
	case len(r.Lost) == 0:
		p.Line(app.Good, "Nothing is lost.")
		lostSince(p, r)
		return
	}
	lostFiles(p, r.Files)
	lostEntries(p, r.Lost)
	p.End()
	lostSince(p, r)
	if slices.ContainsFunc(r.Lost, func(e loss.LostEntry) bool { return e.Fate == "lost" }) {
		p.Hint("To restore everything: %s", p.Here("baton lost --restore"))
		p.Hint("If all of it was removed on purpose: %s", p.Here("baton lost --accept"))
		p.Hint("For some of it, name IDs or files: %s", p.Here("baton lost --accept ID"))
	}
}

// lostFiles lists files of tasks that are gone, with the commands that bring them back.
func lostFiles(p *app.Page, list []loss.LostFile) {
	if len(list) == 0 {
		return
	}
	p.Heading("Files that are gone")
	var rows [][]app.Cell
	for _, f := range list {
		back := "nothing of it was kept"
		if f.Restore != "" {
			back = p.Here(f.Restore)
		}
		rows = append(rows, []app.Cell{{Tone: app.Bad, Text: f.Path}, {Tone: app.Accent, Text: back}})
	}
	p.Table([]app.Column{{Name: "FILE"}, {Name: "TO RESTORE IT"}}, rows)
	p.Hint("If a file was removed on purpose: %s", p.Here("baton lost --accept FILE"))
}

// lostSince says since when baton knows what was lost, and for which documents it does not know.
func lostSince(p *app.Page, r loss.LostList) {
	switch {
	case r.Since == "":
	case r.AllSince == "" || p.Clock(r.AllSince) == p.Clock(r.Since):
		p.Line(app.Faint, "baton has recorded entries since %s.", p.Clock(r.Since))
	default:
		p.Line(app.Faint, "baton has recorded entries since %s, and those of all documents since %s.", p.Clock(
			r.Since,
		), p.Clock(r.AllSince))
	}
	if len(r.Unseen) > 0 {
		names := strings.Join(r.Unseen[:min(len(r.Unseen), mostUnseen)], ", ")
		if more := len(r.Unseen) - mostUnseen; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		p.Line(
			app.Warn, "Never checked: %s. What was removed from %s is not listed.", names,
			safetext.Noun(len(r.Unseen), "it", "them"),
		)
		p.Hint("To record entries from now on: %s", p.Here("baton init"))
	}
	if r.Off {
		p.Line(app.Warn, "baton remembers no new entries: .baton/config.yaml has `ledger.keep: false`.")
		p.Hint("To change that, remove this setting and run %s", p.Here("baton init"))
	}
}

// mostUnseen is how many documents are named that were never looked at.
const mostUnseen = 3

// lossUnknown reports whether a warning says that baton cannot tell about some entries whether they
// are lost.
func lossUnknown(warnings []report.Finding) bool {
	return slices.ContainsFunc(warnings, func(f report.Finding) bool {
		return f.Code == report.CodeGitSilent || f.Code == report.CodeBookUnusable ||
			f.Code == report.CodeEntriesUnjudged
	})
}

// nothingLost is the answer if there was nothing to do. It does not say that nothing is lost: some
// documents may never have been checked.
func nothingLost(p *app.Page, done string, warnings []report.Finding) {
	if lossUnknown(warnings) {
		p.Line(app.Plain, "Nothing was %s: baton does not know whether anything is lost.", done)
		return
	}
	p.Line(app.Plain, "baton knows of no losses.")
}

// lostEntries lists missing entries by document: id, kind, text, and when and by whom each was last
// seen.
func lostEntries(p *app.Page, list []loss.LostEntry) {
	rows := map[string][][]app.Cell{}
	var names []string
	for _, e := range list {
		if rows[e.Document] == nil {
			names = append(names, e.Document)
		}
		label := e.Label
		if e.Became != "" {
			label += " " + p.Marks().Then + " " + e.Became
		}
		kind := app.Cell{Tone: app.Bad, Text: e.Kind}
		if e.Fate != "lost" {
			kind = app.Cell{Tone: app.Faint, Text: e.Kind + ", " + e.Fate}
		}
		by := app.Cell{Tone: app.Faint, Text: e.By}
		if e.Source == loss.BlameOutside {
			by = app.Cell{Tone: app.Warn, Text: "by hand"}
		}
		rows[e.Document] = append(rows[e.Document], []app.Cell{
			{Tone: app.Strong, Text: e.ID},
			kind,
			{Tone: app.Faint, Text: p.Clock(e.Seen)},
			by,
			{Text: label},
		})
	}
	for _, name := range names {
		p.Heading("%s", name)
		p.Table(
			[]app.Column{{Name: "ID"}, {Name: "WHAT"}, {Name: "SEEN"}, {Name: "BY"}, {Name: "TEXT", Shrinks: true}},
			rows[name],
		)
	}
}

func pageLostRestored(p *app.Page, r loss.LostRestored, ids []string) {
	p.Remarks = r.Warnings
	if len(r.Entries)+len(r.Changes) == 0 {
		nothingLost(p, "restored", r.Warnings)
		return
	}
	if !r.Applied {
		for _, c := range r.Changes {
			p.Diff("", c.Diff)
			p.End()
		}
		p.DoIt("Nothing was written.", p.Here(strings.Join(append([]string{"baton lost --restore"}, ids...), " ")))
		return
	}
	if len(r.Entries) == 0 {
		for _, c := range r.Changes {
			p.Line(app.Good, "Restored: %s", c.Path)
		}
		return
	}
	p.Line(app.Good, "Restored: %s", app.EntryCount(len(r.Entries)))
	for _, moved := range r.Rotations {
		p.Line(app.Accent, "  %s", app.MovedWords(digests.StateChange{Rotation: moved}))
	}
	lostEntries(p, r.Entries)
}

func pageLostAccepted(p *app.Page, r loss.LostAccepted) {
	p.Remarks = r.Warnings
	for _, name := range r.Emptied {
		p.Line(app.Good, "Accepted as empty: %s", name)
	}
	for _, name := range r.Gone {
		p.Line(app.Good, "Accepted as removed: %s", name)
	}
	switch {
	case len(r.Entries) == 0 && len(r.Emptied)+len(r.Gone) > 0:
		return
	case len(r.Entries) == 0 && len(r.Warnings) > 0 && !lossUnknown(r.Warnings): // they say why
		return
	case len(r.Entries) == 0:
		nothingLost(p, "accepted", r.Warnings)
		return
	}
	p.Line(app.Good, "Accepted as removed: %s", app.EntryCount(len(r.Entries)))
	lostEntries(p, r.Entries)
}
