package project

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// reportedBy returns, by verb, the findings of commands that read a folder, including dry runs.
func (w *stateWorld) reportedBy(p *Project) map[string][]report.Finding {
	w.t.Helper()
	ctx, t := w.t.Context(), w.t
	validate := must(p.Folder.DirValidate(ctx, folder.DirValidateRequest{}))(t)
	var problems []report.Finding
	for _, one := range append(validate.Errors, validate.Warnings...) {
		problems = append(problems, report.Finding{Code: one.Reason, Text: one.Message, Path: one.File})
	}
	reported := map[string][]report.Finding{
		"audit":    must(p.Folder.DirAudit(ctx, folder.DirRequest{}))(t).Findings,
		"read":     must(p.Folder.DirRead(ctx, folder.DirRequest{}))(t).Warnings,
		"history":  must(p.Folder.DirHistory(ctx, folder.DirHistoryRequest{}))(t).Warnings,
		"lock":     must(p.Folder.DirLock(ctx, folder.DirRequest{}))(t).Warnings,
		"cleanup":  must(p.Folder.DirCleanup(ctx, folder.CleanupRequest{}))(t).Warnings,
		"reset":    must(p.Folder.DirReset(ctx, folder.SweepRequest{}))(t).Warnings,
		"evict":    must(p.Folder.DirEvict(ctx, folder.SweepRequest{}))(t).Warnings,
		"begin":    must(p.Folder.DirBegin(ctx, folder.BeginRequest{Type: "dev", Task: "x", DryRun: true}))(t).Warnings,
		"status":   must(p.Sessions.Status(ctx))(t).Warnings,
		"validate": problems,
	}
	if entries := w.tree(stateDir + "/.archive"); len(entries) > 0 {
		reported["restore"] = must(p.Folder.DirRestore(ctx, folder.RestoreRequest{Snapshot: "2026-03-01T09", DryRun: true}))(
			t,
		).Warnings
	}
	return reported
}

func (w *stateWorld) wantReported(p *Project, code report.Code, but ...string) {
	w.t.Helper()
	for verb, findings := range w.reportedBy(p) {
		if hasCode(findings, code) == slices.Contains(but, verb) {
			w.t.Errorf("%s tells %s: %v; want the opposite", verb, code, findings)
		}
	}
}

// TestSDD9_EveryReaderReportsAnUnfinishedSweep (5.10).
func TestSDD9_EveryReaderReportsAnUnfinishedSweep(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "x", 0)
	w.aged("odder", "y", 0)
	w.cleanup()
	w.pass(time.Hour)
	w.aged("odd", "x", 0)
	w.killed("rename", "state/odd", func() { _, _ = w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}) })
	w.wantReported(w.p(), "sweep_pending")
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t)
	for verb, findings := range w.reportedBy(w.p()) {
		if hasCode(findings, "sweep_pending") {
			t.Errorf("%s tells it when it is finished: %v", verb, findings)
		}
	}
}

// TestD36_TheFolderLeadsOutside checks that every reader says that writing is refused, and that a writer's error names
// the folder.
func TestD36_TheFolderLeadsOutside(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.remove(stateDir)
	out := t.TempDir() + "/state"
	if err := os.MkdirAll(out, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out+"/odd", []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	w.linkTo(out, stateDir)
	w.wantReported(w.p(), "outside")
	_, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
	if e := refused(t, err, report.Violation, "path_outside"); !strings.Contains(e.Message, stateDir) || e.Hint == "" {
		t.Errorf("%+v", e)
	}
	if _, err := os.Stat(out + "/odd"); err != nil {
		t.Error(err)
	}
}

// TestD36_TheRecordLeadsOutside checks that the record is read, with a warning.
func TestD36_TheRecordLeadsOutside(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	outside := filepath.Join(t.TempDir(), "record.yaml")
	if err := os.WriteFile(outside, []byte("phase: plan\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.linkTo(outside, stateDir+"/workflow.yaml")
	w.wantReported(w.p(), "outside")
	if got := w.record(); got["phase"] != "plan" {
		t.Errorf("%v", got)
	}
}

// TestD27_ABrokenConfigurationInDryRuns checks that dry runs say that nothing would be written.
func TestD27_ABrokenConfigurationInDryRuns(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(config.Name, "nonsense: [\n")
	for _, verb := range []string{"cleanup", "reset", "begin"} {
		if got := w.reportedBy(w.p())[verb]; len(got) == 0 || !strings.Contains(got[0].Text, "nothing is written") {
			t.Errorf("%s: %v", verb, got)
		}
	}
	if _, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}); err == nil {
		t.Error("written all the same")
	}
}

// TestSD47_ALockThatIsAFolder checks that every reader says so and what to do, and so does an update with nothing to
// write.
func TestSD47_ALockThatIsAFolder(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "x")
	w.mkdir(stateDir + "/.lock")
	w.wantReported(w.p(), "lock_invalid")
	out := must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"task=x"}}))(t)
	if len(out.Changed) != 0 || !hasCode(out.Warnings, "lock_invalid") {
		t.Errorf("%+v", out)
	}
	for _, f := range out.Warnings {
		if f.Code == "lock_invalid" && !strings.Contains(f.Text, "move it away") {
			t.Errorf("%q", f.Text)
		}
	}
}

// TestSD32_LinesThatAreIgnored checks that ignored lines of the record are reported.
func TestSD32_LinesThatAreIgnored(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("workflow.yaml", "phase: plan\nthis is a note\nand another\n", 0)
	reported := w.reportedBy(w.p())
	for _, verb := range []string{"read", "audit", "begin", "status"} {
		if !hasCode(reported[verb], "record_lines") {
			t.Errorf("%s: %v", verb, reported[verb])
		}
	}
	out := must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=review"}}))(t)
	i := slices.IndexFunc(out.Warnings, func(f report.Finding) bool { return f.Code == "record_lines" })
	if i < 0 || out.Warnings[i].Line != 2 || !strings.Contains(out.Warnings[i].Text, stateDir+"/workflow.yaml:2") {
		t.Errorf("%+v", out.Warnings)
	}
}

// TestSD22_FutureMomentsAreReportedOnce checks validate and update.
func TestSD22_FutureMomentsAreReportedOnce(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("workflow.yaml", "first_created_at: \"2027-01-01T00:00:00Z\"\n", 0)
	count := func(what string, findings []report.Finding) {
		t.Helper()
		n := 0
		for _, f := range findings {
			if f.Code == "clock_skew" {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s tells it %d times: %v", what, n, findings)
		}
	}
	count("validate", w.reportedBy(w.p())["validate"])
	count("read", w.reportedBy(w.p())["read"])
	count("update", must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t).Warnings)
}

// TestSD56_ContractInOddForms checks that a dangling link or a folder in its place is a broken contract.
func TestSD56_ContractInOddForms(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(w *stateWorld){
		"dangling": func(w *stateWorld) { w.linkTo("nowhere.yaml", ".devt/contract.yaml") },
		"folder":   func(w *stateWorld) { w.mkdir(".devt/contract.yaml") },
	} {
		w := newStateWorld(t)
		put(w)
		w.aged("odd", "x", 0)
		if got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); !hasCode(got.Findings, "contract_invalid") {
			t.Errorf("%s: %s", name, codesOf(got))
		}
		_, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
		if e := refused(t, err, report.Corrupt, "contract_invalid"); !strings.Contains(e.Message, ".devt/contract.yaml") || e.Hint == "" {
			t.Errorf("%s: %+v", name, e)
		}
		w.wantNames("odd")
	}
}

// TestD16_ReadsShowBothFolders checks that audit and history have the second folder in others.
func TestD16_ReadsShowBothFolders(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(".baton/work/.archive/2026-01-01T00-00-00-000Z/plan.md", "x")
	w.aged("odd", "x", 0)
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if len(audit.Others) != 1 || audit.Others[0].Folder != stateDir || audit.Others[0].Counts["ad_hoc"] != 1 ||
		audit.Folder != ".baton/work" {
		t.Errorf("%+v", audit.Others)
	}
	history := must(w.with(workspace.Options{}).Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	if len(history.Others) != 1 || history.Others[0].Folder != stateDir || len(history.Snapshots) != 1 {
		t.Errorf("%+v", history)
	}
	if got := must(w.with(workspace.Options{Layout: "devt"}).Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); len(got.Others) != 0 {
		t.Errorf("%+v", got.Others)
	}
	w.remove(stateDir)
	w.write(stateDir, "a file in its place")
	audit = must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	history = must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	if len(audit.Others) != 0 || !hasCode(audit.Findings, "not_directory") || !hasCode(history.Warnings, "not_directory") ||
		len(history.Snapshots) != 1 {
		t.Errorf("%v, %+v", audit.Findings, history)
	}
}

// TestSDD6_ADryRunSaysWhatIsThenDone checks names, order, what stays, and what is due, also with a lock that the
// clean-up itself holds.
func TestSDD6_ADryRunSaysWhatIsThenDone(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for range 5 {
		w.aged("odd", "x", 0)
		w.cleanup()
		w.pass(time.Hour)
	}
	w.begin("dev", "one")
	for _, name := range []string{"odd", "a.tmp", "plan.md", "deferred.md", "review-a.md"} {
		w.aged(name, "x", 0)
	}
	dry := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{}))(t)
	done := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
	names := func(s folder.DirSweep) []string {
		var out []string
		for _, e := range s.Entries {
			out = append(out, e.Name)
		}
		return out
	}
	if diff := cmp.Diff(names(dry), names(done)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(dry.Kept, done.Kept); diff != "" || len(done.Kept) == 0 {
		t.Errorf("%v: %s", done.Kept, diff)
	}
	if diff := cmp.Diff(dry.Due, done.Dropped); diff != "" || len(done.Dropped) != 1 || len(done.Due) != 0 {
		t.Errorf("%v, %v: %s", done.Dropped, done.Due, diff)
	}
	if hasCode(done.Warnings, "ring_due") {
		t.Error("the ring is told with a sweep")
	}
	for _, s := range []folder.DirSweep{dry, done} {
		if s.Running == nil || s.Running.Task != "one" || s.Running.WorkflowType != "dev" || s.Running.Phase == "" {
			t.Errorf("running %+v", s.Running)
		}
	}
	if again := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{}))(t); again.Running != nil {
		t.Errorf("running %+v", again.Running)
	}
}

// TestSD17_NothingIsItsOwnSuggestion also checks that a folder is suggested the name of a folder.
func TestSD17_NothingIsItsOwnSuggestion(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for _, name := range []string{"review.md", "review.json", "thread", "plan.md"} {
		w.mkdir(stateDir + "/" + name)
	}
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	for _, e := range audit.Buckets[statedir.AdHoc] {
		switch {
		case e.Suggestion == nil:
		case strings.TrimSuffix(*e.Suggestion, "/") == e.Name,
			!strings.HasSuffix(*e.Suggestion, "/") && !slices.Contains([]string{"threads"}, *e.Suggestion):
			t.Errorf("%s: did you mean %s?", e.Name, *e.Suggestion)
		}
	}
	if hasCode(audit.Findings, "pair_incomplete") {
		t.Errorf("a folder is half of a pair: %s", codesOf(audit))
	}
}

// TestSD8_ReadersOfAnOddArchive checks that their warnings do not mention moving.
func TestSD8_ReadersOfAnOddArchive(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(stateDir+"/.archive", "x")
	_, err := w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{})
	if e := refused(t, err, report.Violation, "archive_invalid"); strings.Contains(e.Message, "moved") {
		t.Errorf("%q", e.Message)
	}
	w.aged("odd", "x", 0)
	_, err = w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
	if e := refused(t, err, report.Violation, "archive_invalid"); !strings.Contains(e.Message, "nothing was moved") {
		t.Errorf("%q", e.Message)
	}
}

// TestSD38_AnEmptyTask checks that a task may be empty.
func TestSD38_AnEmptyTask(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "")
	if got := w.record(); got["task"] != "" || got["active"] != true {
		t.Errorf("%v", got)
	}
	if out := w.begin("dev", ""); !out.Resumed {
		t.Errorf("%+v", out)
	}
}

// TestFieldsThatAreAlwaysThere (5.19).
func TestFieldsThatAreAlwaysThere(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "x", 0)
	lock, err := json.Marshal(must(w.p().Folder.DirLock(t.Context(), folder.DirRequest{}))(t))
	if err = errors.Join(err); err != nil || !strings.Contains(string(lock), `"pid":null`) {
		t.Errorf("%s, %v", lock, err)
	}
	swept := w.cleanup()
	for _, answer := range []any{swept, w.restore(*swept.Snapshot)} {
		entry := first(keysOf(t, answer)["entries"])
		wantKeys(t, "entry", entry, "state", "error")
	}
	wantKeys(t, "reset", keysOf(t, swept), "running", "due")
}
