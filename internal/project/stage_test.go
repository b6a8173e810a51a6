package project

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// stage is a world with an empty layout and a clock in its own time zone, and has helpers for tests of use cases.
type stage struct{ *world }

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{world: newWorld(t)}
	s.time = time.Date(2026, 3, 2, 9, 30, 0, 0, time.FixedZone("CET", 3600))
	s.mkdir(".baton/tasks")
	return s
}

// task parses a task's current state file.
func (s *stage) task(id string) *task.State {
	s.t.Helper()
	return task.Parse(task.ID(id), []byte(s.read(statePath(id))))
}

func statePath(id string) string    { return ".baton/tasks/" + task.StateName(task.ID(id)) }
func archivePath(id string) string  { return ".baton/archive/" + task.ArchiveName(task.ID(id)) }
func evidencePath(id string) string { return ".baton/archive/" + task.EvidenceName(task.ID(id)) }

// plant writes a new task file directly.
func (s *stage) plant(n create.Request) {
	s.t.Helper()
	s.write(statePath(string(n.ID)), s.text(n))
}

// text returns the file of a new task.
func (s *stage) text(n create.Request) string {
	if n.Title == "" {
		n.Title = "Task " + string(n.ID)
	}
	if n.Repository == "" {
		n.Repository = "relay"
	}
	if n.Requirements == "" {
		n.Requirements = "Do it well. Nothing else."
	}
	n.Now = s.time
	return string(create.New(n))
}

// criteria returns criteria with these texts.
func criteria(texts ...string) []create.Criterion {
	var out []create.Criterion
	for _, text := range texts {
		out = append(out, create.Criterion{Text: text})
	}
	return out
}

// output writes the summary of a task's output.
func (s *stage) output(id, summary string) {
	s.t.Helper()
	must(s.as("a").Tasks.Output(
		s.t.Context(), tasks.OutputRequest{ID: id, Write: true, Set: map[task.Part]string{task.PartSummary: summary}},
	))(s.t)
}

// finish writes an output and completes the task.
func (s *stage) finish(id, summary string) tasks.CompleteResult {
	s.t.Helper()
	s.output(id, summary)
	return must(s.as("a").Tasks.Complete(s.t.Context(), tasks.TaskRequest{ID: id}))(s.t)
}

// log appends one entry.
func (s *stage) log(as, id, did string) tasks.LogResult {
	s.t.Helper()
	return must(s.as(as).Tasks.Log(s.t.Context(), tasks.LogRequest{ID: id, Entry: task.Entry{Did: []string{did}}}))(s.t)
}

// start starts a session.
func (s *stage) start(as, id string) sessions.SessionStartResult {
	s.t.Helper()
	return must(s.as(as).Sessions.StartSession(s.t.Context(), sessions.SessionStartRequest{ID: id}))(s.t)
}

// must returns a value, or ends the test.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v (%s, hint: %s)", err, report.CodeOf(err), report.As(err).Hint)
		}
		return value
	}
}

// refused is wantError for errors that have a hint.
func refused(t testing.TB, err error, kind report.Kind, code report.Code) *report.Error {
	t.Helper()
	e := wantError(t, err, kind, code)
	if e.Hint == "" {
		t.Errorf("the error has no hint: %v", e)
	}
	return e
}

// git runs git in the project at the project's time; without git the test is skipped.
func (s *stage) git(args ...string) string {
	s.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		s.t.Skip("git is not installed")
	}
	return gitAt(s.t, s.dir, s.time, args...)
}

// gitAt runs git in a folder at a given time, without the machine's settings.
func gitAt(t testing.TB, dir string, at time.Time, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir, cmd.Env = dir, gittest.Environ(os.Environ(), "agent-1", at)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
