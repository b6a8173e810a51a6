package gsd

import (
	"strings"
	"testing"

	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
)

func TestGSD40_EndOfASession(t *testing.T) {
	t.Parallel()
	const now = "2026-08-10T09:23:45.250Z"
	for _, c := range []struct{ name, text, resume, want string }{
		{
			"labels", "## Session\n\n**Last session:** x\n**Stopped at:** y\n**Resume file:** None\n", "",
			"## Session\n\n**Last session:** " + now + "\n**Stopped at:** here\n**Resume file:** None\n",
		},
		{
			"Last Date", "## Session\r\n\r\nLast Date: x\r\nStopped At: y\r\nResume File: a.md\r\n", "",
			"## Session\r\n\r\nLast Date: " + now + "\r\nStopped At: here\r\nResume File: a.md\r\n",
		},
		{
			"a resume file", "## Session Continuity\n\nResume file: None\nProse.\n", "b.md",
			"## Session Continuity\n\nResume file: b.md\nLast session: " + now + "\nStopped at: here\nProse.\n",
		},
		{
			"prose only (GSD-V4)", "# P\n\n## Session\n\nWe left the glass.\n\n## More\n", "",
			"# P\n\n## Session\n\n**Last session:** " + now +
				"\n**Stopped at:** here\n**Resume file:** None\n\nWe left the glass.\n\n## More\n",
		},
		{
			"no blank line", "## Session\nWe left.\n", "",
			"## Session\n\n**Last session:** " + now + "\n**Stopped at:** here\n**Resume file:** None\n\nWe left.\n",
		},
		{
			"none", "# P\n\ntext", "", "# P\n\ntext\n\n## Session Continuity\n\nLast session: " + now +
				"\nStopped at: here\nResume file: None\n",
		},
		{"empty", "", "", "## Session Continuity\n\nLast session: " + now + "\nStopped at: here\nResume file: None\n"},
		{
			"front matter", "---\nstopped_at: y\n---\n", "",
			"---\nstopped_at: here\nlast_updated: \"" + now + "\"\n---\n\n## Session Continuity\n\nLast session: " + now +
				"\nStopped at: here\nResume file: None\n",
		},
	} {
		e, err := Parse([]byte(c.text)).EndSession("here", c.resume, moment)
		if got := string(e.Text); err != nil || got != c.want {
			t.Errorf("%s: %v %s", c.name, err, cmp.Diff(c.want, got))
		}
		again, err := Parse(e.Text).EndSession("here", c.resume, moment)
		if err != nil || string(again.Text) != string(e.Text) {
			t.Errorf("%s, a second time: %v", c.name, again.Changed)
		}
	}
	if _, err := Parse([]byte("# P\n\n```\ncode\n")).EndSession("here", "", moment); report.CodeOf(err) != "unclosed_fence" ||
		report.KindOf(err) != report.Corrupt {
		t.Errorf("behind an open fence: %v", err)
	}
}

func TestGSD37_AddBlocker(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, phase, want string }{
		{
			"behind the last", "## Blockers\n\n- a\n  more\n\n- b\n\n## Next\n", "3",
			"## Blockers\n\n- a\n  more\n\n- b\n- [Phase 3]: glass\n\n## Next\n",
		},
		{
			"in the place of None (GSD-V3)", "### Blockers/Concerns\n\nNone yet.\n\nThere is none of the glass left.\n", "",
			"### Blockers/Concerns\n\n- glass\n\nThere is none of the glass left.\n",
		},
		{"beside None", "## Concerns\n\nNone.\n\n- a\n", "", "## Concerns\n\n\n- a\n- glass\n"},
		{"behind prose", "## Blockers\n\nSee the board.\n## Next\n", "", "## Blockers\n\nSee the board.\n\n- glass\n\n## Next\n"},
		{"empty section", "## Blockers\n", "", "## Blockers\n\n- glass\n"},
		{"empty section before another", "## Blockers\n\n## Next\n", "", "## Blockers\n\n- glass\n\n## Next\n"},
		{"CRLF without an end", "## Blockers\r\n\r\n- a", "", "## Blockers\r\n\r\n- a\r\n- glass"},
		{
			"below the context", "## Accumulated Context\n\n### Decisions\n\n- x\n\n## Next\n", "",
			"## Accumulated Context\n\n### Decisions\n\n- x\n\n### Blockers/Concerns\n\n- glass\n\n## Next\n",
		},
		{"no section", "# P\n", "", "# P\n\n## Blockers\n\n- glass\n"},
		{"template bullet", "## Blockers\n\n- [Phase X]: [what blocks]\n", "", "## Blockers\n\n- [Phase X]: [what blocks]\n- glass\n"},
	} {
		e, err := Parse([]byte(c.text)).AddBlocker(" glass\n", c.phase, moment)
		if got := string(e.Text); err != nil || got != c.want {
			t.Errorf("%s: %v %s", c.name, err, cmp.Diff(c.want, got))
		}
	}
	if _, err := Parse(nil).AddBlocker(" ", "", moment); report.KindOf(err) != report.Usage {
		t.Errorf("no text: %v", err)
	}
}

func TestGSD39_ResolveBlocker(t *testing.T) {
	t.Parallel()
	text := "---\nlast_updated: x\n---\n\n## Blockers\n\nProse stays.\n\n- [Phase 1]: the Glass\n  is cracked\n- 7 frames\n* none of the " +
		"glass left\n\n## Next\n\n### Concerns\n\n- paint\n"
	d := Parse([]byte(text))
	want := []Item{{9, "[Phase 1]: the Glass is cracked"}, {11, "7 frames"}, {12, "none of the glass left"}, {18, "paint"}}
	if got := d.Blockers(); !cmp.Equal(got, want) {
		t.Fatal(cmp.Diff(want, got))
	}
	if _, _, err := d.ResolveBlocker("glass", false, moment); report.KindOf(err) != report.Violation || report.CodeOf(err) != "ambiguous" {
		t.Errorf("several: %v", err)
	}
	for _, which := range []string{"rope", "9", ""} {
		if e, _, err := d.ResolveBlocker(which, true, moment); report.CodeOf(err) != "no_match" || string(e.Text) != text {
			t.Errorf("%q: %v", which, err)
		}
	}
	e, gone, err := d.ResolveBlocker("glass", true, moment)
	wantText := swap(t, text, "- [Phase 1]: the Glass\n  is cracked\n", "", "* none of the glass left\n", "", "last_updated: x",
		"last_updated: 2026-08-10T09:23:45.250Z")
	if err != nil || string(e.Text) != wantText || len(gone) != 2 || string(gone[0].Raw) != "- [Phase 1]: the Glass\n  is cracked\n" ||
		gone[1].N != 3 {
		t.Errorf("%v %+v %s", err, gone, cmp.Diff(wantText, string(e.Text)))
	}
	// A number is a position in the list. If the list is shorter, the number is text.
	if e, gone, err = d.ResolveBlocker("7", false, moment); err != nil || gone[0].Item.Text != "7 frames" {
		t.Errorf("text of digits: %v %+v", err, gone)
	}
	e, _, err = d.ResolveBlocker("4", false, moment)
	if err != nil || !strings.HasSuffix(string(e.Text), "### Concerns\n\nNone\n") {
		t.Errorf("the last of its section: %v %q", err, e.Text)
	}
}

func TestGSD36_Metrics(t *testing.T) {
	t.Parallel()
	table := "| Plan | Duration | Tasks | Files |\n|------|----------|-------|-------|\n"
	row := "| Phase 3 P2 | 5min | 1 tasks | - files |\n"
	byPhase := "**By Phase:**\n\n| Phase | Plans | Total | Avg/Plan |\n|---|---|---|---|\n| 1 | 2 | - | - |\n\n"
	for _, c := range []struct{ name, text, want string }{
		{
			"behind the last row", "## Performance Metrics\n\n" + byPhase + table + "| a | 1h |\n| b | c | d | e | f |\nTrailing prose.\n",
			"## Performance Metrics\n\n" + byPhase + table + "| a | 1h |\n| b | c | d | e | f |\n" + row + "Trailing prose.\n",
		},
		{
			"placeholder", "## Performance Metrics\n\n" + table + "| - | - | - | - |\n\nProse.\n",
			"## Performance Metrics\n\n" + table + row + "\nProse.\n",
		},
		{
			"none yet", "## Performance Metrics\n\n" + table + "None yet\n\nProse.\n",
			"## Performance Metrics\n\n" + table + row + "\nProse.\n",
		},
		{
			"no rows (GSD-V14)", "## Performance Metrics\n\n" + table + "\nProse.\n",
			"## Performance Metrics\n\n" + table + row + "\nProse.\n",
		},
		{
			"no table", "## Performance Metrics\n\n" + byPhase + "## Next\n",
			"## Performance Metrics\n\n" + byPhase[:len(byPhase)-1] + "\n**Per-Plan Metrics:**\n\n" + table + row + "\n## Next\n",
		},
		{"no section", "# P\n", "# P\n\n## Performance Metrics\n\n" + table + row},
	} {
		e, err := Parse([]byte(c.text)).Metric("3", "2", "5min", 1, -1, moment)
		if got := string(e.Text); err != nil || got != c.want {
			t.Errorf("%s: %v %s", c.name, err, cmp.Diff(c.want, got))
		}
	}
	if e, err := Parse([]byte("# P\n")).Metric("3", "2|4", "5min", 1, 2, moment); err != nil ||
		!strings.Contains(string(e.Text), `| Phase 3 P2\|4 | 5min |`) {
		t.Errorf("a pipe: %v %s", err, e.Text)
	}
	if _, err := Parse(nil).Metric("3", "", "5min", 1, 2, moment); report.KindOf(err) != report.Usage {
		t.Errorf("no plan: %v", err)
	}
}

func TestD39_TotalsAndTrend(t *testing.T) {
	t.Parallel()
	text := New(Planning, moment, "")
	for i, duration := range []string{"10 min", "1h 30m", "20min", "40 s"} {
		e, err := Parse(text).Metric("1", string(rune('1'+i)), duration, 2, 3, moment)
		if err != nil {
			t.Fatal(err)
		}
		text = e.Text
	}
	for _, line := range []string{
		"- Total plans completed: 4\n", "- Average duration: 30.2 min\n", "- Total execution time: 2.0 hours\n",
		"- Last 5 plans: 10 min, 1h 30m, 20min, 40 s\n", "- Trend: Improving\n",
	} {
		if !strings.Contains(string(text), line) {
			t.Errorf("%q is not there:\n%s", line, text)
		}
	}
	worded := strings.Replace(string(text), "| 40 s |", "| a while |", 1)
	e, err := Parse([]byte(worded)).Metric("1", "5", "7min", -1, -1, moment)
	if err != nil || !strings.Contains(string(e.Text), "- Total plans completed: 5\n- Average duration: 30.2 min\n") {
		t.Errorf("a duration in words: %v\n%s", err, e.Text)
	}
	// A total that differs from the number of rows was not counted by baton, and stays.
	other := strings.Replace(string(text), "completed: 4", "completed: 40", 1)
	if e, err = Parse([]byte(other)).Metric("1", "5", "5 min", -1, -1, moment); err != nil ||
		!strings.Contains(string(e.Text), "- Total plans completed: 40\n- Average duration: 30.2 min\n") {
		t.Errorf("somebody's total: %v\n%s", err, e.Text)
	}
	for duration, want := range map[string]float64{"5min": 5, "1h 20m": 80, "~2m": 2, "90 seconds": 1.5, "1.5 hours": 90} {
		if got, ok := minutesOf(duration); !ok || got != want {
			t.Errorf("minutesOf(%q) = %v %v", duration, got, ok)
		}
	}
	for _, duration := range []string{"", "1158", "5", "five", "-", "5 min or so", "."} {
		if got, ok := minutesOf(duration); ok {
			t.Errorf("minutesOf(%q) = %v", duration, got)
		}
	}
}
