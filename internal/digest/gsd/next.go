package gsd

import (
	"fmt"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/report"
)

// Recommend gives the next step that follows from what the digest says and what was found on the disk (N7).
func (d *Doc) Recommend(f phases.Facts) phases.Next {
	m := d.Model()
	return phases.Recommend(f, or(m.ActivePhase, m.CurrentPhase), m.Status == statusCompleted, m.PausedAt != "")
}

// Next sets the recommended next step by hand (N7): one of the four actions, and the phases it is for, without any the
// current one. An empty action clears both. Conflict "phase_active" while a phase is active, Usage "action_unknown".
func (d *Doc) Next(action string, list []string, now time.Time) (Edited, error) {
	e, m := d.edit(now), d.Model()
	list = ids(list)
	switch action {
	case "":
		e.next(phases.Next{})
		return e.finish()
	case phases.Discuss, phases.Plan, phases.Execute, phases.Verify:
	default:
		e.fail(&report.Error{
			Kind: report.Usage, Code: "action_unknown",
			Message: fmt.Sprintf("there is no action %q", action),
			Hint:    "use discuss-phase, plan-phase, execute-phase or verify-phase",
		})
	}
	if m.ActivePhase != "" {
		e.fail(phaseActive(m.ActivePhase))
	}
	if len(list) == 0 && m.CurrentPhase != "" {
		list = []string{m.CurrentPhase}
	}
	e.next(phases.Next{Action: action, Phases: list})
	return e.finish()
}

// next asks for a recommendation in the front matter; both keys go together.
func (e *editor) next(n phases.Next) {
	if n.Action == "" || len(n.Phases) == 0 {
		e.key("next_action", nil)
		e.key("next_phases", nil)
		if n.Action != "" {
			e.key("next_action", n.Action)
		}
		return
	}
	e.key("next_action", n.Action)
	e.key("next_phases", n.Phases)
}
