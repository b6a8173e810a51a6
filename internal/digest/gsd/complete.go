package gsd

import (
	"fmt"
	"strconv"
	"strings"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/safetext"
)

// complete handles COMPLETE: it moves on to the next phase or ends the milestone.
func (t *transition) complete() {
	if p, ok := t.f.Find(t.id); ok && !t.step.Force {
		switch {
		case p.Summaries < p.Plans:
			t.incomplete(fmt.Sprintf("%d of its %d plans have no summary", p.Plans-p.Summaries, p.Plans))
			return
		case p.Verification == "failed":
			t.incomplete("its verification file says that it failed")
			return
		}
	}
	t.progress(t.f, false)
	next, more := t.nextPhase()
	if !more {
		t.moved()
		t.lifecycle("", statusCompleted, phases.Next{})
		t.lines("All phases complete", "Phase "+t.id+" marked complete")
		t.syncPhase(true)
		return
	}
	t.lifecycle("", statusPlanning, t.recommended(next))
	t.current(next, "")
	t.key("current_plan", nil)
	t.fieldIf("Current Plan", "Not started", t.d.labelled("Current Plan"))
	t.lines("Ready to plan", "Phase "+t.id+" complete, transitioned to Phase "+next,
		line{"Plan", "Not started", writtenPlan})
	t.syncPhase(true)
}

// nextPhase returns the first unfinished phase after the completed one, or else the lowest
// unfinished one. If no phase is known, the total in the digest decides whether there are more.
func (t *transition) nextPhase() (id string, more bool) {
	lowest := ""
	for _, p := range t.f.Phases {
		if p.Complete() || same(p.ID, t.id) {
			continue
		}
		if t.before(t.id, p.ID) {
			return p.ID, true
		}
		lowest = or(lowest, p.ID)
	}
	if lowest != "" || len(t.f.Phases) > 0 {
		return lowest, lowest != ""
	}
	total := Number(parsePhase(t.m.Position.Phase).total)
	if total < 0 && t.m.Progress.TotalPhases != nil {
		total = *t.m.Progress.TotalPhases
	}
	if n := Number(t.id); n >= 0 && n < total {
		return strconv.Itoa(n + 1), true
	}
	return "", false
}

// recommended returns the next step, counted from a phase. If open plans were completed by force,
// the next step is still about them.
func (t *transition) recommended(next string) phases.Next {
	if len(t.f.Phases) == 0 {
		return phases.Next{Action: phases.Discuss, Phases: []string{next}}
	}
	return phases.Recommend(t.f, next, false, false)
}

// pause handles PAUSE: no phase is active, there is no next step, and the digest says where work
// stopped.
func (t *transition) pause() {
	text := safetext.JoinLines(t.step.Text)
	if text == "" {
		if text = t.today(); t.id != "" {
			text = "Phase " + t.id + ", " + text
		}
	}
	t.lifecycle("", statusPaused, phases.Next{})
	t.key("paused_at", text)
	if t.d.sessionField("Paused At") != "" {
		t.set((*Doc).sessionSpan, "Paused At", text)
	}
	t.lines("", "Paused")
}

// resume handles RESUME: the status comes from the body, and the next step from the files.
func (t *transition) resume() {
	if t.m.Status != statusPaused {
		t.find(report.CodeNotPaused, 0, "the project is not paused, so there is nothing to resume")
		return
	}
	completed := Canonical(t.d.bodyStatus(), false) == statusCompleted
	next := phases.Recommend(t.f, or(t.m.ActivePhase, t.m.CurrentPhase), completed, false)
	status := Canonical(t.d.bodyStatus(), false)
	if status == statusPaused || status == statusUnknown {
		switch next.Action {
		case phases.Execute:
			status = statusExecuting
		case phases.Verify:
			status = statusVerifying
		case phases.Plan:
			status = statusPlanning
		default:
			if status = t.d.bodyStatus(); status == "" || Canonical(status, false) == statusPaused {
				status = statusPlanning
			}
		}
	}
	t.lifecycle("", status, next)
	t.lines("", "Resumed")
}

// milestone handles MILESTONE: a new milestone begins, and with it new numbers.
func (t *transition) milestone() {
	version := safetext.JoinLines(t.step.Version)
	if version == "" {
		t.usage(report.CodeVersionMissing, "the milestone has no version", "give one such as v2.0")
		return
	}
	name, next := safetext.JoinLines(t.step.Name), phases.Next{}
	known := t.f.Milestone == version && t.f.Bounded && len(t.f.Phases) > 0
	if known {
		// its first phase is discussed next, unless that has already happened
		next = phases.Recommend(t.f, "", false, false)
	}
	t.key("milestone", version)
	switch {
	case name != "":
		t.key("milestone_name", name)
	case t.f.Milestone == version && realName(t.f.MilestoneName):
		t.key("milestone_name", t.f.MilestoneName)
	case t.m.Milestone != version || !realName(t.m.MilestoneName):
		t.key("milestone_name", nil)
	}
	t.lifecycle("", statusPlanning, next)
	for _, key := range []string{"current_phase", "current_phase_name", "current_plan"} {
		t.key(key, nil)
	}
	t.zero(known)
	t.lines("Defining requirements", "Milestone "+version+" started",
		line{"Phase", "Not started (defining requirements)", writtenPhase},
		line{"Plan", "Not started", writtenPlan})
}

// missingProgress adds a Progress line to a Current Position without one, if the event computed a
// percentage.
func (t *transition) missingProgress() {
	if t.err != nil || t.d.positionSection() < 0 {
		return
	}
	if _, ok := t.d.find(t.d.positionSpan(), "Progress", true); ok {
		return
	}
	for _, c := range t.front {
		if n, ok := c.Value.(int); ok && c.Path == "progress.percent" {
			t.insertLabel(line{label: "Progress", value: bar(n) + " " + strconv.Itoa(n) + "%"})
		}
	}
}

// zero resets the numbers to what the files of the new milestone say, or to nothing done if they
// are unknown.
func (t *transition) zero(known bool) {
	if known {
		t.progress(t.f, true)
		return
	}
	for _, key := range order() {
		if strings.HasPrefix(key, "progress.") && (!t.d.has("progress") || t.d.progressHolds() || t.unfold()) {
			t.key(key, 0)
		}
	}
	t.progressLine(0)
}
