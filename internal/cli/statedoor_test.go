package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/project"
	"baton/internal/report"
)

func TestDigestArgumentsBecomeRequests(t *testing.T) {
	t.Parallel()
	keep := 0
	one := func(name, value string) []project.NameValue { return []project.NameValue{{Name: name, Value: value}} }
	cases := []struct {
		line string
		want any
	}{
		{"state show", "state show"},
		{"state get progress.percent", "get progress.percent"},
		{"state set status planning", project.StateSetRequest{Values: one("status", "planning")}},
		{"state set status - --force", project.StateSetRequest{Values: one("status", "from the pipe"), Force: true}},
		{"state set status @note.txt", project.StateSetRequest{Values: one("status", "from the file")}},
		{"state set status @@home", project.StateSetRequest{Values: one("status", "@home")}},
		{"state set status @", project.StateSetRequest{Values: one("status", "@")}},
		{"state patch a=1 b=x=y c=@note.txt d=", project.StateSetRequest{Values: []project.NameValue{{Name: "a", Value: "1"}, {Name: "b", Value: "x=y"}, {Name: "c", Value: "from the file"}, {Name: "d"}}}},
		{"state sync", project.StateSyncRequest{}},
		{"state sync --check --allow-decrease", project.StateSyncRequest{Check: true, AllowDecrease: true}},
		{"state validate", "state validate"},
		{"state check --strict", "state validate"},
		{"state rotate", project.RotateRequest{}},
		{"state rotate --quiet", project.RotateRequest{}},
		{"decision rotate --dry-run --keep 0", project.RotateRequest{DryRun: true, Keep: &keep}},
		{"decision rotate --sort-archive --apply", project.RotateRequest{SortArchive: true, Apply: true}},
		{"state begin 4", project.TransitionRequest{Event: "begin", Phase: "4", Stage: "execute"}},
		{"state begin 4.10 --stage discuss --name N --plans 3 --done --force", project.TransitionRequest{Event: "begin", Phase: "4.10", Stage: "discuss", Name: "N", Plans: 3, Done: true, Force: true}},
		{"state plan", project.TransitionRequest{Event: "plan"}},
		{"state plan 4 --plans 3 --done", project.TransitionRequest{Event: "plan", Phase: "4", Plans: 3, Done: true}},
		{"state verify 4 --passed", project.TransitionRequest{Event: "verify", Phase: "4", Passed: true}},
		{"state verify --failed", project.TransitionRequest{Event: "verify", Failed: true}},
		{"state complete 4 --force", project.TransitionRequest{Event: "complete", Phase: "4", Force: true}},
		{"state pause", project.TransitionRequest{Event: "pause"}},
		{"state pause -", project.TransitionRequest{Event: "pause", Text: "from the pipe"}},
		{"state resume", project.TransitionRequest{Event: "resume"}},
		{"state milestone v2.0 --name N", project.TransitionRequest{Event: "milestone", Version: "v2.0", Name: "N"}},
		{"state next execute-phase 4 5,6", project.NextRequest{Action: "execute-phase", Phases: []string{"4", "5", "6"}}},
		{"state next none", project.NextRequest{}},
		{"state metric 4 2 --duration 23m", project.MetricRequest{Phase: "4", Plan: "2", Duration: "23m", Tasks: -1, Files: -1}},
		{"state metric 4 2 --duration 23m --tasks 0 --files 7", project.MetricRequest{Phase: "4", Plan: "2", Duration: "23m", Files: 7}},
		{"state active list", "active list"},
		{"state active add S-1 drafting later --replace", project.ActiveRequest{Verb: "add", ID: "S-1", Status: "drafting", Next: "later", Replace: true}},
		{"state active set S-1 --next n", project.ActiveRequest{Verb: "set", ID: "S-1", Next: "n"}},
		{"state active remove S-1", project.ActiveRequest{Verb: "remove", ID: "S-1"}},
		{"state active resolve", "resolve "},
		{"state active resolve S-1", "resolve S-1"},
		{"state queue list", "queue list"},
		{"state queue add S-1 --title - --priority p --after S-0", project.QueueRequest{Verb: "add", ID: "S-1", Title: "from the pipe", Priority: "p", After: "S-0"}},
		{"state queue remove S-1", project.QueueRequest{Verb: "remove", ID: "S-1"}},
		{"state queue move S-1 --to 2", project.QueueRequest{Verb: "move", ID: "S-1", To: 2}},
		{"state queue next", "queue next"},
		{"state migrate", false},
		{"state migrate --apply", true},
		{"decision add T --date 2026-03-14 --phase 4 --rationale @note.txt --split", project.DecisionRequest{Text: "T", Date: "2026-03-14", Phase: "4", Rationale: "from the file", Split: true}},
		{"decision add - --spec S-1", project.DecisionRequest{Text: "from the pipe", Spec: "S-1"}},
		{"decision list", project.DecisionListRequest{}},
		{"decision list --archived --spec S-1", project.DecisionListRequest{Archived: true, Spec: "S-1"}},
		{"decision list --all", project.DecisionListRequest{All: true}},
		{"blocker add @note.txt --phase 4", project.BlockerRequest{Text: "from the file", Phase: "4"}},
		{"blocker list", "blocker list"},
		{"blocker resolve 1 --all", project.ResolveRequest{Text: "1", All: true}},
		{"history", project.HistoryRequest{}},
		{"history S-1", project.HistoryRequest{ID: "S-1"}},
		{"history --decisions", project.DecisionListRequest{Archived: true}},
		{"session end --stopped-at - --resume-file notes.md", project.DigestSessionRequest{StoppedAt: "from the pipe", ResumeFile: "notes.md"}},
	}
	dir := t.TempDir()
	write(t, dir, "note.txt", "from the file\r\n")
	for _, c := range cases {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			f := &fake{}
			if got := (setting{dir: dir, stdin: "from the pipe\n"}).play(t, f, strings.Fields(c.line)...); got.code != 0 {
				t.Fatalf("exit code %d: %s", got.code, got.errors)
			}
			if diff := cmp.Diff(c.want, f.request); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

// D14: the prescribed sentence is printed to the letter, and nothing is looked up before it.
func TestSFD24_HistoryOfOneSpecificationAndDecisionsDoNotGoTogether(t *testing.T) {
	t.Parallel()
	const line = "Cannot combine [ID] with --decisions flag. Use `/sf:history --decisions` to view all archived decisions or " +
		"`/sf:history [ID]` for spec history.\n"
	for _, args := range [][]string{{"history", "SPEC-1", "--decisions"}, {"history", "--decisions", "SPEC-1"}} {
		f := &fake{opening: &report.Error{Kind: report.NotFound, Message: "no project"}}
		if got := play(t, f, args...); got != (outcome{2, "", line}) || f.calls != 0 {
			t.Errorf("%v: %+v, %d calls", args, got, f.calls)
		}
	}
	got := play(t, &fake{}, "history", "SPEC-1", "--decisions", "--json")
	var object struct{ Error report.Failure }
	if err := json.Unmarshal([]byte(got.errors), &object); err != nil || got.code != 2 || object.Error.Message+"\n" != line || object.Error.Kind != report.Usage {
		t.Errorf("with --json: %+v: %v", got, err)
	}
}

// TestValidateAnswersAndThenJudges: the findings are on standard output whatever the exit code is.
func TestValidateAnswersAndThenJudges(t *testing.T) {
	t.Parallel()
	severe, mild, note := report.Finding{Code: "a", Severity: report.Severe, Text: "A"}, report.Finding{Code: "b", Text: "B"}, report.Finding{Code: "c", Severity: report.Info, Text: "C"}
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
		f := &fake{answer: project.StateValidation{Path: "S.md", Findings: c.list}}
		got := play(t, f, strings.Fields(c.args)...)
		if got.code != c.code || !strings.HasPrefix(got.errors, c.said) || c.said == "" && got.errors != "" {
			t.Errorf("%s: %+v", c.name, got)
		}
		for _, finding := range c.list {
			if !strings.Contains(got.out, " "+finding.Text+" ["+finding.Code+"]\n") {
				t.Errorf("%s: the page lacks %s:\n%s", c.name, finding.Code, got.out)
			}
		}
		got = play(t, f, append(strings.Fields(c.args), "--json")...)
		if got.code != c.code || !json.Valid([]byte(got.out)) || c.code != 0 && strings.Count(got.errors, "\n") != 1 {
			t.Errorf("%s with --json: %+v", c.name, got)
		}
	}
}

// D22: a check says what would change, and the exit code says that there is something.
func TestD22_SyncCheckEndsWithAViolation(t *testing.T) {
	t.Parallel()
	drift := project.StateSyncResult{Check: true, StateChange: changed(project.StateField{Field: "progress.percent", Old: "37", New: "40"})}
	f := &fake{answer: drift, err: &report.Error{Kind: report.Violation, Code: "out_of_sync", Message: "1 value has drifted"}}
	got := play(t, f, "state", "sync", "--check")
	if got.code != 6 || !strings.Contains(got.out, "progress.percent  37 → 40") || !strings.HasPrefix(got.errors, "baton: 1 value has drifted\n") {
		t.Errorf("%+v", got)
	}
	got = play(t, f, "state", "sync", "--check", "--json")
	if got.code != 6 || !json.Valid([]byte(got.out)) || !strings.Contains(got.errors, `"code":"out_of_sync"`) {
		t.Errorf("with --json: %+v", got)
	}
	f = &fake{err: &report.Error{Kind: report.NotFound, Message: "no digest"}}
	if got := play(t, f, "state", "sync", "--check"); got != (outcome{3, "", "baton: no digest\n"}) {
		t.Errorf("another error: %+v", got)
	}
}

// TestQuietRotationSaysNothingWithoutCause is what hooks rely on.
func TestQuietRotationSaysNothingWithoutCause(t *testing.T) {
	t.Parallel()
	f := &fake{answer: project.RotateResult{Warnings: full().Warnings, Rotation: full().Rotation}}
	if got := play(t, f, "state", "rotate", "--quiet"); got != (outcome{}) {
		t.Errorf("nothing moved: %+v", got)
	}
	f = &fake{answer: project.RotateResult{Rotation: moved(project.StateChange{}).Rotation}}
	if got := play(t, f, "state", "rotate", "--quiet"); got.code != 0 || got.errors != "" || strings.Count(got.out, "\n") != 1 {
		t.Errorf("moved: %+v", got)
	}
}

// SF-24: what a terminal would act on becomes visible, on every page about a digest.
func TestSF24_HostileTextIsMadeHarmless(t *testing.T) {
	t.Parallel()
	for name, c := range digestPages() {
		colored := c.set.vars["FORCE_COLOR"] != ""
		if got := c.set.play(t, &fake{answer: c.answer}, c.args...); !colored && strings.ContainsAny(got.out+got.errors, "\x1b\r") {
			t.Errorf("%s: %q", name, got.out)
		}
	}
}

// TestBarsAndLocales: a terminal whose character set is not Unicode gets bars in ASCII.
func TestBarsAndLocales(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		terminal bool
		vars     map[string]string
		want     string
	}{
		{"pipe", false, map[string]string{"LANG": "C"}, "[███░░░░░░░] 37%"},
		{"Unicode", true, map[string]string{"LANG": "de_DE.UTF-8"}, "[███░░░░░░░] 37%"},
		{"another character set", true, map[string]string{"LANG": "de_DE.ISO-8859-1"}, "[###-------] 37%"},
		{"LC_ALL wins", true, map[string]string{"LC_ALL": "C", "LANG": "de_DE.utf8"}, "[###-------] 37%"},
		{"nothing said", true, nil, "[███░░░░░░░] 37%"},
		{"dumb", true, map[string]string{"TERM": "dumb"}, "[###-------] 37%"},
	}
	for _, c := range cases {
		p := &page{env: report.Env{Terminal: c.terminal, Getenv: func(name string) string { return c.vars[name] }}}
		if got := p.bar(37); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	p := &page{}
	for percent, want := range map[int]string{0: "[░░░░░░░░░░] 0%", 9: "[░░░░░░░░░░] 9%", 100: "[██████████] 100%", 140: "[██████████] 140%"} {
		if got := p.bar(percent); got != want {
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
		if got := stepCommand(c.status, c.active, c.action, phases); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestCompletionOfDigests(t *testing.T) {
	t.Parallel()
	cases := []struct {
		line   string
		answer any
		want   string
	}{
		{"state begin 4 --stage _", nil, "discuss plan execute verify"},
		{"state next _", nil, "discuss-phase plan-phase execute-phase verify-phase none"},
		{"state next plan-phase _", nil, ""},
		{"state set next_action _", nil, "discuss-phase plan-phase execute-phase verify-phase"},
		{"state get _", specflowScene(), "active status next"},
		{"state active set _", project.ActiveList{Active: specflowScene().Specflow.Active}, "SPEC-007"},
		{"state active set S --status _", nil, strings.Join(project.SpecStatuses(), " ")},
		{"state active add _", queueScene(), "SPEC-008 SPEC-009"},
		{"state active add S _", nil, strings.Join(project.SpecStatuses(), " ")},
		{"state queue move _", queueScene(), "SPEC-008 SPEC-009"},
		{"state queue move S --to _", nil, ""},
		{"state queue add S --after _", queueScene(), "SPEC-008 SPEC-009"},
		{"blocker resolve _", project.BlockerList{Blockers: []project.Blocker{{N: 1, Text: "x"}, {N: 2, Text: "y"}}}, "1 2"},
		{"history _", project.HistoryResult{Specs: nil}, ""},
		{"task convert 1 --to _", nil, "v1 v2"},
		{"task list --status _", nil, strings.Join(statuses[:], " ")},
	}
	for _, c := range cases {
		args := append([]string{"__complete"}, strings.Fields(strings.TrimSuffix(c.line, "_"))...)
		args = append(args, "")
		got := play(t, &fake{answer: c.answer}, args...)
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
	got := play(t, &fake{err: &report.Error{Kind: report.NotFound}}, "__complete", "state", "patch", "")
	if got.code != 0 || !strings.Contains(got.out, ":") {
		t.Errorf("without a digest: %+v", got)
	}
}
