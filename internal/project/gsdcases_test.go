package project

import (
	"slices"
	"strings"
	"testing"

	"baton/internal/usecase/digests"
)

// withDigest creates a project with only a GSD digest.
func withDigest(t testing.TB, text string) *world {
	t.Helper()
	w := newWorld(t)
	w.write(".planning/STATE.md", text)
	return w
}

func (w *world) planned() string { return w.read(".planning/STATE.md") }

// GSD-1: `$1`, `$&` and similar texts are written as they are, by every command that takes a text.
func TestGSD1_DollarsAreText(t *testing.T) {
	t.Parallel()
	const text = "cost $5 $1 $& $$ \\1"
	for name, change := range map[string]func(*world){
		"decision add": func(w *world) {
			must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: text}))(t)
		},
		"rationale": func(w *world) {
			must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "x", Rationale: text}))(t)
		},
		"blocker add": func(w *world) { must(w.as("a").Digests.AddBlocker(t.Context(), digests.BlockerRequest{Text: text}))(t) },
		"set": func(w *world) {
			must(w.as("a").Digests.StateSet(
				t.Context(), digests.StateSetRequest{Values: []digests.NameValue{{Name: "body:Plan", Value: text}}},
			))(t)
		},
		"begin": func(w *world) { w.step(digests.TransitionRequest{Event: "begin", Phase: "1", Name: text}) },
		"pause": func(w *world) { w.step(digests.TransitionRequest{Event: "pause", Text: text}) },
		"session end": func(w *world) {
			must(w.as("a").Digests.EndDigestSession(t.Context(), digests.DigestSessionRequest{StoppedAt: text}))(t)
		},
	} {
		w := withDigest(t, planned)
		change(w)
		// In the front matter, a backslash inside quotes may be doubled.
		if got := w.planned(); !strings.Contains(got, text) && !strings.Contains(got, strings.ReplaceAll(text, `\`, `\\`)) {
			t.Errorf("%s: %q is not in\n%s", name, text, got)
		}
	}
}

// GSD-6: a field of the body is set in the body; the key of the same name in the front matter stays.
func TestGSD6_BodyFieldsLeaveTheFrontMatterAlone(t *testing.T) {
	t.Parallel()
	w := withDigest(t, planned)
	must(
		w.as(
			"a",
		).Digests.StateSet(
			t.Context(),
			digests.StateSetRequest{Values: []digests.NameValue{{Name: "body:Status", Value: "Waiting for Kim"}}},
		),
	)(
		t,
	)
	got := w.planned()
	if !strings.Contains(got, "\nStatus: Waiting for Kim\n") || !strings.Contains(got, "\nstatus: planning\n") {
		t.Errorf("after setting the body:\n%s", got)
	}
}

// GSD-7: if the position is a table, its cells get the values without labels, and nothing is added.
func TestGSD7_PositionAsATable(t *testing.T) {
	t.Parallel()
	const table = "| Field | Value |\n|-------|-------|\n| Phase | 1 of 2 (Core) |\n| Plan | 1 of 3 in current phase |\n" +
		"| Status | Ready to execute |\n| Last activity | 2026-02-01 |\n"
	text := strings.Replace(
		planned,
		"Phase: 1 of 2 (Core)\nPlan: 1 of 3 in current phase\nStatus: Ready to execute\nLast activity: 2026-02-01\n",
		table,
		1,
	)
	for name, c := range map[string]struct {
		step   digests.TransitionRequest
		status string
	}{
		"begin":     {digests.TransitionRequest{Event: "begin", Phase: "1"}, "Executing Phase 1"},
		"plan done": {digests.TransitionRequest{Event: "plan", Phase: "1", Done: true}, "Ready to execute"},
		"complete":  {digests.TransitionRequest{Event: "complete", Phase: "1", Force: true}, ""},
	} {
		w := withDigest(t, text)
		w.step(c.step)
		got := w.planned()
		if c.status != "" && !strings.Contains(got, "| Status | "+c.status+" |") {
			t.Errorf("%s: no cell %q in\n%s", name, c.status, got)
		}
		if !strings.Contains(got, "| Last activity | 2026-03-01") {
			t.Errorf("%s: the activity is not in its cell:\n%s", name, got)
		}
		for line := range strings.Lines(got) {
			for _, label := range []string{"Phase:", "Plan:", "Status:", "Last activity:", "| Status | Status", "| Last activity | Last"} {
				if strings.HasPrefix(line, label) {
					t.Errorf("%s: the line %q was put beside the table, or a label into a cell", name, line)
				}
			}
		}
		if n := strings.Count(got, "\n| "); n != 5 {
			t.Errorf("%s: the table has %d rows", name, n)
		}
	}
}

// GSD-8: a status below a heading inside Current Position is not the position's.
func TestGSD8_SubsectionsOfThePosition(t *testing.T) {
	t.Parallel()
	w := withDigest(
		t,
		strings.Replace(
			planned,
			"## Accumulated",
			"### Review\n\nStatus: Ready to execute\nLast activity: 2025-01-01\n\n## Accumulated",
			1,
		),
	)
	w.step(digests.TransitionRequest{Event: "begin", Phase: "1"})
	got := w.planned()
	if !strings.Contains(got, "### Review\n\nStatus: Ready to execute\nLast activity: 2025-01-01\n") {
		t.Errorf("the subsection changed:\n%s", got)
	}
	if strings.Count(got, "Status: Executing Phase 1") != 1 {
		t.Errorf("the position did not change once:\n%s", got)
	}
}

// GSD-19: counts that somebody maintains by hand survive changes of other values; setting them is refused.
func TestGSD19_CountsSurviveOtherChanges(t *testing.T) {
	t.Parallel()
	const counts = "progress:\n  total_phases: 40\n  completed_phases: 17\n  total_plans: 99\n  completed_plans: 50\n  percent: 42\n"
	w := withDigest(t, strings.Replace(planned, "status: planning\n", "status: planning\n"+counts, 1))
	must(
		w.as(
			"a",
		).Digests.StateSet(
			t.Context(),
			digests.StateSetRequest{
				Values: []digests.NameValue{{Name: "milestone_name", Value: "Other"}, {Name: "body:Plan", Value: "2 of 3"}},
			},
		),
	)(
		t,
	)
	must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "choice"}))(t)
	must(w.as("a").Digests.AddBlocker(t.Context(), digests.BlockerRequest{Text: "no key"}))(t)
	w.step(digests.TransitionRequest{Event: "begin", Phase: "1"})
	if got := w.planned(); !strings.Contains(got, counts) {
		t.Errorf("the counts changed:\n%s", got)
	}
	before := w.planned()
	_, err := w.as(
		"a",
	).Digests.StateSet(
		t.Context(),
		digests.StateSetRequest{
			Values: []digests.NameValue{{Name: "milestone_name", Value: "Third"}, {Name: "progress.percent", Value: "43"}},
		},
	)
	if err == nil || w.planned() != before {
		t.Errorf("a derived value was set: %v", err)
	}
}

// GSD-41: beginning the current phase again changes only the activity, and phase 1 is not phase 12. Names with
// parentheses survive. Neither front matter nor position is needed.
func TestGSD41_BeginAgain(t *testing.T) {
	t.Parallel()
	w := withDigest(t, planned)
	w.step(digests.TransitionRequest{Event: "begin", Phase: "12", Name: "Core (D1a)", Plans: 4})
	must(
		w.as(
			"a",
		).Digests.StateSet(
			t.Context(),
			digests.StateSetRequest{Values: []digests.NameValue{{Name: "body:Plan", Value: "3 of 4 in current phase"}}},
		),
	)(
		t,
	)
	w.pass(24 * 3600e9)
	w.step(digests.TransitionRequest{Event: "begin", Phase: "12"})
	got := w.planned()
	for _, want := range []string{
		" — Core (D1a)\n", "Plan: 3 of 4", "Last activity: 2026-03-02", "Status: Executing Phase 12\n", "current_phase_name: Core (D1a)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("after beginning again %q is not in\n%s", want, got)
		}
	}
	w.step(digests.TransitionRequest{Event: "begin", Phase: "1", Force: true})
	if got := w.planned(); !strings.Contains(got, "Status: Executing Phase 1\n") || strings.Contains(got, "Plan: 3 of 4") {
		t.Errorf("phase 1 was taken for phase 12:\n%s", got)
	}
	for _, text := range []string{"# Project State\n\n## Current Position\n\nPhase: 1 of 2 (Core)\n" +
		"Status: Ready to execute\n", "---\nstatus: planning\n---\n\n# Project State\n"} {
		w := withDigest(t, text)
		out := w.step(digests.TransitionRequest{Event: "begin", Phase: "1"})
		if got := w.planned(); out.ActivePhase != "1" || strings.Count(got, "Status: Executing Phase 1") != 1 ||
			strings.Count(got, `active_phase: "1"`) != 1 {
			t.Errorf("begun in\n%s", got)
		}
	}
}

// GSD-42: completing finds the current phase in decorated lines, prefers the phase that is given, and leaves one that
// is already past.
func TestGSD42_CompleteFindsThePhase(t *testing.T) {
	t.Parallel()
	with := func(line string) *world {
		return withDigest(t, strings.Replace(planned, "Phase: 1 of 2 (Core)", line, 1))
	}
	for line, phase := range map[string]string{
		"Phase: 3 — Storage (executing)": "3", "Phase: 3 of 5 (Storage)": "3", "Phase: PROJ-42 of 50 (Storage)": "42",
		"Phase: 4.5 — COMPLETE": "4.5",
	} {
		w := with(line)
		out := w.step(digests.TransitionRequest{Event: "complete", Force: true})
		if !strings.HasSuffix(out.Phase, phase) || out.ActivePhase != "" {
			t.Errorf("%s: completed %q", line, out.Phase)
		}
	}
	for _, line := range []string{"Phase: Milestone v0.5 complete", "Phase: phase", "Phase:"} {
		w := with(line)
		before := w.planned()
		if out, err := w.as("a").Digests.Transition(t.Context(), digests.TransitionRequest{Event: "complete"}); err == nil ||
			w.planned() != before {
			t.Errorf("%s: completed %q", line, out.Phase)
		}
	}
	if out := with("Phase: 3 of 5 (Storage)").step(digests.TransitionRequest{Event: "complete", Phase: "5", Force: true}); out.Phase !=
		"5" {
		t.Errorf("completed %q, not the phase that was named", out.Phase)
	}
	w := with("Phase: 3 of 5 (Storage)")
	w.write(".planning/ROADMAP.md", "# Roadmap\n\n## v1.0 Core\n\n### Phase 2: Base\n\n### Phase 3: Storage\n")
	before := w.planned()
	if out := w.step(digests.TransitionRequest{Event: "complete", Phase: "2"}); !out.Superseded || w.planned() != before {
		t.Errorf("a phase that was passed: %+v\n%s", out, w.planned())
	}
}

// GSD-43: a step replaces a status that a program wrote, but not one that only begins like it. A position without
// labels gets them.
func TestGSD43_WhichStatusIsReplaced(t *testing.T) {
	t.Parallel()
	for status, yields := range map[string]bool{
		"Complete ✓": true, "complete ✅": true, "Planning Phase 1": true, "Ready to plan": true, "In progress": true,
		"Complete but needs QA": false, "Planning with Kim": false, "blocked on API key": false,
	} {
		w := withDigest(t, strings.Replace(planned, "Status: Ready to execute", "Status: "+status, 1))
		out := w.step(digests.TransitionRequest{Event: "plan", Phase: "1", Done: true})
		got := w.planned()
		if strings.Contains(got, "Status: "+status+"\n") == yields {
			t.Errorf("%s: yields %v:\n%s", status, !yields, got)
		}
		kept := slices.ContainsFunc(out.Preserved, func(p digests.Preserved) bool { return p.Value == status })
		if kept == yields {
			t.Errorf("%s: preserved %v", status, out.Preserved)
		}
		if !strings.Contains(got, "\nstatus: executing\n") || !strings.Contains(got, "next_action: execute-phase") {
			t.Errorf("%s: the front matter was not written:\n%s", status, got)
		}
	}
	w := withDigest(t, "---\nstatus: planning\n---\n\n# Project State\n\n## Current Position\n\nWe are somewhere.\n")
	w.step(digests.TransitionRequest{Event: "plan", Phase: "1", Done: true})
	if got := w.planned(); !strings.Contains(got, "We are somewhere.\n") || !strings.Contains(got, "Status: Ready to execute") {
		t.Errorf("a position without labels:\n%s", got)
	}
}

// GSD-48: a new milestone leaves everything outside the position as it is, and needs no position.
func TestGSD48_MilestoneKeepsTheBody(t *testing.T) {
	t.Parallel()
	extra := "\n## House rules\n\nStatus: of the house\n\n## Session Continuity\n\nStopped at: plan 3\n"
	for name, text := range map[string]string{
		"with a position": planned + extra, "without": "---\nstatus: planning\nowner: reader\n---\n\n# Project State\n" + extra,
	} {
		w := withDigest(t, text)
		w.step(digests.TransitionRequest{Event: "milestone", Version: "v2.0", Name: "Speed"})
		got := w.planned()
		if !strings.Contains(got, "milestone: v2.0\n") || !strings.Contains(got, "milestone_name: Speed\n") {
			t.Errorf("%s: no milestone in\n%s", name, got)
		}
		if !strings.Contains(got, extra) {
			t.Errorf("%s: the body changed:\n%s", name, got)
		}
		if name == "without" && !strings.Contains(got, "owner: reader\n") {
			t.Errorf("a key is gone:\n%s", got)
		}
	}
}

// GSD-74: an empty block is not front matter; the end of a block is searched from the third line on.
func TestGSD74_EmptyBlock(t *testing.T) {
	t.Parallel()
	w := withDigest(t, "---\n---\n\n# Project State\n\nStatus: Executing Phase 1\n")
	if m := must(w.as("a").Digests.State(t.Context()))(t).GSD; m.Status != "executing" || m.Milestone != "" {
		t.Errorf("without front matter: %+v", m)
	}
	w = withDigest(t, "---\n---\nmilestone: v3.0\n---\n\n# Project State\n")
	if m := must(w.as("a").Digests.State(t.Context()))(t).GSD; m.Milestone != "v3.0" {
		t.Errorf("the block that ends on the fourth line: %+v", m)
	}
	must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "choice"}))(t)
	if got := w.planned(); !strings.HasPrefix(got, "---\n---\n") || strings.Count(got, "milestone: v3.0\n") != 1 {
		t.Errorf("after a change:\n%s", got)
	}
}
