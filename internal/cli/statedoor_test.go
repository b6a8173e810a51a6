package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"baton/internal/cli/tasks"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// D14: the error has exactly the prescribed wording, and nothing is read before it.
func TestSFD24_HistoryOfOneSpecificationAndDecisionsDoNotGoTogether(t *testing.T) {
	t.Parallel()
	const line = "Cannot combine [ID] with --decisions flag. Use `/sf:history --decisions` to view all archived decisions or " +
		"`/sf:history [ID]` for spec history.\n"
	for _, args := range [][]string{{"history", "SPEC-1", "--decisions"}, {"history", "--decisions", "SPEC-1"}} {
		f := canned{err: &report.Error{Kind: report.NotFound, Message: "no project"}}
		if got := play(t, f, args...); got != (outcome{2, "", line}) {
			t.Errorf("%v: %+v", args, got)
		}
	}
	got := play(t, canned{}, "history", "SPEC-1", "--decisions", "--json")
	var object struct{ Error report.Failure }
	if err := json.Unmarshal([]byte(got.errors), &object); err != nil || got.code != 2 || object.Error.Message+"\n" != line ||
		object.Error.Kind != report.Usage {
		t.Errorf("with --json: %+v: %v", got, err)
	}
}

// TestValidateAnswersAndThenJudges checks that the findings are on standard output whatever the exit code is.
func TestValidateAnswersAndThenJudges(t *testing.T) {
	t.Parallel()
	severe, mild, note := report.Finding{Code: "a", Severity: report.Severe, Text: "A"}, report.Finding{Code: "b", Text: "B"},
		report.Finding{Code: "c", Severity: report.Info, Text: "C"}
	cases := []struct {
		name string
		list []report.Finding
		args string
		code int
		said string
	}{
		{"nothing", nil, "state validate --strict", 0, ""},
		{"a note", []report.Finding{note}, "state validate --strict", 0, ""},
		{"a warning", []report.Finding{mild, note}, "state validate", 0, ""},
		{"a warning, strictly", []report.Finding{mild, note}, "state validate --strict", 6, "baton: S.md has 1 warning\n"},
		{"an error", []report.Finding{severe}, "state validate", 6, "baton: S.md has 1 error\n"},
		{"both", []report.Finding{severe, mild, mild}, "state validate", 6, "baton: S.md has 1 error and 2 warnings\n"},
	}
	for _, c := range cases {
		f := canned{answer: digests.StateValidation{Path: "S.md", Findings: c.list}}
		got := play(t, f, strings.Fields(c.args)...)
		if got.code != c.code || !strings.HasPrefix(got.errors, c.said) || c.said == "" && got.errors != "" {
			t.Errorf("%s: %+v", c.name, got)
		}
		for _, finding := range c.list {
			if !strings.Contains(got.out, " "+finding.Text+" ["+string(finding.Code)+"]\n") {
				t.Errorf("%s: the page lacks %s:\n%s", c.name, finding.Code, got.out)
			}
		}
		got = play(t, f, append(strings.Fields(c.args), "--json")...)
		if got.code != c.code || !json.Valid([]byte(got.out)) || c.code != 0 && strings.Count(got.errors, "\n") != 1 {
			t.Errorf("%s with --json: %+v", c.name, got)
		}
	}
}

// D22: --check says what would change, and its exit code says that there is something.
func TestD22_SyncCheckEndsWithAViolation(t *testing.T) {
	t.Parallel()
	drift := digests.StateSyncResult{Check: true, StateChange: changed(digests.StateField{Field: "progress.percent", Old: "37", New: "40"})}
	f := canned{answer: drift, err: &report.Error{Kind: report.Violation, Code: "out_of_sync", Message: "1 value has drifted"}}
	got := play(t, f, "state", "sync", "--check")
	if got.code != 6 || !strings.Contains(got.out, "progress.percent  37 → 40") ||
		!strings.HasPrefix(got.errors, "baton: 1 value has drifted\n") {
		t.Errorf("%+v", got)
	}
	got = play(t, f, "state", "sync", "--check", "--json")
	if got.code != 6 || !json.Valid([]byte(got.out)) || !strings.Contains(got.errors, `"code":"out_of_sync"`) {
		t.Errorf("with --json: %+v", got)
	}
	f = canned{err: &report.Error{Kind: report.NotFound, Message: "no digest"}}
	if got := play(t, f, "state", "sync", "--check"); got != (outcome{3, "", "baton: no digest\n"}) {
		t.Errorf("another error: %+v", got)
	}
}

// TestQuietRotationSaysNothingWithoutCause checks what hooks rely on.
func TestQuietRotationSaysNothingWithoutCause(t *testing.T) {
	t.Parallel()
	f := canned{answer: digests.RotateResult{Warnings: full().Warnings, Rotation: full().Rotation}}
	if got := play(t, f, "state", "rotate", "--quiet"); got != (outcome{}) {
		t.Errorf("nothing moved: %+v", got)
	}
	f = canned{answer: digests.RotateResult{Rotation: moved(digests.StateChange{}).Rotation}}
	if got := play(t, f, "state", "rotate", "--quiet"); got.code != 0 || got.errors != "" || strings.Count(got.out, "\n") != 1 {
		t.Errorf("moved: %+v", got)
	}
}

// SF-24: control characters become visible, on every page about a digest.
func TestSF24_HostileTextIsMadeHarmless(t *testing.T) {
	t.Parallel()
	for name, c := range digestPages() {
		colored := c.set.vars["FORCE_COLOR"] != ""
		if got := c.set.play(t, canned{answer: c.answer}, c.args...); !colored && strings.ContainsAny(got.out+got.errors, "\x1b\r") {
			t.Errorf("%s: %q", name, got.out)
		}
	}
}

func TestCompletionOfDigests(t *testing.T) {
	t.Parallel()
	const specs = "# SpecFlow State\n\n## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n" +
		"| SPEC-007 | running | go |\n\n" +
		"## Queue\n\n| # | ID | Title |\n|---|---|---|\n| 1 | SPEC-008 | Import |\n| 2 | SPEC-009 | Reports |\n\n## Blockers\n\n- x\n- y\n"
	s := newSite(t, map[string]string{".specflow/STATE.md": specs})
	cases := []struct{ line, want string }{
		{"state begin 4 --stage _", "discuss plan execute verify"},
		{"state next _", "discuss-phase plan-phase execute-phase verify-phase none"},
		{"state next plan-phase _", ""},
		{"state set next_action _", "discuss-phase plan-phase execute-phase verify-phase"},
		{"state get _", "active status next"},
		{"state active set _", "SPEC-007"},
		{"state active set S --status _", strings.Join(workspace.SpecStatuses(), " ")},
		{"state active add _", "SPEC-008 SPEC-009"},
		{"state active add S _", strings.Join(workspace.SpecStatuses(), " ")},
		{"state queue move _", "SPEC-008 SPEC-009"},
		{"state queue move S --to _", ""},
		{"state queue add S --after _", "SPEC-008 SPEC-009"},
		{"history _", ""},
		{"task convert 1 --to _", "v1 v2"},
		{"task list --status _", strings.Join(tasks.Statuses[:], " ")},
	}
	for _, c := range cases {
		args := append([]string{"__complete"}, strings.Fields(strings.TrimSuffix(c.line, "_"))...)
		args = append(args, "")
		got := s.play(t, args...)
		var words []string
		for line := range strings.SplitSeq(got.out, "\n") {
			if word, _, _ := strings.Cut(line, "\t"); word != "" && !strings.HasPrefix(word, ":") {
				words = append(words, word)
			}
		}
		if strings.Join(words, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.line, strings.Join(words, " "), c.want)
		}
	}
	got := newSite(t, map[string]string{".planning/STATE.md": gsdDigest}).play(t, "__complete", "blocker", "resolve", "")
	if !strings.HasPrefix(got.out, "1\tSlow keys\n2\tSlow tests\n") {
		t.Errorf("blocker resolve: %+v", got)
	}
	got = newSite(t, nil).play(t, "__complete", "state", "patch", "")
	if got.code != 0 || !strings.Contains(got.out, ":") {
		t.Errorf("without a digest: %+v", got)
	}
}
