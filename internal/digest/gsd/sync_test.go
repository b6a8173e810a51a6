package gsd

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/digest/phases"
	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
)

func syncOf(t *testing.T, text string, f phases.Facts, todos *int) Edited {
	t.Helper()
	d := Parse([]byte(text))
	e, err := d.Sync(f, d.Recommend(f), todos, SyncOptions{Now: moment})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestD22_SyncWritesWhatDrifted(t *testing.T) {
	t.Parallel()
	e := syncOf(t, millText, pressed(), nil)
	want := swap(t, millText, "completed_phases: 1", "completed_phases: 2", "completed_plans: 4", "completed_plans: 5", "percent: 33\n",
		"percent: 67\nlast_updated: \"2026-08-10T09:23:45.250Z\"\n",
		"Plan: 2 of 3", "Plan: 3 of 3", "[███░░░░░░░] 33%", "[██████░░░░] 67%")
	if got := string(e.Text); got != want {
		t.Error(cmp.Diff(want, got))
	}
	if again := syncOf(t, want, pressed(), nil); !bytes.Equal(again.Text, e.Text) || len(again.Changed) > 0 {
		t.Errorf("a second time: %v", again.Changed)
	}
}

func TestGSDD16_CompletedCountsStay(t *testing.T) {
	t.Parallel()
	f := mill()
	f.CompletedPhases, f.CompletedPlans, f.TotalPlans, f.TotalPhases = 0, 2, 4, 2
	f.Percent = phases.Percent(2, 4, 0, 2)
	d := Parse([]byte(millText))
	e, err := d.Sync(f, phases.Next{}, nil, SyncOptions{Now: moment})
	m := Parse(e.Text).Model().Progress
	if err != nil || *m.CompletedPhases != 1 || *m.CompletedPlans != 4 || *m.TotalPlans != 4 || *m.TotalPhases != 2 || *m.Percent != 50 {
		t.Errorf("%v %+v", err, m)
	}
	if len(e.Findings) != 1 || e.Findings[0].Code != "completed_decrease" {
		t.Errorf("%+v", e.Findings)
	}
	e, err = d.Sync(f, phases.Next{}, nil, SyncOptions{Now: moment, AllowDecrease: true})
	if m = Parse(e.Text).Model().Progress; err != nil || *m.CompletedPhases != 0 || *m.CompletedPlans != 2 || *m.Percent != 0 ||
		len(e.Findings) > 0 {
		t.Errorf("allowed: %v %+v %+v", err, m, e.Findings)
	}
}

func TestGSD20_TotalsMayGoDown(t *testing.T) {
	t.Parallel()
	f := mill()
	f.TotalPhases, f.TotalPlans = 2, 4
	f.Percent = phases.Percent(4, 4, 1, 2)
	e := syncOf(t, millText, f, nil)
	if m := Parse(e.Text).Model().Progress; *m.TotalPhases != 2 || *m.TotalPlans != 4 || *m.Percent != 50 || len(e.Findings) > 0 {
		t.Errorf("%+v %+v", m, e.Findings)
	}
}

func TestGSD17_ThePlaceholderIsNoName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ stored, derived, want string }{
		{"Wet end", "milestone", "Wet end"},
		{"Wet end", "— a fragment", "Wet end"},
		{"Wet end", "- x", "Wet end"},
		{"Wet end", "Other", "Wet end"},
		{"milestone", "Wet end", "Wet end"},
		{"milestone", ": x", "milestone"},
		{"null", "Wet end", "Wet end"},
	} {
		text := swap(t, millText, "status:", "milestone: v1.2\nmilestone_name: "+c.stored+"\nstatus:")
		f := mill()
		f.MilestoneName = c.derived
		if m := Parse(syncOf(t, text, f, nil).Text).Model(); m.MilestoneName != c.want || m.Milestone != "v1.2" {
			t.Errorf("%+v: %q", c, m.MilestoneName)
		}
	}
}

func TestGSD18_TheBodyWinsWhereItSpeaks(t *testing.T) {
	t.Parallel()
	text := swap(t, board, "Phase: 3 of 5 (Gauge feed)", "Phase: 4 of 5 (Press room)", "Plan: 2 of 3 in current phase\n", "",
		"current_phase: 3", "current_phase: 3\ncurrent_plan: 2")
	m := Parse(syncOf(t, text, phases.Facts{Bounded: true}, nil).Text).Model()
	if m.CurrentPhase != "4" || m.CurrentPhaseName != "Press room" || m.CurrentPlan != "2" {
		t.Errorf("%+v", m)
	}
	text = swap(t, board, "Phase: 3 of 5 (Gauge feed)\nPlan: 2 of 3 in current phase\n", "")
	e := syncOf(t, text, phases.Facts{Bounded: true}, nil)
	if m = Parse(e.Text).Model(); m.CurrentPhase != "3" || m.CurrentPhaseName != "Gauge feed" || *m.Progress.Percent != 40 ||
		string(e.Text) != text {
		t.Errorf("what the body lost: %+v", m)
	}
}

func TestGSD33_OnePercentageEverywhere(t *testing.T) {
	t.Parallel()
	text := swap(t, millText, "33%", "100% (all of it)")
	f := mill()
	f.CompletedPhases, f.CompletedPlans = 0, 0
	f.Percent = phases.Percent(0, 5, 0, 3)
	d := Parse([]byte(text))
	e, err := d.Sync(f, phases.Next{}, nil, SyncOptions{Now: moment, AllowDecrease: true})
	if m := Parse(e.Text).Model(); err != nil || *m.Progress.Percent != 0 || m.Position.Progress != "[░░░░░░░░░░] 0% (all of it)" {
		t.Errorf("%v %+v %q", err, m.Progress, m.Position.Progress)
	}
}

func TestGSD34_TheSuffixOfProgressStays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, want string }{
		{"[███░░░░░░░] 33% (1/3 phases)", "[██████░░░░] 67% (1/3 phases)"},
		{"33%", "[██████░░░░] 67%"},
		{"[..........] 5%", "[██████░░░░] 67%"},
		{"[######] 67% done", "[######] 67% done"},
		{"2/4 plans in phase 2", "2/4 plans in phase 2"},
		{"[bar]", "[██████░░░░] 67%"},
	} {
		e := syncOf(t, swap(t, millText, "[███░░░░░░░] 33%", c.old), pressed(), nil)
		if got := Parse(e.Text).Model().Position.Progress; got != c.want {
			t.Errorf("%q: %q", c.old, got)
		}
	}
}

func TestGSD31_AMilestoneThatCannotBeFound(t *testing.T) {
	t.Parallel()
	f := pressed()
	f.Bounded, f.Percent = false, nil
	e := syncOf(t, millText, f, nil)
	if m := Parse(e.Text).Model(); m.Progress.Percent != nil || m.Position.Progress != "[███░░░░░░░] 33%" ||
		*m.Progress.CompletedPlans != 5 {
		t.Errorf("%+v", m.Progress)
	}
	if len(e.Findings) != 1 || e.Findings[0].Code != "milestone_unbounded" {
		t.Errorf("%+v", e.Findings)
	}
	// Without a folder of phases, nothing says that there are fewer plans.
	f = phases.Facts{Milestone: "v1.2", Bounded: true, TotalPhases: 3, Phases: []phases.Phase{{ID: "1"}, {ID: "2"}, {ID: "3"}}}
	if got := Parse(syncOf(t, millText, f, nil).Text).Model().Progress; !cmp.Equal(got, Parse([]byte(millText)).Model().Progress) {
		t.Errorf("%+v", got)
	}
	// Where not even its phases are known, the counts of before stay; only the percentage goes.
	e = syncOf(t, millText, phases.Facts{HasPhases: true, Milestone: "v9.0"}, nil)
	want := Parse([]byte(millText)).Model().Progress
	want.Percent = nil
	if got := Parse(e.Text).Model().Progress; !cmp.Equal(got, want) || len(e.Findings) != 1 {
		t.Errorf("%+v %v", e.Findings, cmp.Diff(want, got))
	}
}

func TestSyncAndTheNextStep(t *testing.T) {
	t.Parallel()
	flying := mustSet(t, mustSet(t, millText, "fm:next_action", "plan-phase"), "active_phase", "2")
	if m := Parse(syncOf(t, flying, mill(), nil).Text).Model(); m.NextAction != "" || m.NextPhases != nil || m.ActivePhase != "2" {
		t.Errorf("in flight: %+v", m)
	}
	done := pressed()
	done.Phases[2].Checked = true
	done.Phases[1].Checked = true
	text := mustSet(t, mustSet(t, millText, "next_action", "plan-phase"), "next_phases", "2")
	if m := Parse(syncOf(t, text, done, nil).Text).Model(); m.NextAction != "" || m.NextPhases != nil {
		t.Errorf("nothing to do: %+v", m)
	}
}

func TestD39_PendingTodos(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		old  string
		n    int
		want string
	}{
		{"None yet.", 3, "3 pending, see todos/pending/"},
		{"3 pending, see todos/pending/", 4, "4 pending, see todos/pending/"},
		{"3 pending, see todos/pending/", 0, "None yet."},
		{"None", 0, "None"},
		{"- None.", 1, "- 1 pending, see todos/pending/"},
		{"- call the glazier", 2, "- call the glazier"},
		{"3 pending, the rest is in todos/pending/ since Monday", 2, "3 pending, the rest is in todos/pending/ since Monday"},
	} {
		text := "## Accumulated Context\n\n### Pending Todos\n\n" + c.old + "\n\n### Other\n\nNone yet.\n"
		if got, want := string(syncOf(t, text, phases.Facts{Bounded: true}, &c.n).Text), strings.Replace(text, c.old, c.want,
			1); got != want {
			t.Errorf("%s", cmp.Diff(want, got))
		}
	}
	if got := syncOf(t, "## Pending Todos\n\nNone yet.\n", phases.Facts{Bounded: true}, nil); len(got.Changed) > 0 {
		t.Error("without a folder")
	}
}

func TestSyncWhereProgressIsAValue(t *testing.T) {
	t.Parallel()
	text := "---\nstatus: planning\nprogress: 65\n---\n\nPhase: 2\n"
	e := syncOf(t, text, mill(), nil)
	if !strings.Contains(string(e.Text), "progress: 65\n") || len(e.Findings) == 0 {
		t.Errorf("%s %+v", e.Text, e.Findings)
	}
	for _, value := range []string{"", " null", " {}"} {
		e = syncOf(t, "---\nstatus: planning\nprogress:"+value+"\nx: 1\n---\n", mill(), nil)
		if !strings.Contains(string(e.Text), "\nprogress:\n  total_phases: 3\n  completed_phases: 1\n  total_plans: 5\n  "+
			"completed_plans: 4\n  percent: 33\nx: 1\n") {
			t.Errorf("%q:\n%s", value, e.Text)
		}
	}
	// baton never puts a comment between progress and its first key.
	e = syncOf(t, "---\nprogress:\n  # reckoned\n  percent: 33\n---\n", mill(), nil)
	if !strings.Contains(string(e.Text), "progress:\n  total_phases: 3\n") || ReadHead(e.Text).TotalPhases != "3" {
		t.Errorf("%s", e.Text)
	}
}

func codes(list []report.Finding) map[string]report.Finding {
	out := map[string]report.Finding{}
	for _, f := range list {
		out[string(f.Code)] = f
	}
	return out
}

func TestFindingsOfTheDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code, text string
		line       int
		severity   report.Severity
	}{
		{"frontmatter_invalid", "---\nstatus: planning\nlast_activity: a: b\n---\n", 3, report.Warning},
		{"frontmatter_unterminated", "---\nstatus: planning\nmilestone: v1\n\n", 1, report.Warning},
		{"stacked_frontmatter", "---\nstatus: planning\n---\n---\na: 1\n---\n", 4, report.Warning},
		{"lifecycle_conflict", "---\nstatus: executing\nactive_phase: 3\nnext_action: plan-phase\n---\n", 3, report.Severe},
		{"status_ambiguous", "---\nstatus: Abandoned plan\n---\n", 2, report.Warning},
		{"status_ambiguous", "## Current Position\n\nStatus: we are nearly done with all of the things\n", 3, report.Warning},
		{"unknown_status", "---\nstatus: in review\n---\n", 2, report.Info},
		{"unclosed_fence", "# P\n\n```\n## Current Position\n", 3, report.Warning},
		{"duplicate_section", "## Current Position\n\nx\n\n## current  position\n", 5, report.Warning},
		{"unfilled_template", "## Current Position\n\nStatus: Planning\nPhase: [X] of [Y]\n", 4, report.Info},
	} {
		f, ok := codes(Parse([]byte(c.text)).Findings())[c.code]
		if !ok || f.Line != c.line || f.Severity != c.severity || f.Text == "" {
			t.Errorf("%s in %q: %+v", c.code, c.text, f)
		}
	}
	if got := Parse([]byte(board)).Findings(); len(got) > 0 {
		t.Errorf("a sound file: %+v", got)
	}
}

func TestFindingsWithFacts(t *testing.T) {
	t.Parallel()
	synced := string(syncOf(t, millText, mill(), nil).Text)
	if got := Parse([]byte(synced)).Findings(mill()); len(got) > 0 {
		t.Fatalf("in step: %+v", got)
	}
	unbounded, passed := mill(), pressed()
	unbounded.Bounded, unbounded.Percent = false, nil
	passed.Phases[1].Verification = "passed"
	fewer := mill()
	fewer.CompletedPlans = 1
	for _, c := range []struct {
		code, text string
		f          phases.Facts
		line       bool
	}{
		{"percent_stale", swap(t, synced, "percent: 33", "percent: 34"), mill(), true},
		{"percent_stale", swap(t, synced, "] 33%", "] 34%"), mill(), true},
		{"progress_drift", synced, pressed(), true},
		{"plan_count_drift", swap(t, synced, "Plan: 3 of 3", "Plan: 1 of 2"), mill(), true},
		{"completed_decrease", synced, fewer, true},
		{"next_stale", mustSet(t, mustSet(t, synced, "next_action", "verify-phase"), "next_phases", "3"), mill(), true},
		{"status_drift", swap(t, synced, "status: planning", "status: executing"), passed, true},
		{"phase_unknown", mustSet(t, synced, "active_phase", "99"), mill(), false},
		{"milestone_unbounded", synced, unbounded, false},
	} {
		f, ok := codes(Parse([]byte(c.text)).Findings(c.f))[c.code]
		if !ok || f.Severity != report.Warning || c.line && f.Line == 0 {
			t.Errorf("%s: %v %+v", c.code, ok, f)
		}
	}
}
