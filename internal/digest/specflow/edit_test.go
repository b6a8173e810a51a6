package specflow

import (
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"github.com/google/go-cmp/cmp"
)

func TestGet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		src, name, want string
		line            int
		ok              bool
	}{
		{formA, "active", "SPEC-003a", 5, true},
		{formA, "Status", "review", 6, true},
		{formA, "next step", "`/sf:review`", 7, true},
		{formA, "todo items", "4", 8, true},
		{formB, "active", "SPEC-GSD-A", 5, true},
		{formB, "next", "(in progress)", 8, true},
		{formC, "active", "SPEC-010\nSPEC-011", 7, true},
		{formC, "status", "running\nreview", 7, true},
		{formC, "project phase", "Foundation", 12, true},
		{formC, "section:current position", "- **Project Phase:** Foundation", 10, true},
		{formB, "decisions", "| Date | Decision |\n|------|----------|\n| 2026-01-05 | SPEC-GSD-A: keep the old names |", 19, true},
		{"## Active Specifications\n", "active", "none", 1, true},
		{"## Active Specifications\n", "status", "idle", 1, true},
		{"## Active Specifications\n", "next", "", 1, true},
		{"# S\n", "active", "", 0, false},
		{formA, "Nothing", "", 0, false},
	} {
		v, ok := Parse([]byte(c.src)).Get(c.name)
		if v.Text != c.want || ok != c.ok || ok && v.Line != c.line {
			t.Errorf("%s: %q line %d %v, want %q line %d", c.name, v.Text, v.Line, ok, c.want, c.line)
		}
	}
}

func TestSetInPlace(t *testing.T) {
	t.Parallel()
	one := replaced(t, formC, "| SPEC-011 | review | /sf:review |\n", "")
	for _, c := range []struct{ src, name, value, want string }{
		{formA, "status", "done", replaced(t, formA, "**Status:** review", "**Status:** done")},
		{formA, "next", "a\nb", replaced(t, formA, "`/sf:review`", "a b")},
		{formA, "active", "(None)", replaced(t, formA, "SPEC-003a — Export of reports", "none")},
		{formA, "TODO items", "5", replaced(t, formA, "**TODO Items:** 4", "**TODO Items:** 5")},
		{formB, "active", "SPEC-9 — Nine", replaced(t, formB, "\nSPEC-GSD-A\n\n", "\nSPEC-9 — Nine\n\n")},
		{formB, "Status", "review", replaced(t, formB, "**Status:** running", "**Status:** review")},
		{one, "status", "a|b", replaced(t, one, "| SPEC-010 | running |", `| SPEC-010 | a\|b |`)},
		{one, "active", "SPEC-012", replaced(t, one, "| SPEC-010 |", "| SPEC-012 |")},
		{one, "active", "none", replaced(t, one, "| SPEC-010 | running | /sf:run |\n", "")},
		{"## Active Specifications\n", "active", "none", "## Active Specifications\n"},
		{
			"- **Status:** x\n\n## Current Position\n\n- **Status:**  \n", "status", "idle",
			"- **Status:** x\n\n## Current Position\n\n- **Status:** idle\n",
		},
		{
			"## Current Position\n\n- **Status:** idle\n", "next", "/sf:new",
			"## Current Position\n\n- **Status:** idle\n- **Next Step:** /sf:new\n",
		},
		{"# S\n\n## Notes\n\nold\ntext\n\n## Queue\n", "notes", "new\n\nlines", "# S\n\n## Notes\n\nnew\n\nlines\n\n## Queue\n"},
		{"## Notes\r\n\r\nold\r\n", "notes", "new\nlines", "## Notes\r\n\r\nnew\r\nlines\r\n"},
		{"## Notes", "Notes", "x", "## Notes\n\nx"},
		{
			"## Warnings\n\nNone\n\n---\n*Last updated: x*\n", "warnings", "- careful",
			"## Warnings\n\n- careful\n\n---\n*Last updated: x*\n",
		},
	} {
		e, err := Parse([]byte(c.src)).Set(c.name, c.value)
		got := must(t, e, err)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s=%s:\n%s", c.name, c.value, diff)
			continue
		}
		again, err := Parse(e.Text).Set(c.name, c.value)
		if must(t, again, err) != got || len(again.Changed) > 0 {
			t.Errorf("SF-31 %s=%s: a second time changes %v", c.name, c.value, again.Changed)
		}
	}
}

func TestSetRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		src, name, value string
		kind             report.Kind
		code             report.Code
	}{
		{formC, "status", "done", report.Violation, "ambiguous"},
		{"## Active Specifications\n", "status", "done", report.NotFound, "no_active_spec"},
		{formA, "queue", "nothing", report.Violation, "section_structured"},
		{formA, "Decisions", "", report.Violation, "section_structured"},
		{"## Notes\n\n### Part\n\ntext\n", "notes", "x", report.Violation, "section_structured"},
		{"## Notes\n\n```\ncode\n```\n", "notes", "x", report.Violation, "section_structured"},
		{"## Notes\n\nx\n\n## Queue\n", "notes", "## Decisions", report.Usage, "value_unreadable"},
		{"## Notes\n\nx\n\n## Queue\n", "notes", "```", report.Usage, "value_unreadable"},
		{formA, "nothing", "x", report.NotFound, "not_found"},
		{formB, "active", "# heading", report.Usage, "value_unreadable"},
	} {
		e, err := Parse([]byte(c.src)).Set(c.name, c.value)
		refused(t, c.src, e, err, c.kind, c.code)
	}
}

func TestSF54_MigrationOfFormAKeepsOtherBullets(t *testing.T) {
	t.Parallel()
	src := `## Current Position

- **TODO Items:** 4
- **Active Specification:** SPEC-1 — a | b
  a line below it
- **Roadmap:** [here](ROADMAP.md)
- **Status:** review

Prose that stays.
- **Next Step:** ` + "`/sf:review`" + `

## Queue
`
	want := `## Active Specifications

` + activeHeader + "\n" + activeDelimiter + `
| SPEC-1 — a \| b | review | ` + "`/sf:review`" + ` |

## Current Position

- **TODO Items:** 4
  a line below it
- **Roadmap:** [here](ROADMAP.md)

Prose that stays.

## Queue
`
	e, err := Parse([]byte(src)).Migrate()
	if diff := cmp.Diff(want, must(t, e, err)); diff != "" {
		t.Fatal(diff)
	}
	m := Parse(e.Text).Model()
	if m.Form != "C" || len(m.Active) != 1 || m.Active[0].ID != "SPEC-1" || m.Active[0].Title != "a | b" {
		t.Errorf("%+v", m)
	}
	again, err := Parse(e.Text).Migrate()
	if must(t, again, err) != string(e.Text) || len(again.Changed) > 0 {
		t.Error("SF-31: a second run changes something")
	}
}

func TestSF54_MigrationOfFormBKeepsProse(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(formB)).Migrate()
	want := replaced(t, formB, "## Active Specification\n\nSPEC-GSD-A\n\n**Status:** running\n**Next Step:** (in progress)\n",
		"## Active Specifications\n\n"+activeHeader+"\n"+activeDelimiter+"\n| SPEC-GSD-A | running | (in progress) |\n\n## Active "+
			"Specification\n\n\n")
	if diff := cmp.Diff(want, must(t, e, err)); diff != "" {
		t.Error(diff)
	}
}

func TestSFD33_MigrationOfAnEmptySectionTakesItsHeading(t *testing.T) {
	t.Parallel()
	none := "# S\n\n## Active Specification\n\n(none)\n\n**Status:** idle\n**Next Step:** /sf:new\n\n"
	table := "## Active Specifications\n\n" + activeHeader + "\n" + activeDelimiter + "\n\n"
	for name, c := range map[string]struct{ src, want string }{
		"another follows": {none + "## Queue\n", "# S\n\n" + table + "## Queue\n"},
		"footer follows":  {none + "---\n*Last updated: 2026-01-01*\n", "# S\n\n" + table + "---\n*Last updated: 2026-01-01*\n"},
		"ends the file":   {"## Active Specification\n\nnone", "## Active Specifications\n\n" + activeHeader + "\n" + activeDelimiter},
		"form C already":  {formC, formC},
		"no form":         {"# S\n", "# S\n"},
	} {
		e, err := Parse([]byte(c.src)).Migrate()
		if diff := cmp.Diff(c.want, must(t, e, err)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if m := Parse(e.Text).Model(); name != "form C already" && len(m.Active) > 0 {
			t.Errorf("%s: a row for none: %v", name, m.Active)
		}
	}
}

func TestStamp(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"x\n\n---\n*Last updated: 2026-01-05 (since 2025-12-01)*\n": "x\n\n---\n*Last updated: 2026-03-01 (since 2025-12-01)*\n",
		"_Last Updated: [date]_\n":                                  "_Last Updated: 2026-03-01_\n",
		"*Last updated: 2026-01-05 14:30*":                          "*Last updated: 2026-03-01 14:30*",
		"*Last updated: 2026-02-30*\n":                              "*Last updated: 2026-02-30*\n",
		"*Last updated: yesterday*\n":                               "*Last updated: yesterday*\n",
		"Last updated: 2026-01-05\n":                                "Last updated: 2026-01-05\n",
		"# S\n":                                                     "# S\n",
		"":                                                          "",
		"*Last updated: 2026-01-05*\n*Last updated: 2026-01-06*\n": "*Last updated: 2026-01-05*\n*Last updated: 2026-03-01*\n",
		"```\n*Last updated: 2026-01-05*\n```\n":                   "```\n*Last updated: 2026-01-05*\n```\n",
		"| a |\n|---|\n| b |\n*Last updated: 2026-01-05*\r\n":      "| a |\n|---|\n| b |\n*Last updated: 2026-03-01*\r\n",
		"*Last updated: 2026-03-01*\n":                             "*Last updated: 2026-03-01*\n",
	} {
		if got := string(Parse([]byte(in)).Stamp(noon()).Text); got != want {
			t.Errorf("stamp of %q is %q, want %q", in, got, want)
		}
	}
}

// SF-33: for a date in the future, a leap day and another zone, the stamp is the local day, whatever was there before.
func TestSF33_StampTakesTheLocalDay(t *testing.T) {
	t.Parallel()
	late := time.Date(2028, 2, 29, 23, 30, 0, 0, time.FixedZone("east", 13*3600))
	got := string(Parse([]byte("*Last updated: 2031-12-31*\n")).Stamp(late).Text)
	if got != "*Last updated: 2028-02-29*\n" {
		t.Error(got)
	}
}

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	const bullet = "- **Last Pause:** PAUSE-20260301-120000"
	for name, c := range map[string]struct{ src, want string }{
		"A": {formA, replaced(t, formA, "- **TODO Items:** 4\n", "- **TODO Items:** 4\n"+bullet+" — tea\n")},
		"B": {formB, replaced(t, formB, "(in progress)\n", "(in progress)\n**Last Pause:** PAUSE-20260301-120000 — tea\n")},
		"C": {formC, replaced(t, formC, "Foundation\n", "Foundation\n"+bullet+" — tea\n")},
	} {
		e, err := Parse([]byte(c.src)).Pause(noon(), " tea\n")
		if diff := cmp.Diff(c.want, must(t, e, err)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
			continue
		}
		paused := Parse(e.Text)
		later, err := paused.Pause(noon().Add(time.Hour), "")
		if text := must(t, later, err); strings.Count(text, "PAUSE-") != 1 || !strings.Contains(text, "PAUSE-20260301-130000\n") {
			t.Errorf("%s: a second pause:\n%s", name, text)
		}
		back, err := paused.Resume()
		if diff := cmp.Diff(c.src, must(t, back, err)); diff != "" {
			t.Errorf("%s: resume differs\n%s", name, diff)
		}
		again, err := Parse(back.Text).Resume()
		if must(t, again, err) != c.src || len(again.Changed) > 0 {
			t.Errorf("%s: a second resume changes something", name)
		}
	}
	e, err := Parse([]byte("## Active Specifications\n")).Pause(noon(), "")
	if got := must(t, e, err); got != "## Active Specifications\n\n## Current Position\n\n"+bullet+"\n" {
		t.Errorf("%q", got)
	}
}

func TestNewIsADigestInTheShapeOfInit(t *testing.T) {
	t.Parallel()
	src := New(noon(), "a -- <!-- b -->\nc")
	d := Parse(src)
	m := d.Model()
	if m.Form != "C" || len(m.Active)+len(m.Queue)+len(m.Warnings)+len(m.Patterns) != 0 {
		t.Errorf("%+v", m)
	}
	if f := d.Findings(Facts{}); len(f) > 0 {
		t.Errorf("findings: %v", f)
	}
	if line, open := d.unclosed(); open || strings.Count(string(src), "100 lines") != 1 {
		t.Errorf("line %d, size note in %s", line, src)
	}
	if string(d.Stamp(noon()).Text) != string(src) {
		t.Error("a fresh digest is not stamped with its day")
	}
	e, err := d.AddQueue(QueueEntry{ID: "SPEC-001", Title: "One", Priority: "high"})
	if text := must(t, e, err); !strings.Contains(text, "|\n| 1 | SPEC-001 | One | high | draft |\n\n## Decisions") {
		t.Errorf("%s", text)
	}
}
