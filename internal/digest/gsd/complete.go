package gsd

import (
	"strconv"
	"strings"

	"baton/internal/digest/gsd/words"
	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/safetext"
)

// complete handles COMPLETE: it moves on to the next phase or ends the milestone.
func (t *transition) complete() {
	if !t.step.Force {
		if t.refuseOpen(); t.err != nil {
			return
		}
	}
	t.progress(t.f, false)
	next, ended := t.nextPhase()
	if next == "" {
		text := "Phase " + t.id + " complete" // as GSD says it; nobody knows whether it was the last one
		if ended {
			text = "All phases complete"
		}
		t.moved()
		t.lifecycle("", statusCompleted, phases.Next{})
		t.lines(text, "Phase "+t.id+" marked complete")
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

// refuseOpen refuses to complete a phase that is not complete: one that the roadmap lacks, one with
// a plan that has no summary, one that failed its verification, and one without any plan whose box
// is not checked (F-46). Without roadmap and folders, the files say nothing, and the caller is
// believed.
func (t *transition) refuseOpen() {
	if len(t.f.Phases) == 0 {
		return
	}
	p, ok := t.f.Find(t.id)
	switch {
	case t.f.Unplanned(t.id):
		t.fail(&report.Error{
			Kind: report.NotFound, Code: report.CodePhaseUnknown,
			Message: "phase " + t.id + " is not in the roadmap",
			Hint:    "see the phases with `baton phase list`, or use --force",
		})
	case !ok:
		t.incomplete("it is not one of the milestone's phases")
	case p.Summaries < p.Plans:
		t.incomplete(p.Unsummarised())
	case p.Verification == "failed":
		t.incomplete("its verification file says that it failed")
	case p.Plans == 0 && !p.Checked:
		t.incomplete("it has no plan, and its box in the roadmap is not checked")
	}
}

// nextPhase returns the first unfinished phase after the completed one, or else the lowest
// unfinished one. If no phase is known, the total in the digest decides whether there are more.
// Without one, ended reports whether the completed phase is known to be the last.
func (t *transition) nextPhase() (id string, ended bool) {
	lowest := ""
	for _, p := range t.f.Phases {
		if p.Complete() || same(p.ID, t.id) {
			continue
		}
		if t.before(t.id, p.ID) {
			return p.ID, false
		}
		lowest = or(lowest, p.ID)
	}
	if lowest != "" || len(t.f.Phases) > 0 {
		return lowest, lowest == ""
	}
	n, total := Number(t.id), Number(t.total())
	if n >= 0 && n < total {
		return strconv.Itoa(n + 1), false
	}
	return "", n >= 0 && total > 0
}

// total returns the number of phases that the digest names, or "".
func (t *transition) total() string {
	return or(
		words.ParsePhase(t.m.Position.Phase).Total, t.d.bodyField("Total Phases"), positive(t.m.Progress.TotalPhases),
	)
}

// recommended returns the next step, counted from a phase. If open plans were completed by force,
// the next step is still about them.
func (t *transition) recommended(next string) phases.Next {
	if len(t.f.Phases) == 0 {
		return phases.Next{Action: phases.Discuss, Phases: []string{next}}
	}
	return phases.Recommend(t.f, next, false, false)
}

// pausedStatus is the key that keeps the status during a pause, so that the end of the pause
// restores it (F-52).
const pausedStatus = "paused_status"

// pause handles PAUSE: no phase is active, there is no next step, and the digest says where work
// stopped.
func (t *transition) pause() {
	text := safetext.JoinLines(t.step.Text)
	if text == "" {
		if text = t.today(); t.id != "" {
			text = "Phase " + t.id + ", " + text
		}
	}
	was := or(t.m.StatusFront, t.m.StatusRaw)
	t.lifecycle("", statusPaused, phases.Next{})
	t.key("paused_at", text)
	if t.m.Status != statusPaused && was != "" {
		t.key(pausedStatus, was)
	}
	if t.d.sessionField("Paused At") != "" {
		t.set((*Doc).sessionSpan, "Paused At", text)
	}
	t.lines("", "Paused")
}

// resume handles RESUME: the status is the one from before the pause, or else the one of the body.
// A stage that the body calls running is active again; otherwise the next step comes from the
// files.
func (t *transition) resume() {
	if t.m.Status != statusPaused {
		t.find(report.CodeNotPaused, 0, "the project is not paused, so there is nothing to resume")
		return
	}
	body := Canonical(t.d.bodyStatus(), false)
	status := or(t.d.fm(pausedStatus), body)
	word := Canonical(status, false)
	if at := running(t.d.bodyStatus()); word == body && same(at, t.m.CurrentPhase) {
		t.lifecycle(t.m.CurrentPhase, status, phases.Next{})
		t.lines("", "Resumed")
		return
	}
	next := phases.Recommend(t.f, t.m.CurrentPhase, word == statusCompleted, false)
	if t.d.fm(pausedStatus) == "" && (word == statusPaused || word == statusUnknown) {
		switch status = statusPlanning; next.Action {
		case phases.Execute:
			status = statusExecuting
		case phases.Verify:
			status = statusVerifying
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
	t.fieldIf("Current Phase", "Not started", t.d.labelled("Current Phase")) // wherever the labels stand (F-56)
	t.fieldIf("Current Phase Name", "None", t.d.labelled("Current Phase Name"))
	t.fieldIf("Current Plan", "Not started", t.d.labelled("Current Plan"))
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
