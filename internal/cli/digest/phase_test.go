package digest

import (
	"testing"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// TestF94d_BarsAndLocales checks that bars are ASCII if the locale is not UTF-8.
func TestF94d_BarsAndLocales(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		terminal bool
		vars     map[string]string
		want     string
	}{
		{"pipe", false, map[string]string{"LANG": "C"}, "[###-------] 37%"},
		{"pipe, nothing said", false, map[string]string{"TERM": "dumb"}, "[███░░░░░░░] 37%"},
		{"Unicode", true, map[string]string{"LANG": "de_DE.UTF-8"}, "[███░░░░░░░] 37%"},
		{"another character set", true, map[string]string{"LANG": "de_DE.ISO-8859-1"}, "[###-------] 37%"},
		{"LC_ALL wins", true, map[string]string{"LC_ALL": "C", "LANG": "de_DE.utf8"}, "[###-------] 37%"},
		{"nothing said", true, nil, "[███░░░░░░░] 37%"},
		{"dumb", true, map[string]string{"TERM": "dumb"}, "[###-------] 37%"},
	}
	for _, c := range cases {
		p := &app.Page{Env: report.Env{Terminal: c.terminal, Getenv: func(name string) string { return c.vars[name] }}}
		if got := Bar(p, 37); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	p := &app.Page{}
	for percent, want := range map[int]string{
		0: "[░░░░░░░░░░] 0%", 9: "[░░░░░░░░░░] 9%", 100: "[██████████] 100%", 140: "[██████████] 140%",
	} {
		if got := Bar(p, percent); got != want {
			t.Errorf("%d: %s", percent, got)
		}
	}
}

func TestStepCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, active, action, phase, want string
	}{
		{"paused", "", "", "", "baton state resume"},
		{"executing", "4", "", "", "baton state begin 4 --done"},
		{"verifying", "4", "", "", "baton state verify 4 --passed, or baton state verify 4 --failed"},
		{"discussing", "4", "", "", "baton state begin 4 --stage discuss --done"},
		{"unknown", "4", "", "", ""},
		{"planning", "", "discuss-phase", "5", "baton state begin 5 --stage discuss"},
		{"verifying", "", "verify-phase", "4", "baton state verify 4"},
		{"executing", "", "dance", "4", ""},
		{"completed", "", "", "", ""},
	} {
		phases := []string{c.phase}
		if c.phase == "" {
			phases = nil
		}
		if got := StepCommand(c.status, c.active, c.action, phases); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
