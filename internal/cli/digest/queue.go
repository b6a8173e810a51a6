package digest

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func queueCommands(d *app.App) *cobra.Command {
	return d.Group(
		"queue",
		"SpecFlow: the waiting specifications",
		`The queue of a SpecFlow digest lists the specifications that wait. baton recognises its columns by
their names, so it reads and keeps every form of the table.`,
		queueListCommand(d),
		queueAddCommand(d),
		queueRemoveCommand(d),
		queueMoveCommand(d),
		queueNextCommand(d),
	)
}

func queueListCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "list", Short: "List the queue",
		Long:    "List the waiting specifications in order.",
		Example: "baton state queue list\nbaton state queue list --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.QueueList, error) {
				return p.Digests.QueueList(ctx)
			}, func(p *app.Page, r digests.QueueList) {
				if len(r.Queue) == 0 {
					p.Line(app.Plain, `The queue is empty. To add to it: baton state queue add ID --title TEXT`)
				} else {
					queue(p, r)
				}
				p.Remarks = r.Warnings
			})
		},
	})
}

// queue prints the table of the queue, without the columns that its layout does not have.
func queue(p *app.Page, r digests.QueueList) {
	rows := make([][]app.Cell, 0, len(r.Queue))
	for _, q := range r.Queue {
		rows = append(rows, []app.Cell{
			{Tone: app.Faint, Text: q.Position},
			{Tone: app.Strong, Text: q.ID},
			{Text: q.Title},
			{Tone: app.Accent, Text: q.Status},
			{Text: q.Priority},
			{Text: q.Complexity},
			{Text: q.Phase},
			{Text: q.Depends},
		})
	}
	p.Table([]app.Column{
		{Name: "#", Right: true},
		{Name: "ID"},
		{Name: "TITLE", Shrinks: true},
		{Name: "STATUS"},
		{Name: "PRIORITY"},
		{Name: "COMPLEXITY"},
		{Name: "PHASE"},
		{Name: "AFTER"},
	}, rows)
}

func changeQueue(d *app.App, cmd *cobra.Command, r digests.QueueRequest, done string) error {
	return change(d, cmd, func(ctx context.Context, p digests.Digests) (digests.StateChange, error) {
		return p.QueueChange(ctx, r)
	}, pageChanged, done)
}

func queueAddCommand(d *app.App) *cobra.Command {
	r := digests.QueueRequest{Verb: "add"}
	cmd := d.Command(app.Spec{
		Use: "add ID --title TEXT", Short: "Add a specification to the queue",
		Long: "Add a row to the queue, at its end or after another one. The row gets the columns of " +
			"the table.",
		Example: "baton state queue add SPEC-009 --title \"Export\" --priority high\n" +
			"baton state queue add SPEC-010 --title \"Import\" --after SPEC-009",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("title") {
				return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs --title TEXT")
			}
			ask := r
			title, err := d.RequiredText(cmd, "title", r.Title)
			if err != nil {
				return err
			}
			ask.ID, ask.Title = args[0], title
			return changeQueue(d, cmd, ask, "Added "+args[0]+" to the queue")
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Title, "title", "", "its title: `TEXT`")
	flags.StringVar(&r.Priority, "priority", "", "its `PRIORITY`, like high")
	flags.StringVar(&r.After, "after", "", "put it after the row of `ID` instead of at the end")
	return cmd
}

func queueRemoveCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "remove ID", Short: "Remove a specification from the queue",
		Long:    "Remove a row from the queue. The specification's file stays.",
		Example: "baton state queue remove SPEC-009",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			return changeQueue(
				d, cmd, digests.QueueRequest{Verb: "remove", ID: args[0]}, "Removed "+args[0]+" from the queue",
			)
		},
	})
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(CompleteQueue))
	return cmd
}

func queueMoveCommand(d *app.App) *cobra.Command {
	r := digests.QueueRequest{Verb: "move"}
	cmd := d.Command(app.Spec{
		Use: "move ID --to N", Short: "Move a specification within the queue",
		Long:    "Move a row of the queue to another position, counted from 1.",
		Example: "baton state queue move SPEC-009 --to 1",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("to") {
				return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs --to N")
			}
			if r.To < 1 {
				return app.Usage(cmd.CommandPath(), "--to must be 1 or more")
			}
			r.ID = args[0]
			return changeQueue(d, cmd, r, "Moved "+r.ID+" to position "+cmd.Flags().Lookup("to").Value.String())
		},
	})
	cmd.Flags().IntVar(&r.To, "to", 0, "its position `N`, counted from 1")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(CompleteQueue))
	return cmd
}

func queueNextCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "next", Short: "Show the next specification in the queue",
		Long:    "Print the first row that is not done and does not wait for another row of the queue.",
		Example: "baton state queue next\nbaton state queue next --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.QueueList, error) {
				return p.Digests.QueueNext(ctx)
			}, func(p *app.Page, r digests.QueueList) {
				if len(r.Queue) == 0 {
					p.Line(app.Plain, "Nothing in the queue can be started. To see all of it: baton state queue list")
				} else {
					queue(p, r)
					begin(p, r)
				}
				p.Remarks = r.Warnings
			})
		},
	})
}

// begin hints at the command that makes the first row's specification active. A digest without the
// table has room for one.
func begin(p *app.Page, r digests.QueueList) {
	id := r.Queue[0].ID
	if slices.ContainsFunc(r.Active, func(a string) bool { return strings.EqualFold(a, id) }) {
		p.Line(app.Faint, "It is already active.")
		return
	}
	switch {
	case id == "":
	case r.Form == "C" || len(r.Active) == 0:
		p.Hint("To start it: baton state active add %s drafting", id)
	case r.Active[0] == "":
		p.Hint("To replace the active one: baton state active add %s drafting --replace", id)
	default:
		p.Hint("To replace %s: baton state active add %s drafting --replace", r.Active[0], id)
	}
}
