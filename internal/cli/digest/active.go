package digest

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func activeCommands(d *app.App) *cobra.Command {
	return d.Group(
		"active",
		"SpecFlow: the active specifications",
		"In a SpecFlow digest, the active specifications are those that somebody is working on. "+
			"They are in the table Active Specifications; older digests name a single one in bullets or "+
			"lines.",
		activeListCommand(d),
		activeAddCommand(d),
		activeSetCommand(d),
		activeRemoveCommand(d),
		activeResolveCommand(d),
	)
}

func activeListCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "list", Short: "List the active specifications",
		Long:    "List the active specifications with their status and next step.",
		Example: "baton state active list\nbaton state active list --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.ActiveList, error) {
				return p.Digests.ActiveList(ctx)
			}, func(p *app.Page, r digests.ActiveList) {
				actives(p, r)
				p.Remarks = r.Warnings
			})
		},
	})
}

// actives prints the table of active specifications.
func actives(p *app.Page, r digests.ActiveList) {
	if len(r.Active) == 0 {
		p.Line(app.Plain, "No specification is active. To see what comes next: baton state queue next")
		return
	}
	rows := make([][]app.Cell, 0, len(r.Active))
	for _, a := range r.Active {
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: a.ID},
			{Tone: app.Accent, Text: a.Status},
			{Text: a.Next},
			{Text: a.Title},
		})
	}
	p.Table([]app.Column{{Name: "ACTIVE"}, {Name: "STATUS"}, {Name: "NEXT STEP", Shrinks: true}, {Name: "TITLE"}}, rows)
}

func changeActive(d *app.App, cmd *cobra.Command, r digests.ActiveRequest, done string) error {
	return change(d, cmd, func(ctx context.Context, p digests.Digests) (digests.StateChange, error) {
		return p.ActiveChange(ctx, r)
	}, pageFields, done)
}

func activeAddCommand(d *app.App) *cobra.Command {
	r := digests.ActiveRequest{Verb: "add"}
	cmd := d.Command(app.Spec{
		Use: "add ID [STATUS [NEXT]]", Short: "Make a specification active",
		Long: "Add a specification to the active ones, or update it if it is already active. A " +
			"digest without the table holds only one: there, --replace replaces it, and `baton state " +
			"migrate` makes room for several.",
		Example: "baton state active add SPEC-007 drafting \"/sf:audit\"\nbaton state active add SPEC-008 --replace",
		MinArgs: 1, MaxArgs: 3,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			all := append(args[:len(args):len(args)], "", "")
			r.ID, r.Status, r.Next = all[0], all[1], all[2]
			return changeActive(d, cmd, r, "Added "+r.ID+" to the active specifications")
		},
	})
	cmd.Flags().BoolVar(&r.Replace, "replace", false, "replace the active specification")
	cmd.ValidArgsFunction = d.Completer(completeActiveAdd)
	return cmd
}

func activeSetCommand(d *app.App) *cobra.Command {
	r := digests.ActiveRequest{Verb: "set"}
	cmd := d.Command(app.Spec{
		Use: "set ID", Short: "Change an active specification",
		Long: `Set the status or the next step of an active specification. If it is not in the table yet, baton
adds it.`,
		Example: "baton state active set SPEC-007 --status running\n" +
			"baton state active set SPEC-007 --next \"/sf:review\"",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if r.Status == "" && r.Next == "" {
				return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs --status or --next")
			}
			r.ID = args[0]
			return changeActive(d, cmd, r, "Set "+r.ID)
		},
	})
	cmd.Flags().StringVar(&r.Status, "status", "", "its `STATUS`, like running or review")
	cmd.Flags().StringVar(&r.Next, "next", "", "its next step: `TEXT`")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeActive))
	return cmd
}

func activeRemoveCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "remove ID", Short: "Remove a specification from the active ones",
		Long:    "Remove a specification from the active ones. Its file stays.",
		Example: "baton state active remove SPEC-007",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			return changeActive(
				d, cmd, digests.ActiveRequest{Verb: "remove", ID: args[0]},
				"Removed "+args[0]+" from the active specifications",
			)
		},
	})
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeActive))
	return cmd
}

func activeResolveCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "resolve [ID]", Short: "Say which specification a command means",
		Long: "Print the specification that a command without an id is about: the only active one. If " +
			"several are active, baton lists them for you to choose; if none is, it says so. With ID, it " +
			"says whether that one is active. The exit code is 0 in each case; --json has the answer as " +
			"`action`: use, ask or error.",
		Example: "baton state active resolve\nbaton state active resolve SPEC-007 --json",
		MaxArgs: 1,
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.ActiveResolved, error) {
				return p.Digests.ActiveResolve(ctx, app.Operand(args))
			}, pageResolved)
		},
	})
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeActive))
	return cmd
}

func pageResolved(p *app.Page, r digests.ActiveResolved) {
	switch {
	case r.Action == "use":
		p.Line(app.Plain, "%s", r.ID)
	case r.Action == "ask":
		p.Line(app.Plain, "Several specifications are active. Name one:")
		actives(p, digests.ActiveList{Active: r.Options})
	case r.Code == "SPEC_NOT_ACTIVE":
		p.Line(app.Plain, "%s is not active. To list the active ones: baton state active list", r.ID)
	default:
		p.Line(app.Plain, "No specification is active. To see what comes next: baton state queue next")
	}
}
