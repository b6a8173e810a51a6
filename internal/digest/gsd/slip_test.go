package gsd

import (
	"strings"
	"testing"

	"baton/internal/report"
)

// TestASlipOfTheKeyboardMakesNoNewKey checks that a name unlike any other becomes a new key, and that a name close to a
// known one is refused without force.
func TestASlipOfTheKeyboardMakesNoNewKey(t *testing.T) {
	t.Parallel()
	text := "---\nstatus: planning\nowner: kim\n---\n\n# P\n\n## Current Position\n\nPhase: 2 of 3\n**Plan:** 1 of 2\nWeather: " +
		"wet\n\n```\nhumour: dry\n```\n"
	for _, c := range []struct{ name, meant string }{
		{"stauts", "status"},
		{"statuss", "status"},
		{"next_acton", "next_action"},
		{"progress.precent", "progress.percent"},
		{"ownr", "owner"},
		{"fm:stauts", "status"},
		{"plan", "Plan"},
		{"phse", "Phase"},
		{"wether", "Weather"},
		{"fm:plan", ""},
		{"humor", ""},
		{"custom", ""},
		{"pln2", ""},
		{"owner", ""},
		{"milestone", ""},
	} {
		d := Parse([]byte(text))
		key := strings.TrimPrefix(c.name, "fm:")
		e, err := d.Set(c.name, "x", false, moment)
		if c.meant == "" {
			if err != nil || !strings.Contains(string(e.Text), "\n"+key+": x\n") {
				t.Errorf("%s: %v\n%s", c.name, err, e.Text)
			}
			continue
		}
		if report.CodeOf(err) != "field_unknown" || report.KindOf(err) != report.Usage ||
			!strings.Contains(err.Error(), "did you mean \""+c.meant+"\"?") {
			t.Errorf("%s: %v", c.name, err)
		}
		if string(e.Text) != text {
			t.Errorf("%s changed the text:\n%s", c.name, e.Text)
		}
		if strings.Contains(key, ".") {
			continue
		}
		if e, err = d.Set(c.name, "x", true, moment); err != nil || !strings.Contains(string(e.Text), "\n"+key+": x\n") {
			t.Errorf("%s with force: %v\n%s", c.name, err, e.Text)
		}
	}
}

func TestGSD36_AMetricIsADurationAndStandsOnce(t *testing.T) {
	t.Parallel()
	text := "# P\n\n## Performance Metrics\n\n| Plan | Duration | Tasks | Files |\n|---|---|---|---|\n| Phase 04 P02 | 5min | 1 tasks | " +
		"- files |\n| 05-01 | a while | - | - |\n"
	for _, duration := range []string{"5m", "25min", "1h", "1h 20m", "90s", "1.5h", "~2 min", "0:45", "1:20:05", "2 hours, 5 minutes"} {
		if _, err := Parse([]byte(text)).Metric("4", "3", duration, 1, 1, moment); err != nil {
			t.Errorf("%s: %v", duration, err)
		}
	}
	for _, duration := range []string{"banana", "5", "-5m", "5 days or so", "1:5", "1:70", ":45", "1:00:00:00", "5|6"} {
		e, err := Parse([]byte(text)).Metric("4", "3", duration, 1, 1, moment)
		if report.CodeOf(err) != "duration_invalid" || report.KindOf(err) != report.Usage || string(e.Text) != text {
			t.Errorf("%s: %v", duration, err)
		}
	}
	for _, c := range []struct {
		phase, plan string
		line        int
	}{{"4", "2", 7}, {"04", "02", 7}, {"5", "1", 8}} {
		e, err := Parse([]byte(text)).Metric(c.phase, c.plan, "5m", 1, 1, moment)
		if report.CodeOf(err) != "metric_exists" || report.KindOf(err) != report.Conflict || report.As(err).Line != c.line ||
			string(e.Text) != text {
			t.Errorf("phase %s, plan %s: %v", c.phase, c.plan, err)
		}
	}
	for _, c := range [][2]string{{"4", "1"}, {"2", "4"}, {"4.1", "2"}, {"5", "2"}} {
		if _, err := Parse([]byte(text)).Metric(c[0], c[1], "5m", 1, 1, moment); err != nil {
			t.Errorf("phase %s, plan %s: %v", c[0], c[1], err)
		}
	}
}

// TestN7_ARefusalNamesTheCommandThatHelps checks that each command refused because of an active phase says how to
// finish it.
func TestN7_ARefusalNamesTheCommandThatHelps(t *testing.T) {
	t.Parallel()
	d := Parse([]byte("---\nstatus: executing\nactive_phase: \"2\"\n---\n# P\n"))
	_, set := d.Set("next_action", "plan-phase", true, moment)
	_, next := d.Next("plan-phase", []string{"3"}, moment)
	for _, err := range []error{set, next} {
		if report.CodeOf(err) != "phase_active" || !strings.Contains(report.As(err).Hint, "`baton state complete 2`") ||
			strings.Contains(report.As(err).Hint, "--force") {
			t.Errorf("%v: %s", err, report.As(err).Hint)
		}
	}
}
