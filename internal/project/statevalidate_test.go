package project

import (
	"context"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

func (w *world) validate() digests.StateValidation {
	w.t.Helper()
	before := w.files()
	out, err := w.as("agent-1").Digests.StateValidate(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	if len(w.files()) != len(before) {
		w.t.Error("validating left a file")
	}
	return out
}

func TestGSD47_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		turn  func(w *world)
		code  report.Code // that must be there; "" for no warning or error
		valid bool
	}{
		{"in order", func(w *world) { w.sync(digests.StateSyncRequest{}) }, "", true},
		{"NUL byte", func(w *world) { w.write(".planning/STATE.md", digestText+"a\x00b\n") }, "nul", false},
		{"conflict markers", func(w *world) {
			w.write(".planning/STATE.md", digestText+"\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n")
		}, "conflict_markers", false},
		{"verification passed", func(w *world) {
			w.write(".planning/STATE.md", strings.NewReplacer(
				"status: planning", "status: executing", "Status: Ready to plan", "Status: Executing Phase 1",
			).Replace(digestText))
		}, "status_drift", true},
		{"progress", func(w *world) {}, "progress_drift", true},
		{"count of plans", func(w *world) {
			w.write(".planning/STATE.md", strings.Replace(digestText, "Plan: Not started", "Plan: 1 of 9 in current phase", 1))
		}, "plan_count_drift", true},
		{"action in flight", func(w *world) {
			w.write(".planning/STATE.md", strings.Replace(
				digestText, "status: planning\n", "status: planning\nactive_phase: \"1\"\nnext_action: plan-phase\nnext_phases: [\"1\"]\n",
				1,
			))
		}, "lifecycle_conflict", false},
		{"unbounded", func(w *world) {
			w.write(".planning/STATE.md", strings.Replace(digestText, "milestone: v1.0", "milestone: v7.0", 1))
		}, "milestone_unbounded", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := gsdWorld(t)
			tt.turn(w)
			out := w.validate()
			if out.Valid != tt.valid || out.Layout != workspace.LayoutGSD || out.Size.Lines == 0 {
				t.Errorf("%+v", out)
			}
			if tt.code != "" && !hasCode(out.Findings, tt.code) {
				t.Errorf("no %s in %+v", tt.code, out.Findings)
			}
			for _, f := range out.Findings {
				if f.Path == "" || f.Text == "" || tt.code == "" && f.Severity != report.Info {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// The differences that validate finds are those that sync --check would change, and a sync removes all of them.
func TestValidateAgreesWithSync(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	drift := []string{"progress_drift", "percent_stale", "next_stale", "plan_count_drift"}
	found := 0
	for _, code := range drift {
		if hasCode(w.validate().Findings, report.Code(code)) {
			found++
		}
	}
	if found == 0 {
		t.Error("nothing is said to have drifted")
	}
	w.sync(digests.StateSyncRequest{})
	for _, code := range drift {
		if out := w.validate(); hasCode(out.Findings, report.Code(code)) {
			t.Errorf("%s is left after a sync: %+v", code, out.Findings)
		}
	}
}

func TestValidateOtherLayouts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(
		".specflow/STATE.md",
		"# State\n\n## Current Position\n\n- **Active Specification:** SPEC-001\n- **Status:** dreaming\n\n## Queue\n\n## Decisions\n\n",
	)
	if out := w.validate(); out.Layout != workspace.LayoutSpecflow || !hasCode(out.Findings, "unknown_status") || !out.Valid {
		t.Errorf("%+v", out)
	}
	w = newWorld(t)
	w.write(".baton/STATE.md", digestText+strings.Repeat("\nmore and more\n", 60))
	if out := w.validate(); out.Layout != workspace.LayoutBaton || len(out.Findings) == 0 {
		t.Errorf("%+v", out)
	}
	_, err := newWorld(t).as("agent-1").Digests.StateValidate(context.Background())
	wantError(t, err, report.NotFound, "no_digest")
}

func TestMetric(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	ctx := context.Background()
	got, err := w.as("agent-1").Digests.Metric(ctx, digests.MetricRequest{Phase: "2", Plan: "3", Duration: "12m", Tasks: 4, Files: -1})
	if err != nil || len(got.Changed) == 0 {
		t.Fatal(got, err)
	}
	_, body := w.stateLines()
	if !strings.Contains(strings.Join(body, "\n"), "12m") {
		t.Errorf("%s", body)
	}
	for _, r := range []digests.MetricRequest{
		{Plan: "1", Duration: "1m"}, {Phase: "1", Duration: "1m"}, {Phase: "1", Plan: "1", Duration: " "},
	} {
		_, err := w.as("agent-1").Digests.Metric(ctx, r)
		wantError(t, err, report.Usage, "metric_incomplete")
	}
}

func TestEndDigestSession(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	got, err := w.as("agent-1").Digests.EndDigestSession(
		context.Background(), digests.DigestSessionRequest{StoppedAt: "the crane stands", ResumeFile: ".planning/.continue-here.md"},
	)
	if err != nil || len(got.Changed) == 0 {
		t.Fatal(got, err)
	}
	_, body := w.stateLines()
	needLines(t, "body", body, "Stopped at: the crane stands", "Resume file: .planning/.continue-here.md", "- [Phase 1]: Tar over paint")
}
