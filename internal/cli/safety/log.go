package safety

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/history"
)

func changeLogCommand(d *app.App) *cobra.Command {
	r := history.ChangeLogRequest{}
	cmd := d.Command(app.Spec{
		Use: "log [TASK]", Short: "List what baton changed, newest first",
		Long: `List who changed what, when, with which command, and which files that touched. With TASK, list
only changes to that task's files and claim. If an agent made the change, its program is in
brackets after the name. Changes of claims are listed too, but not their renewal. A change that
baton did not make, and that a hook found, is listed as somebody else's.

The log is in .baton/local/log and only grows. Each record contains the checksum of the previous
one. --check verifies these checksums; if a record was changed, removed or moved, it names the
place and ends with exit code 6. After a crash, the log may restart; baton says so, and it does
not count as an error.`,
		Example: "baton log\nbaton log 101 --since 2h\nbaton log --since 2026-03-01 --limit 0 --json\n" +
			"baton log --check",
		MaxArgs: 1,
		Exits:   []report.Kind{report.Violation, report.Refused},
		Run: func(cmd *cobra.Command, args []string) error {
			if err := app.NotNegative(cmd, "limit"); err != nil {
				return err
			}
			ask := r
			ask.Task = app.Operand(args)
			if ask.Check && (ask.Task != "" || cmd.Flags().Changed("since") || cmd.Flags().Changed("limit")) {
				return app.Usage(
					cmd.CommandPath(), "--check verifies the whole log: it takes no TASK, --since or --limit",
				)
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (history.ChangeLog, error) {
				return p.History.ChangeLog(ctx, ask)
			}, pageChangeLog)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Since, "since", "", "only since `T`: a date, a time, or a length of time such as 2h or 3d")
	flags.IntVar(&r.Limit, "limit", 20, "only the newest `NUMBER` (default 20); 0 lists all")
	flags.BoolVar(&r.Check, "check", false, "verify that nobody altered the log")
	cmd.ValidArgsFunction = app.FirstOperand(d.CompleteTask)
	return cmd
}

// pageChangeLog prints the changes, or what a check of them found.
func pageChangeLog(p *app.Page, l history.ChangeLog) {
	p.Remarks = l.Warnings
	switch {
	case l.Check != nil:
		checkedLog(p, l)
		return
	case len(l.Changes) == 0:
		emptyLog(p, l)
		return
	}
	rows := make([][]app.Cell, 0, len(l.Changes))
	for _, c := range l.Changes {
		who := app.Cell{Text: c.By}
		if c.Agent != "" {
			who.Text = strings.TrimSpace(who.Text + " (" + c.Agent + ")")
		}
		if c.Outside {
			who = app.Cell{Tone: app.Warn, Text: "somebody else"}
		}
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: strconv.FormatInt(c.Number, 10)},
			{Tone: app.Faint, Text: p.Clock(c.At)},
			who,
			didWhat(c),
			{Text: touched(c)},
		})
	}
	p.Table(
		[]app.Column{
			{Name: "N", Right: true},
			{Name: "WHEN"},
			{Name: "WHO"},
			{Name: "WHAT"},
			{Name: "FILES", Shrinks: true},
		},
		rows,
	)
	if roots := logRoots(l.Changes); len(roots) > 1 {
		p.Hint("Each log has its own numbers. These are the numbers of %s", strings.Join(roots, " and "))
	}
	if more := l.Total - len(l.Changes); more > 0 {
		p.Hint("%d older changes: --limit 0", more)
	}
	if l.LeftOut > 0 {
		p.Hint("Not listed: %s that found no change", safetext.Count(l.LeftOut, "look"))
	}
}

// logRoots returns the roots whose logs have these changes, in the order of the list.
func logRoots(list []history.LoggedChange) []string {
	var roots []string
	for _, c := range list {
		if c.Root != "" && !slices.Contains(roots, c.Root) {
			roots = append(roots, c.Root)
		}
	}
	return roots
}

// mostDecided is how many columns of a decision a page names.
const mostDecided = 32

// didWhat returns the command of a change, and whether it was undone.
func didWhat(c history.LoggedChange) app.Cell {
	what := app.Cell{Text: c.Command}
	if c.Decision != "" {
		what.Text += ": " + safetext.Columns(c.Decision, mostDecided)
	}
	if len(c.Undoes) > 0 {
		numbers := make([]string, len(c.Undoes))
		for i, n := range c.Undoes {
			numbers[i] = strconv.FormatInt(n, 10)
		}
		what.Text = "undo of " + strings.Join(numbers, ", ")
	}
	if c.Undone {
		what.Tone, what.Text = app.Faint, strings.TrimSpace(what.Text+" (undone)")
	}
	if c.Restarts {
		what.Text = strings.TrimSpace(what.Text + " (log starts over)")
	}
	return what
}

// mostTouched is how many files of a change a page names.
const mostTouched = 4

// touched names the files of a change.
func touched(c history.LoggedChange) string {
	var words []string
	for i, f := range c.Files {
		if i == mostTouched && len(c.Files)+c.More > mostTouched+1 {
			break
		}
		switch f.Kind {
		case "created":
			words = append(words, f.Path+" (new)")
		case "removed":
			words = append(words, f.Path+" (gone)")
		default:
			words = append(words, f.Path)
		}
	}
	if more := len(c.Files) + c.More - len(words); more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	if c.Moved > 0 {
		words = append(words, safetext.Count(c.Moved, "move"))
	}
	if c.Accepted > 0 {
		words = append(words, app.EntryCount(c.Accepted)+" may be gone")
	}
	for _, claim := range c.Claims {
		words = append(words, claimStep(claim))
	}
	return strings.Join(words, ", ")
}

// claimStep tells what a change did to a claim.
func claimStep(c history.LoggedClaim) string {
	text := "claim of " + task.ID(c.Task).Ref() + " " + c.Kind
	if c.Kind == "scoped" {
		text = "files of the claim of " + task.ID(c.Task).Ref()
	}
	if c.From != "" {
		text += " from " + c.From
	}
	return text
}

func emptyLog(p *app.Page, l history.ChangeLog) {
	switch {
	case l.Begun == "":
		p.Line(app.Plain, "The log is empty: baton will record every change here.")
	case l.Task != "" && l.From != "":
		p.Line(app.Plain, "No change to a file of task %s since %s.", task.ID(l.Task).Ref(), p.Clock(l.From))
	case l.Task != "":
		p.Line(
			app.Plain, "No change to a file of task %s since the log began at %s.", task.ID(l.Task).Ref(),
			p.Clock(l.Begun),
		)
	default:
		p.Line(app.Plain, "No change since %s. The log began at %s.", p.Clock(l.From), p.Clock(l.Begun))
	}
}

func checkedLog(p *app.Page, l history.ChangeLog) {
	if l.Check.Records == 0 {
		p.Line(app.Plain, "The log is empty.")
		return
	}
	p.Line(app.Good, "The log is intact: %s since %s", safetext.Count(l.Check.Records, "change"), p.Clock(l.Begun))
	if l.Check.Restarts > 0 {
		p.Line(
			app.Plain, "It restarted %s after a crash; baton does not know what was lost.",
			safetext.Count(l.Check.Restarts, "time"),
		)
	}
}
