package project

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

func TestEmptiedFileIsReported(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, code string }{
		{"emptied", "", "empty_file"},
		{"blank", "\n \n", "empty_file"},
		{"without a title", "## 3. Progress Log\n\n(No sessions yet)\n", "title_missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.plant(create.Request{ID: "1"})
			s.write(statePath("1"), tt.text)
			if got := must(s.as("a").Tasks.List(t.Context(), tasks.ListRequest{}))(t); !hasCode(got.Warnings, report.Code(tt.code)) ||
				len(got.Tasks) != 1 {
				t.Errorf("list: %+v", got)
			}
			if got := s.show("1"); !hasCode(got.Warnings, report.Code(tt.code)) {
				t.Errorf("show: %+v", got.Warnings)
			}
			if got := s.log("a", "1", "Kept all the same"); !hasCode(got.Warnings, report.Code(tt.code)) {
				t.Errorf("log: %+v", got.Warnings)
			}
		})
	}
}

func TestListReportsWhatIsWrongBetweenTasks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Dependencies: []task.ID{"77"}})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"2"}})
	s.plant(create.Request{ID: "3", Dependencies: []task.ID{"4"}})
	s.plant(create.Request{ID: "4", Dependencies: []task.ID{"3"}})
	var texts []string
	for _, f := range must(s.as("a").Tasks.List(t.Context(), tasks.ListRequest{}))(t).Warnings {
		if f.Code == "dependency_missing" || f.Code == "dependency_cycle" && f.Severity == report.Severe {
			texts = append(texts, f.Text)
		}
	}
	all := strings.Join(texts, "\n")
	if len(texts) != 3 || !strings.Contains(all, "#77") || !strings.Contains(all, "#2 → #2") || !strings.Contains(all, "#3 → #4 → #3") {
		t.Errorf("warnings:\n%s", all)
	}
}
