package gsd

import (
	"fmt"
	"slices"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/report"
)

// Recommend returns the next step that follows from the digest and the files (N7). A stored step
// that leaves no files is kept: a stage that ended does not begin again because it left no file
// (N6). Without a roadmap and phase folders the stored step is all that is known. While a phase is
// active, there is no next step.
func (d *Doc) Recommend(f phases.Facts) phases.Next {
	m := d.Model()
	if m.ActivePhase != "" {
		return phases.Next{} // its stage comes first (D22)
	}
	if !f.HasPhases && len(f.Phases) == 0 && f.TotalPhases == 0 { // the files say nothing about phases
		return phases.Next{Action: m.NextAction, Phases: m.NextPhases}
	}
	next := phases.Recommend(f, m.CurrentPhase, m.Status == statusCompleted,
		m.Status == statusPaused)
	if m.ended(next, f) || m.NextAction == next.Action && slices.EqualFunc(m.NextPhases, next.Phases, same) {
		return phases.Next{Action: m.NextAction, Phases: m.NextPhases} // with the ids as written
	}
	return next
}

// ended reports whether the stored step follows from a finished stage of the current phase that
// left no trace in the files: a discussion or a planning without a file, a verification that
// failed, or the work after one.
func (m *Model) ended(next phases.Next, f phases.Facts) bool {
	if m.ActivePhase != "" || len(m.NextPhases) != 1 || len(next.Phases) != 1 ||
		!same(m.NextPhases[0], m.CurrentPhase) || !same(next.Phases[0], m.CurrentPhase) {
		return false
	}
	p, _ := f.Find(m.CurrentPhase)
	switch m.NextAction {
	case phases.Plan:
		// If more plans were carried out than are stored, that happened after the step was stored.
		done := m.Progress.CompletedPlans
		return next.Action == phases.Discuss || next.Action == phases.Verify && (done == nil ||
			*done >= f.CompletedPlans)
	case phases.Execute, phases.Verify:
		if m.NextAction == phases.Verify && next.Action == phases.Plan && p.Complete() {
			return true // the plans that the failed verification asked for were carried out
		}
		return p.Plans == 0 && (next.Action == phases.Discuss || next.Action == phases.Plan)
	}
	return false
}

// Next sets the recommended next step by hand (N7): one of the four actions, and the phases that it
// is for, by default the current one. An empty action clears both. It fails with Conflict
// "phase_active" while a phase is active, and with Usage "action_unknown".
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

// next requests both keys of a recommendation in the front matter.
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
