package gsd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/digest/gsd/template"
	"baton/internal/digest/gsd/words"
)

func model(text string) Model { return Parse([]byte(text)).Model() }

func TestStatusTable(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"Paused at the gate": "paused", "stopped by weather": "paused", "EXECUTING": "executing", "In Progress": "executing",
		"Planning": "planning", "ready to plan": "planning", "Discussing Phase 3": "discussing", "Verifying": "verifying",
		"Unverified": "verifying", "Phase complete — ready for verification": "verifying", "All phases complete": "completed",
		"Abandoned plan": "completed", "Ready to execute": "executing", "Planning complete": "planning",
		"executing, then paused": "paused", "Defining requirements": "unknown", "": "unknown",
	} {
		if got := Canonical(raw, false); got != want {
			t.Errorf("Canonical(%q) = %s, want %s", raw, got, want)
		}
		if got := Canonical(raw, true); got != "paused" {
			t.Errorf("Canonical(%q) with paused_at = %s", raw, got)
		}
	}
}

func TestGSD3_BoldBeatsPlainBeatsTable(t *testing.T) {
	t.Parallel()
	all := "| Owner | table |\n\nOwner: plain\n\n- [x] **Owner:** bold\n"
	for _, c := range []struct{ name, text, want string }{
		{"all three", all, "bold"},
		{"without bold", strings.Replace(all, "**Owner:**", "Owner is", 1), "plain"},
		{"table only", "| Owner | table |\n", "table"},
		{"bold without a value", "**Owner:**\nOwner: plain\n", "plain"},
		{"bold in a sentence (GSD-V12)", "see **Owner:** no\n\nOwner: plain\n", "plain"},
		{"bold in a quote", "> **Owner:** quoted\n", "quoted"},
	} {
		if v, ok := Parse([]byte(c.text)).Get("Owner"); !ok || v.Text != c.want {
			t.Errorf("%s: %q %v, want %q", c.name, v.Text, ok, c.want)
		}
	}
}

func TestGSD4_NamesOfFieldsIgnoreCase(t *testing.T) {
	t.Parallel()
	d := Parse([]byte("**Last Activity:** 2026-08-01\n"))
	for _, name := range []string{"last activity", "Last activity", "LAST ACTIVITY"} {
		if v, ok := d.Get(name); !ok || v.Text != "2026-08-01" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestGSD5_TablesOfTwoCells(t *testing.T) {
	t.Parallel()
	text := "| Field | Value |\r\n| :--- | ---: |\r\n|  Status  |  Verifying Phase 8  |\r\n| Status | Done | extra |\r\n| Name " +
		"| a \\| b |\r\n"
	d := Parse([]byte(text))
	if v, _ := d.Get("Status"); v.Text != "Verifying Phase 8" {
		t.Errorf("Status is %q", v.Text)
	}
	if v, _ := d.Get("Name"); v.Text != "a | b" {
		t.Errorf("Name is %q", v.Text)
	}
	if v, ok := d.Get(":---"); ok {
		t.Errorf("the delimiter row is a field: %+v", v)
	}
	e, err := d.Set("Status", "x | y", true, moment)
	if err != nil || string(e.Text) != strings.Replace(text, "Verifying Phase 8", "x \\| y", 1) {
		t.Errorf("written: %q %v", e.Text, err)
	}
	// A cell without a value, and rows that only look like fields.
	for row, want := range map[string]string{
		"| Status ||": "| Status | x |", "| Status |  |": "| Status | x |", "|Status|\t|": "|Status|\tx |",
		`| Status | \|`: "", "| Status |": "", "| Status": "", " | Status | a |": "", `| Status \| a |`: "",
	} {
		e, err := Parse([]byte(row+"\n")).Set("Status", "x", true, moment)
		if got := strings.TrimSuffix(string(e.Text), "\n"); want != "" && got != want || (want == "") != (err != nil) {
			t.Errorf("%q becomes %q: %v", row, got, err)
		}
	}
}

func TestGSD9_ArchivesNeverWin(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"##", "###"} {
		for _, eol := range []string{"\n", "\r\n"} {
			text := strings.ReplaceAll("# P\n\n## Archive\n\nPhase: 1 (Old)\nLast activity: 2020-01-01\nPaused At: long "+
				"ago\nStopped at: never\n\n"+
				level+" Current  Position\n\nPhase: 3 of 4 (New)\nLast activity: 2026-08-01 — felt\n\n## Session\n\nStopped at: "+
				"here\n\n## Old\n\nPhase: 2\nStopped at: no\n", "\n", eol)
			m := model(text)
			if m.CurrentPhase != "3" || m.CurrentPhaseName != "New" || m.LastActivity != "2026-08-01" || m.LastActivityDesc != "felt" ||
				m.StoppedAt != "here" || m.PausedAt != "" {
				t.Errorf("%s %q: %+v", level, eol, m)
			}
		}
	}
}

func TestGSD10_TheSessionSection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"rank 3 is none", "### Session Continuity\n\nStopped at: a\n", ""},
		{"an archive is none", "## Session Continuity Archive\n\nStopped at: a\n", ""},
		{"Session wins", "## Session Continuity\n\nStopped at: a\n\n## Session\n\nStopped at: b\n", "b"},
		{"Session Continuity", "## Session Continuity\n\n**Stopped at:** a\n", "a"},
	} {
		if m := model(c.text); m.StoppedAt != c.want || m.Session.StoppedAt != c.want {
			t.Errorf("%s: %q", c.name, m.StoppedAt)
		}
	}
}

func TestGSD12_Folding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"ÄÖÜ", "äöü", true},
		{"Kelvin", "\u212aelvin", false},
		{"ſtatus", "Status", false},
		{"ß", "SS", false},
		{"𐐀", "𐐨", false},
		{"état", "ÉTAT", true},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("alike(%q, %q) = %v", c.a, c.b, got)
		}
	}
	d := Parse([]byte("Note: one\u2028Owner: two 🙂\n"))
	note, _ := d.Get("Note")
	if owner, _ := d.Get("owner"); note.Text != "one" || owner.Text != "two 🙂" {
		t.Errorf("a line separator ends a value: %q %q", note.Text, owner.Text)
	}
	e, err := d.Set("Owner", "Zoë — 🚌\nand\u2028more", false, moment)
	if v, _ := Parse(e.Text).Get("Owner"); err != nil || v.Text != "Zoë — 🚌 and more" {
		t.Errorf("written: %q %v", e.Text, err)
	}
}

func TestGSD13_ExamplesInFencesAndComments(t *testing.T) {
	t.Parallel()
	m := model("# P\n\n~~~\n## Current Position\n\nPhase: 9 (Example)\n**Status:** Done\n~~~\n\n<!--\nStatus: Done\n## Session\nStopped " +
		"at: comment\n-->\n\n" +
		"## Current Position\n\nPhase: 2 (Real)\nStatus: Planning\n\n```\n## Session\n\nStopped at: fence\n```\n\n## " +
		"Session\n\nStopped at: section\n")
	if m.CurrentPhase != "2" || m.Status != "planning" || m.StoppedAt != "section" {
		t.Errorf("%+v", m)
	}
}

func TestGSD21_FormsOfTheFirstLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		status     string
		codes      []string
	}{
		{"BOM", "\ufeff---\nstatus: planning\nmilestone: v1\n---\nStatus: x\n", "planning", nil},
		{"CRLF", "---\r\nstatus: planning\r\nmilestone: v1\r\n---\r\n\r\nStatus: x\r\n", "planning", nil},
		{"LF front, CRLF body", "---\nstatus: planning\n---\n\r\nStatus: x\r\n", "planning", nil},
		{
			"two blocks", "---\nstatus: planning\n---\n---\nstatus: executing\nother: 1\n---\n\nStatus: Done\n", "completed",
			[]string{"stacked_frontmatter", "status_drift"},
		},
		{"unterminated", "---\nstatus: planning\nmilestone: v1\n", "planning", []string{"frontmatter_unterminated"}},
		{"a rule begins the body", "---\n\nprose\n\n---\n\nStatus: Done\n", "completed", nil},
		{
			"behind a blank line", "\n---\nstatus: planning\n---\n\nStatus: Done\n", "completed",
			[]string{"frontmatter_invalid", "status_drift"},
		},
		{
			"an empty block (GSD-74)", "---\n---\nstatus: planning\n---\n\nStatus: Done\n", "completed",
			[]string{"status_drift"},
		},
		{"an empty block before text", "---\n---\n\nSome text.\nStatus: Done\n\n---\n", "completed", nil},
	} {
		d := Parse([]byte(c.text))
		if m := d.Model(); m.Status != c.status {
			t.Errorf("%s: status %s (%q)", c.name, m.Status, m.StatusRaw)
		}
		var codes []string
		for _, f := range d.Findings() {
			codes = append(codes, string(f.Code))
		}
		if !cmp.Equal(codes, c.codes) {
			t.Errorf("%s: findings %v, want %v", c.name, codes, c.codes)
		}
	}
}

func TestGSD22_NullIsNothing(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"null", "~", "", `"null"`, "'null'"} {
		m := model("---\nstatus: planning\npaused_at: " + word + "\nstopped_at: " + word + "\nactive_phase: " + word + "\nnext_phases: " +
			word + "\n---\n")
		if m.PausedAt != "" || m.StoppedAt != "" || m.ActivePhase != "" || len(m.NextPhases) > 0 || m.Status != "planning" {
			t.Errorf("%q: %+v", word, m)
		}
	}
}

// The status is the exception: a word that no reader knows gives way to the one of the body (F-53).
func TestGSD24_FrontMatterWinsWhateverItLooksLike(t *testing.T) {
	t.Parallel()
	m := model("---\ncurrent_phase: 04\ncurrent_plan: 2\nstatus: true\nprogress: 65\n---\n\n**Status:** Planning\n**Current Phase:** " +
		"1\n**Current Plan:** 7\n")
	if m.CurrentPhase != "04" || m.CurrentPlan != "2" || m.StatusFront != "true" || m.Status != "planning" || m.StatusRaw != "Planning" {
		t.Errorf("%+v", m)
	}
}

func TestGSD25_ACellDoesNotShadow(t *testing.T) {
	t.Parallel()
	m := model("---\nstatus: planning\n---\n\n| Line | Note |\n|------|------|\n| 9 | set **Status:** Done when the card comes |\n")
	if m.StatusRaw != "planning" || m.StatusBody != "" {
		t.Errorf("%+v", m)
	}
}

func TestGSD59_TextIsKept(t *testing.T) {
	t.Parallel()
	m := model("---\nmilestone: 2.0\nactive_phase: 4.10\ncurrent_phase: 04.10\nlast_activity: 2026-06-01\n" +
		"next_phases: [4.10, 1_000]\n---\n")
	if m.Milestone != "2.0" || m.ActivePhase != "4.10" || m.CurrentPhase != "04.10" || m.LastActivity != "2026-06-01" ||
		!cmp.Equal(m.NextPhases, []string{"4.10", "1_000"}) {
		t.Errorf("%+v", m)
	}
}

func TestGSD61_CommentInsideProgress(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"---\nprogress:\n  # reckoned\n  percent: 40\n  total_phases: \"5\"\n---\n", "---\nprogress: {percent: 40, total_phases: 5}\n---\n",
	} {
		m := model(text)
		if m.Progress.Percent == nil || *m.Progress.Percent != 40 || *m.Progress.TotalPhases != 5 || m.Progress.TotalPlans != nil {
			t.Errorf("%q: %+v", text, m.Progress)
		}
	}
}

func TestNextPhasesInEveryForm(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`["4.5", "5"]`, "[4.5, 5]", "\n  - \"4.5\"\n  - 5", "\n- 4.5\n# and\n- '5'", "[\n  \"4.5\", # first\n  \"5\",\n]",
	} {
		if m := model("---\nstatus: planning\nnext_phases: " + text + "\nmilestone: v1\n---\n"); !cmp.Equal(m.NextPhases,
			[]string{"4.5", "5"}) {
			t.Errorf("%q: %q", text, m.NextPhases)
		}
	}
	if m := model("---\nnext_phases: 4.5\nstatus: planning\n---\n"); !cmp.Equal(m.NextPhases, []string{"4.5"}) {
		t.Errorf("a plain value: %q", m.NextPhases)
	}
}

func TestGSD76_NamesOfPhases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, id, total, name string }{
		{"3 — A — B", "3", "", "A — B"},
		{"16 (Native — Key) — EXECUTING", "16", "", "Native — Key"},
		{"3 of 8 (Scoring Core)", "3", "8", "Scoring Core"},
		{"Phase 4.10 — Press room", "4.10", "", "Press room"},
		{"12A of 20", "12A", "20", ""},
		{"ABC-07 (Core (D1a))", "07", "", "Core (D1a)"},
		{"5 — complete", "5", "", ""},
		{"5 (Gate) — ready to plan", "5", "", "Gate"},
		{"Milestone v0.5 complete", "", "", ""},
		{"Not started (defining requirements)", "", "", ""},
		{"3rd try", "", "", ""},
		{"7 — " + strings.Repeat("x", 201), "7", "", ""},
	} {
		if got := words.ParsePhase(c.text); got != (words.Phase{ID: c.id, Total: c.total, Name: c.name}) {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

func TestGetByKind(t *testing.T) {
	t.Parallel()
	d := Parse([]byte("---\nstatus: executing\nlamps: [red, green]\nprogress:\n  percent: 40\nempty:\n---\n\n**Status:** Ready to " +
		"execute\nOwner:\n\n## Status\n\nAll well.\n\n### Why\n\nLight.\n\n## Other\n"))
	for _, c := range []struct {
		name string
		want Value
	}{
		{"status", Value{Name: "status", Text: "executing", Line: 2}},
		{"body:status", Value{Name: "status", Text: "Ready to execute", Line: 9}},
		{"section:status", Value{Name: "status", Text: "All well.\n\n### Why\n\nLight.", Line: 12}},
		{"progress.percent", Value{Name: "progress.percent", Text: "40", Line: 5}},
		{"lamps", Value{Name: "lamps", Text: "red, green", List: []string{"red", "green"}, Line: 3}},
		{"empty", Value{Name: "empty", Null: true, Line: 6}},
		{"Owner", Value{Name: "Owner", Null: true, Line: 10}},
		{"Why", Value{Name: "Why", Text: "Light.", Line: 16}},
	} {
		if got, ok := d.Get(c.name); !ok || !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v %s", c.name, ok, cmp.Diff(c.want, got))
		}
	}
	for _, name := range []string{"Weather", "fm:Owner", "body:lamps", "section:Owner", "progress.nothing", ""} {
		if v, ok := d.Get(name); ok {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestUnfilledValuesAreAbsent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"[X]": true, "[X] of [Y] ([Phase name])": true, "[YYYY-MM-DD] — [What happened]": true, "[A] of [B] in current phase": true,
		"[███░░] 40%": false, "[link](x)": false, "3 of [Y]": false, "done": false, "": false, "[x] built": false,
	} {
		if got := template.Unfilled(text); got != want {
			t.Errorf("Unfilled(%q) = %v", text, got)
		}
	}
}
