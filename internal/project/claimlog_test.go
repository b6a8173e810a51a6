package project

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	kept "baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/usecase/history"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// claimsLogged returns the changes of claims in the log, oldest first, as "who with what: task kind from whom".
func (w *world) claimsLogged(r history.ChangeLogRequest) []string {
	w.t.Helper()
	out := []string{}
	for _, c := range slices.Backward(must(w.as("reader").History.ChangeLog(w.t.Context(), r))(w.t).Changes) {
		for _, s := range c.Claims {
			if len(c.Files) > 0 {
				w.t.Errorf("a change of files reports claims: %+v", c)
			}
			out = append(out, strings.TrimSpace(c.By+" "+c.Command+": "+s.Task+" "+s.Kind+" "+s.From))
		}
	}
	return out
}

// TestTheLogHasWhatChangedOnlyClaims checks that the log has a release, a takeover and a new scope. It does not have
// renewals, and no claim twice if a file changed with it.
func TestTheLogHasWhatChangedOnlyClaims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := string(w.create(tasks.NewTask{Title: "One"}))
	other := string(w.create(tasks.NewTask{Title: "Two"}))
	claim := func(as string, r tasks.ClaimRequest) {
		t.Helper()
		w.pass(time.Minute)
		if r.ID == "" {
			r.ID = id
		}
		must(w.open(workspace.Options{As: as, Command: "task claim"}).Tasks.Claim(t.Context(), r))(t)
	}
	release := func(as string) {
		t.Helper()
		w.pass(time.Minute)
		must(w.open(workspace.Options{As: as, Command: "task release"}).Tasks.Release(t.Context(), tasks.TaskRequest{ID: id}))(t)
	}
	claim("ann", tasks.ClaimRequest{}) // changes the status in the task's file
	claim("ann", tasks.ClaimRequest{}) // a renewal
	claim("ann", tasks.ClaimRequest{Lease: time.Hour})
	claim("ann", tasks.ClaimRequest{ID: other})
	claim("ann", tasks.ClaimRequest{Scope: []string{"internal/**"}})
	claim("bob", tasks.ClaimRequest{Steal: true, Reason: "gone home"})
	release("bob")
	release("bob") // nothing to do
	claim("ann", tasks.ClaimRequest{})
	want := []string{"ann task claim: 1 scoped", "bob task claim: 1 taken ann", "bob task release: 1 released", "ann task claim: 1 taken"}
	if diff := cmp.Diff(want, w.claimsLogged(history.ChangeLogRequest{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, w.claimsLogged(history.ChangeLogRequest{Task: id})); diff != "" {
		t.Error(diff)
	}
	if got := w.claimsLogged(history.ChangeLogRequest{Task: other}); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if check := must(w.as("ann").History.ChangeLog(t.Context(), history.ChangeLogRequest{Check: true}))(t).Check; check == nil ||
		check.Records != 4+len(want) {
		t.Errorf("%+v", check)
	}
}

// TestUndoSkipsClaims checks that undo skips changes of claims: they are not undone, not counted, and not listed
// as undone.
func TestUndoSkipsClaims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
	id := string(w.create(tasks.NewTask{Title: "One"}))
	w.decides("first")
	w.claim("agent-1", tasks.ClaimRequest{ID: id}) // also changes the task's file
	w.does("task release", func(p *Project) error { _, err := p.Tasks.Release(t.Context(), tasks.TaskRequest{ID: id}); return err })
	if got := w.undo(2); cmp.Diff([]string{"", "decision add"}, got) != "" {
		t.Errorf("%q", got)
	}
	for _, c := range must(w.as("agent-1").History.ChangeLog(t.Context(), history.ChangeLogRequest{}))(t).Changes {
		if len(c.Claims) > 0 && c.Undone || slices.Contains(c.Undoes, 4) {
			t.Errorf("%+v", c)
		}
	}
	w.undo(1)
	_, err := w.as("agent-1").History.Undo(t.Context(), history.UndoRequest{})
	if e := wantError(t, err, report.NotFound, "nothing_to_undo"); !strings.Contains(e.Message, "everything in the log was undone") {
		t.Error(e.Message)
	}
}

// TestUndoOfClaimsOnly checks a log with nothing but changes of claims: no file was ever changed.
func TestUndoOfClaimsOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	p := w.as("agent-1")
	if err := p.Kept.LogClaims(t.Context(), []kept.ClaimStep{{Task: "1", Kind: kept.ClaimReleased}}); err != nil {
		t.Fatal(err)
	}
	_, err := w.as("agent-1").History.Undo(t.Context(), history.UndoRequest{})
	if e := wantError(t, err, report.NotFound, "nothing_to_undo"); !strings.Contains(e.Message, "baton has not changed a file here yet") {
		t.Error(e.Message)
	}
}

// TestAReleaseThatCannotBeLogged checks that the claim is still released, with a warning.
func TestAReleaseThatCannotBeLogged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := string(w.create(tasks.NewTask{Title: "One"}))
	w.claim("agent-1", tasks.ClaimRequest{ID: id})
	if err := os.Rename(w.path(".baton/local/log"), w.path(".baton/local/log.away")); err != nil {
		t.Fatal(err)
	}
	w.write(".baton/local/log", "in the way")
	out := must(w.as("agent-1").Tasks.Release(t.Context(), tasks.TaskRequest{ID: id}))(t)
	if !out.Changed || len(out.Warnings) != 1 || out.Warnings[0].Code != "log_skipped" || out.Warnings[0].Severity != report.Warning {
		t.Errorf("%+v", out)
	}
	w.claim("agent-2", tasks.ClaimRequest{ID: id})
}

// TestClaimSteps checks which changes of claims are recorded; a renewal is not.
func TestClaimSteps(t *testing.T) {
	t.Parallel()
	book := func(claims map[task.ID]workspace.ClaimRecord) *workspace.ClaimBook {
		return &workspace.ClaimBook{Claims: claims}
	}
	before := book(map[task.ID]workspace.ClaimRecord{
		"1": {
			By: "ann", Fence: 1, Until: "a",
		}, "2": {By: "bob", Fence: 2}, "3": {By: "ann", Fence: 3}, "4": {By: "ann", Fence: 4}, "6": {By: "ann", Fence: 5},
	})
	after := book(map[task.ID]workspace.ClaimRecord{
		"1": {
			By: "ann", Fence: 1, Until: "b", Lease: "1h",
		}, "3": {By: "eve", Fence: 7, From: "ann"}, "4": {By: "ann", Fence: 4, Scope: []string{"x"}}, "5": {By: "ann", Fence: 6},
	})
	want := []kept.ClaimStep{
		{Task: "3", Kind: kept.ClaimTaken, From: "ann"},
		{Task: "4", Kind: kept.ClaimScoped},
		{Task: "5", Kind: kept.ClaimTaken},
		{Task: "2", Kind: kept.ClaimReleased, From: "bob"},
		{Task: "6", Kind: kept.ClaimReleased},
	}
	if diff := cmp.Diff(want, workspace.ClaimSteps(before, after, "ann")); diff != "" {
		t.Error(diff)
	}
}
