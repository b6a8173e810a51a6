package gsd

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/digest"
	"baton/internal/digest/phases"
	"baton/internal/markdown"
)

func TestNewDigest(t *testing.T) {
	t.Parallel()
	text := New(Planning, moment, "Tide board")
	if n := digest.SizeOf(text).Lines; n >= 80 {
		t.Errorf("the template has %d lines", n)
	}
	d := Parse(text)
	m := d.Model()
	if m.Status != "planning" || m.StatusRaw != "planning" || m.StatusBody != "Ready to plan" || m.Version != "1.0" {
		t.Errorf("status is read as %+v", m)
	}
	if m.Position.Phase != "" || m.Session.StoppedAt != "" || m.CurrentPhase != "" || m.ActivePhase != "" {
		t.Errorf("values in brackets are read: %+v %+v", m.Position, m.Session)
	}
	if len(m.Blockers)+len(m.Todos) != 0 || m.LastActivity != "2026-08-10" || *m.Progress.Percent != 0 {
		t.Errorf("the model is %+v", m)
	}
	for _, f := range d.Findings() {
		if f.Code != "unfilled_template" {
			t.Errorf("finding %+v", f)
		}
	}
	for _, title := range []string{
		"Project Reference", "Current Position", "Performance Metrics", "Accumulated Context", "Decisions",
		"Pending Todos", "Blockers/Concerns", "Deferred Items", "Session Continuity",
	} {
		if d.titled(2, 3, title) < 0 {
			t.Errorf("there is no section %q", title)
		}
	}
	if n := len(d.md.Tables(markdown.Span{Start: 0, End: len(text)})); n != 2 {
		t.Errorf("%d tables, want 2", n)
	}
	for _, part := range []string{
		"\nSee: .planning/PROJECT.md (Tide board)\n", "\n\nProgress: [", "|-------|-------|-------|----------|\n| - | - | - | - |\n",
		"- Trend: -\n\n*",
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("there is no %q", part)
		}
	}
}

// baton's own digest begins without phases, percentages and values to fill in, because a project of tasks does not need
// them.
func TestNewOwnDigest(t *testing.T) {
	t.Parallel()
	text := New(Own, moment, "Tide board")
	d := Parse(text)
	m := d.Model()
	if m.Version != "1.0" || m.StatusRaw != "" || m.Progress.Percent != nil || m.LastActivity != "" {
		t.Errorf("the model is %+v", m)
	}
	if len(m.Blockers)+len(m.Todos)+len(d.Findings()) != 0 || strings.ContainsAny(string(text), "[]") {
		t.Errorf("%+v %v\n%s", m, d.Findings(), text)
	}
	if !strings.Contains(string(text), "### Decisions\n| Date | Phase | Decision |\n") {
		t.Errorf("there is no table of decisions:\n%s", text)
	}
}

// A project's life that begins with the template: every value was written by a program, so all are replaced.
func TestNewDigestLives(t *testing.T) {
	t.Parallel()
	text := New(Own, moment, "")
	f := phases.Facts{Bounded: true}
	for _, s := range []Step{
		{Event: "begin", Phase: "1", Name: "Core", Stage: "discuss"},
		{Event: "begin", Phase: "1", Stage: "discuss", Done: true},
		{Event: "plan", Phase: "1"},
		{Event: "plan", Phase: "1", Done: true, Plans: 2},
		{Event: "begin", Phase: "1"},
		{Event: "begin", Phase: "1", Done: true},
		{Event: "verify"},
		{Event: "verify", Passed: true},
		{Event: "pause", Text: "lunch"},
		{Event: "resume"},
		{Event: "milestone", Version: "v2.0", Name: "Next"},
	} {
		e, err := Parse(text).Transition(s, f, moment)
		if err != nil || len(e.Preserved) > 0 || bytes.Equal(e.Text, text) {
			t.Fatalf("%+v: %v, preserved %v, changed %v", s, err, e.Preserved, e.Changed)
		}
		text = e.Text
	}
	m := Parse(text).Model()
	if m.Milestone != "v2.0" || m.MilestoneName != "Next" || m.Status != "planning" || m.StatusBody != "Defining requirements" {
		t.Errorf("the end is %+v", m)
	}
}
