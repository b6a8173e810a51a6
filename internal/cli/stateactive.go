package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/digests"
)

func (d *door) activeCommands() *cobra.Command {
	return d.group("active", "SpecFlow: the active specifications",
		"The specifications that are worked on, as a SpecFlow digest names them: in the table Active Specifications, or in the\nbullets or lines of older digests, which hold one.",
		d.activeListCommand(), d.activeAddCommand(), d.activeSetCommand(), d.activeRemoveCommand(), d.activeResolveCommand())
}

func (d *door) activeListCommand() *cobra.Command {
	return d.command(spec{
		use: "list", short: "List the active specifications",
		long:    "List the active specifications with their status and next step.",
		example: "baton state active list\nbaton state active list --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.ActiveList, error) {
				return p.Digests.ActiveList(ctx)
			}, func(p *page, r digests.ActiveList) {
				p.actives(r)
				p.remarks = r.Warnings
			})
		},
	})
}

// actives is the table of active specifications.
func (p *page) actives(r digests.ActiveList) {
	if len(r.Active) == 0 {
		p.line(plain, "No active specification. What comes next: baton state queue next")
		return
	}
	rows := make([][]cell, 0, len(r.Active))
	for _, a := range r.Active {
		rows = append(rows, []cell{{strong, a.ID}, {accent, a.Status}, {plain, a.Next}, {plain, a.Title}})
	}
	p.table([]column{{name: "ACTIVE"}, {name: "STATUS"}, {name: "NEXT STEP", gives: true}, {name: "TITLE"}}, rows)
}

func (d *door) changeActive(cmd *cobra.Command, r digests.ActiveRequest, done string) error {
	return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateChange, error) {
		return p.Digests.ActiveChange(ctx, r)
	}, func(p *page, c digests.StateChange) { pageFields(p, c, done) })
}

func (d *door) activeAddCommand() *cobra.Command {
	r := digests.ActiveRequest{Verb: "add"}
	cmd := d.command(spec{
		use: "add ID [STATUS [NEXT]]", short: "Make a specification active",
		long: "Add a specification to the active ones, or bring the one that is there up to date. A digest without the table holds\n" +
			"one: there --replace puts this one in its place, and `baton state migrate` makes room for several.",
		example: "baton state active add SPEC-007 drafting \"/sf:audit\"\nbaton state active add SPEC-008 --replace",
		least:   1, most: 3,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			r.ID, r.Status, r.Next = args[0], "", ""
			if len(args) > 1 {
				r.Status = args[1]
			}
			if len(args) > 2 {
				r.Next = args[2]
			}
			return d.changeActive(cmd, r, "Added "+r.ID+" to the active specifications")
		},
	})
	cmd.Flags().BoolVar(&r.Replace, "replace", false, "in place of the one that is active")
	cmd.ValidArgsFunction = d.completeActiveAdd
	return cmd
}

func (d *door) activeSetCommand() *cobra.Command {
	r := digests.ActiveRequest{Verb: "set"}
	cmd := d.command(spec{
		use: "set ID", short: "Change an active specification",
		long:    "Set the status or the next step of an active specification. In the table, one that is not there is added.",
		example: "baton state active set SPEC-007 --status running\nbaton state active set SPEC-007 --next \"/sf:review\"",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if r.Status == "" && r.Next == "" {
				return usage(cmd.CommandPath(), called(cmd)+" needs --status or --next")
			}
			r.ID = args[0]
			return d.changeActive(cmd, r, "Set "+r.ID)
		},
	})
	cmd.Flags().StringVar(&r.Status, "status", "", "its `STATUS`, like running or review")
	cmd.Flags().StringVar(&r.Next, "next", "", "its next step: `TEXT`")
	cmd.ValidArgsFunction = first(d.completeActive)
	return cmd
}

func (d *door) activeRemoveCommand() *cobra.Command {
	cmd := d.command(spec{
		use: "remove ID", short: "Take a specification from the active ones",
		long:    "Take a specification from the active ones. Its file stays.",
		example: "baton state active remove SPEC-007",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			return d.changeActive(cmd, digests.ActiveRequest{Verb: "remove", ID: args[0]}, "Took "+args[0]+" from the active specifications")
		},
	})
	cmd.ValidArgsFunction = first(d.completeActive)
	return cmd
}

func (d *door) activeResolveCommand() *cobra.Command {
	cmd := d.command(spec{
		use: "resolve [ID]", short: "Say which specification is meant",
		long: "Print the id of the specification that a command without an id is about: the only active one. With several, they are\n" +
			"listed to choose from; with none, that is said. With ID it says whether that one is active. Each is an answer, with\n" +
			"exit code 0; --json has it as `action`: use, ask or error.",
		example: "baton state active resolve\nbaton state active resolve SPEC-007 --json",
		most:    1,
		exits:   reading[:],
		run: func(cmd *cobra.Command, args []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.ActiveResolved, error) {
				return p.Digests.ActiveResolve(ctx, phaseOf(args))
			}, pageResolved)
		},
	})
	cmd.ValidArgsFunction = first(d.completeActive)
	return cmd
}

func pageResolved(p *page, r digests.ActiveResolved) {
	switch {
	case r.Action == "use":
		p.line(plain, "%s", r.ID)
	case r.Action == "ask":
		p.line(plain, "Several specifications are active. Name one:")
		p.actives(digests.ActiveList{Active: r.Options})
	case r.Code == "SPEC_NOT_ACTIVE":
		p.line(plain, "%s is not active. Those that are: baton state active list", r.ID)
	default:
		p.line(plain, "No specification is active. What comes next: baton state queue next")
	}
}
