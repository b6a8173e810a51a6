package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/store/disk"
	"baton/internal/task"
	"baton/internal/usecase/agents"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// wideWorld returns a project of four tasks in a repository. Each task has one logged session, and session s-1 works on
// the first task.
func wideWorld(t *testing.T) *stage {
	t.Helper()
	w := &stage{world: newWorld(t)}
	w.git("init", "-q", "-b", "main")
	w.write(".git/info/exclude", ".baton/local/\n")
	for n := range 4 {
		id := fmt.Sprint(n + 1)
		w.create(tasks.NewTask{ID: id, Title: "Task", Criteria: criteria("Number " + id + " holds")})
		must(w.as("b").Tasks.Log(t.Context(), tasks.LogRequest{ID: id, Entry: task.Entry{Did: []string{"The work of task " +
			id}, Next: []string{"Go on"}}}))(t)
	}
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "first")
	must(w.open(workspace.Options{Session: "s-1"}).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	w.happens("s-1", agentsession.Start, "startup")
	return w
}

// wipeSession removes the first session from a task's log and commits that.
func (s *stage) wipeSession(id string) {
	s.t.Helper()
	before := s.read(statePath(id))
	at := strings.Index(before, "### Session 1")
	end := strings.Index(before[at:], "\n## ")
	s.write(statePath(id), before[:at]+before[at+end+1:])
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "tidy")
}

// TestD8_LossesInOtherTasksAreNamedAtTheNextStart checks that losses in other tasks are named too, even if they were
// committed.
func TestD8_LossesInOtherTasksAreNamedAtTheNextStart(t *testing.T) {
	t.Parallel()
	for _, event := range []string{agentsession.Stop, agentsession.End, agentsession.PreCompact} {
		w := wideWorld(t)
		w.wipeSession("3")
		if got := w.happens("s-1", event, ""); got.Log != "" && event != agentsession.End {
			t.Errorf("%s: log %q", event, got.Log)
		}
		if got := w.happens("s-2", agentsession.Start, "startup").Context; !strings.Contains(got, "1 entry is gone from "+statePath("3")+
			": session 1.") {
			t.Errorf("%s: told %q", event, got)
		}
		must(w.as("b").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
		if got := w.happens("s-2", agentsession.Start, "resume").Context; strings.Contains(got, "gone") {
			t.Errorf("%s: told %q of what is back", event, got)
		}
	}
}

// TestD8_ATaskFileThatWasDeletedIsNamedAtTheNextStart checks that a deleted task file is named, although no folder
// lists it.
func TestD8_ATaskFileThatWasDeletedIsNamedAtTheNextStart(t *testing.T) {
	t.Parallel()
	w := wideWorld(t)
	if err := os.Remove(w.path(statePath("3"))); err != nil {
		t.Fatal(err)
	}
	w.happens("s-1", agentsession.Stop, "")
	if got := w.happens("s-2", agentsession.Start, "startup").Context; !strings.Contains(got, "2 entries are gone from "+statePath("3")) {
		t.Errorf("told %q", got)
	}
}

// TestD30_AStopOpensOnlyWhatChanged checks that a stop opens only documents that changed, the one that changed last
// first. If time runs out, the rest is left to the next hook.
func TestD30_AStopOpensOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	w := wideWorld(t)
	opens := func() int64 {
		p := w.open(workspace.Options{Session: "s-1"})
		var log sessions.LogLine
		p.Agents.ObserveAll(t.Context(), &log)
		if log.String() != "" {
			t.Errorf("log %q", log.String())
		}
		return p.Store.Counters().Opens.Load()
	}
	still := opens()
	for n, id := range []string{"2", "4", "3"} {
		w.wipeSession(id)
		at := time.Date(2026, 4, 1, 9, n, 0, 0, time.UTC)
		if err := os.Chtimes(w.path(statePath(id)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if got := must(w.as("b").Agents.StrangeDocs(t.Context()))(t); fmt.Sprint(got) !=
		fmt.Sprint([]string{statePath("3"), statePath("4"), statePath("2")}) {
		t.Errorf("strange are %v", got)
	}
	if once, again := opens(), opens(); once <= still || again > still {
		t.Errorf("%d files opened where nothing changed, %d for three documents, then %d", still, once, again)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	var log sessions.LogLine
	w.as("b").Agents.ObserveAll(late, &log)
	if log.String() != "" {
		t.Errorf("no time is no fault: %q", log.String())
	}
}

// TestD30_AThousandWipedTasksAreReportedInTime checks that each hook stops after a number of documents, and that the
// next hooks continue where it stopped.
func TestD30_AThousandWipedTasksAreReportedInTime(t *testing.T) {
	t.Parallel()
	w := many(t)
	for n := range 1000 {
		id := fmt.Sprint(n + 1)
		w.wipe(statePath(id), "- [ ] Number "+id+" holds\n")
	}
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "tidy")
	const each = 290
	for round := 1; ; round++ {
		ctx, cancel := context.WithCancel(t.Context())
		end := &endingFS{left: each, end: cancel}
		var log sessions.LogLine
		w.open(workspace.Options{Session: "s-1", FS: end}).Agents.ObserveAll(ctx, &log)
		cancel()
		if log.String() != "" {
			t.Fatalf("no time is no fault: %q", log.String())
		}
		got := w.happens("s-2", agentsession.Start, "startup")
		least := min(1000, round*(each-agents.ObserveStep))
		var gone int
		at := max(0, strings.Index(got.Context, " entries are gone"))
		_, err := fmt.Sscan(got.Context[strings.LastIndexAny(got.Context[:at], " \n")+1:], &gone)
		if got.Log != "" || err != nil || gone < least {
			t.Fatalf("reported %d, not %d, in %q, %v, log %q", gone, least, got.Context, err, got.Log)
		}
		if gone == 1000 {
			return
		}
		if end.left > 0 {
			t.Fatalf("hook %d had time for all and left some", round)
		}
	}
}

// endingFS calls end when a number of task files were opened.
type endingFS struct {
	disk.OS
	left int
	end  func()
}

func (f *endingFS) Open(path string) (disk.File, error) {
	if strings.HasSuffix(path, "-state.md") {
		if f.left--; f.left == 0 {
			f.end()
		}
	}
	return f.OS.Open(path)
}

// many returns a repository with a thousand recorded tasks of one criterion each. Session s-1 works on the first.
func many(t testing.TB) *stage {
	t.Helper()
	w := &stage{world: newWorld(t)}
	w.git("init", "-q", "-b", "main")
	w.write(".git/info/exclude", ".baton/local/\n")
	for n := range 1000 {
		id := fmt.Sprint(n + 1)
		w.write(statePath(id), strings.Replace(plain(task.ID(id), "One of many"), "- [ ] Done\n", "- [ ] Number "+id+" holds\n", 1))
	}
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "first")
	must(w.as("b").Setup.Init(context.Background(), setup.InitRequest{}))(t)
	must(w.open(workspace.Options{Session: "s-1"}).Sessions.StartSession(context.Background(), sessions.SessionStartRequest{ID: "1"}))(t)
	w.happens("s-1", agentsession.Start, "startup")
	return w
}

// BenchmarkD30_ObserveAll measures a hook that checks a thousand unchanged tasks, including opening the project.
func BenchmarkD30_ObserveAll(b *testing.B) {
	w := many(b)
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			var log sessions.LogLine
			w.open(workspace.Options{Session: "s-1"}).Agents.ObserveAll(b.Context(), &log)
			if log.String() != "" {
				b.Fatal(log.String())
			}
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			w.open(workspace.Options{Session: "s-1"})
		}
	})
}

// OpenFolder implements disk.FS: this disk works by paths.
func (*endingFS) OpenFolder(string) (disk.Folder, error) { return nil, errors.ErrUnsupported }
