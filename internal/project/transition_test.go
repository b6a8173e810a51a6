package project

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// digestText is the digest of a project at the beginning of its milestone.
const digestText = `---
gsd_state_version: '1.0'
milestone: v1.0
milestone_name: All of it
status: planning
current_phase: "1"
last_updated: "2026-02-01T08:00:00.000Z"
progress:
  total_phases: 0
  completed_phases: 0
  total_plans: 0
  completed_plans: 0
  percent: 0
---

# Project State

## Project Reference

See: .planning/PROJECT.md

## Current Position

Phase: 1 of 4 (Part 1)
Plan: Not started
Status: Ready to plan
Last activity: 2026-02-01

Progress: [░░░░░░░░░░] 0%

## Accumulated Context

### Decisions

- [Phase 1]: Tar over paint

### Pending Todos

None yet.

### Blockers/Concerns

None yet.

## Session Continuity

Last session: 2026-02-01
Stopped at: the harbour wall
Resume file: None
`

// stateLines returns the lines of the digest's front matter and those of its body.
func (w *world) stateLines() (front, body []string) {
	w.t.Helper()
	_, rest, _ := strings.Cut(w.read(".planning/STATE.md"), "---\n")
	block, text, found := strings.Cut(rest, "\n---\n")
	if !found {
		w.t.Fatalf("no front matter in %q", rest)
	}
	return strings.Split(block, "\n"), strings.Split(text, "\n")
}

// needLines checks that each wanted line is there exactly once.
func needLines(t *testing.T, where string, lines []string, want ...string) {
	t.Helper()
	for _, l := range want {
		n := 0
		for _, have := range lines {
			if have == l {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s has %q %d times:\n%s", where, l, n, strings.Join(lines, "\n"))
		}
	}
}

// gsdWorld returns a GSD project of four phases, two of which are executed and verified.
func gsdWorld(t testing.TB) *world {
	w := newWorld(t)
	phased(w, 4)
	w.write(".planning/STATE.md", digestText)
	return w
}

func (w *world) step(r digests.TransitionRequest) digests.TransitionResult {
	w.t.Helper()
	out, err := w.as("agent-1").Digests.Transition(context.Background(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// Every row of N6: front matter and body after the step.
func TestN6_StepsAreWrittenInFrontMatterAndBody(t *testing.T) {
	t.Parallel()
	begin := func(phase, stage string) digests.TransitionRequest {
		return digests.TransitionRequest{Event: "begin", Phase: phase, Stage: stage}
	}
	done := func(r digests.TransitionRequest) digests.TransitionRequest { r.Done = true; return r }
	tests := []struct {
		name  string
		steps []digests.TransitionRequest
		front []string
		body  []string
		next  string // action and phases in the answer
	}{
		{
			"start discuss",
			[]digests.TransitionRequest{begin("3", "discuss")},
			[]string{`active_phase: "3"`, "status: discussing", `current_phase: "3"`},
			[]string{"Status: Discussing Phase 3", "Last activity: 2026-03-01 — Phase 3 discussion started", "Phase: 3 of 4 (Part 3)"},
			"",
		},
		{
			"start plan",
			[]digests.TransitionRequest{{Event: "plan", Phase: "3"}},
			[]string{`active_phase: "3"`, "status: planning"},
			[]string{"Status: Planning Phase 3", "Last activity: 2026-03-01 — Phase 3 planning started"},
			"",
		},
		{
			"start execute",
			[]digests.TransitionRequest{{Event: "begin", Phase: "03", Plans: 4, Name: "Cranes"}},
			[]string{`active_phase: "3"`, "status: executing", "current_phase_name: Cranes"},
			[]string{"Status: Executing Phase 3", "Plan: 1 of 4 in current phase", "Last activity: 2026-03-01 — Phase 3 execution started"},
			"",
		},
		{
			"start verify",
			[]digests.TransitionRequest{{Event: "verify", Phase: "2"}},
			[]string{`active_phase: "2"`, "status: verifying"},
			[]string{"Status: Verifying Phase 2", "Last activity: 2026-03-01 — Phase 2 verification started"},
			"",
		},
		{
			"finish discuss",
			[]digests.TransitionRequest{begin("3", "discuss"), done(begin("3", "discuss"))},
			[]string{"status: planning", "next_action: plan-phase", `next_phases: ["3"]`},
			[]string{"Status: Ready to plan"},
			"plan-phase 3",
		},
		{
			"finish plan",
			[]digests.TransitionRequest{{Event: "plan", Phase: "3"}, {Event: "plan", Done: true}},
			[]string{"status: executing", "next_action: execute-phase", `next_phases: ["3"]`},
			[]string{"Status: Ready to execute"},
			"execute-phase 3",
		},
		{
			"finish execute",
			[]digests.TransitionRequest{begin("2", "execute"), done(begin("2", ""))},
			[]string{
				"status: verifying", "next_action: verify-phase", `next_phases: ["2"]`, "  total_plans: 16", "  completed_plans: 8",
				"  percent: 50",
			},
			[]string{"Status: Phase complete — ready for verification"},
			"verify-phase 2",
		},
		{
			"verified",
			[]digests.TransitionRequest{begin("2", "verify"), {Event: "verify", Passed: true}},
			[]string{
				"status: planning", "next_action: execute-phase", `next_phases: ["3"]`, `current_phase: "3"`,
				"  completed_phases: 2",
			},
			[]string{"Status: Ready to plan", "Plan: Not started"},
			"execute-phase 3",
		},
		{
			"not verified, plans left",
			[]digests.TransitionRequest{begin("3", "verify"), {Event: "verify", Failed: true}},
			[]string{"status: executing", "next_action: execute-phase", `next_phases: ["3"]`},
			[]string{"Status: Ready to execute"},
			"execute-phase 3",
		},
		{
			"not verified, all carried out",
			[]digests.TransitionRequest{begin("2", "verify"), {Event: "verify", Failed: true}},
			[]string{"status: planning", "next_action: plan-phase", `next_phases: ["2"]`},
			[]string{"Status: Ready to plan"},
			"plan-phase 2",
		},
		{
			"complete",
			[]digests.TransitionRequest{begin("2", ""), {Event: "complete"}},
			[]string{"status: planning", `current_phase: "3"`, "next_action: execute-phase"},
			[]string{"Status: Ready to plan", "Plan: Not started"},
			"execute-phase 3",
		},
		{
			"pause",
			[]digests.TransitionRequest{begin("3", ""), {Event: "pause", Text: "waiting for timber"}},
			[]string{"status: paused", "paused_at: waiting for timber"},
			[]string{"Status: Executing Phase 3"},
			"",
		},
		{
			"resume",
			[]digests.TransitionRequest{begin("3", ""), {Event: "pause", Text: "waiting"}, {Event: "resume"}},
			[]string{`active_phase: "3"`, "status: executing"},
			[]string{"Status: Executing Phase 3"},
			"",
		},
		{
			"milestone of the roadmap",
			[]digests.TransitionRequest{{Event: "milestone", Version: "v1.0", Name: "Again"}},
			[]string{"milestone: v1.0", "milestone_name: Again", "status: planning", "next_action: execute-phase", `next_phases: ["3"]`},
			[]string{"Phase: Not started (defining requirements)", "Status: Defining requirements"},
			"execute-phase 3",
		},
		{
			"milestone without a roadmap",
			[]digests.TransitionRequest{{Event: "milestone", Version: "v2.0", Name: "More"}},
			[]string{"milestone: v2.0", "milestone_name: More", "status: planning"},
			[]string{"Status: Defining requirements", "Last activity: 2026-03-01 — Milestone v2.0 started"},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := gsdWorld(t)
			var out digests.TransitionResult
			for _, r := range tt.steps {
				out = w.step(r)
			}
			front, body := w.stateLines()
			needLines(t, "front matter", front, append(tt.front, `last_updated: "2026-03-01T09:00:00.000Z"`)...)
			needLines(t, "body", body, append(tt.body, "- [Phase 1]: Tar over paint", "Stopped at: the harbour wall")...)
			if next := strings.TrimSpace(out.NextAction + " " + strings.Join(out.NextPhases, " ")); next != tt.next {
				t.Errorf("next %q, want %q", next, tt.next)
			}
			if len(out.Changed) == 0 || out.Event != tt.steps[len(tt.steps)-1].Event || out.Layout != workspace.LayoutGSD {
				t.Errorf("answer %+v", out)
			}
			if started := strings.HasPrefix(tt.name, "start") || tt.name == "resume"; started != (out.ActivePhase != "") {
				t.Errorf("active phase %q", out.ActivePhase)
			}
		})
	}
}

func TestN6_LastPhaseCompletesAll(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	for i := 3; i <= 4; i++ {
		for p := 1; p <= 4; p++ {
			w.write(fmt.Sprintf(".planning/phases/%02d-part/%02d-%02d-SUMMARY.md", i, i, p), "# Done\n")
		}
	}
	w.step(digests.TransitionRequest{Event: "begin", Phase: "4"})
	out := w.step(digests.TransitionRequest{Event: "complete"})
	front, body := w.stateLines()
	needLines(t, "front matter", front, "status: completed", "  completed_phases: 4", "  percent: 100")
	needLines(t, "body", body, "Status: All phases complete", "Progress: [██████████] 100%")
	if out.Status != "completed" || out.NextAction != "" || out.Phase != "4" {
		t.Errorf("%+v", out)
	}
}

func TestGSD64_StartAfterACrash(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.step(digests.TransitionRequest{Event: "begin", Phase: "3", Plans: 4})
	before := w.read(".planning/STATE.md")
	// The session has ended without a word. Another one begins.
	_, err := w.as("agent-2").Digests.Transition(context.Background(), digests.TransitionRequest{Event: "begin", Phase: "4"})
	wantError(t, err, report.Conflict, "phase_active")
	if w.read(".planning/STATE.md") != before {
		t.Error("a refusal wrote")
	}
	w.pass(24 * time.Hour)
	out, err := w.as("agent-2").Digests.Transition(context.Background(), digests.TransitionRequest{Event: "begin", Phase: "03"})
	if err != nil || out.ActivePhase != "3" {
		t.Fatal(out, err)
	}
	_, body := w.stateLines()
	needLines(t, "body", body, "Plan: 1 of 4 in current phase", "Last activity: 2026-03-02 — Phase 3 execution resumed")
	out, err = w.as("agent-2").Digests.Transition(context.Background(), digests.TransitionRequest{Event: "begin", Phase: "4", Force: true})
	if err != nil || out.ActivePhase != "4" {
		t.Fatal(out, err)
	}
}

func TestGSD65_LastPhaseWithAPlanLeft(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	for i := 3; i <= 4; i++ {
		for p := 1; p <= 4 && (i == 3 || p < 4); p++ {
			w.write(fmt.Sprintf(".planning/phases/%02d-part/%02d-%02d-SUMMARY.md", i, i, p), "# Done\n")
		}
	}
	w.step(digests.TransitionRequest{Event: "begin", Phase: "4"})
	before := w.read(".planning/STATE.md")
	for _, r := range []digests.TransitionRequest{{Event: "complete"}, {Event: "verify", Passed: true}} {
		_, err := w.as("agent-1").Digests.Transition(context.Background(), r)
		wantError(t, err, report.Violation, "phase_incomplete")
	}
	if w.read(".planning/STATE.md") != before {
		t.Error("a refusal wrote")
	}
	if out := w.step(digests.TransitionRequest{Event: "complete", Force: true}); out.ActivePhase != "" {
		t.Errorf("%+v", out)
	}
}

func TestCompleteOfAFailedVerification(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.write(".planning/phases/02-part/02-VERIFICATION.md", "---\nstatus: gaps_found\n---\n")
	_, err := w.as("agent-1").Digests.Transition(context.Background(), digests.TransitionRequest{Event: "complete", Phase: "2"})
	wantError(t, err, report.Violation, "phase_incomplete")
}

func TestN6_CompletingAnEarlierPhaseIsSuperseded(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.step(digests.TransitionRequest{Event: "begin", Phase: "3"})
	before := w.files()
	out := w.step(digests.TransitionRequest{Event: "complete", Phase: "1"})
	if !out.Superseded || len(out.Changed) > 0 || w.read(".planning/STATE.md") != before[".planning/STATE.md"] {
		t.Errorf("%+v", out)
	}
}

func TestD22_PhaseOfAStep(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	if out := w.step(digests.TransitionRequest{Event: "plan"}); out.ActivePhase != "1" { // the current one
		t.Errorf("%+v", out)
	}
	w.write(".planning/STATE.md", "# State\n\nNothing yet.\n")
	for _, event := range []string{"begin", "plan", "verify", "complete"} {
		_, err := w.as("agent-1").Digests.Transition(context.Background(), digests.TransitionRequest{Event: event, Phase: "  "})
		e := wantError(t, err, report.Usage, "phase_missing")
		if blank := strings.Contains(e.Message, "the phase to begin"); blank != (event == "begin") {
			t.Errorf("%s: %s", event, e.Message)
		}
	}
	for code, r := range map[report.Code]digests.TransitionRequest{
		"event_unknown": {
			Event: "leap",
		}, "stage_unknown": {Event: "begin", Phase: "1", Stage: "dream"}, "version_missing": {Event: "milestone", Version: " "},
	} {
		_, err := w.as("agent-1").Digests.Transition(context.Background(), r)
		wantError(t, err, report.Usage, code)
	}
	if got := w.read(".planning/STATE.md"); got != "# State\n\nNothing yet.\n" {
		t.Errorf("a refusal wrote %q", got)
	}
}

func TestN6_UnknownPhaseIsAFinding(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	out := w.step(digests.TransitionRequest{Event: "begin", Phase: "77"})
	if out.ActivePhase != "77" || !hasCode(out.Warnings, "phase_unknown") {
		t.Errorf("%+v", out)
	}
}

func TestStateNext(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	ctx := context.Background()
	got, err := w.as("agent-1").Digests.StateNext(ctx, digests.NextRequest{Action: "plan-phase", Phases: []string{"3", "4"}})
	if err != nil || len(got.Changed) == 0 {
		t.Fatal(got, err)
	}
	front, _ := w.stateLines()
	needLines(t, "front matter", front, "next_action: plan-phase", `next_phases: ["3", "4"]`)
	if _, err := w.as("agent-1").Digests.StateNext(ctx, digests.NextRequest{}); err != nil {
		t.Fatal(err)
	}
	front, _ = w.stateLines()
	if all := strings.Join(front, "\n"); strings.Contains(all, "next_") {
		t.Errorf("the next step is still there: %s", all)
	}
	w.step(digests.TransitionRequest{Event: "begin", Phase: "3"})
	_, err = w.as("agent-1").Digests.StateNext(ctx, digests.NextRequest{Action: "plan-phase", Phases: []string{"3"}})
	wantError(t, err, report.Conflict, "phase_active")
}

// A SpecFlow project has pause, resume and sync, but none of the other steps of a phase.
func TestSpecflowHasNoPhases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const text = "# State\n\n## Current Position\n\n- **Active Specification:** none\n- **Status:** idle\n- **Next Step:** /sf:new\n"
	w.write(".specflow/STATE.md", text)
	ctx := context.Background()
	for _, event := range []string{"begin", "plan", "verify", "complete", "milestone"} {
		_, err := w.as("agent-1").Digests.Transition(ctx, digests.TransitionRequest{Event: event, Phase: "1", Version: "v1"})
		wantError(t, err, report.Usage, "not_supported")
	}
	_, err := w.as("agent-1").Digests.StateNext(ctx, digests.NextRequest{Action: "plan-phase", Phases: []string{"1"}})
	wantError(t, err, report.Usage, "not_supported")
	_, err = w.as("agent-1").Digests.Metric(ctx, digests.MetricRequest{Phase: "1", Plan: "1", Duration: "1m"})
	wantError(t, err, report.Usage, "not_supported")
	if got := w.read(".specflow/STATE.md"); got != text {
		t.Errorf("a refusal wrote %q", got)
	}
	if out := w.step(digests.TransitionRequest{Event: "pause", Text: "lunch"}); out.Layout != workspace.LayoutSpecflow ||
		len(out.Changed) == 0 {
		t.Errorf("%+v", out)
	}
	w.step(digests.TransitionRequest{Event: "resume"})
	ended, err := w.as("agent-1").Digests.EndDigestSession(ctx, digests.DigestSessionRequest{StoppedAt: "here", ResumeFile: "a.md"})
	if err != nil || len(ended.Changed) == 0 || !strings.Contains(w.read(".specflow/STATE.md"), " — here (to resume, read a.md)\n") {
		t.Errorf("%+v, %v: %s", ended, err, w.read(".specflow/STATE.md"))
	}
	w.step(digests.TransitionRequest{Event: "resume"})
	if got := w.read(".specflow/STATE.md"); got != text {
		t.Errorf("after the resume: %q", got)
	}
	if _, err := w.as("agent-1").Digests.StateSync(ctx, digests.StateSyncRequest{}); err != nil {
		t.Error(err)
	}
}

// With baton's own digest, roadmap and phases are in .baton.
func TestStepsInBatonsOwnLayout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/STATE.md", digestText)
	w.write(".baton/ROADMAP.md", "# Roadmap\n\n## v1.0: All\n\n### Phase 1: Quay\n\n### Phase 2: Crane\n")
	w.write(".baton/phases/01-quay/01-01-PLAN.md", "x")
	w.write(".baton/phases/01-quay/01-01-SUMMARY.md", "x")
	out := w.step(digests.TransitionRequest{Event: "complete", Phase: "1"})
	if out.Layout != workspace.LayoutBaton || out.NextAction != phases.Discuss || out.NextPhases[0] != "2" {
		t.Errorf("%+v", out)
	}
}
