package digests

import (
	"context"
	"slices"
	"strings"
	"time"

	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Transition makes one step in the life of a phase and updates front matter and body together
// (gsd.md N6). It fails with Usage phase_missing, version_missing, stage_unknown or event_unknown,
// with Conflict phase_active while another phase is active, and with Violation phase_incomplete for
// a phase that cannot be completed yet. Completing a phase that comes before the current one
// changes nothing and answers Superseded. A SpecFlow project supports only pause and resume; all
// other steps are Usage not_supported.
func (p Digests) Transition(ctx context.Context, r TransitionRequest) (TransitionResult, error) {
	op := "state." + r.Event
	if err := checkStep(op, r); err != nil {
		return TransitionResult{}, err
	}
	layout, err := p.digestLayout(ctx, op)
	if err != nil {
		return TransitionResult{}, err
	}
	if layout == workspace.LayoutSpecflow && (r.Event == "pause" || r.Event == "resume") {
		return p.specflowStep(ctx, r)
	}
	var out TransitionResult
	change, err := p.changeDigest(ctx, op, gsdLayouts(), func(d *DigestChange) error {
		out, err = d.transit(ctx, op, r)
		return err
	})
	if err != nil {
		return TransitionResult{}, err
	}
	out.StateChange = change
	return out, nil
}

// transit applies the step to the text of the change.
func (d *DigestChange) transit(ctx context.Context, op string, r TransitionRequest) (TransitionResult, error) {
	doc := gsd.Parse(d.Text)
	m := doc.Model()
	if r.Event == "milestone" { // the facts are about the phases of the new one
		m.Milestone, m.MilestoneName = strings.TrimSpace(r.Version), strings.TrimSpace(r.Name)
	}
	phase, err := phaseFor(op, r, m)
	if err != nil {
		return TransitionResult{}, err
	}
	facts, err := d.facts(ctx, m)
	if err != nil {
		return TransitionResult{}, err
	}
	if r.Phase != "" || r.Event != "complete" { // else the transition looks whether there is one to complete
		r.Phase = sameText(phase, m, facts)
	}
	done, err := doc.Transition(r, facts, d.Now)
	if err != nil {
		return TransitionResult{}, workspace.Located(err, d.Place.State)
	}
	d.Took(done)
	after := gsd.Parse(done.Text).Model()
	out := TransitionResult{
		Event: r.Event, Phase: done.Phase, Status: after.StatusText(), ActivePhase: after.ActivePhase,
		NextAction: after.NextAction, NextPhases: after.NextPhases, Superseded: done.Superseded,
		Current: after.Phase(),
	}
	if out.NextPhases == nil {
		out.NextPhases = []string{}
	}
	if p, ok := facts.Find(done.Phase); r.Docs && ok && !done.Superseded {
		out.Docs, err = d.tick(facts, p)
	}
	return out, err
}

// facts reads what the roadmap and the phases say. It reads them outside the transaction, so that
// several goroutines can read; the transaction does not write these files.
func (d *DigestChange) facts(ctx context.Context, m gsd.Model) (phases.Facts, error) {
	facts, notes, err := PhaseFacts(ctx, d.At, d.At.Store, d.Place, m)
	d.Note(notes...)
	return facts, err
}

// phaseFor returns the phase that a step is about: the named one, or else the active one, or else
// the current one (D22). A begin always names it.
func phaseFor(op string, r TransitionRequest, m gsd.Model) (string, error) {
	phase := strings.TrimSpace(r.Phase)
	switch r.Event {
	case "pause", "resume", "milestone":
		return phase, nil
	case "plan", "verify", "complete":
		if phase == "" {
			phase = m.ActivePhase
		}
		if phase == "" {
			phase = m.CurrentPhase
		}
	}
	if phase != "" {
		return phase, nil
	}
	if r.Event == "begin" {
		return "", &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodePhaseMissing,
			Message: "the phase to begin is missing", Hint: "use: baton state begin PHASE",
		}
	}
	return "", &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodePhaseMissing,
		Message: "no phase is given, and the digest has neither an active nor a current one",
		Hint:    "name one: baton state " + r.Event + " PHASE",
	}
}

// sameText spells an id as the digest does, or else as the roadmap and the folders do: 03 on a
// command line is the active phase 3.
func sameText(phase string, m gsd.Model, facts phases.Facts) string {
	if phase == "" {
		return ""
	}
	for _, id := range [...]string{m.ActivePhase, m.CurrentPhase} {
		if id != "" && phases.Same(id, phase) {
			return id
		}
	}
	if p, ok := facts.Find(phase); ok {
		return p.ID
	}
	return phase
}

// checkStep refuses unknown events and stages.
func checkStep(op string, r TransitionRequest) error {
	e := &report.Error{Op: op, Kind: report.Usage}
	switch {
	case !slices.Contains([]string{"begin", "plan", "verify", "complete", "pause", "resume", "milestone"}, r.Event):
		e.Code, e.Message = report.CodeEventUnknown, "there is no step "+safetext.Quote(r.Event)+
			" in the life of a phase"
		e.Hint = "the steps are begin, plan, verify, complete, pause, resume and milestone"
	case r.Event == "begin" && !slices.Contains([]string{"", "discuss", "plan", "execute", "verify"}, r.Stage):
		e.Code, e.Message = report.CodeStageUnknown, "there is no stage "+safetext.Quote(r.Stage)
		e.Hint = "the stages are discuss, plan, execute and verify"
	case r.Event == "milestone" && strings.TrimSpace(r.Version) == "":
		e.Code, e.Message = report.CodeVersionMissing, "the milestone has no version"
		e.Hint = "give one: baton state milestone VERSION"
	default:
		return nil
	}
	return e
}

// digestLayout returns the layout of the digest that a command is about.
func (p Digests) digestLayout(ctx context.Context, op string) (string, error) {
	at, places, err := p.ForDigest(ctx, op)
	if err != nil {
		return "", err
	}
	place, err := at.ChooseDigest(op, places)
	return place.Layout, err
}

// StateNext sets the recommended next step by hand; an empty action clears it (N7). It fails with
// Conflict phase_active while a phase is active, and with Usage not_supported in a SpecFlow
// project.
func (p Digests) StateNext(ctx context.Context, r NextRequest) (StateChange, error) {
	return p.changeGSD(ctx, "state.next", func(doc *gsd.Doc, now time.Time) (gsd.Edited, error) {
		return doc.Next(r.Action, r.Phases, now)
	})
}
