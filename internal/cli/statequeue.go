package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func (d *door) queueCommands() *cobra.Command {
	return d.group("queue", "SpecFlow: the specifications that wait",
		"The queue of a SpecFlow digest. Its columns are told by their names, so that every layout of the table is read and kept.",
		d.queueListCommand(), d.queueAddCommand(), d.queueRemoveCommand(), d.queueMoveCommand(), d.queueNextCommand())
}

func (d *door) queueListCommand() *cobra.Command {
	return d.command(spec{
		use: "list", short: "List the queue",
		long:    "List the specifications that wait, in their order.",
		example: "baton state queue list\nbaton state queue list --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.QueueList, error) {
				return p.Digests.QueueList(ctx)
			}, func(p *page, r digests.QueueList) {
				if len(r.Queue) == 0 {
					p.line(plain, `The queue is empty. Add to it: baton state queue add ID --title TEXT`)
				} else {
					p.queue(r)
				}
				p.remarks = r.Warnings
			})
		},
	})
}

// queue is the table of the queue; columns that its layout does not have are left out.
func (p *page) queue(r digests.QueueList) {
	rows := make([][]cell, 0, len(r.Queue))
	for _, q := range r.Queue {
		rows = append(rows, []cell{
			{faint, q.Position},
			{strong, q.ID},
			{plain, q.Title},
			{accent, q.Status},
			{plain, q.Priority},
			{plain, q.Complexity},
			{plain, q.Phase},
			{plain, q.Depends},
		})
	}
	p.table([]column{
		{name: "#", right: true},
		{name: "ID"},
		{name: "TITLE", gives: true},
		{name: "STATUS"},
		{name: "PRIORITY"},
		{name: "COMPLEXITY"},
		{name: "PHASE"},
		{name: "AFTER"},
	}, rows)
}

func (d *door) changeQueue(cmd *cobra.Command, r digests.QueueRequest, done string) error {
	return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateChange, error) {
		return p.Digests.QueueChange(ctx, r)
	}, func(p *page, c digests.StateChange) { pageChanged(p, c, done) })
}

func (d *door) queueAddCommand() *cobra.Command {
	r := digests.QueueRequest{Verb: "add"}
	cmd := d.command(spec{
		use: "add ID --title TEXT", short: "Add a specification to the queue",
		long:    "Add a row to the queue, at its end or behind another one. The row has the columns that the table has.",
		example: "baton state queue add SPEC-009 --title \"Export\" --priority high\nbaton state queue add SPEC-010 --title \"Import\" --after SPEC-009",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("title") {
				return usage(cmd.CommandPath(), called(cmd)+" needs --title TEXT")
			}
			ask := r
			title, err := d.given(cmd, "title", r.Title)
			if err != nil {
				return err
			}
			ask.ID, ask.Title = args[0], title
			return d.changeQueue(cmd, ask, "Added "+args[0]+" to the queue")
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Title, "title", "", "its title: `TEXT`")
	flags.StringVar(&r.Priority, "priority", "", "its `PRIORITY`, like high")
	flags.StringVar(&r.After, "after", "", "behind the row of `ID`, not at the end")
	return cmd
}

func (d *door) queueRemoveCommand() *cobra.Command {
	cmd := d.command(spec{
		use: "remove ID", short: "Take a specification from the queue",
		long:    "Remove a row from the queue. The specification's file stays.",
		example: "baton state queue remove SPEC-009",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			return d.changeQueue(cmd, digests.QueueRequest{Verb: "remove", ID: args[0]}, "Took "+args[0]+" from the queue")
		},
	})
	cmd.ValidArgsFunction = first(d.completeQueue)
	return cmd
}

func (d *door) queueMoveCommand() *cobra.Command {
	r := digests.QueueRequest{Verb: "move"}
	cmd := d.command(spec{
		use: "move ID --to N", short: "Move a specification within the queue",
		long:    "Move a row of the queue to another place, counted from 1.",
		example: "baton state queue move SPEC-009 --to 1",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("to") {
				return usage(cmd.CommandPath(), called(cmd)+" needs --to N")
			}
			if r.To < 1 {
				return usage(cmd.CommandPath(), "--to counts from 1")
			}
			r.ID = args[0]
			return d.changeQueue(cmd, r, "Moved "+r.ID+" to place "+cmd.Flags().Lookup("to").Value.String())
		},
	})
	cmd.Flags().IntVar(&r.To, "to", 0, "its place `N`, from 1")
	cmd.ValidArgsFunction = first(d.completeQueue)
	return cmd
}

func (d *door) queueNextCommand() *cobra.Command {
	return d.command(spec{
		use: "next", short: "Say what comes next in the queue",
		long:    "Print the first row that is not done and waits for none that is still in the queue.",
		example: "baton state queue next\nbaton state queue next --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.QueueList, error) {
				return p.Digests.QueueNext(ctx)
			}, func(p *page, r digests.QueueList) {
				if len(r.Queue) == 0 {
					p.line(plain, "Nothing in the queue can be started. The whole queue: baton state queue list")
				} else {
					p.queue(r)
					p.begin(r)
				}
				p.remarks = r.Warnings
			})
		},
	})
}

// begin hints at the command that makes the first row's specification active. A digest without the table has room for one.
func (p *page) begin(r digests.QueueList) {
	id := r.Queue[0].ID
	if slices.ContainsFunc(r.Active, func(a string) bool { return strings.EqualFold(a, id) }) {
		p.line(faint, "It is active already.")
		return
	}
	switch {
	case id == "":
	case r.Form == "C" || len(r.Active) == 0:
		p.hint("Begin: baton state active add %s drafting", id)
	case r.Active[0] == "":
		p.hint("In place of the active one: baton state active add %s drafting --replace", id)
	default:
		p.hint("In place of %s: baton state active add %s drafting --replace", r.Active[0], id)
	}
}
