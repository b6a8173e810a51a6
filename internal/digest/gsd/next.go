package gsd

import (
	"fmt"
	"slices"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/report"
)

// Recommend returns the next step that follows from what the digest says and what was found on the
// disk (N7). A stored step that no file can show stays: a stage that ended is not begun again
// because it left none (N6). Where there is neither a roadmap nor a folder of phases, what is
// stored is all that anybody knows.
func (d *Doc) Recommend(f phases.Facts) phases.Next {
	m := d.Model()
	if !f.HasPhases && len(f.Phases) == 0 && f.TotalPhases == 0 { // no files say anything about phases
		return phases.Next{Action: m.NextAction, Phases: m.NextPhases}
	}
	next := phases.Recommend(f, or(m.ActivePhase, m.CurrentPhase), m.Status == statusCompleted, m.PausedAt != "")
	if m.ended(next, f) || m.NextAction == next.Action && slices.EqualFunc(m.NextPhases, next.Phases, same) {
		return phases.Next{Action: m.NextAction, Phases: m.NextPhases} // with the ids as they are written
	}
	return next
}

// ended reports whether the stored step comes of a stage of the current phase which ended and which
// the files do not show: a discussion or a planning without a file, a verification that failed, or
// what was done about that.
func (m *Model) ended(next phases.Next, f phases.Facts) bool {
	if m.ActivePhase != "" || len(m.NextPhases) != 1 || len(next.Phases) != 1 ||
		!same(m.NextPhases[0], m.CurrentPhase) || !same(next.Phases[0], m.CurrentPhase) {
		return false
	}
	p, _ := f.Find(m.CurrentPhase)
	switch m.NextAction {
	case phases.Plan:
		// More plans carried out than are stored: that was after the step was.
		done := m.Progress.CompletedPlans
		return next.Action == phases.Discuss || next.Action == phases.Verify && (done == nil ||
			*done >= f.CompletedPlans)
	case phases.Execute, phases.Verify:
		if m.NextAction == phases.Verify && next.Action == phases.Plan && p.Complete() {
			return true // the plans that a failed verification wanted were carried out
		}
		return p.Plans == 0 && (next.Action == phases.Discuss || next.Action == phases.Plan)
	}
	return false
}

// Next sets the recommended next step by hand (N7): one of the four actions, and the phases it is
// for, without any the current one. An empty action clears both. Conflict "phase_active" while a
// phase is active, Usage "action_unknown".
func (d *Doc) Next(action string, list []string, now time.Time) (Edited, error) {
	e, m := d.edit(now), d.Model()
	list = ids(list)
	switch action {
	case "", "none":
		e.next(phases.Next{})
		return e.finish()
	case phases.Discuss, phases.Plan, phases.Execute, phases.Verify:
	default:
		e.fail(&report.Error{
			Kind: report.Usage, Code: report.CodeActionUnknown, Message: fmt.Sprintf("there is no action %q", action),
			Hint: "use discuss-phase, plan-phase, execute-phase or verify-phase",
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
