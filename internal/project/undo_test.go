package project

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/store"
	kept "baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/history"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// undo undoes so many changes and returns their commands.
func (w *world) undo(count int) []string {
	w.t.Helper()
	out, err := w.as("agent-1").History.Undo(context.Background(), history.UndoRequest{Count: count})
	if err != nil {
		w.t.Fatal(err)
	}
	return commandsOf(out.Changes)
}

func commandsOf(list []history.LoggedChange) (out []string) {
	for _, c := range list {
		out = append(out, c.Command)
	}
	return out
}

// does calls one use case as a command of that name.
func (w *world) does(command string, act func(p *Project) error) {
	w.t.Helper()
	w.pass(time.Minute)
	if err := act(w.open(workspace.Options{As: "agent-1", Command: command})); err != nil {
		w.t.Fatalf("%s: %v", command, err)
	}
}

func (w *world) decides(text string) {
	w.t.Helper()
	w.does("decision add", func(p *Project) error {
		_, err := p.Digests.AddDecision(context.Background(), digests.DecisionRequest{Text: text})
		return err
	})
}

// TestUndoRestoresTheBytesOfEveryKindOfChange undoes every change of a task and a digest, with archives and evidence,
// one after the other. Each file must then be as before, byte for byte, and new files must be removed.
func TestUndoRestoresTheBytesOfEveryKindOfChange(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.does("init", func(p *Project) error { _, err := p.Setup.Init(ctx, setup.InitRequest{}); return err })
	w.write(".baton/config.yaml", "tasks:\n  keep_sessions: 1\n  archive_kb: 1\n")
	states := []map[string]string{w.tracked()}
	steps := []struct {
		command string
		act     func(p *Project) error
	}{
		{"task new", func(p *Project) error {
			_, err := p.Tasks.NewTasks(
				ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "One", Criteria: []create.Criterion{{Text: "It works"}}}}},
			)
			return err
		}},
		{"task log", func(p *Project) error {
			_, err := p.Tasks.Log(ctx, tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"first " + strings.Repeat("x", 900)}}})
			return err
		}},
		{"task log", func(p *Project) error {
			_, err := p.Tasks.Log(ctx, tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"second " + strings.Repeat("y", 900)}}})
			return err
		}},
		{"task log", func(p *Project) error {
			_, err := p.Tasks.Log(ctx, tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"third " + strings.Repeat("z", 900)}}})
			return err
		}},
		{"task check", func(p *Project) error {
			_, err := p.Tasks.Check(ctx, tasks.CheckRequest{ID: "1", Selector: "1"})
			return err
		}},
		{"decision add", func(p *Project) error {
			_, err := p.Digests.AddDecision(ctx, digests.DecisionRequest{Text: "Use one lock"})
			return err
		}},
		{"blocker add", func(p *Project) error {
			_, err := p.Digests.AddBlocker(ctx, digests.BlockerRequest{Text: "No disk"})
			return err
		}},
		{"task archive", func(p *Project) error {
			_, err := p.Tasks.Archive(ctx, tasks.ArchiveRequest{ID: "1"})
			return err
		}},
	}
	var did []string
	for _, s := range steps {
		w.does(s.command, s.act)
		if now := w.tracked(); cmp.Diff(states[len(states)-1], now) != "" {
			states, did = append(states, now), append(did, s.command)
		}
	}
	if len(did) < 7 {
		t.Fatalf("only %v changed anything", did)
	}
	if _, ok := states[len(states)-1][".baton/archive/task-1-archive.md"]; !ok {
		t.Fatal("nothing was archived")
	}
	for at := len(did) - 1; at >= 0; at-- {
		if got := w.undo(1); len(got) != 1 || got[0] != did[at] {
			t.Fatalf("%v was taken back, want %s", got, did[at])
		}
		if diff := cmp.Diff(states[at], w.tracked()); diff != "" {
			t.Fatalf("after %s was taken back:\n%s", did[at], diff)
		}
	}
}

// TestUndoOfSeveralIsOneChange checks that the last three changes are undone together, that a second undo skips them,
// and that the log has all of this.
func TestUndoOfSeveralIsOneChange(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
	before := w.tracked()
	var states []map[string]string
	for i := range 5 {
		w.decides(fmt.Sprintf("number %d", i))
		states = append(states, w.tracked())
	}
	dry, err := w.as("agent-1").History.Undo(ctx, history.UndoRequest{Count: 3, DryRun: true})
	if err != nil || dry.Applied || len(dry.Changes) != 3 || !strings.Contains(dry.Diff, "number 4") ||
		strings.Contains(dry.Diff, "-number 1") {
		t.Fatalf("%+v %v", dry, err)
	}
	if diff := cmp.Diff(states[4], w.tracked()); diff != "" {
		t.Fatal(diff)
	}
	w.undo(3)
	if diff := cmp.Diff(states[1], w.tracked()); diff != "" {
		t.Error(diff)
	}
	log, err := w.as("agent-1").History.ChangeLog(ctx, history.ChangeLogRequest{})
	if err != nil || log.Total != 6 || cmp.Diff([]int64{5, 4, 3}, log.Changes[0].Undoes) != "" || !log.Changes[1].Undone ||
		log.Changes[4].Undone {
		t.Errorf("%+v %v", log, err)
	}
	w.decides("another")
	w.undo(2) // the one after the undo, and the one before the undone changes
	if diff := cmp.Diff(states[0], w.tracked()); diff != "" {
		t.Error(diff)
	}
	_, err = w.as("agent-1").History.Undo(ctx, history.UndoRequest{Count: 2})
	wantError(t, err, report.NotFound, "nothing_to_undo")
	w.undo(1)
	if diff := cmp.Diff(before, w.tracked()); diff != "" {
		t.Error(diff)
	}
	_, err = w.as("agent-1").History.Undo(ctx, history.UndoRequest{})
	wantError(t, err, report.NotFound, "nothing_to_undo")
}

// TestUndoSaysWhatBlocksIt checks an edit by hand, a file that somebody deleted, bytes that were not kept, and a task
// that somebody else holds. Nothing is written in these cases.
func TestUndoSaysWhatBlocksIt(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		spoil func(w *world)
		kind  report.Kind
		code  report.Code
		says  string
	}{
		"a hand edit": {
			func(w *world) { w.write(".planning/STATE.md", w.read(".planning/STATE.md")+"by hand\n") },
			report.Conflict, "undo_blocked", ".planning/STATE.md was changed since, by somebody else",
		},
		"deleted": {
			func(w *world) {
				if err := os.Remove(w.path(".planning/STATE.md")); err != nil {
					w.t.Fatal(err)
				}
			},
			report.Conflict, "undo_blocked", ".planning/STATE.md was deleted since",
		},
		"not kept": {
			func(w *world) {
				if err := os.RemoveAll(w.path(".baton/local/snapshots")); err != nil {
					w.t.Fatal(err)
				}
			},
			report.Corrupt, "revision_lost", "no longer kept",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
			w.decides("one")
			w.decides("two")
			c.spoil(w)
			before := w.tracked()
			for _, dry := range []bool{true, false} {
				_, err := w.as("agent-1").History.Undo(ctx, history.UndoRequest{Count: 2, DryRun: dry})
				if e := wantError(t, err, c.kind, c.code); !strings.Contains(e.Message, c.says) {
					t.Errorf("%s", e.Message)
				}
			}
			if diff := cmp.Diff(before, w.tracked()); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("held by somebody else", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.mkdir(".baton/tasks")
		id := w.create(tasks.NewTask{Title: "One"})
		if _, err := w.as("agent-2").Tasks.Claim(ctx, tasks.ClaimRequest{ID: string(id)}); err != nil {
			t.Fatal(err)
		}
		_, err := w.as("agent-1").History.Undo(ctx, history.UndoRequest{})
		wantError(t, err, report.Conflict, "claim_held")
		out, err := w.as("agent-2").History.Undo(ctx, history.UndoRequest{})
		if err != nil || len(out.Changes) != 1 {
			t.Errorf("%+v %v", out, err)
		}
	})
	t.Run("a change that the log does not have", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
		w.decides("one")
		w.decides("two")
		path := w.path(".baton/local/log/000001.jsonl")
		lines := strings.SplitAfter(w.read(".baton/local/log/000001.jsonl"), "\n")
		if err := os.WriteFile(path, []byte(lines[0]), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := w.as("agent-1").History.Undo(ctx, history.UndoRequest{})
		wantError(t, err, report.Conflict, "undo_blocked")
	})
}

// TestUndoSkipsWhatIsNoLongerThere checks a change that somebody undid by other means, and a change or an undo that a
// process recorded but died before making.
func TestUndoSkipsWhatIsNoLongerThere(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
	before := w.tracked()
	w.decides("one")
	text := w.read(".planning/STATE.md")
	w.decides("two")
	w.write(".planning/STATE.md", text)
	out, err := w.as("agent-1").History.Undo(ctx, history.UndoRequest{DryRun: true})
	if err != nil || len(out.Passed) != 1 || out.Passed[0].Number != 2 || len(out.Changes) != 1 || out.Changes[0].Number != 1 {
		t.Errorf("%+v %v", out, err)
	}
	w.undo(1)
	if diff := cmp.Diff(before, w.tracked()); diff != "" {
		t.Error(diff)
	}
	w.write(".planning/STATE.md", text) // as if the undo had not been made
	if got := w.undo(1); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if diff := cmp.Diff(before, w.tracked()); diff != "" {
		t.Error(diff)
	}
}

// TestASweepIsNotUndone checks that the error names the command that brings the entries back.
func TestASweepIsNotUndone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".devt/state/workflow.yaml", "workflow_id: x\n")
	p := w.as("agent-1")
	if _, err := p.Store.Update(context.Background(), func(tx *store.Tx) error {
		tx.Relocate(store.Relocation{From: ".devt/state", Name: "workflow.yaml", To: ".devt/archive"})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	_, err := p.History.Undo(context.Background(), history.UndoRequest{})
	if e := wantError(t, err, report.Conflict, "undo_blocked"); !strings.Contains(e.Hint, "baton dir restore") ||
		!strings.Contains(e.Message, "moved 1 entry") {
		t.Errorf("%s %s", e.Message, e.Hint)
	}
}

// TestTheLogOfATask checks that it has only changes of the task's state, archive and evidence, from a given time on,
// newest first.
func TestTheLogOfATask(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	for range 2 {
		w.does("task new", func(p *Project) error {
			_, err := p.Tasks.NewTasks(
				ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "T", Criteria: []create.Criterion{{Text: "It works"}}}}},
			)
			return err
		})
	}
	w.pass(2 * time.Hour)
	w.does("task check", func(p *Project) error {
		_, err := p.Tasks.Check(ctx, tasks.CheckRequest{ID: "2", Selector: "1"})
		return err
	})
	for _, c := range []struct {
		ask  history.ChangeLogRequest
		want []string
	}{
		{history.ChangeLogRequest{}, []string{"task check", "task new", "task new"}},
		{history.ChangeLogRequest{Limit: 1}, []string{"task check"}},
		{history.ChangeLogRequest{Task: "2"}, []string{"task check", "task new"}},
		{history.ChangeLogRequest{Task: "#1"}, []string{"task new"}},
		{history.ChangeLogRequest{Task: "7"}, nil},
		{history.ChangeLogRequest{Since: "1h"}, []string{"task check"}},
		{history.ChangeLogRequest{Since: "11:00"}, []string{"task check"}},
		{history.ChangeLogRequest{Since: "2026-03-01"}, []string{"task check", "task new", "task new"}},
		{history.ChangeLogRequest{Since: "1d", Task: "1"}, []string{"task new"}},
	} {
		out, err := w.as("").History.ChangeLog(ctx, c.ask)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, commandsOf(out.Changes)); diff != "" {
			t.Errorf("%+v: %s", c.ask, diff)
		}
	}
	for _, since := range []string{"yesterday-ish", "-2h", "d", "x d", "99999999999d", "2026-13-01", "25:00"} {
		_, err := w.as("").History.ChangeLog(ctx, history.ChangeLogRequest{Since: since})
		wantError(t, err, report.Usage, "since_invalid")
	}
	_, err := w.as("").History.ChangeLog(ctx, history.ChangeLogRequest{Task: "../x"})
	wantError(t, err, report.Usage, "id_invalid")
}

// TestAnAlteredLogIsReported checks that --check names file and line, and that every other read warns too.
func TestAnAlteredLogIsReported(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
	for range 3 {
		w.decides("one more")
	}
	out, err := w.as("").History.ChangeLog(ctx, history.ChangeLogRequest{Check: true})
	if err != nil || out.Check == nil || out.Check.Records != 3 || out.Check.Restarts != 0 {
		t.Fatalf("%+v %v", out.Check, err)
	}
	const name = ".baton/local/log/000001.jsonl"
	w.write(name, strings.Replace(w.read(name), "agent-1", "agent-2", 1))
	_, err = w.as("").History.ChangeLog(ctx, history.ChangeLogRequest{Check: true})
	if e := wantError(t, err, report.Violation, "log_altered"); e.Path != name || e.Line != 1 {
		t.Errorf("%+v", e)
	}
	out, err = w.as("").History.ChangeLog(ctx, history.ChangeLogRequest{})
	if err != nil || !hasCode(out.Warnings, "log_altered") || out.Total != 2 {
		t.Errorf("%+v %v", out, err)
	}
	var c kept.Change
	last := strings.Split(strings.TrimSpace(w.read(name)), "\n")[2]
	if err := json.Unmarshal([]byte(last), &c); err != nil || c.By != "agent-1" || c.Command != "decision add" {
		t.Errorf("%+v %v", c, err)
	}
}

// TestWhatWasUndoneIsNotLost checks that an entry that undo removed is not missed, even if a rotation had moved it, nor
// is one that undo brought back.
func TestWhatWasUndoneIsNotLost(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.write(".specflow/STATE.md", bigDigest(t, 100, 20))
	w.decides("the last one")
	w.decides("one more")
	for range 2 {
		w.undo(1)
		out, err := w.as("agent-1").Loss.Lost(ctx, loss.LostRequest{})
		if err != nil || len(out.Lost) > 0 {
			t.Errorf("%+v %v", out.Lost, err)
		}
	}
	w.write(".specflow/STATE.md", "# State\n")
	if out, err := w.as("agent-1").Loss.Lost(ctx, loss.LostRequest{}); err != nil || len(out.Lost) == 0 {
		t.Errorf("nothing of what was given back is missed when it is wiped: %v", err)
	}
}

// Entries that a restore put back are lost again if the restore is undone. Entries that a change added itself are not.
func TestAnUndoneRestoreIsLostAgain(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := decided(t, "Use one lock", "Keep files plain")
	whole := w.read(keptState)
	w.write(keptState, strings.ReplaceAll(whole, "Use one lock", "")) // the row stays, but its words are removed
	count := func() int {
		list, err := w.as("a").Loss.Lost(ctx, loss.LostRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Lost)
	}
	if n := count(); n != 1 {
		t.Fatalf("%d are lost", n)
	}
	if _, err := w.as("a").Loss.RestoreLost(ctx, loss.LostRestoreRequest{}); err != nil || count() != 0 {
		t.Fatal(err)
	}
	w.pass(time.Minute)
	if _, err := w.as("a").History.Undo(ctx, history.UndoRequest{Count: 1}); err != nil || count() != 1 {
		t.Fatalf("%v, %d are lost", err, count())
	}
	if _, err := w.as("a").Loss.RestoreLost(ctx, loss.LostRestoreRequest{}); err != nil || count() != 0 {
		t.Fatal(err)
	}
	w.decide("And one that nobody misses")
	if _, err := w.as("a").History.Undo(ctx, history.UndoRequest{Count: 1}); err != nil || count() != 0 {
		t.Fatalf("%v, %d are lost", err, count())
	}
}

// An accepted entry may disappear again if another branch brought it back, but not if baton wrote it again.
func TestWhatIsAcceptedStaysAccepted(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := decided(t, "Use one lock", "Keep files plain")
	lost := func() int {
		list, err := w.as("a").Loss.Lost(ctx, loss.LostRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Lost)
	}
	whole := w.read(keptState)
	without := strings.ReplaceAll(whole, "Use one lock", "")
	w.write(keptState, without)
	if _, err := w.as("a").Loss.AcceptLost(ctx, loss.LostAcceptRequest{}); err != nil || lost() != 0 {
		t.Fatal(err)
	}
	all, err := w.as("a").Loss.Lost(ctx, loss.LostRequest{All: true})
	if err != nil || len(all.Lost) != 1 || all.Lost[0].Fate != "accepted" {
		t.Fatalf("%+v, %v", all.Lost, err)
	}
	if _, err := w.as("a").Loss.RestoreLost(ctx, loss.LostRestoreRequest{IDs: []string{all.Lost[0].ID}, DryRun: true}); err != nil {
		t.Errorf("one that was accepted does not come back: %v", err)
	}
	for range 2 {
		w.write(keptState, whole)
		w.decide("Something else") // finds it there
		w.write(keptState, without)
		if n := lost(); n != 1 { // "Something else" only
			t.Fatalf("%d are lost", n)
		}
		if _, err := w.as("a").Loss.AcceptLost(ctx, loss.LostAcceptRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	w.decide("Use one lock")
	w.write(keptState, without)
	if n := lost(); n != 1 {
		t.Errorf("what baton wrote again is not missed: %d", n)
	}
}
