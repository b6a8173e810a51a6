package mcpserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
)

// git runs git in the world's folder.
func (w *world) git(arguments ...string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", arguments...)
	cmd.Dir, cmd.Env = w.dir, gittest.Environ(os.Environ(), "agent", time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
}

// commit commits a new file.
func (w *world) commit(name string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte("x\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "add "+name)
}

// F-39: a client that has only these tools loses no commit: a claim begins the session, and its answer says what is open.
func TestF39_AClaimBeginsTheSession(t *testing.T) {
	t.Parallel()
	for tool, arguments := range map[string]map[string]any{"task_claim": {"id": "1"}, "next": nil} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.git("init", "-q")
			w.commit("before")
			session := w.client(newServer(w.env, Options{}), nil)
			begun := must(t, session, tool, arguments)
			text, _ := at(begun, "text").(string)
			if at(begun, "task") != "1" || at(begun, "what") != "claimed" || at(begun, "claim", "by") == nil ||
				!strings.Contains(text, "- 1. “It works”") || !strings.Contains(text, "This session holds it.") {
				t.Errorf("%v", begun)
			}
			w.commit("work")
			logged := must(t, session, "task_log", map[string]any{"id": "1", "did": "work", "next": "more"})
			if commits, _ := at(logged, "commits").([]any); len(commits) != 1 || at(commits[0], "subject") != "add work" {
				t.Errorf("%v", logged)
			}
			again := must(t, session, tool, arguments)
			if text, _ = at(again, "text").(string); at(again, "what") != "continued" || !strings.Contains(text, "more") {
				t.Errorf("%v", again)
			}
		})
	}
}

// next says what would make a task ready, and what the digest recommends where there is none.
func TestNextWithoutATask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	must(t, session, "task_claim", map[string]any{"id": "1"})
	must(t, session, "task_claim", map[string]any{"id": "DOC-7"})
	other := w.client(newServer(w.env, Options{As: "other"}), nil)
	said := failure(t, other, "next", nil)
	if message, _ := said["message"].(string); said["code"] != "nothing_ready" || !strings.Contains(message, "#2 waits for #1") ||
		!strings.Contains(message, "#1 is held by") {
		t.Errorf("%v", said)
	}
}
