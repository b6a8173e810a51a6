package project

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func at(minute int) time.Time { return time.Date(2026, 3, 1, 9, minute, 0, 0, time.UTC) }

func TestD6_NewestRecordAndVerified(t *testing.T) {
	t.Parallel()
	rec := func(kind string, passed bool, minute int) tasks.EvidenceRecord {
		return tasks.EvidenceRecord{Criterion: "k", Kind: kind, Passed: passed, At: at(minute)}
	}
	tests := []struct {
		name     string
		records  []tasks.EvidenceRecord
		kind     string
		verified bool
	}{
		{"none", nil, "", false},
		{"run that passed", []tasks.EvidenceRecord{rec("run", true, 1)}, "run", true},
		{"run that failed", []tasks.EvidenceRecord{rec("run", true, 1), rec("run", false, 2)}, "run", false},
		{"a word after the run", []tasks.EvidenceRecord{rec("run", true, 1), rec("word", true, 2)}, "word", true},
		{"a claim alone", []tasks.EvidenceRecord{rec("claim", true, 1)}, "claim", false},
		{"a clock that was ahead: the later line", []tasks.EvidenceRecord{rec("run", false, 3), rec("run", true, 1)}, "run", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			book := tasks.EvidenceBook{Last: map[string]tasks.EvidenceRecord{}, Runs: map[string]tasks.EvidenceRecord{}}
			for _, r := range tt.records {
				book.Add(r)
			}
			v := book.CriterionView(task.Criterion{N: 1, Key: "k", Text: "t", Checked: true})
			kind := ""
			if v.Evidence != nil {
				kind = v.Evidence.Kind
			}
			if kind != tt.kind || v.Verified != tt.verified {
				t.Errorf("kind %q, verified %v", kind, v.Verified)
			}
			if open := book.CriterionView(task.Criterion{Key: "k"}); open.Verified {
				t.Error("an unchecked criterion is verified")
			}
		})
	}
}

func TestD6_ADamagedEvidenceFileIsStillRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
	w.write(
		".baton/archive/task-1-evidence.jsonl",
		"{\"criterion\":\"a\",\"kind\":\"run\",\"passed\":true,\"by\":\"x\",\"at\":\"2026-03-01T09:00:00Z\"}\n"+
			"<<<<<<< ours\nrubbish\n{\"torn\":",
	)
	p := w.as("agent-1")
	exit := 0
	rec := tasks.EvidenceRecord{
		Criterion: "b", Text: "t", Kind: tasks.EvidenceRun, Passed: true, Command: "go test", Dir: ".", Exit: &exit, DurationMS: 12,
		Commit: "abc", By: "agent-1", At: at(1), Tail: "ok",
	}
	_, err := p.Update(ctx, func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, "1")
		if err != nil {
			return err
		}
		return p.Tasks.AddEvidence(t.Context(), c, l, rec)
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.LoadTask(ctx, p.Store, "1")
	if err != nil {
		t.Fatal(err)
	}
	book, err := p.Tasks.Evidence(ctx, p.Store, l)
	if err != nil || !book.Verified("a") || !book.Verified("b") {
		t.Errorf("book %+v, %v", book, err)
	}
	if diff := cmp.Diff(&rec, book.Newest("b")); diff != "" {
		t.Error(diff)
	}
	if text := w.read(".baton/archive/task-1-evidence.jsonl"); !strings.Contains(text, "{\"torn\":\n{\"criterion\":\"b\"") {
		t.Errorf("the record does not begin a line:\n%s", text)
	}
}

// TestTS26_WriteIsPlannedAgainOnAHandEdit edits the file between a change's read and its write.
func TestTS26_WriteIsPlannedAgainOnAHandEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
	p := w.as("agent-1")
	runs := 0
	_, err := p.Update(ctx, func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, "1")
		if err != nil {
			return err
		}
		if runs++; runs <= 2 { // the first write of a project is tried once without the lock
			w.edit("1", "Do it.", "Do it. And more.")
		}
		next, ok := l.State.SetStatus(task.StatusInProgress)
		if !ok {
			t.Error("no status")
		}
		return p.WriteTask(c, l, next)
	})
	if err != nil {
		t.Fatal(err)
	}
	text := w.read(".baton/tasks/task-1-state.md")
	if !strings.Contains(text, "And more.") || !strings.Contains(text, "in_progress") {
		t.Errorf("one of the two edits is gone:\n%s", text)
	}
}

func TestWriteTaskRefusesToDamage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
	p := w.as("agent-1")
	c := &workspace.Change{Tx: store.NewTx(context.Background(), p.Store), Reader: p.Store, Now: w.time}
	l, err := p.LoadTask(context.Background(), p.Store, "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"no metadata at all\n", strings.Replace(plain("1", "One"), "{", "[", 1), plain("1", "One") + "\x00",
	} {
		if err := p.WriteTask(c, l, task.Parse("1", []byte(text))); err == nil {
			t.Errorf("%.20q was accepted", text)
		}
	}
	if err := p.WriteTask(c, l, l.State); err != nil || len(c.Tx.Changes()) != 0 {
		t.Errorf("a state without changes: %v, %d changes", err, len(c.Tx.Changes()))
	}
}

// D6: converting a file changes the keys of its criteria, but not their evidence.
func TestD6_EvidenceSurvivesConversion(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Dialect: task.V1C, Criteria: criteria("First", "Second", "Second")})
	p := s.as("a")
	must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", By: "index", Run: "true"}))(t)
	for _, to := range []string{"v2", "v1"} {
		must(p.Tasks.Convert(t.Context(), tasks.ConvertRequest{ID: "1", To: to, Apply: true}))(t)
		got := must(p.Tasks.Show(t.Context(), tasks.ShowRequest{ID: "1"}))(t).Criteria
		if !got[0].Verified || got[0].Evidence == nil || got[0].Evidence.Command != "true" || got[1].Evidence != nil {
			t.Errorf("%s: %+v", to, got)
		}
	}
}
