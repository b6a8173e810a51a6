package statusline

import (
	"strings"
	"testing"

	"baton/internal/digest/gsd"
)

// digestOf reads a digest as the status line does.
func digestOf(text string) *gsd.Head {
	s := gsd.ReadHead([]byte(text))
	s.Lift([]byte(text))
	return &s
}

// front returns a digest with this front matter and a body.
func front(lines ...string) *gsd.Head {
	return digestOf("---\n" + strings.Join(lines, "\n") + "\n---\n\n# T\n\n## Current Position\n\nPhase: 3 of 5 (Gauge feed)\nStatus: " +
		"Ready to plan\n")
}

// stateOf returns the state part of the line, between the model and the folder.
func stateOf(t *testing.T, s *gsd.Head, format string) string {
	t.Helper()
	line := Line(Input{Model: "M"}, Facts{Dir: "d", Digest: GSD, State: s}, Options{Format: format, NoColor: true})
	middle, ok := strings.CutSuffix(strings.TrimPrefix(line, "M"), " │ d")
	if !ok {
		t.Fatalf("line without its ends: %q", line)
	}
	return strings.TrimPrefix(middle, " │ ")
}

// TestGSDD5_TheFourScenes compares with the exact strings of the schema.
func TestGSDD5_TheFourScenes(t *testing.T) {
	t.Parallel()
	v2 := "milestone: v2.0"
	for _, c := range []struct {
		name  string
		state *gsd.Head
		want  string
	}{
		{
			"1 active phase", front(v2, "status: executing", `active_phase: "4.5"`, "progress:", "  percent: 20"),
			"v2.0 [██░░░░░░░░] 20% · Phase 4.5 executing",
		},
		{"1 without a status", digestOf("---\nmilestone: v2.0\nactive_phase: 4\n---\n"), "v2.0 · Phase 4"},
		{"1 with the body's status", front(v2, "active_phase: 4"), "v2.0 · Phase 4 planning"},
		{
			"1 with a status of one's own", front(v2, "active_phase: 4", "status: Waiting for the glazier"),
			"v2.0 · Phase 4 Waiting for the glazier",
		},
		{
			"2 next step", front(v2, "status: planning", "next_action: execute-phase", `next_phases: ["4.5"]`, "progress:",
				"  percent: 20"), "v2.0 [██░░░░░░░░] 20% · next execute-phase 4.5",
		},
		{"2 several phases", front(v2, "next_action: discuss-phase", "next_phases: [6, 7]"), "v2.0 · next discuss-phase 6/7"},
		{"2 any action", front("next_action: new-milestone", "next_phases: [9]"), "next new-milestone 9"},
		{"3 by percent", front(v2, "status: completed", "progress:", "  percent: 100"), "v2.0 [██████████] 100% · milestone complete"},
		{"3 by counts, without a bar", front(v2, "progress:", "  total_phases: 5", "  completed_phases: 5"), "v2.0 · milestone complete"},
		{
			"4 status and place", front("milestone: v1.9", "milestone_name: Code Quality", "status: executing"),
			"v1.9 Code Quality · executing · Gauge feed (3/5)",
		},
		{
			"4 without a name", digestOf("---\nmilestone: v1.9\nmilestone_name: Code Quality\nstatus: executing\n---\nPhase: 1 of 5\n"),
			"v1.9 Code Quality · executing · ph 1/5",
		},
		{
			"4 with a bar", front(v2, "status: executing", "progress:", "  percent: 44"),
			"v2.0 [████░░░░░░] 44% · executing · Gauge feed (3/5)",
		},
		{"4 with the body's status", front(v2), "v2.0 · planning · Gauge feed (3/5)"},
		{"4 nothing at all", digestOf("# Title\n"), ""},
	} {
		if got := stateOf(t, c.state, "full"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestGSD56_OrderOfScenes(t *testing.T) {
	t.Parallel()
	all := []string{"active_phase: 7", "next_action: plan-phase", "next_phases: [8]", "status: x", "progress:", "  percent: 100"}
	for _, c := range []struct {
		name string
		from int
		want string
	}{
		{"an active phase wins over everything", 0, "Phase 7 x"},
		{"a next step wins over a finished milestone", 1, "next plan-phase 8"},
		{"phases without an action are no next step", 2, "milestone complete"},
	} {
		if got := stateOf(t, front(all[c.from:]...), "full"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, lines := range [][]string{
		{"next_action: plan-phase", "status: s"},
		{"next_action: plan-phase", "next_phases: []", "status: s"},
		{"next_action: plan-phase", "next_phases: null", "status: s"},
		{"next_action: null", "next_phases: [8]", "status: s"},
	} {
		if got := stateOf(t, front(lines...), ""); got != "s · Gauge feed (3/5)" {
			t.Errorf("%v: %q is not scene 4", lines, got)
		}
	}
}

func TestGSD56_NothingIsCompleteAtZeroOfZero(t *testing.T) {
	t.Parallel()
	zero := front("milestone: v1", "status: planning", "progress:", "  total_phases: 0", "  completed_phases: 0", "  percent: 0")
	if got := stateOf(t, zero, ""); got != "v1 [░░░░░░░░░░] 0% · planning · Gauge feed (3/5)" {
		t.Error(got)
	}
}

func TestGSD56_PercentIsClampedInTheBar(t *testing.T) {
	t.Parallel()
	for percent, want := range map[string]string{
		"0": "[░░░░░░░░░░] 0%", "9": "[░░░░░░░░░░] 9%", "10": "[█░░░░░░░░░] 10%", "99": "[█████████░] 99%",
		"101": "[██████████] 100%", "99999999999999999999": "[██████████] 100%",
	} {
		got := stateOf(t, front("milestone: v1", "status: s", "progress:", "  percent: "+percent), "")
		if want = "v1 " + want + " · s · Gauge feed (3/5)"; got != want {
			t.Errorf("percent %s: %q, want %q", percent, got, want)
		}
	}
}

func TestGSD56_NullLiterals(t *testing.T) {
	t.Parallel()
	for _, null := range []string{"null", `"null"`, "'null'", "", "null # none"} {
		s := front("milestone: v1", "status: s", "active_phase: "+null, "next_action: "+null, "next_phases: "+null)
		if got := stateOf(t, s, ""); got != "v1 · s · Gauge feed (3/5)" {
			t.Errorf("%q: %q", null, got)
		}
	}
}

func TestGSD56_CRLFAndBlockLists(t *testing.T) {
	t.Parallel()
	text := "---\nmilestone: v1.2\nstatus: planning\nnext_action: discuss-phase\nnext_phases:\n  - \"6\"\n  - 7\n  - '8.1'\nprogress:\n  " +
		"percent: 30\n---\n"
	for _, src := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		if got := stateOf(t, digestOf(src), ""); got != "v1.2 [███░░░░░░░] 30% · next discuss-phase 6/7/8.1" {
			t.Errorf("%q", got)
		}
	}
}

// TestGSDD5_OldFormatByteForByte: the line for a file without lifecycle fields is the same as before these fields
// existed.
func TestGSDD5_OldFormatByteForByte(t *testing.T) {
	t.Parallel()
	body := "\n# T\n\nPhase: 2 of 6 (Glaze queue)\nStatus: Ready to execute\n"
	for _, c := range []struct{ name, text, want string }{
		{
			"version, name, status", "---\nmilestone: v1\nmilestone_name: Kiln\nstatus: executing\n---\n" + body,
			"v1 Kiln · executing · Glaze queue (2/6)",
		},
		{
			"the literal name", "---\nmilestone: v1\nmilestone_name: milestone\nstatus: executing\n---\n" + body,
			"v1 · executing · Glaze queue (2/6)",
		},
		{"name only", "---\nmilestone_name: Kiln\nstatus: executing\n---\n", "Kiln · executing"},
		{"literal name only", "---\nmilestone_name: milestone\nstatus: executing\n---\n", "executing"},
		{
			"counts alone draw no bar",
			"---\nmilestone: v1\nstatus: executing\nprogress:\n  total_phases: 6\n  completed_phases: 1\n---\n" + body,
			"v1 · executing · Glaze queue (2/6)",
		},
		{"a bar needs a milestone", "---\nstatus: executing\nprogress:\n  percent: 40\n---\n", "executing"},
		{"no front matter", "# T\n\nPhase: 2 of 6\nStatus: Executing phase 2\n", "executing · ph 2/6"},
		{"a body status that says nothing known", "# T\n\nPhase: 2 of 6\nStatus: Waiting\n", "ph 2/6"},
		{"archived", "# T\nStatus: Archived last week\n", "complete"},
		{"ready to plan", "# T\nStatus: Ready to plan\n", "planning"},
		{"decimal phase", "---\nstatus: s\n---\nPhase: 2.1 of 6 (Glaze)\n", "s"},
		{"front matter not at the first byte", "\n---\nmilestone: v1\nstatus: s\n---\nPhase: 1 of 2\n", "ph 1/2"},
		{"never closed", "---\nmilestone: v1\nstatus: verifying\n\nPhase: 1 of 2\nStatus: Executing\n", "executing · ph 1/2"},
		{"blank behind the first mark", "--- \nmilestone: v1\n---\nPhase: 1 of 2\n", "ph 1/2"},
		{"quotes", "---\nmilestone: \"v1.2\"\nmilestone_name: 'Tide Tables'\nstatus: \"executing\"\n---\n", "v1.2 Tide Tables · executing"},
		{"the last of two", "---\nstatus: one\nstatus: two\n---\n", "two"},
	} {
		if got := stateOf(t, digestOf(c.text), ""); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestGSD56_CompactForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		state *gsd.Head
		want  string
	}{
		{
			"active phase", front("milestone: v1.2", "milestone_name: N", "status: executing", "active_phase: 3", "progress:",
				"  total_phases: 5", "  percent: 44"), "v1.2 · P3/5 · executing",
		},
		{"phase of the body", front("milestone: v1.2", "status: Ready to execute"), "v1.2 · P3/5 · executing"},
		{"complete", front("milestone: v1.2", "status: x", "progress:", "  percent: 100"), "v1.2 · P3/5 · complete"},
		{
			"an active phase is not complete", front("status: verifying", "active_phase: 9", "progress:", "  percent: 100"),
			"P9/5 · verifying",
		},
		{"paused", front("milestone: v1.2", "status: paused at lunch"), "v1.2 · P3/5 · PAUSED"},
		{"first word", front("status: Glazing—slowly and with care"), "P3/5 · Glazing"},
		{"a long word", front("status: Antidisestablishmentarianism"), "P3/5 · Antidisestablish"},
		{
			"next step", digestOf("---\nmilestone: v2.0\nnext_action: execute-phase\nnext_phases: [4.5, 5]\n---\n"),
			"v2.0 · next execute-phase 4.5/5",
		},
		{"no next step beside a status", digestOf("---\nstatus: planned for May\nnext_action: a\nnext_phases: [4]\n---\n"), "planned"},
		{"no total", digestOf("---\nactive_phase: 4\n---\n"), "P4"},
	} {
		if got := stateOf(t, c.state, "compact"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// D46: lifecycle fields are shown while they are true.
func TestF48_StaleFieldsAreNotShown(t *testing.T) {
	t.Parallel()
	body := func(status string) string { return "\n---\n\nPhase: 4 of 5 (Observability)\nStatus: " + status + "\n" }
	for _, c := range []struct{ text, want string }{
		{"---\nstatus: planning\nactive_phase: \"3\"\ncurrent_phase: 4" + body("Ready to plan"), "planning · Observability (4/5)"},
		{"---\nstatus: executing\nactive_phase: \"04\"\ncurrent_phase: 4" + body("Executing Phase 4"), "Phase 04 executing"},
		{
			"---\nstatus: executing\nnext_action: execute-phase\nnext_phases: [\"4\"]" + body("Executing Phase 4"),
			"executing · Observability (4/5)",
		},
		{
			"---\nstatus: executing\nnext_action: execute-phase\nnext_phases: [\"4\"]" + body("Ready to execute"),
			"next execute-phase 4",
		},
		{"---\nstatus: unknown\ncurrent_phase: 4" + body("Executing Phase 4"), "executing · Observability (4/5)"},
	} {
		if got := stateOf(t, digestOf(c.text), "full"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// F-59: the total of the compact form is that of the body.
func TestF59_CompactTakesTheTotalOfTheBody(t *testing.T) {
	t.Parallel()
	text := "---\nmilestone: v2.0\nstatus: planning\nprogress:\n  total_phases: 3\n  completed_phases: 0\n---\n\nPhase: 3 of 5 (Billing)\n"
	if got := stateOf(t, digestOf(text), "compact"); got != "v2.0 · P3/5 · planning" {
		t.Errorf("%q", got)
	}
}

// F-61: a milestone without a name has its bar, and a percentage may be text.
func TestF61_BarAndPercentageAsGSDDrawsThem(t *testing.T) {
	t.Parallel()
	text := "---\nmilestone_name: milestone\nstatus: executing\nprogress:\n  percent: 25\n---\n"
	if got := stateOf(t, digestOf(text), "full"); got != "[██░░░░░░░░] 25% · executing" {
		t.Errorf("%q", got)
	}
	if in := Parse([]byte(`{"context_window":{"remaining_percentage":"40"}}`)); in.Remaining == nil || *in.Remaining != 40 {
		t.Errorf("%+v", in)
	}
}
