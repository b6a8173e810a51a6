package project

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
	"baton/internal/workspace/config"
)

// TestSD37_BeginTwice checks that the same task is resumed and nothing moves. Another task gets a new id, one more in
// the history, and keeps the anchors of the session.
func TestSD37_BeginTwice(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "Sign-in")
	first := w.record()
	w.pass(time.Hour)
	w.aged("odd", "x", 0)
	w.aged("verification.md", "x", 9*day)
	w.unchangedBut(".baton/local", func() {
		again := w.begin("dev", "Sign-in")
		if !again.Resumed || again.Snapshot != nil || len(again.Entries) != 0 {
			t.Errorf("%+v", again)
		}
	})
	if diff := cmp.Diff(first, w.record()); diff != "" {
		t.Error(diff)
	}
	other := w.begin("dev", "Sign-out")
	second := w.record()
	if other.Resumed || second["workflow_id"] == first["workflow_id"] || second["created_at"] == first["created_at"] {
		t.Errorf("%v", second)
	}
	if second["first_created_at"] != first["first_created_at"] || second["original_workflow_id"] != first["workflow_id"] {
		t.Errorf("the anchors moved: %v", second)
	}
	if diff := cmp.Diff([]any{first["workflow_id"], second["workflow_id"]}, second["workflow_id_history"]); diff != "" {
		t.Error(diff)
	}
	if got := statesOf(other.DirSweep); got["verification.md"] != "moved" || got["odd"] != "" {
		t.Errorf("%v", got)
	}
	if got := w.begin("dev", "Sign-in"); got.Resumed {
		t.Error("an earlier task counts as the one that is running")
	}
}

// TestSDK28_SameWorkManyTimes checks that beginning one task any number of times is one workflow (SD-D14).
func TestSDK28_SameWorkManyTimes(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	for range 20 {
		w.begin("dev", "one task")
		w.pass(time.Minute)
	}
	if got := w.record()["workflow_id_history"].([]any); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// TestSDD13_WhatBeginMoves checks the four clean-ups with their limits, in one snapshot that also has a copy of the
// record.
func TestSDD13_WhatBeginMoves(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "one") // 9:00
	old := w.read(stateDir + "/workflow.yaml")
	w.pass(time.Hour)
	for _, name := range []string{"spec.md", "plan.md", "decisions.md", "scratchpad.md"} {
		w.aged(name, "x", 99*day)
	}
	w.aged("consolidator-ran.txt", "x", 0)
	w.aged("graph-impact.md", "x", 0)
	w.aged("review.json", "x", 2*time.Hour)
	w.aged("review.md", "x", 10*time.Minute)
	w.aged("review-lane-api.md", "x", 2*time.Hour)
	w.aged("review-lane-web.md", "x", 10*time.Minute)
	w.aged("notes old", "x", 2*time.Hour)
	w.aged("notes new", "x", 10*time.Minute)
	w.aged("perf-summary.md", "x", 2*time.Hour)
	w.aged("left.tmp", "x", 0)
	w.aged("deferred.md", "x", 99*day)
	out := w.begin("code_review", "two")
	want := map[string]string{
		"consolidator-ran.txt": "listed", "review.json": "stale_output", "review-lane-api.md": "stale_variant", "graph-impact.md": "graph",
		"notes old": "ad_hoc", "left.tmp": "ephemeral", "perf-summary.md": "stale",
	}
	got := map[string]string{}
	for _, e := range out.Entries {
		got[e.Name] = e.Reason
		if e.State != "moved" {
			t.Errorf("%+v", e)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	w.wantNames(
		"spec.md", "plan.md", "decisions.md", "scratchpad.md", "review.md", "review-lane-web.md", "notes new", "deferred.md",
		"workflow.yaml",
	)
	if *out.Snapshot != "2026-03-01T10-00-00-000Z" || w.read(stateDir+"/.archive/"+*out.Snapshot+"/workflow.yaml") != old {
		t.Error("the record of the workflow before is not in the snapshot")
	}
	if !slices.Equal(out.Inherited, []string{"review-lane-web.md", "review.md"}) || !hasCode(out.Warnings, "inherited") {
		t.Errorf("inherited %v, %+v", out.Inherited, out.Warnings)
	}
	m := w.manifest(*out.Snapshot)
	if !m.Complete || m.Task != "one" || len(m.Entries) != len(want)+1 {
		t.Errorf("%+v", m)
	}
	history := must(w.p().Folder.DirHistory(t.Context(), folder.DirHistoryRequest{}))(t)
	if s := history.Snapshots[0]; s.Kind != statedir.SweepBegin || s.Task != "one" || s.WorkflowType != "dev" ||
		s.Status != "in_progress" || s.Entries != len(want)+1 || !s.Manifest || !s.Complete {
		t.Errorf("%+v", s)
	}
	if v := must(w.p().Folder.DirValidate(t.Context(), folder.DirValidateRequest{}))(
		t,
	); !slices.ContainsFunc(v.Warnings, func(p statedir.Problem) bool { return p.File == "review.md" && p.Reason == "inherited" }) {
		t.Errorf("%+v", v.Warnings)
	}
}

// TestSDK23_GateMarksOfEarlierWorkAreMoved checks that begin moves gate marks and verdicts of the previous workflow,
// however new they are.
func TestSDK23_GateMarksOfEarlierWorkAreMoved(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "one")
	for _, name := range []string{"verification.md", "verification.json", "auto-curator-considered.txt", "scope-check-answer.txt"} {
		w.aged(name, "{}", 0)
	}
	out := w.begin("dev", "two")
	if len(out.Entries) != 4 {
		t.Errorf("%+v", out.Entries)
	}
	w.wantNames("workflow.yaml")
}

// TestSD39_BeginWithoutAPast checks begin in an empty folder, in one with old files and no record, and with a start in
// the future.
func TestSD39_BeginWithoutAPast(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.remove(".devt/state")
	out := w.begin("dev", "first")
	if out.Snapshot != nil || len(out.Entries) != 0 {
		t.Errorf("%+v", out)
	}
	if got := w.tree(stateDir); len(got) != 1 {
		t.Errorf("%v", got)
	}

	w = newStateWorld(t)
	w.aged("old note", "x", 25*time.Hour)
	w.aged("new note", "x", 23*time.Hour)
	w.aged("review.md", "x", 99*day)
	out = w.begin("dev", "first")
	if got := statesOf(out.DirSweep); len(got) != 1 || got["old note"] != "moved" {
		t.Errorf("%v", got)
	}
	if m := w.manifest(*out.Snapshot); len(m.Entries) != 1 {
		t.Errorf("%+v", m.Entries)
	}

	w = newStateWorld(t)
	w.write(stateDir+"/workflow.yaml", "active: true\ncreated_at: \"2027-01-01T00:00:00Z\"\nfirst_created_at: \"2027-01-01T00:00:00Z\"\n")
	w.aged("old note", "x", 25*time.Hour)
	w.aged("review.md", "x", 99*day)
	out = w.begin("dev", "first")
	if got := statesOf(out.DirSweep); len(got) != 1 || got["old note"] != "moved" || !hasCode(out.Warnings, "clock_skew") {
		t.Errorf("%v, %+v", got, out.Warnings)
	}
}

// TestSD38_AnyTask checks that any text can be a task.
func TestSD38_AnyTask(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"two\nlines", `"quoted" 'both'`, "active: true", "a\nactive: false\n", strings.Repeat("x", 10<<
		10), "", "null", "42", " blanks ", "\x1b[31m", "日本語"} {
		w := newStateWorld(t)
		w.begin("dev", task)
		if got := w.record(); got["task"] != task || got["active"] != true {
			t.Errorf("%.40q became %.40q", task, got["task"])
		}
		if again := w.begin("dev", task); !again.Resumed {
			t.Errorf("%.40q is not the same", task)
		}
	}
}

// TestSDD11_BeginNewSession checks that the outputs of the session that ends move, whatever their age, and that the
// anchors are set again.
func TestSDD11_BeginNewSession(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "one")
	first := w.record()
	w.pass(time.Hour)
	w.aged("review.md", "x", time.Minute)
	w.aged("impl-summary-a.md", "x", time.Minute)
	out := must(w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "one", NewSession: true}))(t)
	got := w.record()
	if out.Resumed || len(out.Entries) != 2 || got["original_workflow_id"] == first["original_workflow_id"] ||
		got["first_created_at"] == first["first_created_at"] {
		t.Errorf("%+v, %v", out, got)
	}
	if ids := got["workflow_id_history"].([]any); len(ids) != 1 {
		t.Errorf("%v", ids)
	}
	if old := w.read(stateDir + "/.archive/" + *out.Snapshot +
		"/workflow.yaml"); !strings.Contains(old, fmt.Sprint(first["original_workflow_id"])) {
		t.Error("the anchors cannot be read in the snapshot")
	}
}

// TestSDD6_BeginDry checks that a dry run of begin writes nothing and says what would happen.
func TestSDD6_BeginDry(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "one")
	w.pass(time.Hour)
	w.aged("verification.md", "x", 0)
	w.unchanged(func() {
		out := must(w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "review", Task: "two", DryRun: true}))(t)
		if out.Applied || out.Snapshot != nil || statesOf(out.DirSweep)["verification.md"] != "would_move" ||
			!strings.Contains(string(out.Record), `"code_review"`) {
			t.Errorf("%+v", out)
		}
	})
	_, err := w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "reveiw", Task: "x"})
	refused(t, err, report.Usage, "workflow_type_unknown")
}

// TestSD40_SDK15_TheRecordsFile checks that the record's mode stays and that a link inside the project is followed. One
// that leads outside is refused, and nothing moves.
func TestSD40_SDK15_TheRecordsFile(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(stateDir+"/workflow.yaml", "# mine\nphase: plan\n")
	if err := os.Chmod(w.path(stateDir+"/workflow.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=review"}}))(t)
	if got := mode(t, w.path(stateDir+
		"/workflow.yaml")); got.Perm() != 0o600 || !strings.HasPrefix(w.read(stateDir+"/workflow.yaml"), "# mine\nphase: review\n") {
		t.Errorf("mode %v, %q", got, w.read(stateDir+"/workflow.yaml"))
	}

	w = newStateWorld(t)
	w.write("shared/record.yaml", "phase: plan\n")
	w.linkTo("../../shared/record.yaml", stateDir+"/workflow.yaml")
	w.begin("dev", "x")
	if target, err := os.Readlink(w.path(stateDir + "/workflow.yaml")); err != nil || target != "../../shared/record.yaml" {
		t.Errorf("the link is %q, %v", target, err)
	}
	if got := w.read("shared/record.yaml"); !strings.Contains(got, "task: x") {
		t.Errorf("%q", got)
	}

	w = newStateWorld(t)
	outside := t.TempDir() + "/record.yaml"
	if err := os.WriteFile(outside, []byte("phase: plan\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.linkTo(outside, stateDir+"/workflow.yaml")
	w.aged("verification.md", "x", 9*day)
	_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=review"}})
	refused(t, err, report.Violation, "path_outside")
	_, err = w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x"})
	refused(t, err, report.Violation, "path_outside")
	w.wantNames("verification.md", "workflow.yaml")
	if got, _ := os.ReadFile(outside); string(got) != "phase: plan\n" {
		t.Errorf("%q", got)
	}
}

// TestSD36_TheMark checks that a broken hand-off file marks the record at the next update, and that the mark is
// removed once the file is repaired. DEVT_VALIDATE_SHADOW=0 skips the check, as if there were no errors.
func TestSD36_TheMark(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "x")
	w.aged("handoff.json", "{", 0)
	out := must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t)
	if got := w.record(); got["validation_status"] != "warned" || got["validation_warnings"] != 1.0 || got["phase"] != "plan" {
		t.Errorf("%v", got)
	}
	if !slices.Contains(out.Changed, "validation_status") {
		t.Errorf("changed %v", out.Changed)
	}
	w.aged("handoff.json", `{"task": "x", "phase": null, "paused_at": null}`, 0)
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=implement"}}))(t)
	if got := w.record(); got["validation_status"] != nil {
		t.Errorf("%v", got)
	}
	w.aged("handoff.json", "{", 0)
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=test"}}))(t)
	w.env["DEVT_VALIDATE_SHADOW"] = "0"
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=review"}}))(t)
	if got := w.record(); got["validation_status"] != nil {
		t.Errorf("%v", got)
	}
}

// TestSD5_AnUnreadableSidecar checks that it is one finding, and that the others are still checked.
func TestSD5_AnUnreadableSidecar(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.linkTo("review.json", stateDir+"/review.json")
	w.aged("verification.json", `{"status": "VERIFIED", "verdict": "maybe", "agent": "verifier"}`, 0)
	w.mkdir(stateDir + "/test-summary.json")
	v := must(w.p().Folder.DirValidate(t.Context(), folder.DirValidateRequest{}))(t)
	reasons := map[string]string{}
	for _, p := range v.Errors {
		reasons[p.File] += string(p.Reason)
	}
	want := map[string]string{"review.json": "unreadable", "verification.json": "invalid_value", "test-summary.json": "unreadable"}
	if diff := cmp.Diff(want, reasons); diff != "" || v.OK {
		t.Error(diff)
	}
}

// TestValidateStrict checks that --strict makes warnings count as errors.
func TestValidateStrict(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("review.md", "x", 0)
	if v := must(w.p().Folder.DirValidate(t.Context(), folder.DirValidateRequest{}))(t); !v.OK || len(v.Warnings) == 0 {
		t.Errorf("%+v", v)
	}
	v := must(w.p().Folder.DirValidate(t.Context(), folder.DirValidateRequest{Strict: true}))(t)
	if v.OK || len(v.Warnings) != 0 || v.Errors[0].Severity != statedir.Wrong {
		t.Errorf("%+v", v)
	}
}

// TestSD35_RawDispatches checks in each mode, and for each place of the setting, whether a workflow may end if agents
// were started without the guard.
func TestSD35_RawDispatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config, own, when string
		refused           bool
	}{
		{when: "2026-03-01T09:00:00Z", refused: true},
		{when: "2026-03-01T08:59:59Z"},
		{when: "2026-03-01T09:30:00Z", refused: true},
		{when: "2026-03-01T09:30:00Z", config: `{"dispatch_hygiene_mode": "warn"}`},
		{when: "2026-03-01T09:30:00Z", config: `{"dispatch_hygiene_mode": "off"}`},
		{when: "2026-03-01T09:30:00Z", config: `{"dispatch_hygiene_mode": "nonsense"}`, refused: true},
		{when: "2026-03-01T09:30:00Z", own: "work: {dispatch_hygiene: warn}\n"},
	} {
		w := newStateWorld(t)
		w.begin("dev", "x")
		w.pass(time.Hour)
		w.aged("dispatch-warnings.jsonl", `{"ts": "`+c.when+`", "source": "raw_dispatch", "agent": "tester"}`+"\n", 0)
		if c.config != "" {
			w.write(folder.DevtConfigName, c.config)
		}
		if c.own != "" {
			w.write(config.Name, c.own)
		}
		before := w.read(stateDir + "/workflow.yaml")
		_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"active=false"}})
		if !c.refused {
			must0(t, err)
			continue
		}
		refused(t, err, report.Violation, "raw_dispatches")
		if w.read(stateDir+"/workflow.yaml") != before {
			t.Error("something was written")
		}
	}
}

// TestSDK25_IdsOfTheTrace checks that ids that only the trace of the memory service has are added to the history, in
// the layout with such a trace.
func TestSDK25_IdsOfTheTrace(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "x")
	w.write(folder.TraceName, "garbage\n"+`{"workflow_id": "from-the-trace", "ts": "2026-03-01T09:10:00Z"}`+"\n"+
		`{"workflow_id": "too-early", "ts": "2026-03-01T08:10:00Z"}`+"\n")
	w.pass(time.Hour)
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t)
	ids := fmt.Sprint(w.record()["workflow_id_history"])
	if !strings.Contains(ids, "from-the-trace") || strings.Contains(ids, "too-early") {
		t.Errorf("%s", ids)
	}
}

// TestUpdateThatChangesNothing also checks that an update that cannot be parsed writes nothing.
func TestUpdateThatChangesNothing(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "x")
	w.unchangedBut(".baton/local", func() {
		out := must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=context_init", "status=in_progress"}}))(
			t,
		)
		if len(out.Changed) != 0 {
			t.Errorf("%v", out.Changed)
		}
		for pair, code := range map[string]report.Code{
			"phase": "pair_invalid", "phase=reveiw": "value_invalid", "first_created_at=2020-01-01": "update_refused",
			"a b=c": "key_invalid", "active=yes": "value_invalid",
		} {
			_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"status=other", pair}})
			if e := refused(t, err, report.Usage, code); strings.ContainsAny(e.Message, "\n") {
				t.Errorf("%v", e)
			}
		}
	})
}
