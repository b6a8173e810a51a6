package mcpserver

import (
	"context"

	"baton/internal/report"
	"baton/internal/usecase/digests"
)

func digestTools() []tool {
	return []tool{
		{
			name: "decision_add", title: "Record a decision",
			about:  "Record a decision of the project with its reason in STATE.md.",
			action: calls(digestsOf, digests.Digests.AddDecision),
		},
		{
			name: "blocker_add", title: "Record a blocker",
			about:  "Record a blocker of the project in STATE.md.",
			action: calls(digestsOf, digests.Digests.AddBlocker),
		},
		{
			name: "state_next", title: "Next step", repeats: true,
			about:  "The recommended next step of the project's phases. With action: set it by hand.",
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

func stateNext(ctx context.Context, c *call, r digests.NextRequest) (nextStep, error) {
	var out nextStep
	if r.Action != "" {
		change, err := c.project.Digests.StateNext(ctx, r)
		if err != nil {
			return out, err
		}
		out.StateChange = change
	} else if r.Phases != nil {
		return out, misuse("phases needs action", "give an action, or neither")
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

// misuse returns the error for arguments that do not go together.
func misuse(message, hint string) error {
	return &report.Error{Kind: report.Usage, Code: report.CodeArgumentsInvalid, Message: message, Hint: hint}
}
