package project

import (
	"strconv"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

// F-81: a task may depend on 1,000 others. A new one with more is refused before anything else is looked at, so that a
// request of any length costs nothing.
func TestF81_TooManyDependenciesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{ID: "200001", Title: "One"})
	after := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = strconv.Itoa(i + 1)
		}
		return out
	}
	for _, n := range []int{1001, 200000} {
		before := w.files()
		_, err := w.as("a").Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Two", After: after(n)}}})
		wantError(t, err, report.Usage, "too_many")
		if len(w.files()) != len(before) {
			t.Errorf("%d: files were made", n)
		}
	}
	_, err := w.as("a").Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Two", After: after(1000)}}})
	wantError(t, err, report.NotFound, "dependency_missing") // of the first dependency: the number is allowed
}
