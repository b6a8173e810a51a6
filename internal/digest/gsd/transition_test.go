package gsd

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/digest/phases"
	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
)

// mill is a milestone of three phases; work is at the second one.
func mill() phases.Facts {
	f := phases.Facts{
		Milestone: "v1.2", MilestoneName: "Tide Tables", Bounded: true, HasPhases: true,
		TotalPhases: 3, CompletedPhases: 1, TotalPlans: 5, CompletedPlans: 4,
		Phases: []phases.Phase{
			{ID: "1", Name: "Wet end", InRoadmap: true, Plans: 2, Summaries: 2, Verification: "passed"},
			{ID: "2", Name: "Press", InRoadmap: true, Plans: 3, Summaries: 2},
			{ID: "3", Name: "Felt", InRoadmap: true},
		},
	}
	f.Percent = phases.Percent(4, 5, 1, 3)
	return f
}

// pressed is the same milestone with the second phase done.
func pressed() phases.Facts {
	f := mill()
	f.Phases[1].Summaries, f.CompletedPhases, f.CompletedPlans = 3, 2, 5
	f.Percent = phases.Percent(5, 5, 2, 3)
	return f
}

const millText = `---
gsd_state_version: 1.0
status: planning
progress:
  total_phases: 3
  completed_phases: 1
  total_plans: 5
  completed_plans: 4
  percent: 33
---

# Mill

## Current Position

Phase: 2 of 3 (Press)
Plan: 2 of 3 in current phase
Status: Ready to plan
Last activity: 2026-08-01 — Phase 1 complete, transitioned to Phase 2
Progress: [███░░░░░░░] 33%

### Notes

Status: not this one
`

func TestTransitions(t *testing.T) {
	t.Parallel()
	last := pressed()
	last.Phases = last.Phases[:2]
	flying := mustSet(t, millText, "active_phase", "2")
	flying = strings.Replace(flying, "status: planning", "status: executing", 1)
	paused := mustSet(t, mustSet(t, millText, "paused_at", "lunch"), "fm:status", "paused")
	for _, c := range []struct {
		name   string
		text   string
		step   Step
		facts  phases.Facts
		front  string // status active next_action next_phases current_phase current_phase_name
		body   string // Status
		action string // Last activity after the date
		phase  string // Phase line
		plan   string // Plan line
	}{
		{
			"START discuss", millText,
			Step{Event: "begin", Phase: "3", Stage: "discuss"},
			mill(), "discussing 3 - - 3 Felt",
			"Discussing Phase 3", "Phase 3 discussion started", "3 of 3 (Felt)", "2 of 3 in current phase",
		},
		{
			"START plan", millText,
			Step{Event: "plan", Phase: "3", Name: "Felt line"},
			mill(), "planning 3 - - 3 Felt line",
			"Planning Phase 3", "Phase 3 planning started", "3 of 3 (Felt line)", "2 of 3 in current phase",
		},
		{
			"START execute", millText,
			Step{Event: "begin", Phase: "3", Plans: 4},
			mill(), "executing 3 - - 3 Felt", "Executing Phase 3",
			"Phase 3 execution started", "3 of 3 (Felt)", "1 of 4 in current phase",
		},
		{
			"START execute again", swap(t, flying, "Status: Ready to plan", "Status: Executing Phase 2"),
			Step{Event: "begin", Phase: "2"},
			mill(), "executing 2 - - 2 Press", "Executing Phase 2",
			"Phase 2 execution resumed", "2 of 3 (Press)", "2 of 3 in current phase",
		},
		{
			"START verify", millText,
			Step{Event: "verify", Phase: "2"},
			mill(), "verifying 2 - - 2 Press", "Verifying Phase 2",
			"Phase 2 verification started", "2 of 3 (Press)", "2 of 3 in current phase",
		},
		{
			"FINISH discuss", flying,
			Step{Event: "begin", Stage: "discuss", Phase: "2", Done: true},
			mill(),
			"planning - plan-phase 2 2 Press", "Ready to plan", "Phase 2 discussion finished", "2 of 3 (Press)", "2 of 3 in current phase",
		},
		{
			"FINISH plan", flying,
			Step{Event: "plan", Done: true, Plans: 6},
			mill(), "executing - execute-phase 2 2 Press",
			"Ready to execute", "Phase 2 planning finished", "2 of 3 (Press)", "3 of 6 in current phase",
		},
		{
			"FINISH execute", flying,
			Step{Event: "begin", Phase: "2", Done: true},
			pressed(), "verifying - verify-phase 2 2 Press",
			"Phase complete — ready for verification", "Phase 2 execution finished", "2 of 3 (Press)", "3 of 3 in current phase",
		},
		{
			"FINISH verify, passed", flying,
			Step{Event: "verify", Passed: true},
			pressed(), "planning - discuss-phase 3 3 Felt",
			"Ready to plan", "Phase 2 complete, transitioned to Phase 3", "3 of 3 (Felt)", "Not started",
		},
		{
			"FINISH verify, failed, open plans", flying,
			Step{Event: "verify", Failed: true},
			mill(), "executing - execute-phase 2 2 Press",
			"Ready to execute", "Phase 2 verification finished", "2 of 3 (Press)", "3 of 3 in current phase",
		},
		{
			"FINISH verify, failed", flying,
			Step{Event: "verify", Failed: true},
			pressed(), "planning - plan-phase 2 2 Press",
			"Ready to plan", "Phase 2 verification finished", "2 of 3 (Press)", "3 of 3 in current phase",
		},
		{
			"COMPLETE", flying,
			Step{Event: "complete"},
			pressed(), "planning - discuss-phase 3 3 Felt", "Ready to plan",
			"Phase 2 complete, transitioned to Phase 3", "3 of 3 (Felt)", "Not started",
		},
		{
			"COMPLETE the last", flying,
			Step{Event: "complete", Phase: "02"},
			last, "completed - - - 2 Press", "All phases complete",
			"Phase 02 marked complete", "2 of 3 (Press)", "3 of 3 in current phase",
		},
		{
			"PAUSE", flying,
			Step{Event: "pause", Text: "lunch: 1 pm"},
			mill(), "paused - - - 2 Press", "Ready to plan", "Paused",
			"2 of 3 (Press)", "2 of 3 in current phase",
		},
		{
			"RESUME", paused,
			Step{Event: "resume"},
			mill(), "planning - execute-phase 2 2 Press", "Ready to plan", "Resumed",
			"2 of 3 (Press)", "2 of 3 in current phase",
		},
		{
			"MILESTONE", flying,
			Step{Event: "milestone", Version: "v2.0", Name: "Dry end"},
			phases.Facts{Milestone: "v2.0"},
			"planning - - -  ", "Defining requirements", "Milestone v2.0 started", "Not started (defining requirements)", "Not started",
		},
		{
			"MILESTONE in the roadmap", flying,
			Step{Event: "milestone", Version: "v1.2"},
			mill(), "planning - execute-phase 2  ",
			"Defining requirements", "Milestone v1.2 started", "Not started (defining requirements)", "Not started",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e, err := Parse([]byte(c.text)).Transition(c.step, c.facts, moment)
			if err != nil || len(e.Preserved)+len(e.Findings) > 0 {
				t.Fatalf("%v %v %v", err, e.Preserved, e.Findings)
			}
			d := Parse(e.Text)
			m := d.Model()
			dash := func(s string) string { return or(s, "-") }
			front := strings.Join([]string{
				m.StatusRaw, dash(m.ActivePhase), dash(m.NextAction), dash(strings.Join(m.NextPhases, ",")), m.CurrentPhase,
				m.CurrentPhaseName,
			}, " ")
			if front != c.front {
				t.Errorf("front matter %q, want %q", front, c.front)
			}
			if got, want := m.Position.Status, c.body; got != want {
				t.Errorf("Status %q, want %q", got, want)
			}
			if want := "2026-08-10 — " + c.action; m.Position.LastActivity != want {
				t.Errorf("Last activity %q, want %q", m.Position.LastActivity, want)
			}
			if m.Position.Phase != c.phase || m.Position.Plan != c.plan {
				t.Errorf("Phase %q, Plan %q", m.Position.Phase, m.Position.Plan)
			}
			if m.LastUpdated != "2026-08-10T09:23:45.250Z" || d.fm("last_activity") != "2026-08-10" {
				t.Errorf("last_updated %q, last_activity %q", m.LastUpdated, d.fm("last_activity"))
			}
			if !bytes.Contains(e.Text, []byte("### Notes\n\nStatus: not this one\n")) {
				t.Error("GSD-8: a subsection was touched")
			}
			// When the original program writes later, it derives the status from the body (N6).
			if ev := c.step.Event; ev != "pause" && ev != "milestone" && Canonical(c.body, false) != m.Status &&
				!strings.Contains(c.name, "again") {
				t.Errorf("the body's %q does not say %s", c.body, m.Status)
			}
			for _, f := range d.Findings() {
				t.Errorf("finding %+v", f)
			}
			if c.step.Event == "complete" {
				return
			}
			again, err := d.Transition(c.step, c.facts, moment)
			if c.step.Passed || strings.HasPrefix(c.name, "START") || c.step.Event == "resume" {
				return // a repetition is another event
			}
			if err != nil || !bytes.Equal(again.Text, e.Text) {
				t.Errorf("a second time: %v %v", err, again.Changed)
			}
		})
	}
}

func TestTransitionGolden(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(millText)).Transition(Step{Event: "begin", Phase: "3", Plans: 4}, mill(), moment)
	if err != nil {
		t.Fatal(err)
	}
	want := swap(t, millText, "status: planning\n", "status: executing\nactive_phase: \"3\"\n", "  percent: 33\n",
		"  percent: 33\ncurrent_phase: \"3\"\ncurrent_phase_name: Felt\ncurrent_plan: \"1\"\nlast_updated: "+
			"\"2026-08-10T09:23:45.250Z\"\nlast_activity: 2026-08-10\n",
		"Phase: 2 of 3 (Press)", "Phase: 3 of 3 (Felt)", "Plan: 2 of 3", "Plan: 1 of 4", "Status: Ready to plan",
		"Status: Executing Phase 3",
		"2026-08-01 — Phase 1 complete, transitioned to Phase 2", "2026-08-10 — Phase 3 execution started")
	if got := string(e.Text); got != want {
		t.Error(cmp.Diff(want, got))
	}
	e, err = Parse(e.Text).Transition(Step{Event: "begin", Phase: "3", Done: true}, pressed(), moment)
	want = swap(t, want, "status: executing\nactive_phase: \"3\"\n",
		"status: verifying\nnext_action: verify-phase\nnext_phases: [\"3\"]\n",
		"completed_phases: 1", "completed_phases: 2", "completed_plans: 4", "completed_plans: 5", "percent: 33", "percent: 67",
		"Status: Executing Phase 3", "Status: Phase complete — ready for verification", "Phase 3 execution started",
		"Phase 3 execution finished",
		"[███░░░░░░░] 33%", "[██████░░░░] 67%")
	if got := string(e.Text); err != nil || got != want {
		t.Error(err, cmp.Diff(want, got))
	}
}

func TestTransitionMakesTheSection(t *testing.T) {
	t.Parallel()
	text := "# Mill\n\n## Project Reference\n\nSee: GOALS.md\n\n## Notes\n\nx\n"
	e, err := Parse([]byte(text)).Transition(Step{Event: "begin", Phase: "1", Name: "Core"}, phases.Facts{Bounded: true}, moment)
	want := "---\ngsd_state_version: '1.0'\nstatus: executing\nactive_phase: \"1\"\ncurrent_phase: \"1\"\ncurrent_phase_name: " +
		"Core\ncurrent_plan: \"1\"\n" +
		"last_updated: \"2026-08-10T09:23:45.250Z\"\nlast_activity: 2026-08-10\n---\n\n# Mill\n\n## Project " +
		"Reference\n\nSee: GOALS.md\n\n" +
		"## Current Position\n\nPhase: 1 (Core)\nPlan: 1 of ? in current phase\nStatus: Executing Phase 1\nLast activity: 2026-08-10 — " +
		"Phase 1 execution started\n\n## Notes\n\nx\n"
	if got := string(e.Text); err != nil || got != want {
		t.Error(err, cmp.Diff(want, got))
	}
}

func TestGSDD9_AuthoredTextStays(t *testing.T) {
	t.Parallel()
	prose := "waiting for the glass, then the frame, then the paint, and then for the crew to come back"
	text := swap(t, millText, "Status: Ready to plan", "Status: blocked on API key",
		"2026-08-01 — Phase 1 complete, transitioned to Phase 2", "2026-08-01 — talked to the harbour master",
		"Plan: 2 of 3 in current phase", "Plan: 2 of 3, "+prose)
	e, err := Parse([]byte(text)).Transition(Step{Event: "begin", Phase: "2"}, mill(), moment)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"Status: blocked on API key\n", "talked to the harbour master\n", prose} {
		if !strings.Contains(string(e.Text), line) {
			t.Errorf("%q is gone", line)
		}
	}
	if len(e.Preserved) != 3 {
		t.Errorf("preserved %+v", e.Preserved)
	}
	e, err = Parse(e.Text).Transition(Step{Event: "begin", Stage: "verify", Phase: "2", Force: true}, mill(), moment)
	if m := Parse(e.Text).Model(); err != nil || m.Position.Status != "Verifying Phase 2" ||
		m.Position.LastActivity != "2026-08-10 — Phase 2 verification started" || len(e.Preserved) > 0 {
		t.Errorf("by force: %+v %v", m.Position, err)
	}
}

func TestGSD63_AnAuthoredStatusIsKeptAndListed(t *testing.T) {
	t.Parallel()
	text := swap(t, millText, "Status: Ready to plan", "Status: blocked on API key")
	e, err := Parse([]byte(text)).Transition(Step{Event: "begin", Phase: "2"}, mill(), moment)
	m := Parse(e.Text).Model()
	if err != nil || m.StatusBody != "blocked on API key" || m.StatusRaw != "executing" || m.Status != "executing" {
		t.Errorf("%q %q %v", m.StatusBody, m.StatusRaw, err)
	}
	if want := []Change{{"Status", "blocked on API key", "Executing Phase 2"}}; !cmp.Equal(e.Preserved, want) {
		t.Error(cmp.Diff(want, e.Preserved))
	}
}

func TestWhatProgramsWrote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "[Ready to plan]": true, "Ready to execute": true, "PAUSED": true, "Executing Phase 4": true,
		"executing phase 12 (wave 2)": true,
		"Discussing Phase 12A":        true, "Discussing Phase 3 with Jo": false, "Phase 3 complete": true, "Phase complete": true,
		"Complete ✓": true, "Complete but needs QA": false,
		"All phases complete": true, "v1.2 milestone complete": true, "Awaiting next milestone": true, "Defining requirements": true,
		"blocked on API key": false, "Executing the plan": false, "In review": false,
	} {
		if got := writtenStatus(text); got != want {
			t.Errorf("writtenStatus(%q) = %v", text, got)
		}
	}
	for text, want := range map[string]bool{
		"2026-08-01": true, "2026-08-01 — Phase 3 execution started": true, "2026-08-01 — Phase 4.5 discussion finished": true,
		"2026-08-01 — Phase 3 execution resumed (wave continue)": true, "2026-08-01 — Phase 3 marked complete": true,
		"2026-08-01 — Phase 3 planning complete":                 true,
		"2026-08-01 — Phase 3 complete, transitioned to Phase 4": true, "2026-08-01 -- Milestone v2.0 started": true, "[date]": true,
		"2026-08-01 — Milestone v2.0 completed and archived": true, "2026-08-01 — Phase 3 felt changed": false, "yesterday": false,
		"2026-08-01 — wired the gauge": false,
	} {
		if got := writtenActivity(text); got != want {
			t.Errorf("writtenActivity(%q) = %v", text, got)
		}
	}
}

func TestTransitionRefuses(t *testing.T) {
	t.Parallel()
	flying := mustSet(t, millText, "active_phase", "2")
	failed := pressed()
	failed.Phases[1].Verification = "failed"
	for _, c := range []struct {
		name  string
		text  string
		step  Step
		facts phases.Facts
		kind  report.Kind
		code  report.Code
	}{
		{"no phase", "# P\n", Step{Event: "complete"}, mill(), report.Usage, "phase_missing"},
		{"a blank phase", millText, Step{Event: "begin", Phase: "  "}, mill(), report.Usage, "phase_missing"},
		{"START while another is active", flying, Step{Event: "begin", Phase: "3"}, mill(), report.Conflict, "phase_active"},
		{"FINISH of another", flying, Step{Event: "plan", Phase: "3", Done: true}, mill(), report.Conflict, "phase_active"},
		{"COMPLETE with an open plan", flying, Step{Event: "complete"}, mill(), report.Violation, "phase_incomplete"},
		{"COMPLETE with a failed verification", flying, Step{Event: "complete"}, failed, report.Violation, "phase_incomplete"},
		{"no version", millText, Step{Event: "milestone"}, mill(), report.Usage, "version_missing"},
		{"no such stage", millText, Step{Event: "begin", Phase: "2", Stage: "ship"}, mill(), report.Usage, "stage_unknown"},
		{"no such event", millText, Step{Event: "ship"}, mill(), report.Usage, "event_unknown"},
		{
			"passed and failed", millText,
			Step{Event: "verify", Phase: "2", Passed: true, Failed: true},
			mill(), report.Usage,
			"outcome_twice",
		},
		{"no outcome", millText, Step{Event: "verify", Phase: "2", Done: true}, mill(), report.Usage, "outcome_missing"},
	} {
		e, err := Parse([]byte(c.text)).Transition(c.step, c.facts, moment)
		if report.KindOf(err) != c.kind || report.CodeOf(err) != c.code || string(e.Text) != c.text {
			t.Errorf("%s: %v (%s, %s)", c.name, err, report.KindOf(err), report.CodeOf(err))
		}
		if c.kind == report.Usage {
			continue
		}
		c.step.Force = true
		if e, err = Parse([]byte(c.text)).Transition(c.step, c.facts, moment); err != nil || string(e.Text) == c.text {
			t.Errorf("%s, by force: %v", c.name, err)
		}
	}
}

func TestGSD64_StartAgain(t *testing.T) {
	t.Parallel()
	e, _ := Parse([]byte(millText)).Transition(Step{Event: "begin", Phase: "2"}, mill(), moment)
	if _, err := Parse(e.Text).Transition(Step{Event: "begin", Phase: "3"}, mill(), moment); report.CodeOf(err) != "phase_active" {
		t.Errorf("another phase: %v", err)
	}
	e, err := Parse(e.Text).Transition(Step{Event: "begin", Phase: "02"}, mill(), moment)
	if m := Parse(e.Text).Model(); err != nil || m.LastActivityDesc != "Phase 02 execution resumed" ||
		m.Position.Status != "Executing Phase 2" {
		t.Errorf("the same phase: %+v %v", m.Position, err)
	}
}

func TestGSD65_OneSummaryIsMissing(t *testing.T) {
	t.Parallel()
	f := mill()
	f.Phases = f.Phases[:2]
	if _, err := Parse([]byte(millText)).Transition(Step{Event: "complete", Phase: "2"}, f, moment); report.CodeOf(err) !=
		"phase_incomplete" {
		t.Errorf("%v", err)
	}
}

func TestCompleteBehindTheCurrentPhase(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(millText)).Transition(Step{Event: "complete", Phase: "1"}, mill(), moment)
	if err != nil || !e.Superseded || string(e.Text) != millText {
		t.Errorf("%+v %v", e.Superseded, err)
	}
}

// A milestone does not end after one phase because its other phases are unknown.
func TestCompleteWithoutRoadmap(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(millText)).Transition(Step{Event: "complete", Phase: "2"}, phases.Facts{Bounded: true}, moment)
	m := Parse(e.Text).Model()
	if err != nil || m.Status != "planning" || m.CurrentPhase != "3" || m.NextAction != "discuss-phase" ||
		!cmp.Equal(m.NextPhases, []string{"3"}) {
		t.Errorf("%v %+v", err, m)
	}
	for _, c := range []struct{ text, want string }{
		{"**Current Phase:** 2\n**Total Phases:** 4\n**Status:** Executing Phase 2\n", "3: Ready to plan"},
		{"**Current Phase:** 2\n**Total Phases:** 2\n**Status:** Executing Phase 2\n", "2: All phases complete"},
		{"## Current Position\n\nPhase: 2 (Press) — EXECUTING\nStatus: Executing Phase 2\n", "2: Phase 2 complete"},
	} {
		e, err := Parse([]byte("# P\n\n"+c.text)).Transition(Step{Event: "complete"}, phases.Facts{Bounded: true}, moment)
		d := Parse(e.Text)
		if got := d.Model().CurrentPhase + ": " + d.bodyStatus(); err != nil || got != c.want {
			t.Errorf("%s: %v %q, want %q", c.text, err, got, c.want)
		}
		again, err := d.Transition(Step{Event: "begin", Phase: "5"}, phases.Facts{Bounded: true}, moment)
		if got := Parse(again.Text).bodyStatus(); err != nil || got != "Executing Phase 5" {
			t.Errorf("%s: a status of baton is replaced: %v %q", c.text, err, got)
		}
	}
}

func TestUnknownPhaseIsAFinding(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(millText)).Transition(Step{Event: "begin", Phase: "9"}, mill(), moment)
	if err != nil || len(e.Findings) != 1 || e.Findings[0].Code != "phase_unknown" {
		t.Errorf("%v %+v", err, e.Findings)
	}
}

// GSD's begin-phase writes no lifecycle fields, so the body alone says that a phase runs (N6). Its
// counter stays. GSD writes the day and what happened into two fields if the file has both.
func TestN6_ResumeOfAPhaseThatGSDBegan(t *testing.T) {
	t.Parallel()
	text := swap(t, millText, "Status: Ready to plan", "Status: Executing Phase 2")
	e, err := Parse([]byte(text)).Transition(Step{Event: "begin", Phase: "2", Plans: 3}, phases.Facts{}, moment)
	if m := Parse(e.Text).Model(); err != nil || m.Position.Plan != "2 of 3 in current phase" ||
		m.LastActivityDesc != "Phase 2 execution resumed" {
		t.Errorf("%+v %v", m.Position, err)
	}
	text = "# P\n\n**Status:** Ready to plan\n**Last Activity:** 2026-08-01\n**Last Activity Description:** more\n"
	e, err = Parse([]byte(text)).Transition(Step{Event: "begin", Phase: "2"}, phases.Facts{}, moment)
	if got := string(e.Text); err != nil || !strings.Contains(got, "**Last Activity:** 2026-08-10\n"+
		"**Last Activity Description:** Phase 2 execution started\n") {
		t.Errorf("%s %v", got, err)
	}
}

func TestResumeWithoutPause(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(millText)).Transition(Step{Event: "resume"}, mill(), moment)
	if err != nil || string(e.Text) != millText || len(e.Findings) != 1 || e.Findings[0].Code != "not_paused" {
		t.Errorf("%v %+v", err, e)
	}
}

func TestNextByHand(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(millText)).Next(phases.Plan, []string{"3", "4"}, moment)
	if want := swap(t, millText, "status: planning\n", "status: planning\nnext_action: plan-phase\nnext_phases: [\"3\", \"4\"]\n",
		"  percent: 33\n", "  percent: 33\nlast_updated: \"2026-08-10T09:23:45.250Z\"\n"); err != nil || string(e.Text) != want {
		t.Error(err, cmp.Diff(want, string(e.Text)))
	}
	e, err = Parse(e.Text).Next("", nil, moment)
	if m := Parse(e.Text).Model(); err != nil || m.NextAction != "" || m.NextPhases != nil ||
		strings.Contains(string(e.Text), "next_phases") {
		t.Errorf("cleared: %v %s", err, e.Text)
	}
	if e, err = Parse([]byte(millText)).Next("", nil, moment); err != nil || string(e.Text) != millText {
		t.Errorf("nothing to clear: %v", err)
	}
	if _, err = Parse([]byte(millText)).Next("ship", nil, moment); report.KindOf(err) != report.Usage {
		t.Errorf("no such action: %v", err)
	}
	if _, err = Parse([]byte(mustSet(t, millText, "active_phase", "2"))).Next(phases.Plan, nil, moment); report.CodeOf(err) !=
		"phase_active" {
		t.Errorf("while active: %v", err)
	}
}
