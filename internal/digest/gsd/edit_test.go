package gsd

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
)

const board = `---
gsd_state_version: '1.0'  # schema
milestone: v1.2
milestone_name: Tide Tables
# decided on the pier
status: executing
owner: {name: Ruth, since: 2024}
progress:
  # reckoned
  total_phases: 5
  completed_phases: 2
  total_requirements: 31
  total_plans: 9
  completed_plans: 6
  percent: 40   # of all
current_phase: 3
current_phase_name: Gauge feed
stopped_at: "gauge parser half done"
last_updated: "2026-08-09T17:02:11.000Z"
last_activity: 2026-08-09
notes: |
  status: not this one
  # nor this
---

# Harbour tide board

## Current Position

Phase: 3 of 5 (Gauge feed)
Plan: 2 of 3 in current phase
Status: Executing Phase 3
Last activity: 2026-08-09 — Phase 3 execution started

Progress: [████░░░░░░] 40% (2/5 phases)

## Accumulated Context

### Blockers/Concerns

None yet.

## Session

**Last session:** 2026-08-09T17:02:11.000Z
**Stopped at:** gauge parser half done
**Resume file:** None
`

// swap replaces lines of a text and fails if one of them is missing.
func swap(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in the text", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

const (
	touched    = `last_updated: "2026-08-09T17:02:11.000Z"`
	touchedNow = `last_updated: "2026-08-10T09:23:45.250Z"`
)

func mustSet(t *testing.T, text, name, value string) string {
	t.Helper()
	e, err := Parse([]byte(text)).Set(name, value, false, moment)
	if err != nil {
		t.Fatalf("set %s: %v", name, err)
	}
	return string(e.Text)
}

func TestStoppedAtIsSetInBothPlaces(t *testing.T) {
	t.Parallel()
	text := mustSet(t, board, "stopped_at", "plan 2")
	m := Parse([]byte(text)).Model()
	if m.StoppedAt != "plan 2" || m.Session.StoppedAt != "plan 2" || !strings.Contains(text, "stopped_at: \"plan 2\"\n") {
		t.Errorf("%s", text)
	}
}

func TestSetTouchesOneLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, value, old, now string }{
		{"milestone", "v2.0", "milestone: v1.2", "milestone: v2.0"},
		{"gsd_state_version", "1.1", "'1.0'  # schema", "'1.1'  # schema"},
		{"current_phase", "4", "current_phase: 3", "current_phase: 4"},
		{"fm:stopped_at", `he said "no"`, `"gauge parser half done"`, `'he said "no"'`},
		{
			"owner_of_all", "Jo", "notes: |\n  status: not this one\n  # nor this\n",
			"notes: |\n  status: not this one\n  # nor this\nowner_of_all: Jo\n",
		},
		{"next_action", "plan-phase", "status: executing\n", "status: executing\nnext_action: plan-phase\n"},
		{"next_phases", "4.5, 5", "status: executing\n", "status: executing\nnext_phases: [\"4.5\", \"5\"]\n"},
		{"active_phase", "12A", "status: executing\n", "status: executing\nactive_phase: \"12A\"\n"},
		{"Resume file", "a/b.md", "**Resume file:** None", "**Resume file:** a/b.md"},
		{"Progress", "half", "[████░░░░░░] 40% (2/5 phases)", "half"},
	} {
		if got, want := mustSet(t, board, c.name, c.value), swap(t, board, c.old, c.now, touched, touchedNow); got != want {
			t.Errorf("%s: %s", c.name, cmp.Diff(want, got))
		}
	}
}

func TestSetStatusWritesBoth(t *testing.T) {
	t.Parallel()
	got := mustSet(t, board, "status", "Ready to plan")
	if want := swap(t, board, "status: executing", "status: planning", "Status: Executing Phase 3", "Status: Ready to plan", touched,
		touchedNow); got != want {
		t.Error(cmp.Diff(want, got))
	}
	got = mustSet(t, board, "status", "waiting for glass: cracked")
	if want := swap(t, board, "status: executing", `status: "waiting for glass: cracked"`, "Status: Executing Phase 3",
		"Status: waiting for glass: cracked", touched, touchedNow); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// F-50: the person who sets a value is its author, so a text that somebody wrote is no obstacle.
func TestF50_SetAlwaysWrites(t *testing.T) {
	t.Parallel()
	text := mustSet(t, board, "Status", "Working on tax")
	for _, pair := range [][2]string{
		{"Status", "Reviewing tax"},
		{"status", "Planning"},
		{"Last activity", "yesterday, late"},
		{"Last activity", "today"},
		{"Resume file", "notes.md"},
		{"Resume file", "other.md"},
	} {
		e, err := Parse([]byte(text)).Set(pair[0], pair[1], false, moment)
		if err != nil || len(e.Preserved) > 0 {
			t.Fatalf("%s: %v %+v", pair[0], err, e.Preserved)
		}
		text = string(e.Text)
		if v, ok := Parse(e.Text).Get("body:" + pair[0]); !ok || v.Text != pair[1] {
			t.Errorf("%s is %q, want %q", pair[0], v.Text, pair[1])
		}
	}
}

func TestSetRefuses(t *testing.T) {
	t.Parallel()
	active := mustSet(t, board, "active_phase", "3")
	for _, c := range []struct {
		text, name string
		kind       report.Kind
		code       report.Code
	}{
		{board, "progress.percent", report.Violation, "derived"},
		{board, "progress", report.Violation, "derived"},
		{board, "last_updated", report.Violation, "derived"},
		{board, "Weather", report.NotFound, "field_unknown"},
		{board, "9 lives", report.Usage, "name_invalid"},
		{board, "a.b.c", report.Usage, "name_invalid"},
		{board, "owner", report.Violation, "frontmatter_refused"},
		{active, "next_action", report.Conflict, "phase_active"},
		{active, "next_phases", report.Conflict, "phase_active"},
		{"---\nstatus: x\nmilestone: v1\n", "milestone", report.Corrupt, "frontmatter_unterminated"},
	} {
		e, err := Parse([]byte(c.text)).Set(c.name, "x", true, moment)
		if report.KindOf(err) != c.kind || report.CodeOf(err) != c.code || string(e.Text) != c.text {
			t.Errorf("%s: %v (%s, %s)", c.name, err, report.KindOf(err), report.CodeOf(err))
		}
	}
}

func TestGSDV1_AnEmptyFieldKeepsItsNeighbour(t *testing.T) {
	t.Parallel()
	for old, now := range map[string]string{
		"Owner:\nLine: 14\n": "Owner: Jo\nLine: 14\n", "**Owner:**\nLine: 14\n": "**Owner:** Jo\nLine: 14\n",
		"**Owner:** \r\nLine: 14\r\n": "**Owner:** Jo\r\nLine: 14\r\n", "Owner:": "Owner: Jo", "| Owner |  |\n": "| Owner | Jo |\n",
		"| Owner ||\n": "| Owner | Jo |\n",
	} {
		if got := mustSet(t, old, "Owner", "Jo"); got != now {
			t.Errorf("%q: %q", old, got)
		}
	}
	if got := mustSet(t, "Owner: Jo\nLine: 14\n", "Owner", ""); got != "Owner: \nLine: 14\n" {
		t.Errorf("emptied: %q", got)
	}
}

func TestGSD11_ValuesThatNeedQuotes(t *testing.T) {
	t.Parallel()
	values := []string{
		"a: b", "[list]", "{map}", "# no", "- item", "x #y", "it's", `say "hi"`, `it's "x"`, `back\slash`, "yes", "3.10", "@at", "`tick`",
		"%p", "*star", "&and", "!bang", "|", ">", "?", "a\tb", "true", "—", "trailing:", "'", `"`, "2026-08-10", "null and void",
	}
	text := board
	for _, v := range values {
		text = mustSet(t, text, "custom", v)
		if got, ok := Parse([]byte(text)).Get("custom"); !ok || got.Text != v {
			t.Errorf("%q comes back as %q", v, got.Text)
		}
		got := mustSet(t, board, "milestone_name", v)
		if m := Parse([]byte(got)).Model(); m.MilestoneName != v && v != `it's "x"` && v != `back\slash` && v != "a\tb" {
			t.Errorf("milestone_name %q comes back as %q", v, m.MilestoneName)
		}
	}
	// Writing the same value again does not make the file longer.
	once := mustSet(t, text, "custom", `a\"b`)
	if twice := mustSet(t, once, "custom", `a\"b`); twice != once {
		t.Errorf("the second writing changed %s", cmp.Diff(once, twice))
	}
}

func TestGSD14_UnknownKeysSurvive(t *testing.T) {
	t.Parallel()
	for name, e := range everyEdit(t, board) {
		for _, line := range []string{
			"owner: {name: Ruth, since: 2024}\n", "  total_requirements: 31\n", "# decided on the pier\n", "  # reckoned\n",
			"'1.0'  # schema\n", "notes: |\n  status: not this one\n  # nor this\n",
		} {
			if !bytes.Contains(e.Text, []byte(line)) {
				t.Errorf("%s: %q is gone", name, line)
			}
		}
	}
}

func TestGSD77_UnknownKeysBelowProgress(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(board)).Sync(someFacts(), phases.Next{}, nil, SyncOptions{AllowDecrease: true, Now: moment})
	if err != nil || !strings.Contains(string(e.Text), "  completed_phases: 1\n  total_requirements: 31\n  total_plans: 81\n") {
		t.Errorf("%v\n%s", err, e.Text)
	}
}

// everyEdit makes one edit of each kind.
func everyEdit(t *testing.T, text string) map[string]Edited {
	t.Helper()
	d, f, n := Parse([]byte(text)), someFacts(), 2
	out := map[string]Edited{}
	add := func(name string, e Edited, err error) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		out[name] = e
	}
	e, err := d.Set("custom", "x", false, moment)
	add("set", e, err)
	e, err = d.Sync(f, d.Recommend(f), &n, SyncOptions{Now: moment})
	add("sync", e, err)
	e, err = d.Next(phases.Plan, []string{"4"}, moment)
	add("next", e, err)
	e, err = d.Metric("3", "2", "5min", 1, 2, moment)
	add("metric", e, err)
	e, err = d.EndSession("here", "", moment)
	add("session", e, err)
	e, err = d.AddBlocker("glass", "3", moment)
	add("blocker", e, err)
	for _, s := range []Step{
		{Event: "begin", Phase: "3"},
		{Event: "plan", Phase: "3", Done: true},
		{Event: "verify", Phase: "3", Failed: true},
		{Event: "complete", Phase: "3", Force: true},
		{Event: "pause"},
		{Event: "milestone", Version: "v9"},
	} {
		e, err = d.Transition(s, f, moment)
		add(s.Event, e, err)
	}
	return out
}

func TestGSD15_NothingToDoChangesNothing(t *testing.T) {
	t.Parallel()
	crlf := strings.ReplaceAll(board, "\n", "\r\n")
	for _, text := range []string{board, crlf} {
		d := Parse([]byte(text))
		e, err := d.Set("Stopped at", "gauge parser half done", false, moment)
		if err != nil || string(e.Text) != text || len(e.Changed) > 0 {
			t.Errorf("the same value: %v %v", e.Changed, err)
		}
		if e, err = d.Set("Weather", "wet", false, moment); err == nil || string(e.Text) != text {
			t.Errorf("a field that is not there: %v", e.Changed)
		}
		e, err = d.Sync(phases.Facts{Bounded: true}, phases.Next{}, nil, SyncOptions{Now: moment})
		if err != nil || string(e.Text) != text {
			t.Errorf("sync without facts: %v %v", e.Changed, err)
		}
	}
}

func TestGSD16_StatusFollowsTheBodyWhenThatChanges(t *testing.T) {
	t.Parallel()
	text := swap(t, board, "status: executing", "status: verifying")
	for value, want := range map[string]string{
		"Planning": "planning", "Defining requirements": "Defining requirements", "unknown": "verifying",
	} {
		e, err := Parse([]byte(text)).Set("Status", value, false, moment)
		if m := Parse(e.Text).Model(); err != nil || m.StatusFront != want || m.Position.Status != value {
			t.Errorf("%s: %q %q %v", value, m.StatusFront, m.StatusBody, err)
		}
	}
	e, err := Parse([]byte(text)).Set("Plan", "3 of 3", false, moment)
	if m := Parse(e.Text).Model(); err != nil || m.StatusFront != "verifying" {
		t.Errorf("another field: %q %v", m.StatusRaw, err)
	}
	e, err = Parse([]byte(text)).Set("Stopped at", "the lens", false, moment)
	if v, _ := Parse(e.Text).Get("fm:stopped_at"); err != nil || v.Text != "the lens" {
		t.Errorf("stopped_at: %q %v", v.Text, err)
	}
}

func TestGSD23_AQuotedMilestone(t *testing.T) {
	t.Parallel()
	if m := model("---\nmilestone: \"v1.0\"\nstatus: x\n---\n"); m.Milestone != "v1.0" {
		t.Errorf("%q", m.Milestone)
	}
}

func TestGSD57_ABlockListWithBlankLines(t *testing.T) {
	t.Parallel()
	text := "---\nstatus: planning\nnext_phases:\n\n  - \"1\"\n  - 2 # b\n  # keep me\n  - 3\n\nlamps:\n- a\n- b\nmilestone: v1\n---\n"
	if m := model(text); !cmp.Equal(m.NextPhases, []string{"1", "2", "3"}) || m.Milestone != "v1" {
		t.Errorf("%+v", m)
	}
	got := mustSet(t, text, "next_phases", "4")
	want := "---\nstatus: planning\nnext_phases: [\"4\"]\n\n  # b\n  # keep me\n\nlamps:\n- a\n- b\nmilestone: v1\nlast_updated: " +
		"\"2026-08-10T09:23:45.250Z\"\n---\n"
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestGSD58_FrontMatterThatYAMLRejects(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a colon":       "---\nstatus: planning\nlast_activity: 2026-08-01: a: b\nprogress:\n  percent: 40\nmilestone: v1\n---\n",
		"indented":      "---\nstatus: planning\n  progress:\n    percent: 40\nmilestone: v1\n---\n",
		"a key twice":   "---\nstatus: old\nstatus: planning\nprogress:\n  percent: 40\nmilestone: v1\n---\n",
		"an open quote": "---\nstatus: planning\nstopped_at: \"no end\nprogress:\n  percent: 40\nmilestone: v1\n---\n",
	} {
		d := Parse([]byte(text))
		if m := d.Model(); m.Status != "planning" || m.Milestone != "v1" || m.Progress.Percent == nil || *m.Progress.Percent != 40 {
			t.Errorf("%s: %+v", name, m)
		}
		if f := d.Findings(); len(f) == 0 || f[0].Code != "frontmatter_invalid" || f[0].Line < 2 {
			t.Errorf("%s: %+v", name, f)
		}
		if got, want := mustSet(t, text, "milestone", "v2"), swap(t, text, "milestone: v1",
			"milestone: v2\nlast_updated: \"2026-08-10T09:23:45.250Z\""); got != want {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
		e, err := d.Sync(someFacts(), phases.Next{}, nil, SyncOptions{Now: moment})
		if m := Parse(e.Text).Model(); err != nil || *m.Progress.Percent != 5 || *m.Progress.TotalPlans != 81 {
			t.Errorf("%s: sync: %v %+v", name, err, m.Progress)
		}
	}
}

func TestGSD60_TrailingComments(t *testing.T) {
	t.Parallel()
	text := "---\nstatus: planning  # by hand\nmilestone: \"v1\" # 'x'\nactive_phase: # none\nname: a#b\n---\n"
	m := model(text)
	if m.StatusRaw != "planning" || m.Milestone != "v1" || m.ActivePhase != "" {
		t.Errorf("%+v", m)
	}
	got := mustSet(t, mustSet(t, mustSet(t, mustSet(t, text, "fm:status", "executing"), "milestone", "v2"), "active_phase", "3"), "name",
		"c")
	want := "---\nstatus: executing  # by hand\nmilestone: \"v2\" # 'x'\nactive_phase: \"3\" # none\nname: c\nlast_updated: " +
		"\"2026-08-10T09:23:45.250Z\"\n---\n"
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestGSD62_MixedLineEnds(t *testing.T) {
	t.Parallel()
	text := "---\r\nstatus: planning\nmilestone: v1\r\n---\n\r\n## Current Position\r\nPhase: 1\nStatus: Planning\r\n\n## " +
		"Session\r\n\r\nStopped at: x\n"
	got := mustSet(t, mustSet(t, mustSet(t, text, "milestone", "v2"), "Phase", "2"), "Status", "Executing")
	want := swap(t, text, "milestone: v1\r\n", "milestone: v2\r\nlast_updated: \"2026-08-10T09:23:45.250Z\"\r\n", "Phase: 1\n",
		"Phase: 2\n",
		"Status: Planning\r\n", "Status: Executing\r\n", "status: planning\n", "status: executing\n")
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
	e, err := Parse([]byte(text)).EndSession("y", "", moment)
	if err != nil || !strings.HasSuffix(string(e.Text), "Stopped at: y\nLast session: 2026-08-10T09:23:45.250Z\nResume file: None\n") {
		t.Errorf("%v %q", err, e.Text)
	}
}

func TestGSD71_FurtherBlocks(t *testing.T) {
	t.Parallel()
	text := "---\nstatus: planning\n---\n\n---\nflavour: salt\nstatus: executing\n---\n\n---\n\nThe mill stands " +
		"still.\n\n---\n\n**Status:** Planning\n"
	got := mustSet(t, text, "status", "Executing")
	want := swap(t, text, "status: planning\n", "status: executing\nlast_updated: \"2026-08-10T09:23:45.250Z\"\n", "**Status:** Planning",
		"**Status:** Executing")
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
	if f := Parse([]byte(text)).Findings(); len(f) != 1 || f[0].Code != "stacked_frontmatter" || f[0].Line != 5 {
		t.Errorf("%+v", f)
	}
}

func TestFrontMatterIsMadeOnlyWhenNeeded(t *testing.T) {
	t.Parallel()
	for _, bom := range []string{"", "\ufeff"} {
		text := bom + "# Mill\n\n**Status:** Planning\n\n## Blockers\n\n- glass\n"
		if got := mustSet(t, text, "Status", "Executing"); strings.Contains(got, "---") {
			t.Errorf("made for a field: %q", got)
		}
		got := mustSet(t, text, "milestone", "v1")
		want := bom + "---\ngsd_state_version: '1.0'\nstatus: planning\nmilestone: v1\nlast_updated: " +
			"\"2026-08-10T09:23:45.250Z\"\n---\n\n" + strings.TrimPrefix(text, bom)
		if got != want {
			t.Error(cmp.Diff(want, got))
		}
		if e, err := Parse([]byte(text)).Touch(Parse([]byte(board)), "", moment); err != nil || string(e.Text) != text {
			t.Errorf("touched: %q %v", e.Text, err)
		}
	}
}

func TestTouch(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(board)).Touch(Parse([]byte(board)), "", moment.In(time.FixedZone("x", 3600)))
	if err != nil || string(e.Text) != swap(t, board, touched, touchedNow) {
		t.Errorf("%v %s", err, cmp.Diff(board, string(e.Text)))
	}
}
