package project

import (
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
)

// waiting returns the project with a clock whose pauses pass at once. pauses has their lengths, and
// during is called in each.
func (w *world) waiting(pauses *[]time.Duration, during func()) *Project {
	p := w.as("agent-1")
	p.Env.After = func(d time.Duration) <-chan time.Time {
		*pauses = append(*pauses, d)
		during()
		over := make(chan time.Time, 1)
		over <- w.time
		return over
	}
	return p
}

// F-28: an editor truncates a document and then writes it. baton waits for 50 ms, and changes what
// the editor wrote.
func TestF28_AnEditorBetweenTruncatingAndWriting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{Title: "One"})
	before := w.read(statePath("1"))
	w.write(statePath("1"), "")
	var pauses []time.Duration
	p := w.waiting(&pauses, func() { w.write(statePath("1"), strings.Replace(before, "One", "One by hand", 1)) })
	out, err := p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"a"}}})
	if err != nil || out.Session != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	if now := w.read(statePath("1")); !strings.Contains(now, "One by hand") || !strings.Contains(now, "### Session 1") {
		t.Errorf("the task is\n%s", now)
	}
	if len(pauses) != 1 || pauses[0] != 50*time.Millisecond {
		t.Errorf("it waited for %v", pauses)
	}
}

// F-28: whatever blank bytes stand there, the document is refused and stays as it is, until somebody
// accepts that it is empty. A document that never had content is written at once.
func TestF28_AnEmptiedDocumentIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{Title: "One"})
	var pauses []time.Duration
	p := w.waiting(&pauses, func() {})
	log := func() error {
		_, err := p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"a"}}})
		return err
	}
	for _, blank := range []string{"", " \n\t\r\n", "\x00\x00\x00", "\ufeff", strings.Repeat("\x00", 70000)} {
		w.write(statePath("1"), blank)
		err := log()
		e := report.As(err)
		if report.CodeOf(err) != report.CodeEmptied || e.Kind.Row().Exit != 7 || !strings.Contains(e.Hint, "lost --restore") {
			t.Errorf("%.9q: %v", blank, err)
		}
		if now := w.read(statePath("1")); now != blank {
			t.Errorf("%.9q became %.99q", blank, now)
		}
		if _, err := p.Kept.Observe(t.Context(), []string{statePath("1")}); err != nil { // as hooks do
			t.Fatal(err)
		}
		if err := log(); report.CodeOf(err) != report.CodeEmptied {
			t.Errorf("%.9q after a look: %v", blank, err)
		}
	}
	w.write(statePath("1"), "\n")
	got, err := p.Loss.AcceptLost(t.Context(), loss.LostAcceptRequest{IDs: []string{statePath("1")}})
	if err != nil || len(got.Emptied) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := log(); err != nil {
		t.Error(err)
	}
	pauses = nil
	w.write(".baton/STATE.md", "\n")
	if _, err := p.Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "first"}); err != nil || len(pauses) > 0 {
		t.Errorf("a digest that never had content: %v, after %v", err, pauses)
	}
}
