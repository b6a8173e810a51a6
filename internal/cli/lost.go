package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/loss"
)

func (d *door) lostCommand() *cobra.Command {
	var all, restore, accept, dry bool
	cmd := d.command(spec{
		use: "lost [ID…]", short: "List what somebody else's edit wiped, and put it back",
		long: "List decisions, sessions, criteria, blockers and outputs that documents had and that are nowhere now: neither moved, nor\n" +
			"archived, nor reworded. baton remembers each with its exact text in .baton/local/ledger. What belongs to another\n" +
			"branch or to a stash is not lost; during a merge, a rebase or a bisect nothing is listed.\n\n" +
			"--restore puts back all that is lost, or what the IDs name, each where it stood, in one change of all documents. A document\n" +
			"that is gone becomes first what baton wrote last. --accept says instead that it was meant to go: it is never listed again.\n" +
			"An ID is one that the list shows, or a beginning of it of at least four digits that no other has.",
		example: "baton lost\nbaton lost --all --json\nbaton lost --restore --dry-run\nbaton lost --restore\nbaton lost --accept",
		most:    1000,
		exits:   writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if err := lostFlags(cmd, args, restore, accept, dry); err != nil {
				return err
			}
			switch {
			case restore:
				r := loss.LostRestoreRequest{IDs: args, DryRun: dry}
				o := d.options(cmd)
				o.Command += " --restore"
				return answerWith(d, cmd, o, func(ctx context.Context, p *project.Project) (loss.LostRestored, error) {
					return p.Loss.RestoreLost(ctx, r)
				}, func(p *page, got loss.LostRestored) { pageLostRestored(p, got, args) })
			case accept:
				r := loss.LostAcceptRequest{IDs: args}
				o := d.options(cmd)
				o.Command += " --accept"
				return answerWith(d, cmd, o, func(ctx context.Context, p *project.Project) (loss.LostAccepted, error) {
					return p.Loss.AcceptLost(ctx, r)
				}, pageLostAccepted)
			}
			r := loss.LostRequest{All: all}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (loss.LostList, error) {
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
	if err := exclusive(cmd, "restore", "accept", "all"); err != nil {
		return err
	}
	switch {
	case len(args) > 0 && !restore && !accept:
		return usage(cmd.CommandPath(), "an ID says what to put back or to accept: --restore or --accept is missing")
	case dry && !restore:
		return usage(cmd.CommandPath(), "--dry-run goes with --restore")
	}
	return nil
}

func pageLost(p *page, r loss.LostList) {
	p.remarks = r.Warnings
	switch {
	case r.Busy:
		p.line(plain, "A merge, a rebase or a bisect is going on: what is lost shows when it is over.")
		return
	case len(r.Lost) == 0 && (lossUnknown(r.Warnings) || r.Off && r.Since == ""):
		p.line(plain, "It is not known whether something is lost.")
		p.lostSince(r)
		return
	case len(r.Lost) == 0 && r.Since == "" && len(r.Unseen) == 0:
		p.line(plain, "Nothing is known to be lost: baton begins to remember with its next write.")
		return
	case len(r.Lost) == 0 && (r.Off || len(r.Unseen) > 0):
		p.line(plain, "Nothing is known to be lost.")
		p.lostSince(r)
		return
	case len(r.Lost) == 0:
		p.line(good, "Nothing is lost.")
		p.lostSince(r)
		return
	}
	p.lostEntries(r.Lost)
	p.end()
	p.lostSince(r)
	if slices.ContainsFunc(r.Lost, func(e loss.LostEntry) bool { return e.Fate == "lost" }) {
		p.hint("Put all that is lost back: %s   It was meant to go: %s", p.here("baton lost --restore"), p.here("baton lost --accept"))
	}
}

// lostSince says from when on it is known what got lost, of a document since baton saw it first, and of what it is not.
func (p *page) lostSince(r loss.LostList) {
	switch {
	case r.Since == "":
	case r.AllSince == "" || p.clock(r.AllSince) == p.clock(r.Since):
		p.line(faint, "Known since %s.", p.clock(r.Since))
	default:
		p.line(faint, "Known since %s, of all documents since %s.", p.clock(r.Since), p.clock(r.AllSince))
	}
	if len(r.Unseen) > 0 {
		of := "it"
		if len(r.Unseen) > 1 {
			of = "them"
		}
		p.line(warn, "Never looked at: %s. What is gone from %s does not show.", unseenNames(r.Unseen), of)
		p.hint("From now on it does after %s", p.here("baton init"))
	}
	if r.Off {
		p.line(warn, "baton remembers nothing new: .baton/config.yaml has `ledger.keep: false`.")
		p.hint("To remember again: take that setting out, then %s", p.here("baton init"))
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

// nothingLost is the answer where there was nothing to do. It calls nothing safe: of what was never looked at, nobody knows.
func (p *page) nothingLost(done string, warnings []report.Finding) {
	if lossUnknown(warnings) {
		p.line(plain, "Nothing was %s: it is not known whether something is lost.", done)
		return
	}
	p.line(plain, "Nothing is known to be lost.")
}

// lostEntries puts missing entries by document: id, kind, what it says, and when and by whom it was seen last.
func (p *page) lostEntries(list []loss.LostEntry) {
	rows := map[string][][]cell{}
	var names []string
	for _, e := range list {
		if rows[e.Document] == nil {
			names = append(names, e.Document)
		}
		label := e.Label
		if e.Became != "" {
			label += " → " + e.Became
		}
		kind := cell{bad, e.Kind}
		if e.Fate != "lost" {
			kind = cell{faint, e.Kind + ", " + e.Fate}
		}
		by := cell{faint, e.By}
		if e.Source == loss.BlameOutside {
			by = cell{warn, "by hand"}
		}
		rows[e.Document] = append(rows[e.Document], []cell{{strong, e.ID}, kind, {faint, p.clock(e.Seen)}, by, {plain, label}})
	}
	for _, name := range names {
		p.heading("%s", name)
		p.table([]column{{name: "ID"}, {name: "WHAT"}, {name: "SEEN"}, {name: "BY"}, {name: "TEXT", gives: true}}, rows[name])
	}
}

func pageLostRestored(p *page, r loss.LostRestored, ids []string) {
	p.remarks = r.Warnings
	if len(r.Entries) == 0 {
		p.nothingLost("put back", r.Warnings)
		return
	}
	if !r.Applied {
		for _, c := range r.Changes {
			p.block("", c.Diff, 0)
			p.end()
		}
		p.doIt("Nothing was written.", p.here(strings.Join(append([]string{"baton lost --restore"}, ids...), " ")))
		return
	}
	p.line(good, "Put back: %s", entryCount(len(r.Entries)))
	for _, moved := range r.Rotations {
		p.line(accent, "  %s", movedWords(digests.StateChange{Rotation: moved}))
	}
	p.lostEntries(r.Entries)
}

func pageLostAccepted(p *page, r loss.LostAccepted) {
	p.remarks = r.Warnings
	switch {
	case len(r.Entries) == 0 && len(r.Warnings) > 0 && !lossUnknown(r.Warnings): // they say why
		return
	case len(r.Entries) == 0:
		p.nothingLost("accepted", r.Warnings)
		return
	}
	p.line(good, "Accepted as gone: %s", entryCount(len(r.Entries)))
	p.lostEntries(r.Entries)
}

// entryCount writes a number of entries.
func entryCount(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
