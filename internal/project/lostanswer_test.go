package project

import (
	"errors"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// TestD37_ARestoreSaysWhichNumberIsTaken checks the warning if another session has the number of a restored one; the
// doctor gives one of them another number.
func TestD37_ARestoreSaysWhichNumberIsTaken(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := string(s.create(tasks.NewTask{Title: "Pier", Criteria: criteria("Piles stand")}))
	file := s.taskFile(id)
	s.log("a", id, "Drove the piles")
	short := s.read(file)
	s.log("a", id, "Laid the deck from east to west")
	s.write(file, short)
	s.write(file, strings.Replace(short, "\n## 4.", "\n### Session 2 - 2026-03-02 10:30\n**Did:** Something else altogether\n\n## 4.", 1))
	got := must(s.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	if len(got.Entries) != 1 || len(got.Warnings) != 1 {
		t.Fatalf("%+v", got)
	}
	if f := got.Warnings[0]; f.Code != "session_number_doubled" || f.Path != file || f.Line == 0 ||
		!strings.Contains(f.Text, "two sessions with the number 2") || !strings.Contains(f.Text, "`baton doctor --fix`") {
		t.Errorf("%+v", f)
	}
	must(s.as("a").Doctor.Doctor(t.Context(), workspace.DoctorRequest{Fix: true}))(t)
	if now := s.read(file); !strings.Contains(now, "Session 3") {
		t.Errorf("%s", now)
	}
}

// TestD37_ARestoreSaysWhatMoved checks the answer if restored entries made the digest too long.
func TestD37_ARestoreSaysWhatMoved(t *testing.T) {
	t.Parallel()
	l := &losing{
		stage: &stage{world: decided(t, "Use one lock", "Keep files plain", "Name things", "Sail east", "Sail west", "Sail south")},
	}
	l.wipe("Name things")
	if got := must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{DryRun: true}))(t); got.Rotations == nil ||
		len(got.Rotations) > 0 {
		t.Errorf("%+v", got.Rotations)
	}
	l.write(keptState, strings.Replace(l.read(keptState), "\n## ", "\n"+strings.Repeat("more and more\n", 90)+"\n## ", 1))
	for _, dry := range []bool{true, false} {
		got := must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{DryRun: dry}))(t)
		if len(got.Rotations) != 1 || !got.Rotations[0].Rotated || got.Rotations[0].Moved == 0 ||
			got.Rotations[0].Archive != specArchiveName {
			t.Errorf("%+v", got.Rotations)
		}
	}
}

// TestAnErrorSaysWhatWasDoneBefore checks an error about documents below a second root, after those below the first
// were already restored.
func TestAnErrorSaysWhatWasDoneBefore(t *testing.T) {
	t.Parallel()
	fault := &report.Error{Kind: report.Refused, Code: "read_only", Message: "it is read-only"}
	if got := loss.AlsoDone(fault, "put back", nil); !errors.Is(got, fault) {
		t.Error(got)
	}
	got := report.As(loss.AlsoDone(fault, "put back", []loss.LostEntry{{Document: "a.md"}, {Document: "a.md"}, {Document: "b.md"}}))
	if want := "it is read-only; before that, 3 entries were put back: of a.md, b.md"; got.Message != want || got.Code != "read_only" ||
		fault.Message != "it is read-only" {
		t.Errorf("%+v", got)
	}
}
