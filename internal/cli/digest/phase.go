package digest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
)

// Stages are the words that --stage takes, in the order of a phase's life.
var Stages = [...]string{"discuss", "plan", "execute", "verify"}

// What --force does in a step that may be refused, and in one that never is.
const (
	forceRefused = "also overwrite a text that a person wrote, and ignore a refusal"
	forceText    = "also overwrite a text that a person wrote"
)

// stepCommand builds the command of one step in the life of a phase. take reads the operands into
// the request; the flags of the step do the rest.
func stepCommand(
	d *app.App, r *digests.TransitionRequest, force string, spec app.Spec,
	take func(cmd *cobra.Command, args []string) error,
) *cobra.Command {
	spec.Exits = app.WritingExits[:]
	spec.Run = func(cmd *cobra.Command, args []string) error {
		if err := take(cmd, args); err != nil {
			return err
		}
		return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.TransitionResult, error) {
			return p.Digests.Transition(ctx, *r)
		}, func(p *app.Page, t digests.TransitionResult) {
			pageTransition(p, t, *r)
		})
	}
	cmd := d.Command(spec)
	cmd.Flags().BoolVar(&r.Force, "force", false, force)
	return cmd
}

func beginCommand(d *app.App) *cobra.Command {
	r := digests.TransitionRequest{Event: "begin"}
	cmd := stepCommand(d, &r, forceRefused, app.Spec{
		Use: "begin PHASE", Short: "Start or finish a stage of a phase",
		Long: `Start a stage of a phase: discuss, plan, execute or verify. --done finishes the stage instead.
Status, active phase and next step are written together, in the front matter and in the text. The
command is refused while another phase is active.`,
		Example: "baton state begin 4 --name \"Billing\" --plans 3\nbaton state begin 5 --stage discuss\n" +
			"baton state begin 4 --done",
		MinArgs: 1, MaxArgs: 1,
	}, func(cmd *cobra.Command, args []string) error {
		r.Phase = args[0]
		if !slices.Contains(Stages[:], r.Stage) {
			return app.Usage(
				cmd.CommandPath(), fmt.Sprintf("--stage: %q is not discuss, plan, execute or verify", r.Stage),
			)
		}
		return app.NotNegative(cmd, "plans")
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Stage, "stage", "execute", "`STAGE` is discuss, plan, execute or verify")
	flags.StringVar(&r.Name, "name", "", "the phase's `NAME`")
	flags.IntVar(&r.Plans, "plans", 0, "the `NUMBER` of its plans")
	flags.BoolVar(&r.Done, "done", false, "finish the stage instead of starting it")
	return cmd
}

func planCommand(d *app.App) *cobra.Command {
	r := digests.TransitionRequest{Event: "plan"}
	cmd := stepCommand(d, &r, forceRefused, app.Spec{
		Use: "plan [PHASE]", Short: "Start or finish planning a phase",
		Long: `Start planning a phase: the one that you name, else the active one, else the current one. With
--done, its plans are written and the next step is to execute them.`,
		Example: "baton state plan 4\nbaton state plan 4 --plans 3 --done",
		MaxArgs: 1,
	}, func(cmd *cobra.Command, args []string) error {
		r.Phase, r.NoPlans = app.Operand(args), cmd.Flags().Changed("plans") && r.Plans == 0
		return app.NotNegative(cmd, "plans")
	})
	cmd.Flags().IntVar(&r.Plans, "plans", 0, "the `NUMBER` of the phase's plans")
	cmd.Flags().BoolVar(&r.Done, "done", false, "finish planning: the plans are written")
	return cmd
}

func verifyCommand(d *app.App) *cobra.Command {
	r := digests.TransitionRequest{Event: "verify"}
	cmd := stepCommand(d, &r, forceRefused, app.Spec{
		Use: "verify [PHASE]", Short: "Start verifying a phase, or record the result",
		Long: `Start verifying a phase: the one that you name, else the active one, else the current one.
--passed completes the phase. --failed sends it back: to executing if a plan was not carried out
yet, else to planning.`,
		Example: "baton state verify 4\nbaton state verify 4 --passed\nbaton state verify --failed",
		MaxArgs: 1,
	}, func(cmd *cobra.Command, args []string) error {
		r.Phase = app.Operand(args)
		return app.Exclusive(cmd, "passed", "failed")
	})
	cmd.Flags().BoolVar(&r.Passed, "passed", false, "the phase does what it promised: complete it")
	cmd.Flags().BoolVar(&r.Failed, "failed", false, "the phase does not do what it promised")
	return cmd
}

func phaseCompleteCommand(d *app.App) *cobra.Command {
	r := digests.TransitionRequest{Event: "complete"}
	cmd := stepCommand(d, &r, forceRefused, app.Spec{
		Use: "complete [PHASE]", Short: "Complete a phase",
		Long: `Complete a phase and move on to the next: the one that you name, else the active one, else the
current one while it is executed or verified. The phase needs a plan, and each of its plans a
summary. The command is refused if the roadmap does not have the phase or if its verification
failed; --force completes it anyway. A second time there is nothing to do.

Only STATE.md changes. With --docs, the command also ticks the phase in ROADMAP.md and its
requirements in REQUIREMENTS.md, as GSD's "phase complete" does.`,
		Example: "baton state complete 4\nbaton state complete 4 --docs",
		MaxArgs: 1,
	}, func(_ *cobra.Command, args []string) error {
		r.Phase = app.Operand(args)
		return nil
	})
	cmd.Flags().BoolVar(&r.Docs, "docs", false, "also tick the phase in ROADMAP.md and REQUIREMENTS.md")
	return cmd
}

func pauseCommand(d *app.App) *cobra.Command {
	r := digests.TransitionRequest{Event: "pause"}
	return stepCommand(d, &r, forceText, app.Spec{
		Use: "pause [TEXT]", Short: "Pause the project",
		Long: `Record that work is paused. TEXT says where you stopped; - reads it from standard input, and @FILE
from a file.`,
		Example: "baton state pause \"waiting for the review of plan 04-02\"\nbaton state pause",
		MaxArgs: 1,
	}, func(cmd *cobra.Command, args []string) (err error) {
		r.Text, err = d.TextOrFile(cmd.Context(), "TEXT", app.Operand(args))
		return err
	})
}

func resumeCommand(d *app.App) *cobra.Command {
	return stepCommand(d, &digests.TransitionRequest{Event: "resume"}, forceText, app.Spec{
		Use: "resume", Short: "Resume the project after a pause",
		Long: `End the pause. The status becomes what the text of the digest says, and baton recommends a next
step again.`,
		Example: "baton state resume",
	}, func(*cobra.Command, []string) error { return nil })
}

func milestoneCommand(d *app.App) *cobra.Command {
	r := digests.TransitionRequest{Event: "milestone"}
	cmd := stepCommand(d, &r, forceRefused, app.Spec{
		Use: "milestone VERSION", Short: "Start a milestone",
		Long: `Start a milestone: baton writes its version and name, sets the progress to 0, and recommends
discussing its first phase. Everything else in the digest stays.`,
		Example: "baton state milestone v2.0 --name \"Code quality\"",
		MinArgs: 1, MaxArgs: 1,
	}, func(_ *cobra.Command, args []string) error {
		r.Version = args[0]
		return nil
	})
	cmd.Flags().StringVar(&r.Name, "name", "", "the milestone's `NAME`")
	return cmd
}

func pageTransition(p *app.Page, t digests.TransitionResult, r digests.TransitionRequest) {
	if t.Superseded {
		p.Line(app.Plain, "Nothing to do: %s.", nothing(t, r))
		p.Remarks = t.Warnings
		return
	}
	if !unchanged(p, t.StateChange) {
		p.Line(app.Good, "%s", passed(t, r))
		if t.Status != "" {
			p.Line(app.Plain, "  status  %s", t.Status)
		}
		if t.ActivePhase != "" {
			p.Line(app.Plain, "  active  phase %s", t.ActivePhase)
		}
		if t.NextAction != "" {
			p.Line(app.Plain, "  next    %s", NextWords(t.NextAction, t.NextPhases))
		}
		for _, name := range t.Docs {
			p.Line(app.Plain, "  ticked  %s", name)
		}
		after(p, t.StateChange)
	}
	if command := StepCommand(t.Status, t.ActivePhase, t.NextAction, t.NextPhases); command != "" {
		p.Hint("Next: %s", command)
	}
}

// nothing returns why there is nothing to do.
func nothing(t digests.TransitionResult, r digests.TransitionRequest) string {
	switch {
	case t.Status == "completed" && t.Phase == t.Current:
		return "phase " + t.Phase + " is complete already"
	case r.Phase == "" && !r.Passed:
		return "no phase is active, and phase " + t.Phase + " is neither executed nor verified"
	}
	return "phase " + t.Phase + " comes before the current one"
}

// passed returns what happened, in words.
func passed(t digests.TransitionResult, r digests.TransitionRequest) string {
	phase := "phase " + t.Phase
	stage := r.Stage
	if r.Event != "begin" {
		stage = r.Event
	}
	switch {
	case r.Event == "milestone":
		return strings.TrimSpace("Started milestone " + r.Version + " " + r.Name)
	case r.Event == "pause" && r.Text != "":
		return "Paused: " + r.Text
	case r.Event == "pause":
		return "Paused"
	case r.Event == "resume":
		return "Resumed"
	case r.Event == "complete":
		return "Completed " + phase
	case r.Passed:
		return "Verified and completed " + phase
	case r.Failed:
		return "Phase " + t.Phase + " did not pass verification"
	case r.Done:
		return "Finished " + doing(stage) + " " + phase
	}
	return "Started " + doing(stage) + " " + phase
}

// doing returns a stage as an activity.
func doing(stage string) string {
	switch stage {
	case "discuss":
		return "discussing"
	case "plan":
		return "planning"
	case "verify":
		return "verifying"
	}
	return "executing"
}

// NextWords returns the recommended step as one text: the action and its phases.
func NextWords(action string, phases []string) string {
	return strings.TrimSpace(action + " " + strings.Join(phases, ", "))
}

// StepCommand returns the command for the next step of a project, "" if none is certain.
func StepCommand(status, active, action string, phases []string) string {
	switch {
	case status == "paused":
		return "baton state resume"
	case active != "":
		switch status {
		case "discussing":
			return "baton state begin " + active + " --stage discuss --done"
		case "planning":
			return "baton state plan " + active + " --plans N --done"
		case "executing":
			return "baton state begin " + active + " --done"
		case "verifying":
			return "baton state verify " + active + " --passed, or baton state verify " + active + " --failed"
		}
		return ""
	case len(phases) == 0:
		return ""
	}
	return sessions.StepCommand(action, phases[0])
}
