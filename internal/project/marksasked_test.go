package project

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// D42: hooks that may not ask git use the answer that was kept, with "?" if HEAD is another commit since.
func TestD42_HooksUseTheKeptAnswer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.git("init", "-q", "-b", "main")
	for _, title := range []string{"One", "Two", "Three", "Four"} {
		s.create(tasks.NewTask{Title: title})
	}
	s.git("add", "-A")
	s.git("commit", "-qm", "base")
	other := filepath.Join(t.TempDir(), "w1")
	s.git("worktree", "add", "-q", other, "-b", "w1")
	away := func() *Project { return s.open(workspace.Options{Dir: other, As: "agent-2"}) }
	must(away().Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	must(away().Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1", Force: true, Reason: "done"}))(t)
	gitAt(t, other, s.time, "add", "-A")
	gitAt(t, other, s.time, "commit", "-qm", "one")
	s.create(tasks.NewTask{Title: "Five"}) // finds the commit, and keeps git's answer about it
	words := func(git bool) string {
		p := s.open(workspace.Options{Session: "s1"})
		f := must(p.Sessions.Facts(t.Context(), sessions.FactsAsk{Session: "s1", Git: git}))(t)
		i := slices.IndexFunc(f.Warnings, func(text string) bool { return strings.Contains(text, "complete on w1") })
		if i < 0 {
			t.Fatalf("%q", f.Warnings)
		}
		return f.Warnings[i]
	}
	if got := words(false); !strings.HasSuffix(got, "not merged here") {
		t.Errorf("with an answer for this commit: %s", got)
	}
	s.git("commit", "-q", "--allow-empty", "-m", "more")
	if got := words(false); !strings.HasSuffix(got, "not merged here?") {
		t.Errorf("without asking: %s", got)
	}
	if got := words(true); !strings.HasSuffix(got, "not merged here") {
		t.Errorf("asking: %s", got)
	}
	if got := words(false); !strings.HasSuffix(got, "not merged here") {
		t.Errorf("after that answer: %s", got)
	}
}
