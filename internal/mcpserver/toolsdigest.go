package mcpserver

import (
	"context"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/usecase/digests"
)

func digestTools() []tool {
	return []tool{
		{
			name: "decision_add", title: "Record a decision",
			about: "Record a decision with its reason in the project's STATE.md; the oldest move to the archive.",
			params: []param{
				{name: "text", kind: text, about: "what was decided", must: true},
				{name: "rationale", kind: text, about: "why"},
				{name: "phase", kind: text, about: "phase it belongs to (GSD)"},
				{name: "spec", kind: text, about: "specification it belongs to (SpecFlow)"},
			},
			action: does(func(ctx context.Context, c *call) (digests.DecisionAdded, error) {
				return c.project.Digests.AddDecision(ctx, digests.DecisionRequest{
					Text: c.texts["text"], Rationale: c.texts["rationale"], Phase: c.texts["phase"],
					Spec: c.texts["spec"],
				})
			}),
		},
		{
			name: "blocker_add", title: "Record a blocker",
			about: "Record a blocker or concern of the project in STATE.md.",
			params: []param{
				{name: "text", kind: text, must: true},
				{name: "phase", kind: text, about: "phase it belongs to (GSD)"},
			},
			action: does(func(ctx context.Context, c *call) (digests.BlockerChange, error) {
				return c.project.Digests.AddBlocker(
					ctx, digests.BlockerRequest{Text: c.texts["text"], Phase: c.texts["phase"]},
				)
			}),
		},
		{
			name: "state_next", title: "Next step", repeats: true,
			about: "The recommended next step of the project's phases. With action: set it by hand.",
			params: []param{
				{name: "action", kind: text, words: []string{
					phases.Discuss, phases.Plan, phases.Execute, phases.Verify, "none",
				}},
				{name: "phases", kind: list, about: "phases it is about"},
			},
			action: does(stateNext),
		},
	}
}

// nextStep is the answer of state_next: the step that is recommended, and with action also what
// changed.
type nextStep struct {
	digests.StateChange
	Next *stepView `json:"next"` // null when nothing is recommended
}

type stepView struct {
	Action string   `json:"action"`
	Phases []string `json:"phases"`
}

func stateNext(ctx context.Context, c *call) (nextStep, error) {
	var out nextStep
	if action := c.texts["action"]; action != "" {
		if action == "none" {
			action = ""
		}
		change, err := c.project.Digests.StateNext(ctx, digests.NextRequest{Action: action, Phases: c.lists["phases"]})
		if err != nil {
			return out, err
		}
		out.StateChange = change
	} else if c.given("phases") {
		return out, misuse("phases goes with action", "give an action, or neither")
	}
	state, err := c.project.Digests.State(ctx)
	if err != nil {
		return out, err
	}
	out.Layout, out.Path = state.Layout, state.Path
	if state.Next != nil {
		out.Next = &stepView{state.Next.Action, state.Next.Phases}
	}
	return out, nil
}

// misuse is a mistake in how arguments go together.
func misuse(message, hint string) error {
	return &report.Error{Kind: report.Usage, Code: "arguments_invalid", Message: message, Hint: hint}
}
