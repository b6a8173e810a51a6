package gsd

import (
	"strings"
	"testing"

	"baton/internal/digest/phases"
	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
)

// billing is the digest of a project that GSD and baton share.
const billing = `---
milestone: v2.0
status: planning
---

# Project State

## Current Position

Phase: 3 of 5 (Billing)
Plan: 1 of 2 in current phase
Status: Ready to plan
Last activity: 2026-03-02 — roadmap created
`

// roadmap returns the facts of three phases, of which the first has so many plans and summaries.
func roadmap(plans, summaries int) phases.Facts {
	dir := phases.Dir{Name: "03-billing"}
	for i := range plans {
		dir.Files = append(dir.Files, phases.File{Name: "03-0" + string(rune('1'+i)) + "-PLAN.md"})
		if i < summaries {
			dir.Files = append(dir.Files, phases.File{Name: "03-0" + string(rune('1'+i)) + "-SUMMARY.md"})
		}
	}
	return phases.Derive(phases.Input{
		Roadmap:    []byte("# Roadmap\n\n## v2.0 Quality\n\n### Phase 3: Billing\n### Phase 4: Observability\n### Phase 5: Release\n"),
		HasRoadmap: true, HasPhases: true, Milestone: "v2.0", Dirs: []phases.Dir{dir},
	})
}

// take makes one transition that must succeed.
func take(t *testing.T, text string, s Step, f phases.Facts) (string, Edited) {
	t.Helper()
	e, err := Parse([]byte(text)).Transition(s, f, moment)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return string(e.Text), e
}

func TestF46_OnlyCompletePhasesAreCompleted(t *testing.T) {
	t.Parallel()
	f := roadmap(1, 1)
	text, e := take(t, billing, Step{Event: "complete"}, f)
	if !e.Superseded || text != billing {
		t.Errorf("phase 3 is neither active nor executed nor verified: %+v", e)
	}
	text, _ = take(t, billing, Step{Event: "begin", Phase: "3"}, f)
	text, e = take(t, text, Step{Event: "complete"}, f)
	if m := Parse([]byte(text)).Model(); e.Superseded || m.CurrentPhase != "4" || *m.Progress.CompletedPhases != 1 {
		t.Errorf("the active phase: %+v %+v", e, m)
	}
	if again, e := take(t, text, Step{Event: "complete"}, f); !e.Superseded || again != text {
		t.Error("a second time there is nothing to do")
	}
	if again, e := take(t, text, Step{Event: "complete", Phase: "3"}, f); !e.Superseded || again != text {
		t.Error("by name there is nothing to do either")
	}
	for phase, code := range map[string]report.Code{"4": report.CodePhaseIncomplete, "9": report.CodePhaseUnknown} {
		if _, err := Parse([]byte(text)).Transition(Step{Event: "complete", Phase: phase}, f, moment); report.CodeOf(err) != code {
			t.Errorf("phase %s: %v", phase, err)
		}
	}
	for i, p := range f.Phases {
		f.Phases[i].Checked = p.ID != "3"
	}
	if _, e := take(t, text, Step{Event: "complete", Phase: "4"}, f); e.Superseded {
		t.Error("a checked box is a person's word")
	}
}

func TestF51_OwnWordsAreKnown(t *testing.T) {
	t.Parallel()
	text := billing
	for _, s := range []Step{
		{Event: "begin", Phase: "abc"},
		{Event: "begin", Phase: "abc", Done: true},
		{Event: "pause", Text: "lunch"},
		{Event: "resume"},
		{Event: "milestone", Version: "big one"},
		{Event: "begin", Phase: "1.2.3.4"},
		{Event: "verify", Failed: true, Force: true},
	} {
		var e Edited
		if text, e = take(t, text, s, phases.Facts{}); len(e.Preserved) > 0 {
			t.Errorf("%+v: %+v", s, e.Preserved)
		}
	}
	if _, err := Parse([]byte(billing)).Transition(Step{Event: "begin", Phase: "two words"}, phases.Facts{}, moment); report.KindOf(err) !=
		report.Usage {
		t.Errorf("an id of two words: %v", err)
	}
	for status, known := range map[string]bool{
		"Roadmap drafted, awaiting `/gsd-discuss-phase 3`": true, "Ready for /gsd:plan-phase 2": true, "Working on tax": false,
	} {
		if writtenStatus(status) != known {
			t.Errorf("%q: %v", status, !known)
		}
	}
}

func TestF52_PauseRemembersTheStatus(t *testing.T) {
	t.Parallel()
	text := swap(t, billing, "Status: Ready to plan", "Status: Roadmap drafted, awaiting `/gsd-discuss-phase 3`")
	paused, _ := take(t, text, Step{Event: "pause", Text: "x"}, roadmap(0, 0))
	paused, _ = take(t, paused, Step{Event: "pause", Text: "y"}, roadmap(0, 0))
	if m := Parse([]byte(paused)).Model(); m.Status != "paused" || m.PausedAt != "y" {
		t.Errorf("%+v", m)
	}
	resumed, _ := take(t, paused, Step{Event: "resume"}, roadmap(0, 0))
	if m := Parse([]byte(resumed)).Model(); m.StatusFront != "planning" || strings.Contains(resumed, "paused") ||
		strings.Contains(resumed, "null") {
		t.Errorf("%s", resumed)
	}
	text, _ = take(t, billing, Step{Event: "verify", Phase: "3"}, roadmap(1, 1))
	paused, _ = take(t, text, Step{Event: "pause"}, roadmap(1, 1))
	resumed, _ = take(t, paused, Step{Event: "resume"}, roadmap(1, 1))
	if m := Parse([]byte(resumed)).Model(); m.Status != "verifying" || m.ActivePhase != "3" || len(m.Stale) > 0 {
		t.Errorf("a stage goes on: %+v", m)
	}
}

func TestF52_APauseEndsWhenWorkGoesOn(t *testing.T) {
	t.Parallel()
	began, _ := take(t, billing, Step{Event: "begin", Phase: "3", Plans: 3}, roadmap(0, 0))
	paused, _ := take(t, began, Step{Event: "pause", Text: "lunch"}, roadmap(0, 0))
	next, err := Parse([]byte(paused)).Advance(roadmap(0, 0), false, moment)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(next.Text); Parse(next.Text).Model().Status != "executing" || strings.Contains(text, "paused") {
		t.Errorf("the next plan ends the pause:\n%s", text)
	}
	// GSD writes a status, and leaves the keys of the pause.
	moved := swap(t, paused, "status: paused", "status: verifying", "Status: Executing Phase 3",
		"Status: Phase complete — ready for verification")
	d := Parse([]byte(moved))
	m := d.Model()
	if m.Status != "verifying" || m.PausedAt != "" || !cmp.Equal(m.Stale, []string{"paused_at"}) || !hasCode(d, "lifecycle_stale") {
		t.Errorf("%+v", m)
	}
	if m := Parse([]byte(swap(t, paused, "status: paused", "status: Waiting for a review"))).Model(); m.PausedAt != "" {
		t.Errorf("a text that has no canonical word: %+v", m)
	}
	if synced := string(syncOf(t, moved, roadmap(0, 0), nil).Text); strings.Contains(synced, "paused") {
		t.Errorf("sync takes the keys away:\n%s", synced)
	}
}

func TestF48_LifecycleFieldsAreBelievedWhileTrue(t *testing.T) {
	t.Parallel()
	f := roadmap(1, 1)
	began, _ := take(t, billing, Step{Event: "begin", Phase: "3"}, f)
	// GSD completes the phase and knows nothing of active_phase.
	moved := swap(t, began, "current_phase: \"3\"", "current_phase: \"4\"", "status: executing", "status: planning",
		"Phase: 3 of 5 (Billing)", "Phase: 4 of 5 (Observability)", "Executing Phase 3", "Ready to plan")
	d := Parse([]byte(moved))
	if m := d.Model(); m.ActivePhase != "" || !cmp.Equal(m.Stale, []string{"active_phase"}) {
		t.Errorf("%+v", m)
	}
	if !hasCode(d, "lifecycle_stale") {
		t.Error("lifecycle_stale is missing")
	}
	synced := string(syncOf(t, moved, f, nil).Text)
	if strings.Contains(synced, "active_phase") || strings.Contains(synced, "next_") || hasCode(Parse([]byte(synced)), "lifecycle_stale") {
		t.Errorf("sync clears and adds nothing:\n%s", synced)
	}
	if began, _ := take(t, moved, Step{Event: "begin", Phase: "4"}, f); Parse([]byte(began)).Model().ActivePhase != "4" {
		t.Error("begin goes on")
	}
	// GSD begins the next phase: sync moves the field.
	moved = swap(t, moved, "status: planning", "status: executing", "Ready to plan", "Executing Phase 4")
	if m := Parse(syncOf(t, moved, f, nil).Text).Model(); m.ActivePhase != "4" || len(m.Stale) > 0 {
		t.Errorf("%+v", m)
	}
	// GSD begins the phase that baton recommended.
	planned, _ := take(t, billing, Step{Event: "plan", Phase: "3", Done: true, Plans: 1}, f)
	moved = swap(t, planned, "Ready to execute", "Executing Phase 3")
	d = Parse([]byte(moved))
	if m := d.Model(); m.NextAction != "" || len(m.NextPhases) > 0 || len(m.Stale) != 2 {
		t.Errorf("%+v", m)
	}
	if synced := string(syncOf(t, moved, f, nil).Text); strings.Contains(synced, "next_") {
		t.Errorf("%s", synced)
	}
}

func TestF49_TheCounterIsOfTheCurrentPhase(t *testing.T) {
	t.Parallel()
	text := swap(t, billing, "status: planning", "status: executing\nactive_phase: \"3\"\ncurrent_phase: \"4\"",
		"Phase: 3 of 5 (Billing)", "Phase: 4 (Observability) — EXECUTING", "Plan: 1 of 2 in current phase", "Plan: 1 of 3",
		"Ready to plan", "Executing Phase 4")
	if m := Parse(syncOf(t, text, roadmap(2, 2), nil).Text).Model(); m.Position.Plan != "1 of 3" {
		t.Errorf("%+v", m.Position)
	}
}

func TestF53_TheStatusOfTheBodyCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ front, body, want string }{
		{"planning", "Verifying Phase 3", "verifying"},
		{"unknown", "Executing Phase 3", "executing"},
		{"planning", "Working on tax", "planning"},
		{"executing", "All of it is done", "completed"},
	} {
		text := swap(t, billing, "status: planning", "status: "+c.front, "Ready to plan", c.body)
		d := Parse([]byte(text))
		if m := d.Model(); m.Status != c.want {
			t.Errorf("%+v: shown as %s", c, m.Status)
		}
		if drifts := c.front != c.want; hasCode(d, "status_drift") != drifts {
			t.Errorf("%+v: status_drift is %v", c, !drifts)
		}
		d = Parse(syncOf(t, text, roadmap(1, 0), nil).Text)
		if m := d.Model(); m.StatusFront != c.want || hasCode(d, "status_drift") {
			t.Errorf("%+v: synced to %s", c, m.StatusFront)
		}
	}
}

func TestF47_AFlatRoadmapIsTheMilestone(t *testing.T) {
	t.Parallel()
	f := phases.Derive(phases.Input{
		Roadmap: []byte("# Roadmap\n\n### Phase 3: Billing\n### Phase 4: Observability\n### Phase 5: Release\n"), HasRoadmap: true,
		HasPhases: true, Dirs: []phases.Dir{
			{Name: "03-billing", Files: []phases.File{{Name: "03-01-PLAN.md"}, {Name: "03-01-SUMMARY.md"}}},
		},
	})
	text := swap(t, billing, "milestone: v2.0\nstatus: planning\n", "status: planning\nprogress:\n  total_phases: 3\n  percent: 0\n")
	if m := Parse(syncOf(t, text, f, nil).Text).Model(); m.Progress.Percent == nil || *m.Progress.Percent != 33 {
		t.Errorf("%+v", m.Progress)
	}
	f.Bounded, f.Percent = false, nil
	d := Parse(syncOf(t, text, f, nil).Text)
	if d.has("progress.percent") || *d.Model().Progress.CompletedPhases != 1 {
		t.Errorf("a number that is known to be wrong: %+v", d.Model().Progress)
	}
}

func TestF55_CompletePlansAreCounted(t *testing.T) {
	t.Parallel()
	const long = "5 of 7 complete (09-01 + 09-02 + 09-03 landed; 09-04 waits for a review of the keys)"
	for plan, want := range map[string]string{
		"1 of 2 complete": "1 of 2 complete", "2 of 2 done": "1 of 2 done", "1 of 2": "2 of 2", long: long,
	} {
		text := swap(t, billing, "1 of 2 in current phase", plan)
		d := Parse(syncOf(t, text, roadmap(2, 1), nil).Text)
		if got := d.Model().Position.Plan; got != want {
			t.Errorf("%q became %q, want %q", plan, got, want)
		}
		for _, found := range d.Findings(roadmap(2, 1)) {
			if found.Code == report.CodePlanCountDrift {
				t.Errorf("%q: %s", plan, found.Text)
			}
		}
	}
}

func TestF56_ThePositionIsWrittenWhereItStands(t *testing.T) {
	t.Parallel()
	f := roadmap(1, 1)
	for _, heading := range []string{"## Current Status", "## Position", "## Where we are"} {
		text := swap(t, billing, "## Current Position", heading, "Phase: 3", "**Phase:** 3", "Plan: 1", "**Plan:** 1",
			"status: planning", "status: verifying", "Ready to plan", "Verifying Phase 3")
		got, _ := take(t, text, Step{Event: "complete", Phase: "3"}, f)
		for _, line := range []string{heading, "**Phase:** 4 of 5 (Observability)", "**Plan:** Not started", "Status: Ready to plan"} {
			if strings.Count(got, line+"\n") != 1 {
				t.Errorf("%s: no %q in\n%s", heading, line, got)
			}
		}
	}
}

func TestF58_TransitionsMoveTheFocus(t *testing.T) {
	t.Parallel()
	for was, want := range map[string]string{
		"Phase 2 — Walls": "Phase 3 — Billing", "[what is worked on now]": "Phase 3 — Billing",
		"Phase 3 and its bugs": "Phase 3 and its bugs", "the beta": "the beta",
	} {
		text := swap(t, billing, "# Project State\n", "# Project State\n\n**Current focus:** "+was+"\n")
		got, e := take(t, text, Step{Event: "begin", Phase: "3"}, roadmap(1, 1))
		if v, _ := Parse([]byte(got)).Get("Current focus"); v.Text != want || (was == "the beta") != (len(e.Preserved) > 0) {
			t.Errorf("%q became %q, want %q (%+v)", was, v.Text, want, e.Preserved)
		}
		if was == "the beta" {
			continue
		}
		got, _ = take(t, got, Step{Event: "complete"}, roadmap(1, 1))
		if v, _ := Parse([]byte(got)).Get("Current focus"); v.Text != "Phase 4 — Observability" {
			t.Errorf("completed: %q", v.Text)
		}
	}
}

func TestF61_NamesWithBracketsAndTheMilestoneOfTheRoadmap(t *testing.T) {
	t.Parallel()
	f := roadmap(1, 1)
	got, _ := take(t, billing, Step{Event: "begin", Phase: "4", Name: "AKP05E (0x3004) Promotion"}, f)
	if m := Parse([]byte(got)).Model(); m.Position.Phase != "4 of 5 — AKP05E (0x3004) Promotion" {
		t.Errorf("%q", m.Position.Phase)
	}
	m := Parse([]byte(swap(t, billing, "milestone: v2.0\n", ""))).Model()
	f.MilestoneName = "Quality"
	if m.Derive(f); m.Milestone != "v2.0" || m.MilestoneName != "Quality" {
		t.Errorf("%+v", m)
	}
	m = Parse([]byte(billing)).Model()
	if m.Derive(f); m.MilestoneName != "Quality" {
		t.Errorf("a milestone without a name: %+v", m)
	}
	m.MilestoneName = "Own"
	if m.Derive(f); m.MilestoneName != "Own" {
		t.Errorf("a milestone with a name: %+v", m)
	}
}

// TestF56_AnOlderFieldInCurrentPosition: what the section says with a field of the older form is not said twice.
func TestF56_AnOlderFieldInCurrentPosition(t *testing.T) {
	t.Parallel()
	const mixed = "# B\n\n## Current Position\n\n**Current Phase:** 2\n**Status:** Ready to execute\n"
	got, _ := take(t, mixed, Step{Event: "begin", Phase: "3", Name: "Gauge"}, phases.Facts{})
	if !strings.Contains(got, "**Current Phase:** 3\n**Status:** Executing Phase 3\n") || strings.Contains(got, "**Phase:**") {
		t.Error(got)
	}
}

// TestF56_AMilestoneInTheOlderFields: nothing of the old milestone's position stays, neither in the body nor in the front matter.
func TestF56_AMilestoneInTheOlderFields(t *testing.T) {
	t.Parallel()
	const older = "# Bees\n\n**Current Phase:** 2\n**Current Phase Name:** Scales\n**Current Plan:** 1\n**Status:** Ready to execute\n"
	got, _ := take(t, older, Step{Event: "milestone", Version: "v1.3", Name: "Storm"}, phases.Facts{})
	m := Parse([]byte(got)).Model()
	if m.Phase() != "" || m.CurrentPhaseName != "" || Number(m.CurrentPlan) >= 0 || strings.Contains(got, "current_p") {
		t.Errorf("%+v\n%s", m, got)
	}
}

// TestGSD31_AMilestoneBeforeItsFolders: the counts of the old milestone do not stay where the roadmap has the new
// one, but no phase of it has a folder yet.
func TestGSD31_AMilestoneBeforeItsFolders(t *testing.T) {
	t.Parallel()
	f := phases.Facts{Milestone: "v1.3", Bounded: true, TotalPhases: 2, Phases: []phases.Phase{{ID: "4"}, {ID: "5"}}, Percent: new(int)}
	got, _ := take(t, millText, Step{Event: "milestone", Version: "v1.3"}, f)
	p := Parse([]byte(got)).Model().Progress
	if *p.TotalPhases != 2 || *p.CompletedPhases != 0 || *p.TotalPlans != 0 || *p.CompletedPlans != 0 || *p.Percent != 0 {
		t.Errorf("%+v\n%s", p, got)
	}
}

func hasCode(d *Doc, code report.Code) bool {
	for _, f := range d.Findings() {
		if f.Code == code {
			return true
		}
	}
	return false
}

// TestF54_ListsOfPairsBlockNothing: such values are compared as values, and stay as they are.
func TestF54_ListsOfPairsBlockNothing(t *testing.T) {
	t.Parallel()
	const pairs = "tags: [a: b]\npeople: [name: ana, name: bob]\n"
	for _, step := range []Step{
		{Event: "begin", Phase: "3"}, {Event: "plan", Phase: "3"}, {Event: "verify", Phase: "3"}, {Event: "pause"},
	} {
		text, _ := take(t, strings.Replace(billing, "status: ", pairs+"status: ", 1), step, roadmap(1, 1))
		if !strings.Contains(text, pairs) {
			t.Errorf("%s:\n%s", step.Event, text)
		}
	}
}
