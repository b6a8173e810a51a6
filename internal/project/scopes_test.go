package project

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// claims claims a task for one holder.
func (w *world) claims(as, id string, scope ...string) tasks.ClaimResult {
	w.t.Helper()
	got, err := w.as(as).Tasks.Claim(w.t.Context(), tasks.ClaimRequest{ID: id, Scope: scope})
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

// TestScopeOfAClaim checks that a scope is validated, shown with the claim, kept when the claim is renewed, and
// replaced by a new one.
func TestScopeOfAClaim(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	id := string(w.create(tasks.NewTask{Title: "Tokens"}))
	if got := w.claims("agent-1", id, "src/auth/**", "./go.mod"); strings.Join(got.Claim.Scope, " ") != "src/auth/** go.mod" {
		t.Errorf("scope %q", got.Claim.Scope)
	}
	w.pass(time.Minute)
	if got := w.claims("agent-1", id); strings.Join(got.Claim.Scope, " ") != "src/auth/** go.mod" || got.Claim.Fence != 1 {
		t.Errorf("renewed: %+v", got.Claim)
	}
	if _, err := w.as("agent-1").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: id}); err != nil {
		t.Fatal(err)
	}
	if d := w.show(w.claims("agent-1", id, "docs").Task); strings.Join(d.Claim.Scope, " ") != "docs" {
		t.Errorf("replaced: %+v", d.Claim)
	}
	got, err := w.as("agent-2").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: id, Steal: true, Reason: "gone"})
	if err != nil || len(got.Claim.Scope) != 0 {
		t.Errorf("taken over: %+v, %v", got.Claim, err)
	}
	_, err = w.as("agent-2").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: id, Scope: []string{"../x"}})
	wantError(t, err, report.Usage, "scope_invalid")
}

// TestScopeIsReportedOncePerFileAndHolder checks that an edit of another session inside a live scope gets one note.
func TestScopeIsReportedOncePerFileAndHolder(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	id := string(w.create(tasks.NewTask{Title: "Tokens"}))
	w.claims("agent-2", id, "src/auth/**")
	if got := w.deny(agentsession.FileEdit{Path: "src/auth/a.go", Content: text("x")}); got != "" {
		t.Errorf("refused without being asked to: %q", got)
	}
	first := w.answer(batch("1", w.wrote("src/auth/a.go", "src/b.go"))).Context
	for _, want := range []string{"src/auth/a.go", "task #1", "agent-2", "09:30", "baton task show 1"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is not in %q", want, first)
		}
	}
	if got := w.answer(batch("2", w.wrote("src/auth/a.go"))).Context; got != "" {
		t.Errorf("told twice: %q", got)
	}
	var many []string
	for _, name := range strings.Split("bcdefghijk", "") {
		many = append(many, "src/auth/"+name+".go")
	}
	if got := w.answer(batch("3", w.wrote(many...))).Context; !strings.Contains(got, "src/auth/b.go") || utf8.RuneCountInString(got) > 400 {
		t.Errorf("many files: %d characters: %q", utf8.RuneCountInString(got), got)
	}
	w.pass(31 * time.Minute)
	if got := w.answer(batch("4", w.wrote("src/auth/z.go"))).Context; got != "" {
		t.Errorf("the claim has expired, and %q", got)
	}
}

// TestScopeIsRefusedIfTheConfigurationSaysSo checks that the edit is refused before the tool runs, even with the guard
// off, but never an edit of the holder.
func TestScopeIsRefusedIfTheConfigurationSaysSo(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	id := string(w.create(tasks.NewTask{Title: "Tokens"}))
	w.claims("agent-2", id, "src/auth/**")
	w.write(".baton/config.yaml", "claims:\n  scope: deny\nhooks:\n  guard: \"off\"\n")
	got := w.deny(agentsession.FileEdit{Path: w.path("src/auth/a.go"), Content: text("x")})
	if !strings.Contains(got, "agent-2") || !strings.Contains(got, "--steal") || utf8.RuneCountInString(got) > 600 {
		t.Errorf("said %q", got)
	}
	if got := w.deny(agentsession.FileEdit{Path: "src/main.go", Content: text("x")}); got != "" {
		t.Errorf("outside the scope: %q", got)
	}
	w.claims("s-1", string(w.create(tasks.NewTask{Title: "Mine"})), "lib/**")
	if got := w.deny(agentsession.FileEdit{Path: "lib/a.go", Content: text("x")}); got != "" {
		t.Errorf("in the session's own scope: %q", got)
	}
	w.write(".baton/local/shared/claims.json", "{broken")
	if got := w.deny(agentsession.FileEdit{Path: "src/auth/a.go", Content: text("x")}); got != "" {
		t.Errorf("claims cannot be read, and %q", got)
	}
}

// TestHolderIsWarnedOnceWhenItsClaimEnded checks claims that expired or were taken over, but not claims that were
// released.
func TestHolderIsWarnedOnceWhenItsClaimEnded(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	id := string(w.create(tasks.NewTask{Title: "Tokens"}))
	w.claims("s-1", id)
	say := func(key string) string { return w.answer(batch(key, ran("true"))).Context }
	if got := say("1"); got != "" {
		t.Errorf("it holds, and %q", got)
	}
	w.pass(31 * time.Minute)
	if got := say("2"); !strings.Contains(got, "expired at 09:30") || !strings.Contains(got, "baton task claim 1") {
		t.Errorf("expired: %q", got)
	}
	if got := say("3"); got != "" {
		t.Errorf("told twice: %q", got)
	}
	w.claims("agent-2", id)
	if got := say("4"); !strings.Contains(got, "agent-2") {
		t.Errorf("taken: %q", got)
	}
	if got := say("5"); got != "" {
		t.Errorf("told twice: %q", got)
	}
	other := string(w.create(tasks.NewTask{Title: "Other"}))
	w.claims("s-1", other)
	if _, err := w.as("s-1").Tasks.Release(t.Context(), tasks.TaskRequest{ID: other}); err != nil {
		t.Fatal(err)
	}
	w.pass(time.Hour)
	if got := say("6"); got != "" {
		t.Errorf("let go, and %q", got)
	}
}
