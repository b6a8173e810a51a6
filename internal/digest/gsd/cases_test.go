package gsd

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/digest/phases"

	"github.com/google/go-cmp/cmp"
)

func TestGSD1_TextIsLiteral(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"cost $5", "$&", "$1 and $$", `\1 %s {{x}}`, "<!-- not a comment -->", "`code` | pipe"} {
		e, err := Parse([]byte(board)).EndSession(text, "", moment)
		if m := Parse(e.Text).Model(); err != nil || m.StoppedAt != text {
			t.Errorf("%q is read back as %q: %v", text, m.StoppedAt, err)
		}
		e, err = Parse([]byte(board)).AddBlocker(text, "", moment)
		if list := Parse(e.Text).Blockers(); err != nil || len(list) != 1 || list[0].Text != text {
			t.Errorf("%q: %v %v", text, list, err)
		}
	}
}

func TestGSD6_FieldsOfTheBodyAreNotKeys(t *testing.T) {
	t.Parallel()
	text := "---\nmilestone: v1\nOwner: front\n---\n\nMilestone: body\n"
	if got := mustSet(t, text, "Milestone", "v2"); got != strings.Replace(text, "Milestone: body", "Milestone: v2", 1) {
		t.Errorf("%q", got)
	}
	if e, err := Parse([]byte(text)).Set("Owner", "x", false, moment); err == nil || string(e.Text) != text {
		t.Errorf("a key was taken for a field: %q", e.Text)
	}
}

func TestGSD7_TransitionsInATable(t *testing.T) {
	t.Parallel()
	text := "---\nstatus: planning\n---\n\n## Current Position\n\n| Field | Value |\n|-------|-------|\n| Phase | 1 of 3 |\n| Status | " +
		"Ready to plan |\n| Last activity | 2026-08-01 |\n\n## Next\n"
	e, err := Parse([]byte(text)).Transition(Step{Event: "begin", Phase: "2", Name: "A|B", Plans: 2}, phases.Facts{Bounded: true}, moment)
	want := swap(t, text, "status: planning\n", "status: executing\nactive_phase: \"2\"\ncurrent_phase: \"2\"\ncurrent_phase_name: "+
		"A|B\ncurrent_plan: \"1\"\n"+
		"last_updated: \"2026-08-10T09:23:45.250Z\"\nlast_activity: 2026-08-10\n",
		"| 1 of 3 |", `| 2 of 3 (A\|B) |`, "| Ready to plan |", "| Executing Phase 2 |", "| 2026-08-01 |\n",
		"| 2026-08-10 — Phase 2 execution started |\n| Plan | 1 of 2 in current phase |\n")
	// The new row comes after the last existing one.
	if m := Parse(e.Text).Model(); err != nil || m.Position.Plan != "1 of 2 in current phase" || m.CurrentPhaseName != "A|B" ||
		m.Position.Phase != "2 of 3 (A|B)" {
		t.Errorf("%v %+v %s", err, m.Position, cmp.Diff(want, string(e.Text)))
	}
	if again, err := Parse(e.Text).Transition(Step{Event: "begin", Phase: "2"}, phases.Facts{Bounded: true}, moment); err != nil ||
		!strings.Contains(string(again.Text), "| Last activity | 2026-08-10 — Phase 2 execution resumed |") {
		t.Errorf("%v %s", err, again.Text)
	}
}

func TestGSD8_SubsectionsOfCurrentPosition(t *testing.T) {
	t.Parallel()
	text := "---\nstatus: planning\n---\n\n## Current Position\n\nPhase: 1\n\n### History\n\nStatus: old\nLast activity: 2020-01-01\n"
	e, err := Parse([]byte(text)).Transition(Step{Event: "begin", Phase: "1"}, phases.Facts{Bounded: true}, moment)
	if err != nil || !bytes.HasSuffix(e.Text, []byte("### History\n\nStatus: old\nLast activity: 2020-01-01\n")) {
		t.Errorf("%v\n%s", err, e.Text)
	}
	if m := Parse(e.Text).Model(); m.Position.Status != "Executing Phase 1" || m.LastActivity != "2026-08-10" {
		t.Errorf("%+v", m.Position)
	}
}

func TestGSD41_OneIsNotTwelve(t *testing.T) {
	t.Parallel()
	f := phases.Facts{Bounded: true}
	e, err := Parse([]byte(millText)).Transition(Step{Event: "begin", Phase: "12", Name: "Core (D1a)"}, f, moment)
	if m := Parse(e.Text).Model(); err != nil || m.CurrentPhaseName != "Core (D1a)" || m.Position.Phase != "12 of 3 — Core (D1a)" {
		t.Errorf("%v %+v", err, m)
	}
	e, err = Parse(e.Text).Transition(Step{Event: "begin", Phase: "1", Force: true}, f, moment)
	if m := Parse(e.Text).Model(); err != nil || m.LastActivityDesc != "Phase 1 execution started" || m.ActivePhase != "1" {
		t.Errorf("%v %+v", err, m)
	}
}

func TestGSD42_ADecoratedPhase(t *testing.T) {
	t.Parallel()
	text := swap(t, millText, "Phase: 2 of 3 (Press)", "Phase: 2 — Press (executing)", "Status: Ready to plan", "Status: In progress",
		"status: planning", "status: executing")
	e, err := Parse([]byte(text)).Transition(Step{Event: "complete"}, pressed(), moment)
	if m := Parse(e.Text).Model(); err != nil || e.Phase != "2" || m.CurrentPhase != "3" || m.Position.Phase != "3 of 3 (Felt)" {
		t.Errorf("%v %q %+v", err, e.Phase, m.Position)
	}
	closed := swap(t, millText, "Phase: 2 of 3 (Press)", "Phase: Milestone v0.5 complete")
	if _, err := Parse([]byte(closed)).Transition(Step{Event: "complete"}, pressed(), moment); err == nil {
		t.Error("a closed milestone has no phase to complete")
	}
}

func TestGSD48_AMilestoneKeepsTheRest(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(board)).Transition(Step{Event: "milestone", Version: "v2.0", Name: "Dry end"}, phases.Facts{Milestone: "v2.0"},
		moment)
	if err != nil {
		t.Fatal(err)
	}
	want := swap(t, board, "milestone: v1.2", "milestone: v2.0", "milestone_name: Tide Tables", "milestone_name: Dry end",
		"status: executing", "status: planning",
		"total_phases: 5", "total_phases: 0", "completed_phases: 2", "completed_phases: 0", "total_plans: 9", "total_plans: 0",
		"completed_plans: 6", "completed_plans: 0",
		"percent: 40 ", "percent: 0 ", "current_phase: 3\n", "", "current_phase_name: Gauge feed\n",
		"", touched, touchedNow,
		"last_activity: 2026-08-09", "last_activity: 2026-08-10", "Phase: 3 of 5 (Gauge feed)",
		"Phase: Not started (defining requirements)", "Plan: 2 of 3 in current phase", "Plan: Not started",
		"Status: Executing Phase 3", "Status: Defining requirements", "2026-08-09 — Phase 3 execution started",
		"2026-08-10 — Milestone v2.0 started", "[████░░░░░░] 40%", "[░░░░░░░░░░] 0%")
	if got := string(e.Text); got != want {
		t.Error(cmp.Diff(want, got))
	}
	e, err = Parse([]byte("# P\n")).Transition(Step{Event: "milestone", Version: "v2.0"}, phases.Facts{}, moment)
	if m := Parse(e.Text).Model(); err != nil || m.Milestone != "v2.0" || m.MilestoneName != "" || m.StatusBody != "Defining requirements" {
		t.Errorf("%v %+v", err, m)
	}
}

func TestGSD74_AnEmptyBlock(t *testing.T) {
	t.Parallel()
	if d := Parse([]byte("---\n---\n\n**Status:** Planning\n")); d.front.ok || d.Model().Status != "planning" {
		t.Errorf("%+v", d.front)
	}
	if d := Parse([]byte("---\n---\nstatus: paused\n---\n\n**Status:** Planning\n")); !d.front.ok || d.Model().StatusFront != "paused" {
		t.Errorf("%+v", d.front)
	}
}

func TestGSD33_OneCallWritesOnePercentage(t *testing.T) {
	t.Parallel()
	e := syncOf(t, millText, pressed(), nil)
	m := Parse(e.Text).Model()
	if _, n, ok := percentPart(m.Position.Progress); !ok || n != *m.Progress.Percent || n != 67 {
		t.Errorf("%q %d", m.Position.Progress, *m.Progress.Percent)
	}
}

func TestGSD19_CuratedCountersSurvive(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"custom", "x"}, {"status", "Planning"}, {"Plan", "3 of 3"}, {"Stopped at", "there"},
	} {
		got := Parse([]byte(mustSet(t, board, pair[0], pair[1]))).Model().Progress
		if want := Parse([]byte(board)).Model().Progress; !cmp.Equal(got, want) {
			t.Errorf("%s: %s", pair[0], cmp.Diff(want, got))
		}
	}
	// One call writes one percentage (N11): that of the front matter follows the line.
	if m := Parse([]byte(mustSet(t, board, "Progress", "[█] 10%"))).Model(); *m.Progress.Percent != 10 || *m.Progress.CompletedPlans != 6 {
		t.Errorf("Progress: %+v", m.Progress)
	}
}

func TestGSD43_WhatPlanningReplaces(t *testing.T) {
	t.Parallel()
	step := Step{Event: "plan", Phase: "2", Done: true, Plans: 4}
	for status, want := range map[string]string{"Complete ✓": "Ready to execute", "Complete but needs QA": "Complete but needs QA"} {
		e, err := Parse([]byte(swap(t, millText, "Status: Ready to plan", "Status: "+status))).Transition(step, mill(), moment)
		if m := Parse(e.Text).Model(); err != nil || m.Position.Status != want || m.NextAction != "execute-phase" {
			t.Errorf("%s: %v %+v", status, err, m.Position)
		}
	}
	// A section without labels gets them, so that every step has an effect.
	e, err := Parse([]byte("## Current Position\n\nSomewhere.\n")).Transition(step, phases.Facts{Bounded: true}, moment)
	if m := Parse(e.Text).Model(); err != nil || m.Position.Status != "Ready to execute" || m.Position.Plan != "1 of 4 in current phase" ||
		!bytes.Contains(e.Text, []byte("\n\nSomewhere.\n")) {
		t.Errorf("%v\n%s", err, e.Text)
	}
}
