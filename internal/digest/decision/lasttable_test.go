package decision

import (
	"strings"
	"testing"

	"baton/internal/report"
)

func TestEndWithDecisions(t *testing.T) {
	t.Parallel()
	other := "## Archived Execution Status\n\n| Spec ID | Mode |\n|---|---|\n| SPEC-1 | m |\n"
	two := "\n## Archived Decisions\n\n| Date | Decision |\n|------|----------|\n"
	three := "| Date | Spec | Decision |\n|------|------|----------|\n"
	for name, c := range map[string]struct{ archive, digest, want string }{
		"another table":       {"# A\n\n" + other, "", "# A\n\n" + other + two},
		"the digest's header": {other, "## Decisions\n\n" + three, other + "\n## Archived Decisions\n\n" + three},
		"no final line end":   {strings.TrimSuffix(other, "\n"), "", other + two},
		"CRLF":                {crlf(other), "", crlf(other + two)},
		"decisions last":      {other + "\n" + twoColumns, "", other + "\n" + twoColumns},
		"no table":            {"# A\n\n- 2026-01-01: a\n", "", "# A\n\n- 2026-01-01: a\n"},
		"nothing":             {"", "", ""},
	} {
		got, err := EndWithDecisions([]byte(c.archive), []byte(c.digest), Specflow, nil)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, err, got, c.want)
		}
		again, err := EndWithDecisions(got, []byte(c.digest), Specflow, nil)
		if err != nil || string(again) != string(got) {
			t.Errorf("%s, a second time: %v\n%q", name, err, again)
		}
	}
	if got, err := EndWithDecisions([]byte(other), nil, GSD, nil); err != nil || string(got) != other {
		t.Errorf("GSD: %v\n%s", err, got)
	}
	if _, err := EndWithDecisions([]byte(other+"```\nopen\n"), nil, Specflow, nil); report.CodeOf(err) != report.CodeUnclosedFence {
		t.Errorf("an open fence: %v", err)
	}
}
