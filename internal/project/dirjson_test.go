package project

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"baton/internal/usecase/folder"
)

// keysOf returns an answer as JSON, and checks that no list in it is null.
func keysOf(t *testing.T, answer any) map[string]any {
	t.Helper()
	data, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return out
}

func wantKeys(t *testing.T, what string, got any, want ...string) {
	t.Helper()
	object, ok := got.(map[string]any)
	if !ok {
		t.Errorf("%s is %T", what, got)
		return
	}
	for _, key := range want {
		if _, ok := object[key]; !ok {
			t.Errorf("%s has no %q, only %q", what, key, slices.Sorted(maps.Keys(object)))
		}
	}
}

// TestAnswersHaveTheirFields checks that every verb's JSON has at least the fields of the description (devt.md 5.19),
// and that empty lists are lists.
func TestAnswersHaveTheirFields(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "x")
	w.aged("odd", "x", 9*day)
	w.aged("review.json", "{}", 0)
	w.write("agents/a.md", ".devt/state/odd-one.md")
	p, ctx := w.p(), t.Context()

	audit := keysOf(t, must(p.Folder.DirAudit(ctx, folder.DirRequest{}))(t))
	wantKeys(t, "audit", audit, "folder", "buckets", "counts", "total_bytes", "findings")
	wantKeys(t, "buckets", audit["buckets"], "canonical", "pattern_allowed", "ephemeral", "ad_hoc")
	wantKeys(t, "counts", audit["counts"], "canonical", "pattern_allowed", "ephemeral", "ad_hoc", "total")
	wantKeys(t, "entry of audit", first(audit["buckets"].(map[string]any)["ad_hoc"]),
		"name", "kind", "size", "mtime", "age_s", "row", "exempt", "inherited", "would", "suggestion")

	sweep := []string{"applied", "snapshot", "entries", "spared", "dropped"}
	for what, answer := range map[string]any{
		"cleanup": must(p.Folder.DirCleanup(ctx, folder.CleanupRequest{}))(
			t,
		), "reset": must(p.Folder.DirReset(ctx, folder.SweepRequest{}))(t), "evict": must(p.Folder.DirEvict(ctx, folder.SweepRequest{}))(t),
		"begin": must(p.Folder.DirBegin(ctx, folder.BeginRequest{Type: "dev", Task: "y", DryRun: true}))(t),
	} {
		got := keysOf(t, answer)
		wantKeys(t, what, got, sweep...)
		for _, list := range []string{"entries", "spared", "dropped", "due", "warnings"} {
			if _, ok := got[list].([]any); !ok {
				t.Errorf("%s: %s is %v", what, list, got[list])
			}
		}
		if what == "begin" {
			wantKeys(t, what, got, "resumed", "record", "inherited")
		}
	}
	entry := first(keysOf(t, must(p.Folder.DirCleanup(ctx, folder.CleanupRequest{}))(t))["entries"])
	wantKeys(t, "entry of cleanup", entry, "name", "kind", "size", "bucket", "reason", "state")
	spared := first(keysOf(t, must(p.Folder.DirReset(ctx, folder.SweepRequest{}))(t))["entries"])
	wantKeys(t, "entry of reset", spared, "name", "state")

	wantKeys(
		t, "read", keysOf(t, must(p.Folder.DirRead(ctx, folder.DirRequest{}))(t)), "active", "phase", "tier", "iteration", "workflow_id",
	)
	update := keysOf(t, must(p.Folder.DirUpdate(ctx, folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t))
	wantKeys(t, "update", update, "record", "changed", "warnings")
	wantKeys(t, "its record", update["record"], "active", "phase")

	validate := keysOf(t, must(p.Folder.DirValidate(ctx, folder.DirValidateRequest{}))(t))
	wantKeys(t, "validate", validate, "ok", "errors", "warnings")
	wantKeys(t, "error of validate", first(validate["errors"]), "file", "reason", "message", "severity")
	wantKeys(t, "contract", keysOf(
		t, must(p.Folder.DirContract(ctx, folder.ContractRequest{Name: "review.md"}))(t),
	), "name", "bucket", "row", "sweeps", "why")
	wantKeys(t, "contract of an ad hoc name", keysOf(
		t, must(p.Folder.DirContract(ctx, folder.ContractRequest{Name: "review a.md"}))(t),
	), "name", "bucket", "sweeps", "suggestion", "why")
	lint := keysOf(t, must(p.Folder.DirLint(ctx, folder.LintRequest{}))(t))
	wantKeys(t, "lint", lint, "findings")
	wantKeys(t, "finding of lint", first(lint["findings"]), "file", "line", "reference")

	snapshot := *w.cleanup().Snapshot
	history := keysOf(t, must(p.Folder.DirHistory(ctx, folder.DirHistoryRequest{}))(t))
	wantKeys(t, "history", history, "snapshots")
	wantKeys(
		t, "snapshot", first(history["snapshots"]), "name", "kind", "moment", "entries", "workflow_id", "workflow_type", "task", "phase",
	)
	restore := keysOf(t, must(p.Folder.DirRestore(ctx, folder.RestoreRequest{Snapshot: snapshot}))(t))
	wantKeys(t, "restore", restore, "entries", "snapshot")
	wantKeys(t, "entry of restore", first(restore["entries"]), "name", "state")
	w.aged(".lock", "999999999", 0)
	wantKeys(t, "lock", keysOf(t, must(p.Folder.DirLock(ctx, folder.DirRequest{}))(t)), "held", "pid", "alive", "stale", "why", "age_s")
	wantKeys(t, "unlock", keysOf(
		t, must(p.Folder.DirUnlock(ctx, folder.UnlockRequest{Stale: true}))(t),
	), "held", "alive", "stale", "why", "age_s")
}

// first returns the first element of a list.
func first(list any) any {
	if all, ok := list.([]any); ok && len(all) > 0 {
		return all[0]
	}
	return nil
}
