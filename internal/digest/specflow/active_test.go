package specflow

import (
	"strings"
	"testing"

	"baton/internal/report"
	"github.com/google/go-cmp/cmp"
)

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestSFD32_ThreeFormsAreRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src, form string
		active    []Active
	}{
		"A": {formA, "A", []Active{{ID: "SPEC-003a", Title: "Export of reports", Status: "review", Next: "`/sf:review`", Line: 5}}},
		"B": {formB, "B", []Active{{ID: "SPEC-GSD-A", Status: "running", Next: "(in progress)", Line: 5}}},
		"C": {formC, "C", []Active{
			{ID: "SPEC-010", Status: "running", Next: "/sf:run", Line: 7},
			{ID: "SPEC-011", Status: "review", Next: "/sf:review", Line: 8},
		}},
		"C beside A": {formA + "\n" + formC[strings.Index(formC, "## Active"):], "C", []Active{
			{ID: "SPEC-010", Status: "running", Next: "/sf:run", Line: 30},
			{ID: "SPEC-011", Status: "review", Next: "/sf:review", Line: 31},
		}},
		"A without H1": {
			formA[len("# SpecFlow State\n\n"):], "A", []Active{
				{ID: "SPEC-003a", Title: "Export of reports", Status: "review", Next: "`/sf:review`", Line: 3},
			},
		},
		"colon outside": {
			"## Current Position\n* **Active Specification**: SPEC-1\n* **Status**: idle\n", "A",
			[]Active{{ID: "SPEC-1", Status: "idle", Line: 2}},
		},
		"B behind a bullet": {"## Active Specification\n- SPEC-1\n", "B", []Active{{ID: "SPEC-1", Line: 2}}},
		"B with a comment":  {"## Active Specification\n<!-- SPEC-2 -->\n\nSPEC-1\n", "B", []Active{{ID: "SPEC-1", Line: 4}}},
		"B without a value": {"## Active Specification\n\n**Status:** idle\n", "B", []Active{}},
		"C under the singular": {
			"## Active Specification\n\n| SPEC-ID | Status |\n|---|---|\n| SPEC-1 | x |\n", "C",
			[]Active{{ID: "SPEC-1", Status: "x", Line: 5}},
		},
		"C in words": {"## Active Specifications\n\n_none_\n", "C", []Active{}},
		"status alone, then B": {
			"## Current Position\n\n- **Status:** idle\n\n## Active Specification\n\nSPEC-1\n", "B", []Active{{ID: "SPEC-1", Line: 7}},
		},
		"nested bullet is none": {"## Current Position\n- x\n  - **Active Specification:** SPEC-1\n", "", []Active{}},
		"heading of third rank": {"### Active Specification\n\nSPEC-1\n", "", []Active{}},
		"nothing":               {"# Notes\n", "", []Active{}},
		"escaped pipe in a cell": {
			"## Active Specifications\n| ID | Next Step |\n|--|--|\n| SPEC-1 | a \\| b |\n", "C",
			[]Active{{ID: "SPEC-1", Next: "a | b", Line: 4}},
		},
	} {
		m := Parse([]byte(c.src)).Model()
		if diff := cmp.Diff(c.active, m.Active); diff != "" || m.Form != c.form {
			t.Errorf("%s: form %q, want %q\n%s", name, m.Form, c.form, diff)
		}
	}
}

func TestActiveAddInPlace(t *testing.T) {
	t.Parallel()
	idleA := replaced(t, formA, "SPEC-003a — Export of reports", "(none)", "**Status:** review", "**Status:** idle")
	for name, c := range map[string]struct{ src, want string }{
		"A": {idleA, replaced(t, idleA, "(none)", "SPEC-012", "idle", "drafting", "`/sf:review`", "/sf:audit")},
		"B": {
			replaced(t, formB, "\nSPEC-GSD-A\n\n", "\nnone\n\n"),
			replaced(t, formB, "\nSPEC-GSD-A\n\n", "\nSPEC-012\n\n", "**Status:** running", "**Status:** drafting", "(in progress)",
				"/sf:audit"),
		},
		"C": {
			formC, replaced(t, formC, "| SPEC-011 | review | /sf:review |\n",
				"| SPEC-011 | review | /sf:review |\n| SPEC-012 | drafting | /sf:audit |\n"),
		},
		"C without a table": {
			"## Active Specifications\n\n_none_\n",
			"## Active Specifications\n\n_none_\n\n" + activeHeader + "\n" + activeDelimiter + "\n| SPEC-012 | drafting | /sf:audit |\n",
		},
		"C with a placeholder": {
			"## Active Specifications\n\n| Status | Owner | SPEC-ID |\n|---|---|---|\n| — | - | none |\n",
			"## Active Specifications\n\n| Status | Owner | SPEC-ID |\n|---|---|---|\n| drafting | — | SPEC-012 |\n",
		},
		"no form": {
			"# S\n\n## Queue\n\nnothing\n\n---\n*Last updated: [date]*\n",
			"# S\n\n## Queue\n\nnothing\n\n## Current Position\n\n- **Active Specification:** SPEC-012\n- **Status:** drafting\n- **Next " +
				"Step:** /sf:audit\n\n---\n*Last updated: [date]*\n",
		},
		"position without the three": {
			"## Current Position\n\n- **TODO Items:** 4\n",
			"## Current Position\n\n- **Active Specification:** SPEC-012\n- **Status:** drafting\n- **Next Step:** /sf:audit\n- " +
				"**TODO Items:** 4\n",
		},
		"missing bullets": {
			"## Current Position\n\n* **Status**: idle\n* **Other**: x\n",
			"## Current Position\n\n* **Status**: drafting\n* **Active Specification**: SPEC-012\n* **Next Step**: /sf:audit\n* " +
				"**Other**: x\n",
		},
		"B missing all": {
			"## Active Specification\n", "## Active Specification\n\nSPEC-012\n\n**Status:** drafting\n**Next Step:** /sf:audit\n",
		},
		"empty file": {
			"", "## Current Position\n\n- **Active Specification:** SPEC-012\n- **Status:** drafting\n- **Next Step:** /sf:audit\n",
		},
		"no terminator": {
			"## Current Position\n\n- **Active Specification:** none",
			"## Current Position\n\n- **Active Specification:** SPEC-012\n- **Status:** drafting\n- **Next Step:** /sf:audit",
		},
	} {
		e, err := Parse([]byte(c.src)).AddActive("SPEC-012", "drafting", "/sf:audit", false)
		got := must(t, e, err)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
			continue
		}
		again, err := Parse(e.Text).AddActive("spec-012", "drafting", "/sf:audit", false)
		if must(t, again, err) != got || len(again.Changed) > 0 {
			t.Errorf("%s: a second time changes %v", name, again.Changed)
		}
		if name != "C" && name != "C with a placeholder" {
			continue
		}
		if _, active := Parse(e.Text).active(); active[len(active)-1].ID != "SPEC-012" {
			t.Errorf("%s: %v", name, active)
		}
	}
}

func TestActiveAddRefusesASecondWhereThereIsRoomForOne(t *testing.T) {
	t.Parallel()
	for _, src := range []string{formA, formB} {
		d := Parse([]byte(src))
		e, err := d.AddActive("SPEC-099", "drafting", "", false)
		refused(t, src, e, err, report.Violation, "single_active")
		if !strings.Contains(report.As(err).Hint, "migrate") {
			t.Errorf("hint %q does not advise to migrate", report.As(err).Hint)
		}
		e, err = d.ChangeActive("SPEC-099", "drafting", "")
		refused(t, src, e, err, report.Violation, "single_active")
		e, err = d.AddActive("SPEC-099", "drafting", "/sf:audit", true)
		m := Parse([]byte(must(t, e, err))).Model()
		if len(m.Active) != 1 || m.Active[0].ID != "SPEC-099" || m.Active[0].Status != "drafting" || m.Active[0].Next != "/sf:audit" {
			t.Errorf("replaced: %+v", m.Active)
		}
	}
}

func TestActiveSetKeepsTheTitle(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(formA)).ChangeActive("spec-003A", "done", "")
	want := replaced(t, formA, "**Status:** review", "**Status:** done")
	if diff := cmp.Diff(want, must(t, e, err)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Change{{"status", "review", "done"}}, e.Changed); diff != "" {
		t.Error(diff)
	}
	e, err = Parse([]byte(formC)).ChangeActive("SPEC-011", "", "/sf:done | later\nor so")
	want = replaced(t, formC, "| review | /sf:review |", `| review | /sf:done \| later or so |`)
	if diff := cmp.Diff(want, must(t, e, err)); diff != "" {
		t.Error(diff)
	}
}

func TestActiveRemove(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(formC)).RemoveActive("spec-010")
	if diff := cmp.Diff(replaced(t, formC, "| SPEC-010 | running | /sf:run |\n", ""), must(t, e, err)); diff != "" {
		t.Error(diff)
	}
	e, err = Parse(e.Text).RemoveActive("SPEC-011")
	if got := must(t, e, err); !strings.Contains(got, activeHeader+"\n"+activeDelimiter+"\n\n") {
		t.Errorf("the emptied table lost its header:\n%s", got)
	}
	e, err = Parse([]byte(formA)).RemoveActive("SPEC-003a")
	want := replaced(t, formA, "SPEC-003a — Export of reports", "none", "**Status:** review", "**Status:** idle", "`/sf:review`",
		"/sf:new or /sf:next")
	if diff := cmp.Diff(want, must(t, e, err)); diff != "" {
		t.Error(diff)
	}
	after := string(e.Text)
	e, err = Parse(e.Text).RemoveActive("SPEC-003a")
	refused(t, after, e, err, report.NotFound, "spec_not_active")
}

func TestActiveAddRefusesNoId(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "none", "—", "(none)"} {
		e, err := Parse([]byte(formC)).AddActive(id, "x", "y", false)
		refused(t, formC, e, err, report.Usage, "id_invalid")
	}
	for _, id := range []string{"# x", "---", "```", "**Status:** x", "> x", "<!-- x"} {
		src := "## Active Specification\n\nnone\n\n**Status:** idle\n"
		e, err := Parse([]byte(src)).AddActive(id, "", "", false)
		if err == nil {
			t.Errorf("%q was written as\n%s", id, e.Text)
		}
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	withTitles := replaced(t, formC, "| — | — | — | — | — |", "| 1 | SPEC-011 | Export | high | review |")
	for name, c := range map[string]struct {
		src, id string
		want    Resolution
	}{
		"only one":    {formA, "", Resolution{Action: "use", ID: "SPEC-003a"}},
		"named":       {formC, "spec-011", Resolution{Action: "use", ID: "SPEC-011"}},
		"not active":  {formC, "SPEC-99", Resolution{Action: "error", Code: "SPEC_NOT_ACTIVE", ID: "SPEC-99"}},
		"none at all": {"# S\n", "", Resolution{Action: "error", Code: "NO_ACTIVE_SPEC"}},
		"several, ask": {withTitles, "", Resolution{Action: "ask", Options: []Active{
			{ID: "SPEC-010", Status: "running", Next: "/sf:run", Line: 7},
			{ID: "SPEC-011", Title: "Export", Status: "review", Next: "/sf:review", Line: 8},
		}}},
	} {
		if diff := cmp.Diff(c.want, Parse([]byte(c.src)).Resolve(c.id)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
