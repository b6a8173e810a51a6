package doctor

import (
	"testing"

	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/workspace"
)

// TestRemedyOf_TakesTheCommandFromTheFinding has the doctor find the command by a value, so that the words of a
// message can change.
func TestRemedyOf_TakesTheCommandFromTheFinding(t *testing.T) {
	t.Parallel()
	d := &doctor{p: &workspace.Workspace{}}
	rows := "# A\n\n| Date | Decision |\n|---|---|\n| 2026-02-01 | a |\n| 2026-01-01 | b |\n"
	bullets := "# A\n\n- 2026-02-01: a\n- 2026-01-01: b\n"
	for archive, want := range map[string]string{
		rows: "baton decision rotate --sort-archive --layout specflow", bullets: "",
	} {
		found := 0
		for _, f := range decision.Findings(nil, []byte(archive), decision.Specflow, decision.DefaultSettings()) {
			if f.Code != report.CodeArchiveUnsorted {
				continue
			}
			found++
			f.Text = "in other words"
			if r := d.remedyOf(f, scene{layout: "specflow"}); r.Command != want || (r.Advice == "") != (want != "") {
				t.Errorf("%q: %+v, want the command %q", archive, r, want)
			}
		}
		if found != 1 {
			t.Errorf("%q: %d findings", archive, found)
		}
	}
}
