package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/declaration"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/sessions"
)

// TestSDK27_BothSpellingsOfALimit checks that a limit works with and without an equals sign, and is repeated in the
// command that the dry run proposes.
func TestSDK27_BothSpellingsOfALimit(t *testing.T) {
	t.Parallel()
	one := folder.DirSweep{Sweep: "cleanup", Folder: ".devt/state", Entries: []folder.SweptEntry{{Name: "a.md", State: "would_move"}}}
	for _, line := range []string{"dir cleanup --stale-days=1 --ad-hoc-stale-days=2", "dir cleanup --stale-days 1 --ad-hoc-stale-days 2"} {
		got := play(t, canned{answer: one}, strings.Fields(line)...)
		if !strings.HasSuffix(got.out, "To do it: baton dir cleanup --apply --stale-days 1 --ad-hoc-stale-days 2\n") {
			t.Errorf("%s: %s", line, got.out)
		}
	}
}

// TestSDD6_SweepsSayWhatTheyWouldDo checks that nothing moves without --apply, and that begin acts at once unless
// --dry-run is given.
func TestSDD6_SweepsSayWhatTheyWouldDo(t *testing.T) {
	t.Parallel()
	for line, moves := range map[string]bool{
		"dir cleanup": false, "dir cleanup --apply": true, "dir reset": false, "dir reset --apply": true,
		"dir begin dev T --dry-run": false, "dir begin dev T": true,
	} {
		s := newSite(t, map[string]string{".devt/state/odd.x.tmp": "left over"})
		odd := filepath.Join(s.dir, ".devt", "state", "odd.x.tmp")
		if err := os.Chtimes(odd, noon.Add(-time.Hour), noon.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		got := s.play(t, strings.Fields(line)...)
		if _, err := os.Stat(odd); got.code != 0 || !strings.Contains(got.out, "odd.x.tmp") || (err != nil) != moves {
			t.Errorf("%s: %v, %+v", line, err, got)
		}
	}
}

// operandsOf splits a line into operands; _ is an empty one.
func operandsOf(line string) []string {
	args := strings.Fields(line)
	for i, arg := range args {
		if arg == "_" {
			args[i] = ""
		}
	}
	return args
}

func TestWrongUsageOfTheFolder(t *testing.T) {
	t.Parallel()
	cases := []struct{ line, message, hint string }{
		{"dir cleanup --stale-days -1", "--stale-days cannot be negative", "baton dir cleanup --help"},
		{"dir cleanup --stale-days=1.5", `flag --stale-days: "1.5" is not a whole number`, "baton dir cleanup --help"},
		{
			"dir cleanup --stale-days 99999999999999999999", `flag --stale-days: "99999999999999999999" is not a whole number`,
			"baton dir cleanup --help",
		},
		{"dir cleanup --ad-hoc-stale-days=x", `flag --ad-hoc-stale-days: "x" is not a whole number`, "baton dir cleanup --help"},
		{"dir cleanup --ad-hoc-stale-days=-3", "--ad-hoc-stale-days cannot be negative", "baton dir cleanup --help"},
		{"dir cleanup now", `dir cleanup takes no argument, but "now" was given`, "baton dir cleanup --help"},
		{"dir begin dev", "dir begin needs TYPE TASK", "baton dir begin --help"},
		{"dir begin dev two words", `dir begin takes TYPE TASK and nothing more, but "words" was given`, "quotes"},
		{"dir update", "dir update needs KEY=VALUE…", "baton dir update --help"},
		{"dir update phase", `"phase" is not KEY=VALUE`, "baton dir update --help"},
		{"dir update =x", `"=x" is not KEY=VALUE`, "baton dir update --help"},
		{"dir contract a b", `dir contract takes [NAME] and nothing more, but "b" was given`, "quotes"},
		{"dir contract _", "NAME is empty", "baton dir contract --help"},
		{"dir contract a --schema b", "NAME and --schema cannot be used together", "baton dir contract --help"},
		{"dir contract --schema=", "--schema is empty", "baton dir contract --help"},
		{"dir history --limit -1", "--limit cannot be negative", "baton dir history --help"},
		{"dir restore", "dir restore needs STAMP [NAME…]", "baton dir restore --help"},
		{"dir restore _", "STAMP or NAME is empty", "baton dir restore --help"},
		{"dir restore 2026 _", "STAMP or NAME is empty", "baton dir restore --help"},
		{"dir slug", "dir slug needs TITLE…", "baton dir slug --help"},
		{"dir clean", `unknown command "clean" for baton dir`, "did you mean `baton dir cleanup`?"},
		{"dir list", `unknown command "list" for baton dir`, "did you mean `baton dir audit`?"},
		{"dir start", `unknown command "start" for baton dir`, "did you mean `baton dir begin`?"},
		{"dir check", `unknown command "check" for baton dir`, "did you mean `baton dir validate`?"},
		{"dir undo", `unknown command "undo" for baton dir`, "did you mean `baton dir restore`?"},
		{"dir set a=b", `unknown command "set" for baton dir`, "did you mean `baton dir update`?"},
		{"cleanup", `unknown command "cleanup" for baton`, "did you mean `baton dir cleanup`?"},
	}
	for _, c := range cases {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			got := play(t, canned{}, operandsOf(c.line)...)
			message, hint, _ := strings.Cut(got.errors, "\n")
			if got.code != 2 || got.out != "" {
				t.Errorf("exit code %d, output %q", got.code, got.out)
			}
			if message != "baton: "+c.message || !strings.Contains(hint, c.hint) {
				t.Errorf("said:\n%swant message %q and a hint with %q", got.errors, c.message, c.hint)
			}
		})
	}
}

// TestAnswersThatEndWithAnotherCode checks that the answer is printed although the exit code is not 0.
func TestAnswersThatEndWithAnotherCode(t *testing.T) {
	t.Parallel()
	failed := folder.DirSweep{Sweep: "cleanup", Folder: ".devt/state", Applied: true, Entries: []folder.SweptEntry{
		{
			Name: "a.md", State: "moved",
		}, {Name: "b.md", State: "failed", Error: "permission denied"}, {Name: "c.md", State: "changed"}, {Name: "d.md", State: "vanished"},
	}}
	wrong := folder.DirValidation{Folder: ".devt/state", Errors: []statedir.Problem{{File: "review.json", Message: "m"}}}
	doubtful := folder.DirValidation{Folder: ".devt/state", OK: true, Warnings: []statedir.Problem{{File: "review.json", Message: "m"}}}
	taken := folder.RestoreResult{Folder: ".devt/state", Snapshot: "S", Entries: []folder.RestoredEntry{
		{Name: "workflow.yaml", State: "taken"}, {Name: "b", State: "restored"},
	}}
	both := taken
	both.Entries = append([]folder.RestoredEntry{{Name: "c", State: "failed"}}, taken.Entries...)
	gone := folder.RestoreResult{Folder: ".devt/state", Snapshot: "S", Entries: []folder.RestoredEntry{
		{Name: "a", State: "missing"}, {Name: "b", State: "restored"},
	}}
	cases := []struct {
		line    string
		answer  any
		code    int
		word    string
		message string
	}{
		{"dir cleanup --apply", failed, 9, "not_moved", "1 entry of .devt/state could not be moved"},
		{"dir begin dev T", folder.BeginResult{DirSweep: failed}, 9, "not_moved", "1 entry of .devt/state could not be moved"},
		{"dir validate", wrong, 6, "findings", ".devt/state has 1 error"},
		{"dir validate", doubtful, 0, "", ""},
		{"dir validate --strict", doubtful, 6, "findings", ".devt/state has 1 warning"},
		{"dir lint", folder.LintResult{
			Files: 3, Findings: []folder.LintFinding{{File: "a.md"}},
		}, 6, "findings", "the contract does not allow 1 reference; 3 files read"},
		{"dir lint", folder.LintResult{OK: true, Files: 3}, 0, "", ""},
		{"dir restore S", taken, 4, "name_taken", "1 entry of S did not come back, because the name is taken in .devt/state"},
		{"dir restore S", both, 9, "not_moved", "1 entry of S could not be brought back"},
		{"dir restore S a b", gone, 3, "entry_unknown", "1 entry of S did not come back, because the snapshot no longer has it"},
		{"dir restore S", gone, 0, "", ""},
	}
	for _, c := range cases {
		text := play(t, canned{answer: c.answer}, strings.Fields(c.line)...)
		got := play(t, canned{answer: c.answer}, append(strings.Fields(c.line), "--json")...)
		if text.out == "" || !json.Valid([]byte(got.out)) || text.code != c.code || got.code != c.code {
			t.Errorf("%s: %+v, %+v", c.line, text, got)
		}
		if c.word == "" {
			if text.errors != "" || got.errors != "" {
				t.Errorf("%s: %+v, %+v", c.line, text, got)
			}
			continue
		}
		var object struct{ Error report.Failure }
		if err := json.Unmarshal([]byte(got.errors), &object); err != nil || object.Error.Code != report.Code(c.word) ||
			object.Error.Message != c.message {
			t.Errorf("%s: %v, %+v", c.line, err, object.Error)
		}
		if !strings.HasPrefix(text.errors, "baton: "+c.message+"\nhint: ") {
			t.Errorf("%s: %s", c.line, text.errors)
		}
	}
}

// TestSD16_NamesAreHarmlessAndComplete checks that on a page, no name can affect the terminal, and no two names look
// alike because of a line feed. JSON has the exact name.
func TestSD16_NamesAreHarmlessAndComplete(t *testing.T) {
	t.Parallel()
	names := []string{"a\nb", "a b", "a\tb", "--apply", `<b>&"q"\`, "x\x1b[2J", "e\u202evil", strings.Repeat("n", 255), "👩‍💻.md", "-rf"}
	audit := folder.DirAudit{Folder: ".devt/state", Exists: true, Counts: map[string]int{
		"ad_hoc": len(names), "total": len(names),
	}, Buckets: map[statedir.Bucket][]folder.AuditEntry{}}
	for _, name := range names {
		audit.Buckets["ad_hoc"] = append(audit.Buckets["ad_hoc"], folder.AuditEntry{Name: name, Kind: "file"})
	}
	got := play(t, canned{answer: audit}, "dir", "audit")
	for _, r := range got.out {
		if r != '\n' && safetext.Unsafe(r) {
			t.Fatalf("%U reached the terminal:\n%s", r, got.out)
		}
	}
	for _, want := range []string{"a␊b", "a b", "a␉b", "--apply", `<b>&"q"\`, strings.Repeat("n", 255), "👩‍💻.md"} {
		if !strings.Contains(got.out, "  "+want+" ") && !strings.Contains(got.out, "  "+want+"\n  ") {
			t.Errorf("the page lacks %q:\n%s", want, got.out)
		}
	}
	got = play(t, canned{answer: audit}, "dir", "audit", "--json")
	var back folder.DirAudit
	if err := json.Unmarshal([]byte(got.out), &back); err != nil {
		t.Fatal(err)
	}
	for i, e := range back.Buckets["ad_hoc"] {
		if e.Name != names[i] {
			t.Errorf("%q came back as %q", names[i], e.Name)
		}
	}
	if strings.ContainsAny(got.out, "\x1b\u202e") || !strings.Contains(got.out, `<b>&`) {
		t.Errorf("raw in JSON, harmless on a terminal: %s", got.out)
	}
}

// TestSDK10_AnEmptyInstance checks that an empty instance id never means the project's own folder, in any command.
func TestSDK10_AnEmptyInstance(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, cmd := range leaves(&app.App{}) {
		if cmd.Flags().Lookup("instance") == nil {
			continue
		}
		seen++
		line := strings.Fields(app.CommandName(cmd))
		switch cmd.Name() {
		case "begin":
			line = append(line, "dev", "T")
		case "update":
			line = append(line, "phase=plan")
		case "restore", "slug":
			line = append(line, "S")
		}
		for _, flag := range [][]string{{"--instance="}, {"--instance", ""}} {
			got := play(t, canned{}, append(append(line, flag...), "--json")...)
			if got.code != 2 || !strings.Contains(got.errors, `"code":"instance_invalid"`) {
				t.Errorf("%s: %+v", line, got)
			}
		}
	}
	if seen < 12 {
		t.Errorf("only %d commands have the flag", seen)
	}
}

// TestADryRunSaysTheCommandThatDoesIt checks that the command is quoted for a shell. If a page cannot show it, the page
// says that it is the same one.
func TestADryRunSaysTheCommandThatDoesIt(t *testing.T) {
	t.Parallel()
	begun := folder.BeginResult{DirSweep: folder.DirSweep{Sweep: "begin", Folder: ".devt/state"}, Record: []byte(`{}`)}
	back := folder.RestoreResult{
		Folder: ".devt/state", Snapshot: "S", Entries: []folder.RestoredEntry{{Name: "workflow.yaml", State: "would_move"}},
	}
	cases := []struct {
		args   []string
		answer any
		want   string
	}{
		{[]string{"begin", "dev", "It's a key"}, begun, `baton dir begin dev 'It'\''s a key'`},
		{[]string{"begin", "dev", "-"}, begun, `baton dir begin dev -`},
		{[]string{
			"begin", "dev", "$HOME", "--new-session", "--instance", "wf-1",
		}, begun, `baton dir begin --new-session --instance wf-1 dev '$HOME'`},
		{[]string{"begin", "dev", "--", "-x"}, begun, `baton dir begin -- dev -x`},
		{[]string{"begin", "dev", ""}, begun, `baton dir begin dev ''`},
		{[]string{"begin", "dev", "two\nlines"}, begun, `run the same command without --dry-run`},
		{[]string{"restore", "2026", "--layout", "devt"}, back, `baton dir restore --apply --layout devt S`},
		{[]string{"restore", "2026", "a b", "--swap"}, back, `baton dir restore --apply --swap S 'a b'`},
	}
	for _, c := range cases {
		got := play(t, canned{answer: c.answer}, append([]string{"dir", c.args[0], "--dry-run"}, c.args[1:]...)...)
		if got.code != 0 || !strings.HasSuffix(got.out, " To do it: "+c.want+"\n") {
			t.Errorf("%q: %+v", c.args, got)
		}
	}
}

// TestWarningsNextToJSON checks that warnings go to standard error if the JSON is the record or the contract, which
// have no place for them.
func TestWarningsNextToJSON(t *testing.T) {
	t.Parallel()
	warning, allowed := []report.Finding{{Code: "c", Text: "a warning"}}, declaration.Explanation{Bucket: statedir.Canonical}
	for line, result := range map[string]any{
		"dir read --json":                folder.RecordResult{Record: []byte(`{"active":true}`), Warnings: warning},
		"dir contract x --json":          folder.ContractResult{Name: &allowed, Warnings: warning},
		"dir contract --schema x --json": folder.ContractResult{Schema: []byte(`{}`), Warnings: warning},
	} {
		got := play(t, canned{answer: result}, strings.Fields(line)...)
		if !json.Valid([]byte(got.out)) || got.errors != "warning: a warning\n" || got.code != 0 {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestNoLineOverflows checks that on a terminal of 80 columns, no entry of a list is wider, however long names are. In
// a pipe, long names are complete, on a line of their own, and columns stay aligned.
func TestNoLineOverflows(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 255)
	sweep := folder.DirSweep{
		Sweep: "cleanup", Folder: ".devt/state", Bytes: 90,
		Entries: []folder.SweptEntry{{
			Name: long, Kind: "file", Size: 90, Reason: "ad_hoc", State: "would_move",
		}, {Name: "old", Kind: "dir", Reason: "ad_hoc", State: "would_move"}},
		Kept: []cleanup.Kept{{Name: long, Reason: "fresh"}, {Name: long, Reason: "future"}},
	}
	audit := folder.DirAudit{Folder: ".devt/state", Exists: true, Counts: map[string]int{
		"ad_hoc": 1, "total": 1,
	}, Buckets: map[statedir.Bucket][]folder.AuditEntry{
		"ad_hoc": {{Name: long, Kind: "file", Size: 90, Suggestion: &long}},
	}}
	history := folder.DirHistory{Folder: ".devt/state", Snapshots: []folder.SnapshotView{{
		Name: "2026-03-14T12-00-00-000Z-2", Moment: "2026-03-14T12:00:00.000Z", Entries: 1_200, WorkflowType: "arch_health_scan",
		Phase: "context_init", Task: long, Complete: true,
	}}}
	moved := applied(sweep, "2026-03-14T12-00-00-000Z")
	narrow := setting{env: report.Env{Terminal: true, Width: 80}, vars: map[string]string{"NO_COLOR": "1"}}
	for line, result := range map[string]any{
		"dir cleanup": sweep, "dir audit": audit, "dir history": history, "dir cleanup --apply": moved,
	} {
		got := narrow.play(t, canned{answer: result}, strings.Fields(line)...)
		for text := range strings.SplitSeq(got.out, "\n") {
			if n := utf8.RuneCountInString(text); n > 80 {
				t.Errorf("%s: %d columns: %s", line, n, text)
			}
		}
	}
	got := play(t, canned{answer: sweep}, "dir", "cleanup")
	if rest, ok := strings.CutPrefix(got.out, "Would move 2 entries, 90 bytes, to .devt/state/.archive\n"); !ok || !strings.HasPrefix(
		rest,
		"  "+long+"\n"+strings.Repeat(" ", 64)+"90 bytes  not in the contract\n"+
			"  old"+strings.Repeat(" ", 61)+"folder  not in the contract\n",
	) {
		t.Errorf("%s", got.out)
	}
}

// TestAnErrorOfALockSaysWhatToDo checks that an error of the use case is printed as it is.
func TestAnErrorOfALockSaysWhatToDo(t *testing.T) {
	t.Parallel()
	f := canned{err: &report.Error{Kind: report.Conflict, Code: "lock_held", Message: "process 7 holds it", Hint: "wait"}}
	if got := play(t, f, "dir", "unlock", "--stale"); got != (outcome{4, "", "baton: process 7 holds it\nhint: wait\n"}) {
		t.Errorf("%+v", got)
	}
}

// TestAWorkflowWithoutNameAndTask checks that its phase is printed alone, without the comma that follows a name.
func TestAWorkflowWithoutNameAndTask(t *testing.T) {
	t.Parallel()
	for line, c := range map[string]struct {
		answer any
		want   string
	}{
		"dir history": {folder.DirHistory{Snapshots: []folder.SnapshotView{{Name: "S", Complete: true, Phase: "plan"}}}, "  phase plan\n"},
		"dir reset": {
			folder.DirSweep{Sweep: "reset", Entries: []folder.SweptEntry{
				{Name: "odd", State: "would_move"},
			}, Running: &folder.RunningWorkflow{Phase: "plan"}},
			"ends: a workflow without type and task, phase plan; it is still running\n",
		},
		"status": {sessions.StatusResult{
			Folder: &folder.FolderStatus{Exists: true, Active: true, Phase: "plan"},
		}, "running  a workflow without type and task, phase plan\n"},
	} {
		got := play(t, canned{answer: c.answer}, strings.Fields(line)...)
		if got.code != 0 || !strings.Contains(got.out, c.want) || strings.Contains(got.out, " , ") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestTheNextCommandIsAboutTheSameFolder checks that the command in a hint has the folder of -C, quoted for a shell.
func TestTheNextCommandIsAboutTheSameFolder(t *testing.T) {
	t.Parallel()
	begun := folder.BeginResult{DirSweep: folder.DirSweep{Sweep: "begin", Folder: ".devt/state"}, Record: []byte(`{}`)}
	history := folder.DirHistory{Layout: "devt", Snapshots: []folder.SnapshotView{{Name: "S", Complete: true}}}
	audit := folder.DirAudit{Layout: "devt", Folder: ".devt/state", Exists: true, Counts: map[string]int{
		"ad_hoc": 1, "total": 1,
	}, Buckets: map[statedir.Bucket][]folder.AuditEntry{
		"ad_hoc": {{Name: "odd", Kind: "file", Would: map[string]string{"cleanup": "ad_hoc"}}},
	}}
	for _, c := range []struct {
		dir    string
		args   []string
		answer any
		want   string
	}{
		{"sub", []string{"begin", "--dry-run", "dev", "T"}, begun, "baton dir begin -C sub dev T\n"},
		{"a b", []string{"history"}, history, "baton dir restore S --apply -C 'a b'\n"},
		{"100%s %d", []string{"history"}, history, "baton dir restore S --apply -C '100%s %d'\n"},
		{"100%s", []string{"audit"}, audit, "baton dir cleanup -C 100%s\n"},
		{"it's", []string{
			"lock", "--layout", "devt",
		}, folder.DirLock{Path: "p", Stale: true}, `baton dir unlock --stale --layout devt -C 'it'\''s'` + "\n"},
		{"two\nlines", []string{"history"}, history, "baton dir restore S --apply -C DIR\n"},
		{"", []string{"history"}, history, "baton dir restore S --apply\n"},
	} {
		got := play(t, canned{answer: c.answer}, append([]string{"-C", c.dir, "dir"}, c.args...)...)
		if got.code != 0 || !strings.Contains(got.out, c.want) {
			t.Errorf("%q %q: %+v", c.dir, c.args, got)
		}
	}
}
