package project

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// pack asks for a pack.
func (w *world) pack(r sessions.ContextRequest) sessions.ContextResult {
	w.t.Helper()
	out, err := w.as("agent-9").Sessions.Context(context.Background(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// A pack has what a session needs and is within its budget. Asking for it writes nothing.
func TestContextOfATask(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	w.logs("1", task.Entry{Did: []string{"Signed tokens."}, Issues: []string{"HS256 fails."}, Next: []string{"Rotate the keys."}})
	before := w.files()
	for _, r := range []sessions.ContextRequest{{}, {Task: "#1"}, {Budget: 300}, {Explain: true}} {
		out := w.pack(r)
		if want := max(r.Budget, sessions.LeastContextBudget); !r.Explain && out.Tokens > max(want, out.Budget) ||
			out.Tokens != protocol.Tokens(out.Text) || out.Characters != protocol.Characters(out.Text) {
			t.Errorf("%+v: %d tokens, %d characters of a budget of %d", r, out.Tokens, out.Characters, out.Budget)
		}
		for _, part := range []string{
			"Task #1: “JWT service”", "- “Rotate the keys.”", "- 1. “tokens are signed” (verify with `go test ./jwt`)",
		} {
			if !strings.Contains(out.Text, part) {
				t.Errorf("%+v: %q is not in\n%s", r, part, out.Text)
			}
		}
		if out.Task != "1" || (out.Score != nil) != r.Explain {
			t.Errorf("%+v: task %s, score %+v", r, out.Task, out.Score)
		}
	}
	if out := w.pack(sessions.ContextRequest{}); !strings.Contains(out.Text, "> Tokens are signed.") ||
		!strings.Contains(out.Text, "- “HS256 fails.”") || len(out.Left) != 0 {
		t.Errorf("%+v", out)
	}
	if out := w.pack(sessions.ContextRequest{Task: "2"}); out.Task != "2" || !strings.Contains(out.Text, "Login page") {
		t.Errorf("%+v", out)
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
}

// logs adds an entry to a task.
func (w *world) logs(id string, e task.Entry) {
	w.t.Helper()
	if _, err := w.as("agent-1").Tasks.Log(context.Background(), tasks.LogRequest{ID: id, Entry: e}); err != nil {
		w.t.Fatal(err)
	}
}

func TestContextRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := func(r sessions.ContextRequest) error {
		_, err := w.as("agent-1").Sessions.Context(context.Background(), r)
		return err
	}
	wantError(t, ask(sessions.ContextRequest{}), report.NotFound, "no_project")
	w.create(tasks.NewTask{Title: "One"})
	wantError(t, ask(sessions.ContextRequest{Budget: sessions.LeastContextBudget - 1}), report.Usage, "budget_invalid")
	wantError(t, ask(sessions.ContextRequest{Budget: -1}), report.Usage, "budget_invalid")
	wantError(t, ask(sessions.ContextRequest{Budget: sessions.MostContextBudget + 1}), report.Usage, "budget_invalid")
	wantError(t, ask(sessions.ContextRequest{Task: "9"}), report.NotFound, "task_unknown")
	wantError(t, ask(sessions.ContextRequest{Task: "../9"}), report.Usage, "id_invalid")
}

// `--explain` shows exactly what the next session is told.
func TestContextExplainsWhatASessionReads(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*world){
		"first session": func(*world) {},
		"taken":         func(w *world) { w.start("s1", "startup") },
		"later session": func(w *world) {
			w.logs("1", task.Entry{Did: []string{"Signed tokens."}, Next: []string{"Rotate the keys."}})
			w.release("1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := agentTasks(t)
			prepare(w)
			want := w.pack(sessions.ContextRequest{Explain: true})
			_, got := w.start("s2", "startup")
			if diff := cmp.Diff(want.Text, got.Context); diff != "" || got.Context == "" {
				t.Errorf("(-explained +told):\n%s", diff)
			}
		})
	}
}

// release releases a task, if somebody holds it.
func (w *world) release(id string) {
	w.t.Helper()
	if _, err := w.as("agent-1").Tasks.Release(context.Background(), tasks.TaskRequest{ID: id}); err != nil {
		w.t.Fatal(err)
	}
}

// A project with a digest but no tasks gets a pack about the digest.
func TestContextOfADigest(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	out := w.pack(sessions.ContextRequest{})
	if out.Task != "" || strings.Contains(out.Text, "baton task") || !strings.Contains(out.Text, "Project: ") {
		t.Errorf("%s", out.Text)
	}
}

// Long requirements are complete if there is room; otherwise the pack has their first sentences.
func TestContextOfLongRequirements(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{Title: "Long", Requirements: strings.Repeat("A sentence of some words end. ", 600) + "The last one end."})
	if out := w.pack(sessions.ContextRequest{Budget: 20_000}); !strings.Contains(out.Text, "> The last one end.") || len(out.Left) != 0 {
		t.Errorf("left out %+v", out.Left)
	}
	out := w.pack(sessions.ContextRequest{Budget: 1000})
	for line := range strings.SplitSeq(out.Text, "\n") {
		if strings.HasPrefix(line, "> ") && !strings.HasSuffix(line, "end.") {
			t.Errorf("%q", line)
		}
	}
	if out.Tokens > 1000 || !strings.Contains(out.Text, "the rest of requirements") {
		t.Errorf("%d tokens\n%s", out.Tokens, out.Text[len(out.Text)-400:])
	}
}
