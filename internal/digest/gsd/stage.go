package gsd

import (
	"strconv"
	"strings"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/safetext"
)

// stageWords are the words of one stage of a phase.
type stageWords struct {
	status string // canonical, while it is in flight
	noun   string // what the last activity calls it
}

func stages() map[string]stageWords {
	return map[string]stageWords{
		"discuss": {statusDiscussing, "discussion"},
		"plan":    {statusPlanning, "planning"},
		"execute": {statusExecuting, "execution"},
		"verify":  {statusVerifying, "verification"},
	}
}

// begin is START: the phase is active, and there is no next step.
func (t *transition) begin(name string) {
	w := stages()[name]
	resumed := same(t.m.ActivePhase, t.id) && t.m.Status == w.status
	t.lifecycle(t.id, w.status, phases.Next{})
	text, activity := strings.ToUpper(w.status[:1])+w.status[1:]+" Phase "+t.id, "started"
	if resumed {
		if activity = "resumed"; !t.step.Force {
			text = ""
		}
	}
	if !resumed || t.step.Name != "" {
		t.current(t.id, t.step.Name)
	}
	if name == "execute" && (!resumed || t.step.Plans > 0) {
		t.counter(resumed)
	}
	t.lines(text, "Phase "+t.id+" "+w.noun+" "+activity)
	t.syncPhase(false)
}

// end is FINISH of the stages that have no outcome.
func (t *transition) end(name string) {
	activity := "Phase " + t.id + " " + stages()[name].noun + " finished"
	next := phases.Next{Phases: []string{t.id}}
	status, text := "", ""
	t.moved()
	switch name {
	case "discuss":
		next.Action, status, text = phases.Plan, statusPlanning, "Ready to plan"
	case "plan":
		next.Action, status, text = phases.Execute, statusExecuting, "Ready to execute"
		t.planned()
		t.progress(t.f, false)
	case "execute":
		next.Action, status, text = phases.Verify, statusVerifying, "Phase complete — ready for verification"
		t.progress(t.f, false)
	}
	t.lifecycle("", status, next)
	t.lines(text, activity)
	t.syncPhase(name != "discuss")
}

// failed is FINISH of a verification that failed: back to execution where a plan lacks its summary,
// else to planning.
func (t *transition) failed() {
	next := phases.Next{Action: phases.Plan, Phases: []string{t.id}}
	t.moved()
	status, text := statusPlanning, "Ready to plan"
	if p, ok := t.f.Find(t.id); ok && p.Summaries < p.Plans {
		next.Action, status, text = phases.Execute, statusExecuting, "Ready to execute"
	}
	t.lifecycle("", status, next)
	t.progress(t.f, false)
	t.lines(text, "Phase "+t.id+" verification finished")
	t.syncPhase(true)
}

// moved makes the phase of which a stage ended the current one, where it never began: the next step
// is about it.
func (t *transition) moved() {
	if !same(or(t.m.CurrentPhase, parsePhase(t.d.bodyField("Phase")).id), t.id) {
		t.current(t.id, t.step.Name)
	}
}

// lifecycle writes the four fields that belong together, and what every event writes into the front
// matter.
func (t *transition) lifecycle(active, status string, next phases.Next) {
	if active == "" {
		t.key("active_phase", nil)
	} else {
		t.key("active_phase", active)
	}
	if status != "" {
		t.key("status", status)
	}
	t.next(next)
	if t.step.Event != "pause" {
		t.unpause()
	}
}

// unpause takes the mark of a pause away: with it every status would mean paused (N4).
func (t *transition) unpause() {
	t.key("paused_at", nil)
	if t.d.sessionField("Paused At") != "" {
		t.set((*Doc).sessionSpan, "Paused At", "None")
	}
}

// lines writes Status and Last activity of Current Position, and the date of the front matter.
func (t *transition) lines(status, activity string, more ...line) {
	t.key("last_activity", t.today())
	t.keyIf("last_activity_desc", activity)
	t.position(append(more,
		line{"Status", status, writtenStatus},
		line{"Last activity", t.today() + " — " + activity, writtenActivity},
	), t.step.Force)
	if _, ok := t.d.find(t.d.body(), "Last Activity Description", true); ok {
		t.set((*Doc).body, "Last Activity Description", activity)
	}
}

// current makes a phase the current one: keys, fields and the Phase line.
func (t *transition) current(id, name string) {
	phrase := parsePhase(t.m.Position.Phase)
	moved := !same(t.m.CurrentPhase, id)
	if p, ok := t.f.Find(id); ok && name == "" && (moved || t.m.CurrentPhaseName == "") {
		name = p.Name
	}
	if name = safetext.JoinLines(name); moved || t.m.CurrentPhase == "" {
		t.key("current_phase", id)
	} else if !t.d.has("current_phase") {
		t.key("current_phase", id)
	}
	switch {
	case name != "":
		t.key("current_phase_name", name)
	case moved:
		t.key("current_phase_name", nil)
	}
	t.fieldIf("Current Phase", id, moved)
	t.fieldIf("Current Phase Name", name, name != "")
	if same(phrase.id, id) && (name == "" || name == phrase.name) {
		return
	}
	text := id
	if total := or(phrase.total, positive(t.m.Progress.TotalPhases)); total != "" {
		text += " of " + total
	}
	if name == "" && same(phrase.id, id) {
		name = phrase.name
	}
	if name != "" {
		text += " (" + name + ")"
	}
	t.position([]line{{"Phase", text, writtenPhase}}, t.step.Force)
}

// fieldIf writes a field of the body that exists.
func (t *transition) fieldIf(name, value string, when bool) {
	if when {
		t.set((*Doc).body, name, value)
	}
}

// counter writes the counter of plans at the beginning of an execution: the first plan without a
// summary.
func (t *transition) counter(resumed bool) {
	a, b := 1, t.step.Plans
	if n, _, _ := planPhrase(t.m.Position.Plan); resumed && n != "" {
		a = Number(n)
	}
	if p, ok := t.f.Find(t.id); ok && p.Plans > 0 {
		a = min(p.Summaries+1, p.Plans)
		if b == 0 {
			b = p.Plans
		}
	}
	_, old, _ := planPhrase(t.m.Position.Plan)
	total := strconv.Itoa(b)
	if b == 0 {
		if total = "?"; old != "" && same(t.m.CurrentPhase, t.id) {
			total = old
		}
	}
	t.key("current_plan", strconv.Itoa(a))
	t.fieldIf("Current Plan", strconv.Itoa(a), true)
	t.fieldIf("Total Plans in Phase", total, b > 0)
	t.position([]line{{"Plan", strconv.Itoa(a) + " of " + total + " in current phase", writtenPlan}}, t.step.Force)
}

// planned writes the number of plans at the end of planning: that which was given, else that of the
// folder.
func (t *transition) planned() {
	p, _ := t.f.Find(t.id)
	n := t.step.Plans
	if n <= 0 {
		n = p.Plans
	}
	if n <= 0 {
		return
	}
	a := strconv.Itoa(min(p.Summaries+1, n))
	total := strconv.Itoa(n)
	t.keyIf("current_plan", a)
	t.fieldIf("Total Plans in Phase", total, true)
	t.position([]line{{"Plan", a + " of " + total + " in current phase", writtenPlan}}, t.step.Force)
}

// syncPhase makes the keys and lines of the phase that is current now agree, as a sync would: the
// counter with the folder, where the phase is another one or its plans changed and their number was
// not given, and current_plan with the line that stands, where a person's stayed.
func (t *transition) syncPhase(counted bool) {
	if t.err != nil {
		return
	}
	m := t.m
	m.ActivePhase, m.CurrentPhase, m.Position = "", t.written("current_phase", t.m.CurrentPhase), t.d.position()
	if t.step.Plans <= 0 && (counted || !same(m.CurrentPhase, t.m.CurrentPhase)) {
		t.syncPlan(t.f, m)
	}
	plan := t.d.planNow()
	if was := t.written("current_plan", t.d.fm("current_plan")); plan != "" && Number(plan) != Number(was) &&
		(was != "" || t.d.has("current_plan")) {
		t.key("current_plan", plan)
	}
}

// written returns a key of the front matter as it will be: what was asked for, else what it was.
func (e *editor) written(path, was string) string {
	for _, c := range e.front {
		if c.Path == path {
			return showValue(c.Value)
		}
	}
	return was
}

// positive returns a number above zero as text.
func positive(n *int) string {
	if n == nil || *n <= 0 {
		return ""
	}
	return strconv.Itoa(*n)
}

// incomplete is the refusal to complete a phase (N6, GSD-65).
func (t *transition) incomplete(why string) {
	t.fail(&report.Error{
		Kind: report.Violation, Code: report.CodePhaseIncomplete,
		Message: "phase " + t.id + " cannot be completed: " + why,
		Hint:    "finish it, or use --force",
	})
}
