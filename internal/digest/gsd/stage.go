package gsd

import (
	"strconv"
	"strings"

	"baton/internal/digest/gsd/words"
	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/safetext"
)

// stageWords are the words for one stage of a phase.
type stageWords struct {
	status string // canonical, while the stage is active
	noun   string // as the last activity names it
}

func stages() map[string]stageWords {
	return map[string]stageWords{
		"discuss": {statusDiscussing, "discussion"},
		"plan":    {statusPlanning, "planning"},
		"execute": {statusExecuting, "execution"},
		"verify":  {statusVerifying, "verification"},
	}
}

// begin handles START: the phase becomes active, and there is no next step.
func (t *transition) begin(name string) {
	w := stages()[name]
	text, activity := strings.ToUpper(w.status[:1])+w.status[1:]+" Phase "+t.id, "started"
	resumed := same(t.m.ActivePhase, t.id) && t.m.Status == w.status ||
		t.m.ActivePhase == "" && t.d.position().Status == text // as GSD starts a phase
	t.lifecycle(t.id, w.status, phases.Next{})
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

// end handles FINISH of the stages without an outcome.
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

// failed handles FINISH of a failed verification: back to execution if a plan lacks its summary, or
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

// moved makes the phase whose stage ended the current one if it never began, because the next step
// is about it.
func (t *transition) moved() {
	if !same(or(t.m.CurrentPhase, words.ParsePhase(t.d.bodyField("Phase")).ID), t.id) {
		t.current(t.id, t.step.Name)
	}
}

// lifecycle writes the four fields that belong together, and the keys that every event writes into
// the front matter.
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

// unpause removes the mark of a pause, because with it every status means paused (N4).
func (e *editor) unpause() {
	e.key("paused_at", nil)
	e.key(pausedStatus, nil)
	if e.d.sessionField("Paused At") != "" {
		e.set((*Doc).sessionSpan, "Paused At", "None")
	}
}

// lines writes Status and Last activity of Current Position, and the date of the front matter.
func (t *transition) lines(status, activity string, more ...line) {
	t.key("last_activity", t.today())
	t.keyIf("last_activity_desc", activity)
	last := t.today() + " — " + activity
	_, desc := splitActivity(t.d.position().LastActivity)
	if t.set((*Doc).body, "Last Activity Description", activity) && desc == "" {
		last = t.today() // the file has a field of its own for the rest
	}
	t.position(append(more,
		line{"Status", status, writtenStatus}, line{"Last activity", last, writtenActivity},
	), t.step.Force)
}

// current makes a phase the current one in the keys, the fields and the Phase line.
func (t *transition) current(id, name string) {
	phrase := words.ParsePhase(t.m.Position.Phase)
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
	t.focus(id, or(name, t.nameOf(id)))
	t.fieldIf("Current Phase", id, moved)
	t.fieldIf("Current Phase Name", name, name != "")
	if same(phrase.ID, id) && (name == "" || name == phrase.Name) {
		return
	}
	text := id
	if total := or(phrase.Total, positive(t.m.Progress.TotalPhases)); total != "" {
		text += " of " + total
	}
	if name == "" && same(phrase.ID, id) {
		name = phrase.Name
	}
	switch {
	case strings.ContainsAny(name, "()"):
		text += " — " + name // GSD reads a name in parentheses up to the first one
	case name != "":
		text += " (" + name + ")"
	}
	t.position([]line{{"Phase", text, writtenPhase}}, t.step.Force)
}

// nameOf returns the name of a phase: the digest's if it is the current one, or else the roadmap's.
func (t *transition) nameOf(id string) string {
	if same(t.m.CurrentPhase, id) && t.m.CurrentPhaseName != "" {
		return t.m.CurrentPhaseName
	}
	p, _ := t.f.Find(id)
	return p.Name
}

// focus makes a phase the current focus of the project, as GSD does, unless it is already, or a
// person wrote the line (F-58).
func (t *transition) focus(id, name string) {
	if f, ok := t.d.find(t.d.body(), "Current focus", true); !ok || same(words.ParsePhase(t.d.text(f)).ID, id) {
		return
	}
	text := "Phase " + id
	if name != "" {
		text += " — " + name
	}
	t.setUnless((*Doc).body, "Current focus", text, t.step.Force, writtenFocus)
}

// fieldIf writes a field of the body if it exists.
func (t *transition) fieldIf(name, value string, when bool) {
	if when {
		t.set((*Doc).body, name, value)
	}
}

// counter writes the plan counter at the start of an execution: the first plan without a summary.
func (t *transition) counter(resumed bool) {
	a, b := 1, t.step.Plans
	if n, _, _ := words.PlanCount(t.m.Position.Plan); resumed && n != "" {
		a = Number(n)
	}
	if p, ok := t.f.Find(t.id); ok && p.Plans > 0 {
		a = min(p.Summaries+1, p.Plans)
		if b == 0 {
			b = p.Plans
		}
	}
	_, old, _ := words.PlanCount(t.m.Position.Plan)
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

// planned writes the number of plans at the end of planning: the given number, or else the number
// in the folder.
func (t *transition) planned() {
	p, _ := t.f.Find(t.id)
	n := t.step.Plans
	if n <= 0 {
		n = p.Plans
	}
	if n <= 0 && t.step.NoPlans {
		t.fieldIf("Total Plans in Phase", "0", true)
		if _, b, _ := words.PlanCount(t.m.Position.Plan); b != "" {
			t.position([]line{{"Plan", "Not started", writtenPlan}}, t.step.Force)
		}
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

// syncPhase makes the keys and lines of the new current phase agree, as a sync would. The counter
// follows the folder if the phase changed, or if its plans changed and no number was given.
// current_plan follows the Plan line if a person's line was kept.
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

// written returns the future value of a front matter key: the requested one, or else the present
// one.
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
