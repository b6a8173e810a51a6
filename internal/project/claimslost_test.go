package project

import (
	"errors"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store/disk/crashfs"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// fullShared returns a project whose shared documents cannot be written, although their lock can be taken. So a change
// of the project is on the disk when writing the claims fails.
func fullShared(t *testing.T) (*stage, *crashfs.FS) {
	t.Helper()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("One")})
	s.plant(create.Request{ID: "2"})
	s.claim("a", tasks.ClaimRequest{ID: "2"})
	disk := s.lift()
	disk.Hook = func(op crashfs.Op) error {
		if !reads(op.Name) && strings.Contains(op.Path, "claims.json") {
			return errors.New("no space left")
		}
		return nil
	}
	return s, disk
}

func TestD1_ClaimsThatCannotBeWrittenAfterTheFiles(t *testing.T) {
	t.Parallel()
	t.Run("new", func(t *testing.T) {
		t.Parallel()
		s, disk := fullShared(t)
		out, err := s.survivor(disk).Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Three"}}})
		if err != nil || len(out.Tasks) != 1 || !hasCode(out.Warnings, "claims_unavailable") {
			t.Errorf("%+v, %v", out, err)
		}
	})
	t.Run("import", func(t *testing.T) {
		t.Parallel()
		s, disk := fullShared(t)
		data := create.New(create.Request{ID: "9", Title: "Nine", Dialect: task.V2})
		out, err := s.survivor(disk).Tasks.Import(t.Context(), tasks.ImportRequest{Name: "nine.md", Data: data})
		if err != nil || out.Task != "9" || !hasCode(out.Warnings, "claims_unavailable") {
			t.Errorf("%+v, %v", out, err)
		}
	})
	t.Run("start", func(t *testing.T) {
		t.Parallel()
		s, disk := fullShared(t)
		out, err := s.survivor(disk).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"})
		if err != nil || out.Claim != nil || !hasCode(out.Warnings, "claims_unavailable") {
			t.Errorf("%+v, %v", out, err)
		}
	})
	t.Run("claim", func(t *testing.T) {
		t.Parallel()
		s, disk := fullShared(t)
		_, err := s.survivor(disk).Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"})
		e := report.As(err)
		if e == nil || !strings.Contains(e.Message, "already says in_progress") {
			t.Fatalf("%v", err)
		}
		if d, err := s.survivor(disk).Tasks.Show(t.Context(), tasks.ShowRequest{ID: "1"}); err != nil || d.Claim != nil ||
			d.Status != string(task.StatusInProgress) {
			t.Errorf("%+v, %v", d, err)
		}
	})
}
