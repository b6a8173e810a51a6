package gsd

import (
	"strings"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/safetext"
)

// transition applies one event in the life of a phase to the text (N6).
type transition struct {
	*editor
	step Step
	f    phases.Facts
	m    Model // before the event
	id   string
}

// Transition makes one step in the life of a phase. It changes status, active_phase, next_action
// and next_phases together, and the matching lines of Current Position (N6). f is what roadmap and
// folders say; for a milestone, those of the new one.
//
// Errors are *report.Error: Usage for an incomplete step, Conflict "phase_active" while another
// phase is active, Violation "phase_incomplete" for a phase with open plans or a failed
// verification. Force overrides the last two, and replaces text that a person wrote. Completing a
// phase that comes before the current one changes nothing.
func (d *Doc) Transition(s Step, f phases.Facts, now time.Time) (Edited, error) {
	t := &transition{editor: d.edit(now), step: s, f: f, m: d.Model()}
	t.id = t.phase()
	switch s.Event {
	case "pause":
		t.pause()
	case "resume":
		t.resume()
	case "milestone":
		t.milestone()
	case "complete":
		t.ofPhase(t.complete)
	case "begin":
		t.stage(or(s.Stage, "execute"))
	case "plan", "verify":
		t.stage(s.Event)
	default:
		t.usage(report.CodeEventUnknown, "there is no event \""+s.Event+"\" in the life of a phase", "")
	}
	t.missingProgress()
	t.out.Phase = t.id
	return t.finish()
}

// phase returns the phase that the step is about: the named one, or else the active one, or else
// the current one (D22).
func (t *transition) phase() string {
	id := safetext.JoinLines(t.step.Phase)
	if rest, ok := strings.CutPrefix(strings.ToLower(id), "phase "); ok {
		id = strings.TrimSpace(id[len(id)-len(rest):])
	}
	switch t.step.Event {
	case "milestone":
		return ""
	case "begin":
		return id
	case "pause", "resume":
		return or(t.m.ActivePhase, t.m.CurrentPhase)
	}
	return or(id, t.m.ActivePhase, t.m.CurrentPhase)
}

// idle reports whether a completion without a phase has nothing to do: no phase is active, and the
// current one is neither executed nor verified. So a completion that is said twice completes one
// phase (F-46).
func (t *transition) idle() bool {
	return t.step.Event == "complete" && safetext.JoinLines(t.step.Phase) == "" && t.m.ActivePhase == "" &&
		t.m.Status != statusExecuting && t.m.Status != statusVerifying
}

func (t *transition) usage(code report.Code, message, hint string) {
	t.fail(&report.Error{Kind: report.Usage, Code: code, Message: message, Hint: hint})
}

// stage begins or ends a stage.
func (t *transition) stage(name string) {
	if _, ok := stages()[name]; !ok {
		t.usage(report.CodeStageUnknown, "there is no stage \""+name+"\"",
			"the stages are discuss, plan, execute and verify")
		return
	}
	verify := name == "verify"
	switch {
	case t.step.Passed && t.step.Failed:
		t.usage(report.CodeOutcomeTwice, "a verification cannot have passed and failed", "give one of them")
	case verify && t.step.Passed:
		t.ofPhase(t.complete)
	case verify && t.step.Failed:
		t.ofPhase(t.failed)
	case verify && t.step.Done:
		t.outcome()
	case t.step.Done:
		t.ofPhase(func() { t.end(name) })
	default:
		t.ofPhase(func() { t.begin(name) })
	}
}

// outcome ends a verification with the result in its file.
func (t *transition) outcome() {
	p, _ := t.f.Find(t.id)
	switch p.Verification {
	case "passed":
		t.ofPhase(t.complete)
	case "failed":
		t.ofPhase(t.failed)
	default:
		t.usage(report.CodeOutcomeMissing,
			"the result of the verification is unknown: no option and no verification file gives it",
			"add --passed or --failed")
	}
}

// ofPhase calls do for a step about one phase. It refuses if no phase is known or another one is
// active.
func (t *transition) ofPhase(do func()) {
	if t.id == "" {
		t.usage(report.CodePhaseMissing, "no phase is given, so it is unclear which one this is about",
			"name the phase")
		return
	}
	if t.superseded() || t.idle() {
		t.out.Superseded = true
		return
	}
	if strings.ContainsAny(t.step.Phase, " \t") && t.step.Event == "begin" && !oneWord(t.id) {
		t.usage(report.CodeNameInvalid, "the id of a phase is one word, and "+safetext.Quote(t.id)+" is not",
			"give its name with --name")
		return
	}
	if a := t.m.ActivePhase; a != "" && !same(a, t.id) && !t.step.Force {
		t.fail(phaseActive(a))
		return
	}
	if len(t.f.Phases) > 0 && !t.f.Known(t.id) {
		t.find(report.CodePhaseUnknown, 0, "phase %s is neither in the roadmap nor in the folders", t.id)
	}
	if t.err == nil {
		do()
	}
}

// superseded reports whether the phase to complete is completed already, or comes before the
// current one (N6).
func (t *transition) superseded() bool {
	completes := t.step.Event == "complete" || t.step.Passed
	current := or(t.m.ActivePhase, t.m.CurrentPhase)
	if completes && !t.step.Force && t.m.Status == statusCompleted && t.m.ActivePhase == "" && same(current, t.id) {
		return true // the last phase, which is completed already
	}
	return completes && !t.step.Force && current != "" && !same(current, t.id) && t.before(t.id, current)
}

// before reports whether phase a comes before phase b in the milestone, or else by number.
func (t *transition) before(a, b string) bool {
	at := func(id string) int {
		for i, p := range t.f.Phases {
			if same(p.ID, id) {
				return i
			}
		}
		return -1
	}
	if i, k := at(a), at(b); i >= 0 && k >= 0 {
		return i < k
	}
	return phases.Earlier(a, b)
}
