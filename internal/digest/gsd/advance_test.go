package gsd

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/digest/phases"
	"baton/internal/report"
)

// feed is a digest whose phase 3 has work at plan 1 of 3.
const feed = `---
gsd_state_version: 1.0
status: executing
current_phase: 3
last_updated: "2026-08-09T17:02:11.000Z"
last_activity: 2026-08-09
---

# Harbour tide board

## Current Position

Phase: 3 of 5 (Gauge feed)
Plan: 1 of 3 in current phase
Status: Executing Phase 3
Last activity: 2026-08-09
`

// gauges are the phases with a third one that has three plans, so many of them with a summary.
func gauges(summaries int) phases.Facts {
	return phases.Facts{Phases: []phases.Phase{{ID: "3", Name: "Gauge feed", Plans: 3, Summaries: summaries}}}
}

func TestGSD35_Advance(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 8, 10, 9, 23, 45, 250_000_000, time.UTC)
	last := strings.Replace(feed, "Plan: 1 of 3", "Plan: 3 of 3", 1)
	active := strings.Replace(last, "status: executing\n", "status: executing\nactive_phase: \"3\"\nnext_action: null\n", 1)
	apart := "# Bee ledger\n\n**Current Phase:** 2\n**Current Plan:** 1\n**Total Plans in Phase:** 3\n" +
		"**Status:** Ready to execute\n**Last Activity:** 2026-08-05\n**Last Activity Description:** weighed hive nine\n"
	cases := []struct {
		name, text string
		facts      phases.Facts
		force      bool
		change     []string // old and new texts in turn
		want       Advanced
	}{
		{"compound", feed, gauges(1), false, []string{
			"Plan: 1 of", "Plan: 2 of", "Executing Phase 3", "Ready to execute", "activity: 2026-08-09", "activity: 2026-08-10",
			"last_activity: 2026-08-09", "last_activity: 2026-08-10", "09T17:02:11.000Z", "10T09:23:45.250Z",
		}, Advanced{Was: 1, Plan: 2, Plans: 3}},
		{
			"the zeros of the number are dropped, the rest of the line stays", strings.Replace(feed, "1 of 3 in", "01 of 03 done in", 1),
			phases.Facts{},
			false,
			[]string{
				"01 of 03 done", "2 of 03 done", "Executing Phase 3", "Ready to execute", "activity: 2026-08-09", "activity: 2026-08-10",
				"last_activity: 2026-08-09", "last_activity: 2026-08-10", "09T17:02:11.000Z", "10T09:23:45.250Z",
			},
			Advanced{Was: 2, Plan: 3, Plans: 3},
		},
		{"the folder knows how many plans there are", strings.Replace(feed, "1 of 3", "1 of ?", 1), gauges(0), false, []string{
			"Plan: 1 of ?", "Plan: 2 of 3", "Executing Phase 3", "Ready to execute", "activity: 2026-08-09", "activity: 2026-08-10",
			"last_activity: 2026-08-09", "last_activity: 2026-08-10", "09T17:02:11.000Z", "10T09:23:45.250Z",
		}, Advanced{Was: 1, Plan: 2, Plans: 3}},
		{"older fields", apart, phases.Facts{}, false, []string{
			"Plan:** 1", "Plan:** 2", "2026-08-05", "2026-08-10",
		}, Advanced{Was: 1, Plan: 2, Plans: 3}},
		{
			"a table", "# L\n\n| Field | Value |\n|---|---|\n| Current Plan | 1 |\n| Total Plans in Phase | 2 |\n",
			phases.Facts{},
			false,
			[]string{"| Current Plan | 1 |", "| Current Plan | 2 |"},
			Advanced{Was: 1, Plan: 2, Plans: 2},
		},
		{"last plan", last, gauges(3), false, []string{
			"status: executing", "status: verifying", "Executing Phase 3", "Phase complete — ready for verification",
			"activity: 2026-08-09", "activity: 2026-08-10", "last_activity: 2026-08-09", "last_activity: 2026-08-10",
			"09T17:02:11.000Z", "10T09:23:45.250Z",
		}, Advanced{Was: 3, Plan: 3, Plans: 3, Last: true}},
		{"last plan of an active phase", active, gauges(3), false, []string{
			"status: executing", "status: verifying", "active_phase: \"3\"\n", "", "next_action: null",
			"next_action: verify-phase", "Executing Phase 3", "Phase complete — ready for verification", "activity: 2026-08-09",
			"activity: 2026-08-10", "last_activity: 2026-08-09", "last_activity: 2026-08-10", "09T17:02:11.000Z", "10T09:23:45.250Z",
		}, Advanced{Was: 3, Plan: 3, Plans: 3, Last: true}},
		{
			"a phase that is being verified is not set back", strings.NewReplacer("1 of 3", "3 of 3", "status: executing",
				"status: verifying", "Executing", "Verifying").Replace(feed), gauges(3), false, nil,
			Advanced{Was: 3, Plan: 3, Plans: 3, Last: true},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse([]byte(c.text)).Advance(c.facts, c.force, now)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.NewReplacer(c.change...).Replace(c.text), string(got.Text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.want, Advanced{Was: got.Was, Plan: got.Plan, Plans: got.Plans, Last: got.Last}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := Parse(got.Text).Advance(c.facts, c.force, now)
			if c.want.Last && (err != nil || string(again.Text) != string(got.Text)) {
				t.Errorf("a second time it wrote\n%s\n%v", again.Text, err)
			}
		})
	}
}

func TestGSD35_AdvanceKeepsWhatAPersonWrote(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("Status: Executing Phase 3", "Status: Waiting for the float valve", "activity: 2026-08-09\n",
		"activity: 2026-08-09 — wired the gauge\n", "status: executing", "status: Waiting for the float valve").Replace(feed)
	got, err := Parse([]byte(text)).Advance(gauges(1), false, time.Date(2026, 8, 10, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("Plan: 1", "Plan: 2", "09T17:02:11.000Z", "10T09:00:00.000Z").Replace(text)
	if diff := cmp.Diff(want, string(got.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(got.Preserved) != 2 || got.Preserved[0].Old != "Waiting for the float valve" {
		t.Errorf("preserved: %+v", got.Preserved)
	}
	if got, err = Parse([]byte(text)).Advance(gauges(1), true, moment); err != nil ||
		!strings.Contains(string(got.Text), "\nStatus: Ready to execute\n") ||
		!strings.Contains(string(got.Text), "\nstatus: executing\n") {
		t.Errorf("forced: %v\n%s", err, got.Text)
	}
}

func TestGSD35_AdvanceIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		facts      phases.Facts
		want       report.Code
	}{
		{"no counter", "# T\n\n## Current Position\n\nPhase: 3\nPlan: Not started\n", gauges(0), report.CodeFieldUnknown},
		{"no total", "# T\n\n## Current Position\n\nPhase: 4\nPlan: 1\n", gauges(0), report.CodeFieldUnknown},
		{"open plans", strings.Replace(feed, "1 of 3", "3 of 3", 1), gauges(2), report.CodePhaseIncomplete},
	} {
		_, err := Parse([]byte(c.text)).Advance(c.facts, false, moment)
		if e := report.As(err); err == nil || e.Code != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
