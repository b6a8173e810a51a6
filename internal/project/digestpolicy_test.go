package project

import (
	"strings"
	"testing"

	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// SF-D39, specflow.md 5.2: the order of precedence is the environment's byte limit, baton's configuration,
// .specflow/config.json, the defaults. A source that cannot be read is ignored and reported.
func TestSFD39_WhichLimitApplies(t *testing.T) {
	t.Parallel()
	defaults := limits{bytes: 32768, lines: 100, keep: 5, tolerate: 7, cell: 500}
	foreign := `{"state_max_bytes": 1000, "state_cell_hard_cap": 90, "state_keep_decisions": 9}`
	const trouble = "config_invalid"
	for _, c := range []struct {
		name, foreign, own, variable string
		want                         limits
		finding, path                string
	}{
		{name: "defaults", want: defaults},
		{name: "SpecFlow's file", foreign: foreign, want: limits{bytes: 1000, lines: 100, keep: 9, tolerate: 9, cell: 90}},
		{name: "SpecFlow's file, a part of it", foreign: `{"state_cell_hard_cap": 90, "other": {"state_max_bytes": 5}}`, want: limits{
			bytes: 32768, lines: 100, keep: 5, tolerate: 7, cell: 90,
		}},
		{name: "SpecFlow's file as people write it", foreign: "{\n  // ours\n  \"state_max_bytes\": 1000,\n}\n", want: limits{
			bytes: 1000, lines: 100, keep: 5, tolerate: 7, cell: 500,
		}},
		{name: "none stays", foreign: `{"state_keep_decisions": 0}`, want: limits{
			bytes: 32768, lines: 100, keep: 0, tolerate: 0, cell: 500,
		}},
		{
			name: "0 and null say nothing", foreign: `{"state_max_bytes": 0, "state_cell_hard_cap": 0, "state_keep_decisions": null}`,
			want: defaults,
		},
		{name: "baton's file", own: "state:\n  max_bytes: 2000\n  max_lines: 50\ndecisions:\n  keep: 3\n  tolerate: 4\n", want: limits{
			bytes: 2000, lines: 50, keep: 3, tolerate: 4, cell: 500,
		}},
		{name: "baton's bytes over SpecFlow's", foreign: foreign, own: "state:\n  max_bytes: 2000\n", want: limits{
			bytes: 2000, lines: 100, keep: 9, tolerate: 9, cell: 90,
		}},
		{name: "baton's keep over SpecFlow's", foreign: foreign, own: "decisions:\n  keep: 3\n", want: limits{
			bytes: 1000, lines: 100, keep: 3, tolerate: 7, cell: 90,
		}},
		{name: "baton's tolerate over SpecFlow's", foreign: foreign, own: "decisions:\n  tolerate: 8\n", want: limits{
			bytes: 1000, lines: 100, keep: 5, tolerate: 8, cell: 90,
		}},
		{name: "no fewer are tolerated than stay", own: "decisions:\n  keep: 12\n", want: limits{
			bytes: 32768, lines: 100, keep: 12, tolerate: 12, cell: 500,
		}},
		{name: "the variable", variable: "3000", want: limits{bytes: 3000, lines: 100, keep: 5, tolerate: 7, cell: 500}},
		{name: "the variable over both files", foreign: foreign, own: "state:\n  max_bytes: 2000\n", variable: " 3000 ", want: limits{
			bytes: 3000, lines: 100, keep: 9, tolerate: 9, cell: 90,
		}},
		{name: "a variable that is no number", foreign: foreign, variable: "lots", want: limits{
			bytes: 1000, lines: 100, keep: 9, tolerate: 9, cell: 90,
		}, finding: trouble},
		{name: "a variable of nothing", variable: "0", want: defaults, finding: trouble},
		{name: "a variable below nothing", own: "state:\n  max_bytes: 2000\n", variable: "-7", want: limits{
			bytes: 2000, lines: 100, keep: 5, tolerate: 7, cell: 500,
		}, finding: trouble},
		{name: "no JSON", foreign: "state_max_bytes = 1000", want: defaults, finding: trouble, path: digests.SpecflowConfigName},
		{name: "no object", foreign: "[1000]", want: defaults, finding: trouble, path: digests.SpecflowConfigName},
		{
			name: "a text for a number", foreign: `{"state_cell_hard_cap": 90, "state_max_bytes": "1000"}`,
			want:    limits{bytes: 32768, lines: 100, keep: 5, tolerate: 7, cell: 90},
			finding: trouble, path: digests.SpecflowConfigName,
		},
		{name: "a fraction", foreign: `{"state_keep_decisions": 2.5}`, want: defaults, finding: trouble, path: digests.SpecflowConfigName},
		{
			name: "a limit below nothing", foreign: `{"state_cell_hard_cap": 90, "state_max_bytes": -1}`,
			want:    limits{bytes: 32768, lines: 100, keep: 5, tolerate: 7, cell: 90},
			finding: trouble, path: digests.SpecflowConfigName,
		},
		{
			name: "fewer than none stay", foreign: `{"state_keep_decisions": -2}`, want: defaults, finding: trouble,
			path: digests.SpecflowConfigName,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".specflow/STATE.md", smallSpecflow)
			if c.foreign != "" {
				w.write(digests.SpecflowConfigName, c.foreign)
			}
			if c.own != "" {
				w.write(config.Name, c.own)
			}
			if c.variable != "" {
				w.env[digests.BytesVariable] = c.variable
			}
			p := w.as("a")
			s := p.Digests.Policy(workspace.PlaceIn(workspace.LayoutSpecflow, ".specflow"))
			if got := (limits{bytes: s.MaxBytes, lines: s.MaxLines, keep: s.Keep, tolerate: s.Tolerate, cell: s.CellCap}); got != c.want {
				t.Errorf("limits %+v, want %+v", got, c.want)
			}
			shown := must(p.Digests.State(t.Context()))(t)
			if shown.MaxBytes != c.want.bytes || shown.MaxLines != c.want.lines {
				t.Errorf("state show says %d bytes and %d lines", shown.MaxBytes, shown.MaxLines)
			}
			reportedOfSettings(t, "state show", shown.Warnings, c.finding, c.path)
			added := must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "second", Date: "2026-02-02"}))(t)
			reportedOfSettings(t, "decision add", added.Warnings, c.finding, c.path)
		})
	}
}

// limits are the numbers of a policy.
type limits struct{ bytes, lines, keep, tolerate, cell int }

// reportedOfSettings checks that a code is reported once, with its path, or not at all.
func reportedOfSettings(t *testing.T, who string, findings []report.Finding, code, path string) {
	t.Helper()
	n := 0
	for _, f := range findings {
		if f.Code != "config_invalid" {
			continue
		}
		n++
		if f.Path != path || f.Severity != report.Warning || f.Text == "" || strings.Contains(f.Text, "\n") {
			t.Errorf("%s tells %+v", who, f)
		}
	}
	if want := len(code) / max(1, len(code)); n != want {
		t.Errorf("%s reports it %d times, want %d: %+v", who, n, want, findings)
	}
}

// SF-D39: SpecFlow's settings apply to its own digests only, and decide when one rotates.
func TestSFD39_SpecflowsLimitsApplyToItsDigestsOnly(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		w := newWorld(t)
		w.write(dir+"/STATE.md", text)
		w.write(digests.SpecflowConfigName, `{"state_max_bytes": 40, "state_cell_hard_cap": 10, "state_keep_decisions": 2}`)
		w.env[digests.BytesVariable] = "60"
		p := w.open(workspace.Options{Layout: map[string]string{
			".specflow": workspace.LayoutSpecflow, ".planning": workspace.LayoutGSD, ".baton": workspace.LayoutBaton,
		}[dir]})
		added := must(p.Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"}))(t)
		want := 5
		if dir == ".specflow" {
			want = 2
		}
		if r := added.Rotation; !r.Rotated || r.Kept != want {
			t.Errorf("%s: %d stay, want %d", dir, r.Kept, want)
		}
		long := strings.Repeat("x", 11)
		_, err := p.Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: long})
		switch {
		case dir == ".specflow":
			refused(t, err, report.Violation, "cell_too_large")
		case err != nil:
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// D27: if a value in baton's own configuration is wrong, nothing is written, and readers use the defaults.
func TestD27_AWrongLimitOfOurOwnStopsWriters(t *testing.T) {
	t.Parallel()
	for _, own := range []string{
		"state:\n  max_bytes: many\n", "state:\n  max_lines: 0\n", "decisions:\n  keep: -1\n", "decisions:\n  tolerate: [7]\n",
	} {
		w := newWorld(t)
		w.write(".specflow/STATE.md", smallSpecflow)
		w.write(config.Name, own)
		_, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "second"})
		if e := refused(t, err, report.Corrupt, "config_type"); e.Path != config.Name || e.Line != 2 {
			t.Errorf("%q: %+v", own, e)
		}
		shown := must(w.as("a").Digests.State(t.Context()))(t)
		if d := digest.DefaultLimits(); shown.MaxBytes != d.MaxBytes || shown.MaxLines != d.MaxLines ||
			!hasCode(shown.Warnings, "config_type") {
			t.Errorf("%q: state show says %d bytes, %d lines, %+v", own, shown.MaxBytes, shown.MaxLines, shown.Warnings)
		}
		if s, d := w.as("a").Digests.Policy(workspace.PlaceIn(workspace.LayoutSpecflow, ".specflow")),
			decision.DefaultSettings(); s.Keep != d.Keep || s.Tolerate != d.Tolerate {
			t.Errorf("%q: keep %d, tolerate %d", own, s.Keep, s.Tolerate)
		}
	}
}
