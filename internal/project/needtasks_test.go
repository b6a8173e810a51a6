package project

import (
	"errors"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

// If there is a digest but no tasks, the answer is not that there is no project, and its hint helps.
func TestAProjectWithoutTasksIsNoMissingProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# Project State\n")
	_, err := w.as("a").Tasks.List(t.Context(), tasks.ListRequest{})
	e := new(report.Error)
	if !errors.As(err, &e) || e.Kind != report.NotFound || !strings.HasPrefix(e.Message, "no tasks are kept in ") ||
		!strings.Contains(e.Hint, "`baton task new ") {
		t.Fatalf("%+v", err)
	}
	must(w.as("a").Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "First"}}}))(t)
	if list := must(w.as("a").Tasks.List(t.Context(), tasks.ListRequest{}))(t); len(list.Tasks) != 1 {
		t.Errorf("%+v", list.Tasks)
	}
}
