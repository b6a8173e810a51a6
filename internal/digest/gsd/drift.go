package gsd

import (
	"slices"
	"strings"

	"baton/internal/digest/gsd/words"
	"baton/internal/digest/phases"
	"baton/internal/report"
)

// milestoneNamed names the milestone in a sentence. The version is left out if the digest does not
// give one.
func milestoneNamed(f phases.Facts) string {
	return strings.TrimSpace("the milestone " + f.Milestone)
}

// drift finds where the digest disagrees with the roadmap and the folders (N13).
func (c *checker) drift(f phases.Facts) {
	if !f.Bounded {
		c.warn(report.CodeMilestoneUnbounded, c.d.keyLine("milestone"),
			"%s has no heading in the roadmap, so its percentage is unknown", milestoneNamed(f))
	}
	if f.HasPhases || len(f.Phases) > 0 {
		c.progress(f)
		c.plans(f)
		c.next(f)
		c.known(f)
	}
	p, ok := f.Find(or(c.m.ActivePhase, c.m.CurrentPhase))
	if ok && p.Verification == "passed" && c.m.Status == statusExecuting {
		c.warn(report.CodeStatusDrift, c.d.keyLine("status"),
			"the verification of phase %s has passed, but the status is %q",
			p.ID, brief(c.m.StatusRaw))
	}
}

func (c *checker) progress(f phases.Facts) {
	stored := c.m.Progress
	now, held, fell := stored.with(f, false)
	if held != "" {
		c.warn(report.CodeCompletedDecrease, c.d.keyLine("progress"), "%s; the stored number stays", held)
	}
	if fell != "" {
		c.warn(report.CodeCompletedDecrease, c.d.keyLine("progress"),
			"%s; the completed count cannot exceed the total", fell)
	}
	var behind []string
	for _, n := range []struct {
		name      string
		was, want *int
	}{
		{"total_phases", stored.TotalPhases, now.TotalPhases},
		{"completed_phases", stored.CompletedPhases, now.CompletedPhases},
		{"total_plans", stored.TotalPlans, now.TotalPlans},
		{"completed_plans", stored.CompletedPlans, now.CompletedPlans},
	} {
		if n.was == nil || *n.was != *n.want {
			behind = append(behind, n.name)
		}
	}
	if len(behind) > 0 {
		c.warn(report.CodeProgressDrift, c.d.keyLine("progress"), "the folders disagree about %s",
			strings.Join(behind, ", "))
	}
	if now.Percent == nil {
		if stored.wrong(now) {
			c.warn(report.CodePercentStale, c.d.keyLine("progress.percent"),
				"the stored percentage is %d, but none can be calculated", *stored.Percent)
		}
		return
	}
	if stored.Percent == nil || *stored.Percent != *now.Percent {
		c.warn(report.CodePercentStale, c.d.keyLine("progress.percent"),
			"the stored percentage is %s, but %d percent are done",
			or(c.d.fm("progress.percent"), "absent"), *now.Percent)
		return
	}
	if field, ok := c.d.find(c.d.positionSpan(), "Progress", false); ok {
		if _, n, ok := percentPart(c.d.text(field)); ok && n != *now.Percent {
			c.warn(report.CodePercentStale, c.d.line(field.start),
				"the Progress line says %d percent, but %d percent are done", n, *now.Percent)
		}
	}
}

// plans compares the plan counter with the folder of the current phase.
func (c *checker) plans(f phases.Facts) {
	p, ok := f.Find(c.d.counted(c.m))
	a, b, _ := words.PlanCount(c.m.Position.Plan)
	if !ok || p.Plans == 0 || b == "" {
		return
	}
	if want, ours := planCount(p, c.m.Position.Plan); ours && (Number(a) != want || Number(b) != p.Plans) {
		field, _ := c.d.find(c.d.positionSpan(), "Plan", false)
		c.warn(report.CodePlanCountDrift, c.d.line(field.start),
			"the Plan line says %s of %s, the folder of phase %s says %d of %d", a, b, p.ID, want, p.Plans)
	}
}

// next compares the stored next step with the recommended one. While a phase is active, no next
// step is stored.
func (c *checker) next(f phases.Facts) {
	if c.m.ActivePhase != "" || !c.d.has("next_action") && !c.d.has("next_phases") ||
		slices.Contains(c.m.Stale, "next_action") {
		return
	}
	want := c.d.Recommend(f)
	if want.Action == c.m.NextAction && slices.EqualFunc(want.Phases, c.m.NextPhases, same) {
		return
	}
	text := "nothing"
	if want.Action != "" {
		text = want.Action + " " + strings.Join(want.Phases, ", ")
	}
	c.warn(report.CodeNextStale, c.d.keyLine("next_action"), "the next step should be: %s", text)
}

// known finds phases that neither the roadmap nor the folders mention.
func (c *checker) known(f phases.Facts) {
	if len(f.Phases) == 0 {
		return
	}
	seen := map[string]bool{}
	for _, id := range append([]string{c.m.ActivePhase, c.m.CurrentPhase}, c.m.NextPhases...) {
		if id != "" && !seen[id] && !f.Known(id) {
			c.warn(report.CodePhaseUnknown, 0, "phase %s is neither in the roadmap nor in the folders", id)
		}
		seen[id] = true
	}
}
