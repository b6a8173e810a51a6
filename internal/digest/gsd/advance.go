package gsd

import (
	"strconv"
	"time"

	"baton/internal/digest/gsd/words"
	"baton/internal/digest/phases"
	"baton/internal/markdown"
	"baton/internal/report"
)

// Advanced is the result of Advance.
type Advanced struct {
	Edited
	Plan  int  // the current plan afterwards
	Was   int  // the current plan before
	Plans int  // plans of the phase
	Last  bool // the last plan was the current one already, so the phase is ready for verification
}

// Advance makes the next plan of the current phase the current one (gsd.md 1.7.1). After the last
// plan, it marks the phase as ready for verification. The counter is that of the body: Current Plan
// and Total Plans in Phase, or else "A of B" in Plan. Keys of the front matter are updated only
// where they exist. What a person wrote in Status and Last activity stays unless force is set.
//
// Errors are *report.Error: NotFound "field_unknown" for a digest without a counter, Violation
// "phase_incomplete" if a plan in the folder has no summary after the last one, or before the next
// one of a Plan line that counts complete plans, unless force is set.
func (d *Doc) Advance(f phases.Facts, force bool, now time.Time) (Advanced, error) {
	m := d.Model()
	e := d.edit(now)
	phase := or(m.ActivePhase, m.CurrentPhase)
	e.out.Phase = phase
	folder, _ := f.Find(phase)
	c, ok := d.counter(folder)
	if !ok {
		return Advanced{}, &report.Error{
			Kind: report.NotFound, Code: report.CodeFieldUnknown,
			Message: "the digest does not say which plan of how many is the current one",
			Hint:    "begin the phase with its number of plans: baton state begin PHASE --plans N",
		}
	}
	out := Advanced{Was: c.plan, Plan: c.plan, Plans: c.plans, Last: c.plan >= c.plans}
	open := folder.Summaries < folder.Plans && (out.Last || c.counts && folder.Summaries < c.plan)
	switch {
	case !out.Last && (!open || force):
		out.Plan++
		e.advance(out.Plan, c, force)
	case m.Status == statusVerifying || m.Status == statusCompleted:
		// The phase is past its plans, so nothing may set it back.
	case open && !force:
		what := " is not ready for verification: "
		if !out.Last {
			what = " cannot move on to plan " + strconv.Itoa(c.plan+1) + ": "
		}
		return Advanced{}, &report.Error{
			Kind: report.Violation, Code: report.CodePhaseIncomplete,
			Message: "phase " + phase + what + folder.Unsummarised(),
			Hint:    "write the summaries, or use --force",
		}
	default:
		e.planLine(c.plan+1, c)
		e.plansDone(phase, force)
	}
	var err error
	out.Edited, err = e.finish()
	return out, err
}

// counter is the plan counter of a digest.
type counter struct {
	plan, plans int
	total       string // of the Plan line, as it is written
	tail        string // of the Plan line, after the numbers
	counts      bool   // the Plan line counts complete plans (F-55)
	folder      phases.Phase
	apart       bool // the fields Current Plan and Total Plans in Phase have the numbers
}

// counter reads the plan counter. The plans in the folder take the place of an unknown number.
func (d *Doc) counter(folder phases.Phase) (c counter, ok bool) {
	line := d.position().Plan
	if line == "" {
		line = d.bodyField("Plan")
	}
	a, b, tail := words.PlanCount(line)
	c = counter{
		plan: Number(d.bodyField("Current Plan")), plans: Number(d.bodyField("Total Plans in Phase")), folder: folder,
	}
	if c.plan >= 0 && c.plans >= 0 {
		c.apart = true
	} else {
		c.plan, c.plans = Number(a), Number(b)
	}
	if b != "" {
		c.tail, c.counts = tail, words.Counts(tail)
		if c.plans >= 0 && Number(b) == c.plans {
			c.total = b
		}
	}
	if c.plans < 0 {
		c.plans = folder.Plans
	}
	if c.counts && !c.apart && c.plan >= 0 { // the plan after the complete ones is the current one
		c.plan = min(c.plan+1, c.plans)
	}
	return c, c.plan >= 0 && c.plans > 0
}

// advance writes the number of the new current plan.
func (e *editor) advance(plan int, c counter, force bool) {
	if c.apart {
		e.set((*Doc).body, "Current Plan", strconv.Itoa(plan))
	}
	e.planLine(plan, c)
	if e.said("Ready to execute", force) {
		e.keyIf("status", statusExecuting)
	}
	e.unpause()
	e.dated(force)
}

// planLine writes the current plan into the Plan line, and what the body says then into the front
// matter, as syncCurrent does. A line that counts complete plans gets the number of those with a
// summary, or else of those before the plan (F-55). A plan after the last one changes only such a
// line.
func (e *editor) planLine(plan int, c counter) {
	switch {
	case c.counts && c.folder.Plans > 0:
		plan = c.folder.Summaries
	case c.counts:
		plan--
	case plan > c.plans:
		return
	}
	text := strconv.Itoa(plan) + " of " + or(c.total, strconv.Itoa(c.plans)) + c.tail
	if e.d.positionSection() >= 0 {
		e.position([]line{{"Plan", text, nil}}, true)
	} else if !c.apart {
		e.set((*Doc).body, "Plan", text)
	}
	e.keyIf("current_plan", e.d.planNow())
}

// plansDone marks the phase as ready for verification.
func (e *editor) plansDone(phase string, force bool) {
	if e.said("Phase complete — ready for verification", force) {
		e.keyIf("status", statusVerifying)
	}
	e.unpause()
	e.dated(force)
	if e.d.fm("active_phase") == "" {
		return
	}
	e.keyIf("active_phase", nil)
	e.keyIf("next_action", phases.Verify)
	e.keyIf("next_phases", []string{phase})
}

// said writes Status and reports whether the body says it now.
func (e *editor) said(text string, force bool) bool {
	e.outside("Status", text, force, writtenStatus)
	return e.d.bodyStatus() == text
}

// dated writes the day into Last activity, and into the front matter if the body has it now.
func (e *editor) dated(force bool) {
	e.outside("Last activity", e.today(), force, writtenActivity)
	if date, _ := splitActivity(or(e.d.position().LastActivity, e.d.bodyField("Last Activity"))); date == e.today() {
		e.keyIf("last_activity", date)
	}
}

// outside writes a field of Current Position, and one of the same name elsewhere in the body.
func (e *editor) outside(label, value string, force bool, written func(string) bool) {
	e.setUnless((*Doc).positionSpan, label, value, force, written)
	if f, ok := e.d.find(e.d.body(), label, true); ok && !inside(f, e.d.positionSpan()) {
		e.setUnless((*Doc).body, label, value, force, written)
	}
}

// inside reports whether a field is within a span.
func inside(f field, within markdown.Span) bool {
	return f.start >= within.Start && f.start < within.End
}
