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
	"baton/internal/usecase/digests"
	"baton/internal/usecase/loss"
)

func lostCommand(d *app.App) *cobra.Command {
	var all, restore, accept, dry bool
	cmd := d.Command(app.Spec{
		Use: "lost [ID…]", Short: "List entries that an edit removed, and restore them",
		Long: "List decisions, sessions, criteria, blockers and outputs that documents had and that are nowhere now: neither moved, nor\n" +
			"archived, nor reworded. baton remembers each with its exact text in .baton/local/ledger. What belongs to another\n" +
			"branch or to a stash is not lost; during a merge, a rebase or a bisect nothing is listed.\n\n" +
			"--restore puts back all that is lost, or what the IDs name, each where it stood, in one change of all documents. A document\n" +
			"that is gone becomes first what baton wrote last. --accept says instead that it was meant to go: it is never listed again.\n" +
			"An ID is one that the list shows, or a beginning of it of at least four digits that no other has.",
		Example: "baton lost\nbaton lost --all --json\nbaton lost --restore --dry-run\nbaton lost --restore\nbaton lost --accept",
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
				return app.AnswerWith(
					d,
					cmd,
					o,
					func(ctx context.Context, p *project.Project) (loss.LostRestored, error) {
						return p.Loss.RestoreLost(ctx, r)
					},
					func(p *app.Page, got loss.LostRestored) { pageLostRestored(p, got, args) },
				)
			case accept:
				r := loss.LostAcceptRequest{IDs: args}
				o := d.Options(cmd)
				o.Command += " --accept"
				return app.AnswerWith(
					d,
					cmd,
					o,
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
	cmd.Flags().BoolVar(&all, "all", false, "also what is perhaps lost, was reworded or accepted")
	cmd.Flags().BoolVar(&restore, "restore", false, "put it back where it stood; without an ID all that is lost")
	cmd.Flags().BoolVar(&accept, "accept", false, "it was meant to go; without an ID all that is lost")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "with --restore: show the differences, and write nothing")
	return cmd
}

// lostFlags refuses what makes no sense together.
func lostFlags(cmd *cobra.Command, args []string, restore, accept, dry bool) error {
	if err := app.Exclusive(cmd, "restore", "accept", "all"); err != nil {
		return err
	}
	switch {
	case len(args) > 0 && !restore && !accept:
		return app.Usage(
			cmd.CommandPath(),
			"an ID says what to put back or to accept: --restore or --accept is missing",
		)
	case dry && !restore:
		return app.Usage(cmd.CommandPath(), "--dry-run goes with --restore")
	}
	return nil
}

func pageLost(p *app.Page, r loss.LostList) {
	p.Remarks = r.Warnings
	switch {
	case r.Busy:
		p.Line(app.Plain, "A merge, a rebase or a bisect is going on: what is lost shows when it is over.")
		return
	case len(r.Lost) == 0 && (lossUnknown(r.Warnings) || r.Off && r.Since == ""):
		p.Line(app.Plain, "It is not known whether something is lost.")
		lostSince(p, r)
		return
	case len(r.Lost) == 0 && r.Since == "" && len(r.Unseen) == 0:
		p.Line(app.Plain, "Nothing is known to be lost: baton begins to remember with its next write.")
		return
	case len(r.Lost) == 0 && (r.Off || len(r.Unseen) > 0):
		p.Line(app.Plain, "Nothing is known to be lost.")
		lostSince(p, r)
		return
	case len(r.Lost) == 0:
		p.Line(app.Good, "Nothing is lost.")
		lostSince(p, r)
		return
	}
	lostEntries(p, r.Lost)
	p.End()
	lostSince(p, r)
	if slices.ContainsFunc(r.Lost, func(e loss.LostEntry) bool { return e.Fate == "lost" }) {
		p.Hint(
			"Put all that is lost back: %s   It was meant to go: %s",
			Here(p, "baton lost --restore"),
			Here(p, "baton lost --accept"),
		)
	}
}

// lostSince says from when on it is known what got lost, of a document since baton saw it first,
// and of what it is not.
func lostSince(p *app.Page, r loss.LostList) {
	switch {
	case r.Since == "":
	case r.AllSince == "" || p.Clock(r.AllSince) == p.Clock(r.Since):
		p.Line(app.Faint, "Known since %s.", p.Clock(r.Since))
	default:
		p.Line(app.Faint, "Known since %s, of all documents since %s.", p.Clock(r.Since), p.Clock(r.AllSince))
	}
	if len(r.Unseen) > 0 {
		of := "it"
		if len(r.Unseen) > 1 {
			of = "them"
		}
		p.Line(app.Warn, "Never looked at: %s. What is gone from %s does not show.", unseenNames(r.Unseen), of)
		p.Hint("From now on it does after %s", Here(p, "baton init"))
	}
	if r.Off {
		p.Line(app.Warn, "baton remembers nothing new: .baton/config.yaml has `ledger.keep: false`.")
		p.Hint("To remember again: take that setting out, then %s", Here(p, "baton init"))
	}
}

// mostUnseen is how many documents are named that were never looked at.
const mostUnseen = 3

func unseenNames(names []string) string {
	if more := len(names) - mostUnseen; more > 0 {
		return strings.Join(names[:mostUnseen], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// lossUnknown says whether warnings tell that it is not known of everything whether it is lost.
func lossUnknown(warnings []report.Finding) bool {
	return slices.ContainsFunc(warnings, func(f report.Finding) bool {
		return f.Code == "git_silent" || f.Code == "book_unusable" || f.Code == "entries_unjudged"
	})
}

// nothingLost is the answer where there was nothing to do. It calls nothing safe: of what was never
// looked at, nobody knows.
func nothingLost(p *app.Page, done string, warnings []report.Finding) {
	if lossUnknown(warnings) {
		p.Line(app.Plain, "Nothing was %s: it is not known whether something is lost.", done)
		return
	}
	p.Line(app.Plain, "Nothing is known to be lost.")
}

// lostEntries puts missing entries by document: id, kind, what it says, and when and by whom it was
// seen last.
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
		rows[e.Document] = append(
			rows[e.Document],
			[]app.Cell{
				{Tone: app.Strong, Text: e.ID},
				kind,
				{Tone: app.Faint, Text: p.Clock(e.Seen)},
				by,
				{Text: label},
			},
		)
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
	if len(r.Entries) == 0 {
		nothingLost(p, "put back", r.Warnings)
		return
	}
	if !r.Applied {
		for _, c := range r.Changes {
			p.Block("", c.Diff, 0)
			p.End()
		}
		p.DoIt("Nothing was written.", Here(p, strings.Join(append([]string{"baton lost --restore"}, ids...), " ")))
		return
	}
	p.Line(app.Good, "Put back: %s", app.EntryCount(len(r.Entries)))
	for _, moved := range r.Rotations {
		p.Line(app.Accent, "  %s", app.MovedWords(digests.StateChange{Rotation: moved}))
	}
	lostEntries(p, r.Entries)
}

func pageLostAccepted(p *app.Page, r loss.LostAccepted) {
	p.Remarks = r.Warnings
	switch {
	case len(r.Entries) == 0 && len(r.Warnings) > 0 && !lossUnknown(r.Warnings): // they say why
		return
	case len(r.Entries) == 0:
		nothingLost(p, "accepted", r.Warnings)
		return
	}
	p.Line(app.Good, "Accepted as gone: %s", app.EntryCount(len(r.Entries)))
	lostEntries(p, r.Entries)
}
