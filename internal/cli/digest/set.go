package digest

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/digest/phases"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
)

func stateSetCommand(d *app.App) *cobra.Command {
	var r digests.StateSetRequest
	cmd := d.Command(app.Spec{
		Use: "set NAME VALUE", Short: "Set one value of the digest",
		Long: "Set one value in place. NAME is the same as for `baton state get`. As VALUE, - reads " +
			"standard input, and @FILE reads a file. Values that follow from other files, like " +
			"progress.percent, are refused; `baton state sync` updates them. A new lower-case " +
			"name becomes a key of the front matter; a name that looks like a typo needs --force.",
		Example: "baton state set status planning\nbaton state set next_phases 4,5\n" +
			"baton state set \"Resume file\" notes.md --force",
		MinArgs: 2, MaxArgs: 2,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			value, err := d.TextOrFile(cmd.Context(), "VALUE", args[1])
			if err != nil {
				return err
			}
			r.Values = []digests.NameValue{{Name: args[0], Value: value}}
			return change(d, cmd, func(ctx context.Context, p digests.Digests) (digests.StateChange, error) {
				return p.StateSet(ctx, r)
			}, pageFields, "Set "+args[0])
		},
	})
	cmd.Flags().BoolVar(
		&r.Force, "force", false, "accept a name that looks like a typo",
	)
	cmd.ValidArgsFunction = d.Completer(completeField)
	return cmd
}

func statePatchCommand(d *app.App) *cobra.Command {
	var r digests.StateSetRequest
	cmd := d.Command(app.Spec{
		Use: "patch NAME=VALUE…", Short: "Set several values of the digest, all or none",
		Long: "Set several values in one step. If one of them is refused, none is written. Names " +
			"and values are those of `baton state set`.",
		Example: "baton state patch status=planning stopped_at=\"Plan 04-02 is written\"",
		MinArgs: 1, MaxArgs: 64,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r.Values = nil
			seen := map[string]bool{}
			for _, assignment := range args {
				name, value, found := strings.Cut(assignment, "=")
				if !found || strings.TrimSpace(name) == "" {
					return app.Usage(
						cmd.CommandPath(), fmt.Sprintf("%q is not NAME=VALUE", safetext.Columns(assignment, 40)),
					)
				}
				if seen[name] {
					return app.Usage(cmd.CommandPath(), fmt.Sprintf("%q was given twice", name))
				}
				seen[name] = true
				text, err := d.TextOrFile(cmd.Context(), "VALUE", value)
				if err != nil {
					return err
				}
				r.Values = append(r.Values, digests.NameValue{Name: name, Value: text})
			}
			done := "Set " + safetext.Count(len(r.Values), "value")
			return change(d, cmd, func(ctx context.Context, p digests.Digests) (digests.StateChange, error) {
				return p.StateSet(ctx, r)
			}, pageFields, done)
		},
	})
	cmd.Flags().BoolVar(&r.Force, "force", false, "accept names that look like typos")
	cmd.ValidArgsFunction = d.Completer(completeAssignment)
	return cmd
}

func stateNextCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "next [ACTION [PHASE…]]", Short: "Show or recommend the next step",
		Long: `Without ACTION, show what comes next. With ACTION, record it: ACTION is discuss-phase,
plan-phase, execute-phase or verify-phase; PHASE
is one phase or several, separated by spaces or commas. ACTION none removes the recommendation.
The command is refused while a phase is active.`,
		Example: "baton state next\nbaton state next plan-phase 5\n" +
			"baton state next execute-phase 4 5\nbaton state next none",
		MaxArgs: 64,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return showNext(d, cmd)
			}
			r := digests.NextRequest{Action: args[0]}
			for _, list := range args[1:] {
				for phase := range strings.SplitSeq(list, ",") {
					if phase = strings.TrimSpace(phase); phase != "" {
						r.Phases = append(r.Phases, phase)
					}
				}
			}
			done := "Next: " + strings.TrimSpace(r.Action+" "+strings.Join(r.Phases, ", "))
			if r.Action == "none" {
				if len(args) > 1 {
					return app.Usage(cmd.CommandPath(), "ACTION none takes no PHASE")
				}
				done = "Removed the recommended next step"
			}
			return change(d, cmd, func(ctx context.Context, p digests.Digests) (digests.StateChange, error) {
				return p.StateNext(ctx, r)
			}, pageFields, done)
		},
	})
	cmd.ValidArgsFunction = app.FirstOperand(
		app.OneOf(append(nextActions[:len(nextActions):len(nextActions)], "none")...),
	)
	return cmd
}

// showNext prints the next step: the one that the digest names, else the one that is recommended.
func showNext(d *app.App, cmd *cobra.Command) error {
	state, err := app.Ask(d, cmd, d.Options(cmd), func(
		ctx context.Context, p *project.Project,
	) (digests.StateResult, error) {
		return p.Digests.State(ctx)
	})
	if err != nil {
		return err
	}
	var next phases.Next
	switch {
	case state.GSD != nil && state.GSD.NextAction != "":
		next = phases.Next{Action: state.GSD.NextAction, Phases: state.GSD.NextPhases}
	case state.Next != nil:
		next = *state.Next
	}
	return app.Present(d, next, func(p *app.Page, next phases.Next) {
		p.Remarks = state.Warnings
		command := nextOf(state)
		switch {
		case state.GSD == nil:
			p.Hint("To see which specification comes next: baton state queue next")
			return
		case state.GSD.ActivePhase != "":
			g := state.GSD
			p.Line(app.Plain, "Phase %s is active: %s", g.ActivePhase, statusWords(g.Status, g.StatusRaw))
		case next.Action != "":
			p.Line(app.Plain, "%s", NextWords(next.Action, next.Phases))
		case command == "":
			p.Line(app.Plain, "No phase is next.")
			if state.Tasks == nil || state.Tasks.Total == 0 {
				p.Hint("To see which tasks you can start: baton task ready")
			}
			nextTask(p, state.Tasks)
		}
		if command != "" {
			p.Hint("Next: %s", command)
		}
	})
}

func metricCommand(d *app.App) *cobra.Command {
	r := digests.MetricRequest{}
	cmd := d.Command(app.Spec{
		Use: "metric PHASE PLAN --duration TIME", Short: "Record how long a plan took",
		Long: `Add a row to Performance Metrics, and update its totals and trend if the section has the form of the
template. TIME is written as you give it: 23 min, 1h 5m, 1.5h, 90s. If the plan already has a row,
the command is refused.`,
		Example: "baton state metric 4 2 --duration \"23 min\" --tasks 3 --files 7",
		MinArgs: 2, MaxArgs: 2,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if r.Duration == "" {
				return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs --duration TIME")
			}
			for _, name := range [...]string{"tasks", "files"} {
				if err := app.NotNegative(cmd, name); err != nil {
					return err
				}
			}
			r.Phase, r.Plan = args[0], args[1]
			done := "Recorded plan " + r.Plan + " of phase " + r.Phase + ": " + r.Duration
			return change(d, cmd, func(ctx context.Context, p digests.Digests) (digests.StateChange, error) {
				return p.Metric(ctx, r)
			}, pageChanged, done)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Duration, "duration", "", "how long the plan took: `TIME`")
	flags.IntVar(&r.Tasks, "tasks", -1, "the `NUMBER` of tasks in the plan")
	flags.IntVar(&r.Files, "files", -1, "the `NUMBER` of changed files")
	return cmd
}

func evolutionCommand(d *app.App) *cobra.Command {
	r := digests.EvolutionRequest{}
	cmd := d.Command(app.Spec{
		Use: "evolution PHASE NOTE", Short: "Record a change of the roadmap",
		Long: `Add a line to Roadmap Evolution, below Accumulated Context: which phase changed, and why. The roadmap
itself stays as it is. A line that is there already is not added again. As NOTE, - reads standard
input, and @FILE reads a file; line breaks become spaces.`,
		Example: "baton state evolution 4.1 \"Storm damage\" --action inserted --after 4 --urgent",
		MinArgs: 2, MaxArgs: 2,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			ask := r
			var err error
			if ask.Note, err = d.RequiredText(cmd, "NOTE", args[1]); err != nil {
				return err
			}
			ask.Phase = args[0]
			return change(d, cmd, func(ctx context.Context, p digests.Digests) (digests.StateChange, error) {
				return p.Evolve(ctx, ask)
			}, pageChanged, "Recorded the change of the roadmap")
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Action, "action", "changed", "what was done to the phase: `WORD`")
	flags.StringVar(&r.After, "after", "", "the `PHASE` that it comes after")
	flags.BoolVar(&r.Urgent, "urgent", false, "mark the change as urgent")
	return cmd
}

func migrateCommand(d *app.App) *cobra.Command {
	apply := false
	cmd := d.Command(app.Spec{
		Use: "migrate", Short: "Let a SpecFlow digest hold several active specifications",
		Long: `Turn the bullets or lines that name the active specification into the table Active Specifications,
which has room for several. Every other line stays as it is. Without --apply, baton only shows what
would change.`,
		Example: "baton state migrate\nbaton state migrate --apply",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.MigrateResult, error) {
				return p.Digests.Migrate(ctx, apply)
			}, pageMigrate)
		},
	})
	cmd.Flags().BoolVar(&apply, "apply", false, "write the digest")
	return cmd
}

func pageMigrate(p *app.Page, r digests.MigrateResult) {
	switch {
	case r.From == "C":
		p.Line(app.Plain, "Nothing to do: %s already has the table.", r.Path)
	case r.Applied:
		pageFields(p, r.StateChange, "Created the table Active Specifications")
		return
	default:
		p.Line(app.Plain, "Would turn the active specification of %s into a table.", r.Path)
		fields(p, r.StateChange)
		p.Hint("To write it: baton state migrate --apply")
	}
	p.Remarks = r.Warnings
}
