package project

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

func TestD18_StartBriefsAndResumes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Tokens", Criteria: criteria("Signs", "Checks")})
	s.check1("1")
	must(s.as("a").Tasks.Log(
		t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"x"}, Next: []string{"Rotate keys", "Write it down"}}},
	))(t)
	s.pass(time.Hour)
	got := s.start("a", "1")
	if got.Resumed || got.Number != 2 || got.As != "a" || got.Title != "Tokens" || got.Path != statePath("1") ||
		got.Started != "2026-03-02T09:30:00Z" {
		t.Errorf("got %+v", got)
	}
	if got.Claim == nil || got.Claim.Fence != 1 || got.Claim.By != "a" {
		t.Errorf("claim %+v", got.Claim)
	}
	if len(got.Criteria) != 1 || got.Criteria[0].Text != "Checks" {
		t.Errorf("open criteria %+v", got.Criteria)
	}
	if diff := cmp.Diff([]string{"Rotate keys", "Write it down"}, got.Next); diff != "" {
		t.Error(diff)
	}
	files := s.tracked()
	s.pass(5 * time.Minute)
	again := s.start("a", "1")
	if !again.Resumed || again.Session != got.Session || again.Started != got.Started || again.Claim.Fence != got.Claim.Fence {
		t.Errorf("started again: %+v", again)
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Errorf("starting again changed something:\n%s", diff)
	}
}

// check1 checks a task's first criterion.
func (s *stage) check1(id string) {
	s.t.Helper()
	must(s.as("a").Tasks.Check(s.t.Context(), tasks.CheckRequest{ID: id, Selector: "1", By: "index"}))(s.t)
}

func TestD17_StartTakesOnlyWhatIsReady(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	s.write(statePath("3"), strings.Replace(s.text(create.Request{ID: "3"}), `"ready"`, `"backlog"`, 1))
	s.plant(create.Request{ID: "4"})
	s.finish("4", "Done")
	before := s.tracked()
	p := s.as("a")
	for id, code := range map[string]report.Code{"2": "task_not_ready", "3": "task_not_ready", "4": "task_complete"} {
		_, err := p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: id})
		refused(t, err, report.Violation, code)
	}
	_, err := p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "4", Force: true})
	refused(t, err, report.Violation, "task_complete")
	_, err = p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "5"})
	refused(t, err, report.NotFound, "task_unknown")
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Error(diff)
	}
	if got := must(p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "2", Force: true}))(t); got.Claim == nil {
		t.Error("--force took no claim")
	}
	if st := s.task("2"); st.Status() != task.StatusInProgress {
		t.Errorf("status %s", st.Status())
	}
}

func TestStart_OfAnUnknownTaskWritesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, err := s.as("a").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "5"})
	refused(t, err, report.NotFound, "task_unknown")
	if files := s.files(); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestD18_End(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	started := s.start("a", "1")
	_, err := s.as("a").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "1"})
	refused(t, err, report.Violation, "nothing_logged")
	_, err = s.as("b").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "1"})
	refused(t, err, report.NotFound, "session_unknown")
	_, err = s.as("a").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "../../tasks/task-1-state"})
	refused(t, err, report.NotFound, "session_unknown")
	s.log("a", "1", "Went on")
	s.log("a", "1", "And on")
	got := must(s.as("a").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "1"}))(t)
	if got.Session != started.Session || got.Logged != 2 || !got.Released || got.Task != "1" {
		t.Errorf("got %+v", got)
	}
	if st := s.task("1"); st.Status() != task.StatusInProgress {
		t.Errorf("status %s after the end", st.Status())
	}
	_, err = s.as("a").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "1"})
	refused(t, err, report.NotFound, "session_unknown")
	// Another holder ends the session by its name, without an entry, because its agent may be gone.
	second := s.start("b", "1")
	if second.Resumed {
		t.Error("a new holder's session is not a resumed one")
	}
	if got := must(s.as("c").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: second.Session, NoLog: true}))(
		t,
	); !got.Released || got.Logged != 0 {
		t.Errorf("got %+v", got)
	}
}

// If a session's claim expired and somebody else took the task, the end of the session does not release the new claim.
func TestD18_EndKeepsAnothersClaim(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.start("a", "1")
	s.pass(31 * time.Minute)
	s.start("b", "1")
	if got := must(s.as("a").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "1", NoLog: true}))(t); got.Released {
		t.Error("the end of an old session released the new holder's claim")
	}
	_, err := s.as("c").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"})
	refused(t, err, report.Conflict, "claim_held")
}

// D1: if claims cannot be written, the session starts without one and says so.
func TestD1_StartWithoutClaims(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("permissions do not stop the superuser")
	}
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.mkdir(".baton/local/shared")
	if err := os.Chmod(s.path(".baton/local/shared"), 0o555); err != nil {
		t.Fatal(err)
	}
	got := s.start("a", "1")
	if got.Claim != nil || !hasCode(got.Warnings, "claims_unavailable") || s.task("1").Status() != task.StatusInProgress {
		t.Errorf("got %+v", got)
	}
}

// The same if root runs the tests: a file is in the folder's place.
func TestD1_StartWithBrokenClaims(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.start("a", "1")
	must(s.as("a").Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "1", NoLog: true}))(t)
	s.write(".baton/local/shared/claims.json", "{ torn")
	got := s.start("b", "1")
	if got.Claim != nil || !hasCode(got.Warnings, "claims_unavailable") {
		t.Errorf("got %+v", got)
	}
	s.log("b", "1", "It goes on")
}

func TestD24_ActiveTask(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("One")})
	s.plant(create.Request{ID: "2"})
	s.start("a", "1")
	s.log("b", "2", "Side work")
	s.check1("1")
	book := s.as("a").Active()
	if book.Holders["a"].Task != "1" || book.Holders["b"].Task != "2" {
		t.Errorf("active %+v", book)
	}
}

// A session can also work on a file that has no status (TS-48).
func TestTS48_BareFile(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(statePath("1"), "# Task 1 State\n\n## Progress Log\n\n- [2026-01-01T10:00:00Z] began\n\n## Chain Output\n\n(To be completed)\n")
	got := s.start("a", "1")
	if got.Claim == nil || got.Number != 2 && got.Number != 1 {
		t.Errorf("got %+v", got)
	}
	s.log("a", "1", "Carried on")
	text := s.read(statePath("1"))
	if !strings.HasPrefix(text, "# Task 1 State\n\n## Progress Log\n\n- [2026-01-01T10:00:00Z] began\n- [") ||
		!strings.HasSuffix(text, "\n\n## Chain Output\n\n(To be completed)\n") {
		t.Errorf("the file is now:\n%s", text)
	}
	if s.task("1").Dialect != task.Bare {
		t.Error("the dialect changed")
	}
	s.output("1", "All said")
}

// D18: the start of a session shows the first line of each input, whether it has just arrived, arrived earlier, or was
// edited.
func TestD18_StartNamesInputs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	s.finish("1", "Two tables\nand a key")
	want := []tasks.InputReceipt{{Task: "1", Title: "Task 1", Change: "unchanged", Begins: "Two tables"}}
	if diff := cmp.Diff(want, s.start("a", "2").Inputs); diff != "" {
		t.Error(diff)
	}
	s.write(statePath("2"), strings.Replace(s.read(statePath("2")), "> Two tables", "> Three tables", 1))
	want[0].Change, want[0].Begins = "kept_edited", "Three tables"
	if diff := cmp.Diff(want, s.start("a", "2").Inputs); diff != "" {
		t.Error(diff)
	}
}

// D17: a refusal names the dependency that will never be complete by itself, and what to do.
func TestD17_RefusalNamesWhatIsMissingOrCancelled(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.write(statePath("2"), strings.Replace(s.text(create.Request{ID: "2"}), `"ready"`, `"cancelled"`, 1))
	s.plant(create.Request{ID: "3", Dependencies: []task.ID{"1", "2", "77"}})
	s.plant(create.Request{ID: "4", Dependencies: []task.ID{"1"}})
	p := s.as("a")
	_, err := p.Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "3"})
	e := refused(t, err, report.Violation, "task_not_ready")
	if e.Message != "task #3 waits for #1; #2, which is cancelled; #77, which has no task file" ||
		!strings.Contains(e.Hint, "`baton task edit 3 --not-after 2 --not-after 77`") {
		t.Errorf("%q, hint %q", e.Message, e.Hint)
	}
	_, err = p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "4"})
	if e := refused(t, err, report.Violation, "task_not_ready"); e.Message != "task #4 waits for #1" ||
		!strings.Contains(e.Hint, "complete what it waits for") {
		t.Errorf("%q, hint %q", e.Message, e.Hint)
	}
}
