package mcpserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/gitrepo/gittest"
	"baton/internal/usecase/setup"
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

// F-41c: the prompt takes the active task, as the others do, or says what is missing.
func TestF41c_PlanSplitTakesTheActiveTask(t *testing.T) {
	t.Parallel()
	w := emptyWorld(t)
	p := w.open()
	if _, err := p.Setup.Init(t.Context(), setup.InitRequest{}); err != nil {
		t.Fatal(err)
	}
	_ = p.Close()
	session := w.client(newServer(w.env, Options{}), nil)
	_, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: promptSplit})
	if err == nil || !strings.Contains(err.Error(), "no task is active, so the prompt needs the id of one") {
		t.Errorf("%v", err)
	}
	w = newWorld(t)
	session = w.client(newServer(w.env, Options{}), nil)
	must(t, session, "task_claim", map[string]any{"id": "DOC-7"})
	r, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: promptSplit})
	if err != nil || !strings.Contains(r.Messages[0].Content.(*mcp.TextContent).Text, "Plan how to split task DOC-7") {
		t.Errorf("%v %v", r, err)
	}
}

// F-41d: a criterion that does not exist is answered with those that do.
func TestF41d_AnUnknownCriterionIsAnsweredWithTheKnownOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	for selector, want := range map[string]string{
		"7":      `name one by number, key or exact text: 1 "It works"; 2 "It is tested"`,
		"tested": `name one by number, key or exact text: 1 "It works"; 2 "It is tested"; the closest is 2`,
	} {
		said := failure(t, session, "task_check", map[string]any{"id": "1", "criterion": selector, "evidence": "x"})
		if said["code"] != "criterion_unknown" || said["hint"] != want {
			t.Errorf("%s: %v", selector, said)
		}
	}
}

// F-41e: an answer has no rotation unless something rotated, and no step has a reason.
func TestF41e_AnswersWithoutNoise(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{AllTools: true}), nil)
	for _, c := range [][2]string{
		{"decision_add", `a "rotation": of keys`}, {"blocker_add", "no keys"}, {"blocker_resolve", "1"},
	} {
		said := must(t, session, c[0], map[string]any{"text": c[1]})
		if _, noise := said["rotation"]; noise || said["changed"] == nil {
			t.Errorf("%s: %v", c[0], said)
		}
	}
	said := must(t, session, "state_next", nil)
	if why, _ := said["why"].(string); why == "" || said["next"] != nil || len(said) != 4 {
		t.Errorf("%v", said)
	}
	said = must(t, session, "state_next", map[string]any{"action": "plan-phase", "phases": "1"})
	if at(said, "next", "action") != "plan-phase" || said["why"] != nil || said["changed"] == nil || said["rotation"] != nil {
		t.Errorf("%v", said)
	}
	for i := 0; i < 110 && said["rotation"] == nil; i++ {
		said = must(t, session, "decision_add", map[string]any{"text": fmt.Sprintf("decision %d %s", i, strings.Repeat("x", 450))})
	}
	if at(said, "rotation", "rotated") != true {
		t.Errorf("what rotated is missing: %v", said)
	}
}

// F-41f: the schema says in a sentence what a command that fails does.
func TestF41f_TheCommandOfACheckIsExplained(t *testing.T) {
	t.Parallel()
	for _, tool := range listed(t, Options{}) {
		if tool.Name == "task_check" && at(tool.InputSchema, "properties", "run", "description") !=
			"command that must succeed; if it fails, the criterion is open again" {
			t.Errorf("%v", tool.InputSchema)
		}
	}
}
