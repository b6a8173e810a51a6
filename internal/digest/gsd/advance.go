package gsd

import (
	"strconv"
	"time"

	"baton/internal/report"
)

// Advance moves the plan counter to the next plan of the phase (1.7.1). After the last plan, the
// phase is ready for verification. A status that a person wrote stays (N5). Advance fails with
// NotFound "field_unknown" if the digest has no counter with a total.
func (d *Doc) Advance(now time.Time) (Edited, error) {
	e, m := d.edit(now), d.Model()
	a, b, tail := planPhrase(m.Position.Plan)
	plan, total := Number(d.bodyField("Current Plan")), Number(d.bodyField("Total Plans in Phase"))
	if plan < 0 || total < 0 {
		plan, total = Number(a), Number(b)
	}
	if plan < 0 || total < 0 {
		e.fail(&report.Error{
			Kind: report.NotFound, Code: report.CodeFieldUnknown,
			Message: "the digest does not say which plan of how many is next",
			Hint:    "write a line \"Plan: 1 of 3\" below Current Position, or use `baton state sync`",
		})
		return e.finish()
	}
	status, text, activity := statusVerifying, "Phase complete — ready for verification", "execution finished"
	if plan < total {
		next := strconv.Itoa(plan + 1)
		status, text, activity = statusExecuting, "Ready to execute", "execution resumed with plan "+next
		if b != "" {
			e.set((*Doc).positionSpan, "Plan", next+" of "+b+tail)
		}
		if digitsOnly(d.bodyField("Current Plan")) {
			e.set((*Doc).body, "Current Plan", next)
		}
		e.keyIf("current_plan", next)
	}
	if id := d.counted(m); id != "" {
		activity = "Phase " + id + " " + activity
	}
	e.key("status", status)
	e.keyIf("last_activity", e.today())
	e.position([]line{
		{"Status", text, writtenStatus}, {"Last activity", e.today() + " — " + activity, writtenActivity},
	}, false)
	return e.finish()
}
