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
	Layout string `json:"layout"`
	Path   string `json:"path"`
	*digests.StateChange
	Next *phases.Next `json:"next"`          // null when nothing is recommended
	Why  string       `json:"why,omitempty"` // why nothing is
}

func stateNext(ctx context.Context, c *call, r digests.NextRequest) (nextStep, error) {
	var out nextStep
	if r.Action != "" {
		change, err := c.project.Digests.StateNext(ctx, r)
		if err != nil {
			return out, err
		}
		out.StateChange = &change
	} else if r.Phases != nil {
		return out, misuse("phases needs action", "give an action, or neither")
	}
	state, err := c.project.Digests.State(ctx)
	if err != nil {
		return out, err
	}
	out.Layout, out.Path = state.Layout, state.Path
	switch {
	case state.GSD != nil && state.GSD.ActivePhase != "":
		out.Why = "phase " + state.GSD.ActivePhase + " is active; finish it first"
	case state.GSD != nil && state.GSD.NextAction != "":
		out.Next = &phases.Next{Action: state.GSD.NextAction, Phases: state.GSD.NextPhases}
	case state.Next != nil && state.Next.Action != "":
		out.Next = state.Next
	case state.GSD == nil:
		out.Why = "specifications have a queue instead of phases; status says which comes next (next_spec)"
	case r.Action != "":
		out.Why = "the recommendation was removed, and no phase is next"
	default:
		out.Why = "no phase of the project is next; the tool next takes up a task"
	}
	return out, nil
}

// misuse returns the error for arguments that do not go together.
func misuse(message, hint string) error {
	return &report.Error{Kind: report.Usage, Code: report.CodeArgumentsInvalid, Message: message, Hint: hint}
}
