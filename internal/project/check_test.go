//go:build unix

package project

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

// records reads a task's evidence file.
func (s *stage) records(id string) []tasks.EvidenceRecord {
	s.t.Helper()
	var out []tasks.EvidenceRecord
	for line := range strings.Lines(s.read(evidencePath(id))) {
		var rec tasks.EvidenceRecord
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			s.t.Fatalf("evidence line %q: %v", line, err)
		}
		out = append(out, rec)
	}
	return out
}

// check makes one check as the holder a.
func (s *stage) check(r tasks.CheckRequest) tasks.CheckResult {
	s.t.Helper()
	return must(s.as("a").Tasks.Check(s.t.Context(), r))(s.t)
}

func TestD6_ClaimedNotVerified(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("It works", "It is tested")})
	got := s.check(tasks.CheckRequest{ID: "1", Selector: "2"})
	if !got.Changed || got.Done != 1 || got.Total != 2 || got.Criterion.N != 2 || !got.Criterion.Checked || got.Criterion.Verified {
		t.Errorf("got %+v", got)
	}
	if got.Criterion.Evidence == nil || got.Criterion.Evidence.Kind != tasks.EvidenceClaim || got.Criterion.Evidence.By != "a" {
		t.Errorf("evidence %+v", got.Criterion.Evidence)
	}
	if !strings.Contains(s.read(statePath("1")), "- [ ] It works\n- [x] It is tested\n") {
		t.Error("the box is not checked in the file")
	}
	before := s.tracked()
	if again := s.check(tasks.CheckRequest{ID: "1", Selector: "It is tested"}); again.Changed || again.Done != 1 {
		t.Errorf("checking again: %+v", again)
	}
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Errorf("checking again changed something:\n%s", diff)
	}
}

func TestD6_WordOfAPerson(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Looks right")})
	r := tasks.CheckRequest{ID: "1", Selector: "1", Evidence: "Seen in the\x1b[31m browser"}
	got := s.check(r)
	if e := got.Criterion.Evidence; e == nil || e.Kind != tasks.EvidenceWord || e.Text != "Seen in the browser" || got.Criterion.Verified {
		t.Errorf("got %+v", got.Criterion)
	}
	before := s.tracked()
	s.check(r)
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Errorf("the same word twice changed something:\n%s", diff)
	}
	s.pass(time.Minute)
	s.check(tasks.CheckRequest{ID: "1", Selector: "1", Evidence: "Seen by two people"})
	if n := len(s.records("1")); n != 2 {
		t.Errorf("%d records, want the new word beside the old one", n)
	}
}

func TestUncheck(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("It works")})
	before := s.read(statePath("1"))
	s.check(tasks.CheckRequest{ID: "1", Selector: "1"})
	got := s.check(tasks.CheckRequest{ID: "1", Selector: "1", Uncheck: true})
	if !got.Changed || got.Done != 0 || got.Criterion.Checked {
		t.Errorf("got %+v", got)
	}
	if diff := cmp.Diff(before, s.read(statePath("1"))); diff != "" {
		t.Errorf("check and uncheck leave a trace in the file:\n%s", diff)
	}
	files := s.tracked()
	if again := s.check(tasks.CheckRequest{ID: "1", Selector: "1", Uncheck: true}); again.Changed {
		t.Error("unchecking twice changed something")
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Error(diff)
	}
}

func TestD19_RunVerifies(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("The file is there")})
	s.write("made.txt", "here")
	var stream bytes.Buffer
	got := s.check(tasks.CheckRequest{ID: "1", Selector: "1", Run: "cat made.txt; echo; pwd", Stream: &stream})
	if !got.Changed || !got.Criterion.Verified {
		t.Errorf("got %+v", got)
	}
	if !strings.HasPrefix(stream.String(), "here\n") || !strings.Contains(stream.String(), s.dir) {
		t.Errorf("stream %q: want the output, run in the root", stream.String())
	}
	rec := s.records("1")[0]
	if rec.Kind != tasks.EvidenceRun || !rec.Passed || rec.Command != "cat made.txt; echo; pwd" || rec.Exit == nil || *rec.Exit != 0 ||
		rec.Dir != "." || !strings.HasPrefix(rec.Tail, "here") {
		t.Errorf("record %+v", rec)
	}
	if rec.Text != "The file is there" || rec.Criterion != got.Criterion.Key {
		t.Errorf("record of %q %q", rec.Criterion, rec.Text)
	}
	// A later claim without evidence keeps the verification, and every run is kept.
	s.pass(time.Minute)
	s.check(tasks.CheckRequest{ID: "1", Selector: "1", Run: "true"})
	if n := len(s.records("1")); n != 2 {
		t.Errorf("%d records after a second run, want 2", n)
	}
}

func TestD19_FailureUnchecksAndKeepsEvidence(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Tests pass")})
	_, err := s.as("a").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", Run: "echo broken >&2; exit 7"})
	e := refused(t, err, report.NotVerified, "check_failed")
	if e.Details["exit"] != 7 || e.Details["tail"] != "broken" || e.Details["unchecked"] != false {
		t.Errorf("details %+v", e.Details)
	}
	if s.task("1").Criteria[0].Checked {
		t.Error("a failed check checked the criterion")
	}
	s.check(tasks.CheckRequest{ID: "1", Selector: "1"})
	s.pass(time.Minute)
	_, err = s.as("a").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", Run: "exit 1"})
	if e := refused(t, err, report.NotVerified, "check_failed"); e.Details["unchecked"] != true {
		t.Errorf("details %+v", e.Details)
	}
	if s.task("1").Criteria[0].Checked {
		t.Error("a checked criterion stays checked although its command failed")
	}
	if recs := s.records("1"); len(recs) != 3 || recs[0].Passed || recs[2].Passed {
		t.Errorf("records %+v", recs)
	}
}

func TestD19_TimeLimitIsAFailure(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Ends")})
	_, err := s.as("a").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", Run: "sleep 60", Timeout: 50 *
		time.Millisecond})
	e := refused(t, err, report.NotVerified, "check_failed")
	if e.Details["timed_out"] != true || !strings.Contains(e.Message, "50ms") {
		t.Errorf("%v %+v", e, e.Details)
	}
}

func TestD19_RunsInTheRepositoryOfTheTask(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".baton/config.yaml", "repositories:\n  api: services/api\n  gone: nowhere\n")
	s.write("services/api/mark", "")
	s.plant(create.Request{ID: "1", Repository: "api", Criteria: criteria("Mark is there")})
	s.plant(create.Request{ID: "2", Repository: "gone", Criteria: criteria("Mark is there")})
	s.check(tasks.CheckRequest{ID: "1", Selector: "1", Run: "test -e mark"})
	if dir := s.records("1")[0].Dir; dir != "services/api" {
		t.Errorf("ran in %q", dir)
	}
	_, err := s.as("a").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "2", Selector: "1", Run: "true"})
	refused(t, err, report.NotFound, "repository_missing")
}

// No lock is held while the command runs, because the command may call baton.
func TestD19_NoLockWhileRunning(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("First", "Second")})
	inner := writerFunc(func([]byte) { s.log("b", "1", "Written meanwhile") })
	got := s.check(tasks.CheckRequest{ID: "1", Selector: "2", Run: "echo go", Stream: inner})
	if !got.Criterion.Checked || len(s.task("1").Sessions) != 1 {
		t.Errorf("checked %v, %d sessions", got.Criterion.Checked, len(s.task("1").Sessions))
	}
}

// The criterion was moved or removed while its command ran (TS-26).
func TestTS26_CriterionChangedWhileItsCommandRan(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("First", "Second")})
	text := s.read(statePath("1"))
	move := writerFunc(func([]byte) {
		s.write(statePath("1"), strings.Replace(text, "- [ ] First\n- [ ] Second\n", "- [ ] Zeroth\n- [ ] First\n- [ ] Second\n", 1))
	})
	got := s.check(tasks.CheckRequest{ID: "1", Selector: "2", Run: "echo go", Stream: move})
	if got.Criterion.N != 3 || !strings.Contains(s.read(statePath("1")), "- [ ] Zeroth\n- [ ] First\n- [x] Second\n") {
		t.Errorf("criterion %d was checked:\n%s", got.Criterion.N, s.read(statePath("1")))
	}
	remove := writerFunc(func([]byte) { s.write(statePath("1"), strings.Replace(text, "- [ ] First\n", "", 1)) })
	_, err := s.as("a").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "First", Run: "echo go", Stream: remove})
	refused(t, err, report.Conflict, "changed_under_us")
}

func TestCheck_Refusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Same", "Same", "2")})
	s.plant(create.Request{ID: "2", Criteria: criteria("Held")})
	must(s.as("holder").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "2"}))(t)
	before := s.tracked()
	tests := []struct {
		name string
		req  tasks.CheckRequest
		kind report.Kind
		code report.Code
	}{
		{"TS-44 text that fits twice", tasks.CheckRequest{ID: "1", Selector: "Same"}, report.Violation, "criterion_ambiguous"},
		{"TS-D3 number or text", tasks.CheckRequest{ID: "1", Selector: "2"}, report.Violation, "criterion_ambiguous"},
		{"unknown", tasks.CheckRequest{ID: "1", Selector: "9"}, report.NotFound, "criterion_unknown"},
		{"word and command", tasks.CheckRequest{ID: "1", Selector: "1", Run: "true", Evidence: "x"}, report.Usage, "evidence_twice"},
		{"unchecking with evidence", tasks.CheckRequest{
			ID: "1", Selector: "1", Uncheck: true, Evidence: "x",
		}, report.Usage, "evidence_twice"},
		{"D3 held by another", tasks.CheckRequest{ID: "2", Selector: "1"}, report.Conflict, "claim_held"},
		{"D3 held, and the command does not run", tasks.CheckRequest{
			ID: "2", Selector: "1", Run: "touch ran",
		}, report.Conflict, "claim_held"},
		{"ambiguous, and the command does not run", tasks.CheckRequest{
			ID: "1", Selector: "Same", Run: "touch ran",
		}, report.Violation, "criterion_ambiguous"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.as("a").Tasks.Check(t.Context(), tt.req)
			refused(t, err, tt.kind, tt.code)
		})
	}
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Errorf("a refused check changed something:\n%s", diff)
	}
	got := s.check(tasks.CheckRequest{ID: "1", Selector: "2", By: "text"})
	if got.Criterion.N != 3 {
		t.Errorf("--by text took criterion %d", got.Criterion.N)
	}
}

// TS-57: checking in a v1 file writes the feature, its time and the check box.
func TestTS57_CheckInAV1File(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Tokens", Dialect: task.V1C, Criteria: criteria("Signs", "Checks")})
	s.check(tasks.CheckRequest{ID: "1", Selector: "1"})
	text := s.read(statePath("1"))
	for _, want := range []string{`"passes": true`, `"tested_at": "2026-03-02T08:30:00Z"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %s:\n%s", want, text)
		}
	}
	s.log("a", "1", "Signed a token")
	s.finishV1("1")
	st := s.task("1")
	if st.Dialect != task.V1C || st.Status() != task.StatusComplete {
		t.Errorf("dialect %s, status %s", st.Dialect, st.Status())
	}
	for _, kind := range []task.Kind{task.Metadata, task.FeatureChecklist, task.GitHistory} {
		if _, ok := st.Find(kind); !ok {
			t.Errorf("section %s is gone", kind)
		}
	}
	if !strings.Contains(s.read(statePath("1")), `"completed_at": "2026-03-02T08:30:00Z"`) {
		t.Errorf("completed_at is not set:\n%s", s.read(statePath("1")))
	}
	must(s.as("a").Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	if !strings.Contains(s.read(statePath("1")), `"completed_at": null`) {
		t.Errorf("completed_at stays after reopening:\n%s", s.read(statePath("1")))
	}
}

func (s *stage) finishV1(id string) {
	s.t.Helper()
	s.check(tasks.CheckRequest{ID: id, Selector: "2", By: "index"})
	s.finish(id, "Tokens are signed")
}

func TestD6_EvidenceKnowsTheCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("Works", "Is clean")})
	s.git("init", "-q")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "All")
	head := s.git("rev-parse", "HEAD")
	s.write(statePath("1"), s.read(statePath("1"))+"\nBaton's own files say nothing of what a command was run on.\n")
	s.write(".specflux/notes.md", "x")
	s.check(tasks.CheckRequest{ID: "1", Selector: "1", Run: "true"})
	if err := os.WriteFile(s.path("new.txt"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	s.check(tasks.CheckRequest{ID: "1", Selector: "2", Run: "true"})
	recs := s.records("1")
	if recs[0].Commit != head || recs[0].Dirty || recs[1].Commit != head || !recs[1].Dirty {
		t.Errorf("commit %s dirty %v, then dirty %v", recs[0].Commit, recs[0].Dirty, recs[1].Dirty)
	}
}
