package project

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
)

const foreign = "# Task #41: Sign tokens - State\n\n## 1. Static Context\n\n### Acceptance Criteria\n- [ ] One\n\n---\n\n" +
	"## 3. Progress Log (Updated by agent)\n\n### Session 1 - 2024-05-01 10:00\n**What I did:**\n- a\n\n---\n\n## 4. Chain Output\n\n(Finalized when complete)\n"

// 5.12.1: a file of any dialect is taken in byte for byte, under the id that it names itself.
func TestImportKeepsEveryByte(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.mkdir(".baton/tasks")
	p := s.as("a")
	got := must(p.Import(t.Context(), ImportRequest{Name: "old.md", Data: []byte(foreign)}))(t)
	if got.Task != "41" || got.Dialect != "v1a" || got.Sessions != 1 || got.Changed || got.Path != statePath("41") {
		t.Errorf("got %+v", got)
	}
	if s.read(statePath("41")) != foreign {
		t.Error("the file was changed")
	}
	_, err := p.Import(t.Context(), ImportRequest{Name: "old.md", Data: []byte(foreign)})
	refused(t, err, report.Conflict, "id_taken")
	named := must(p.Import(t.Context(), ImportRequest{Name: "task-X-9-state.md", Data: []byte(foreign)}))(t)
	if named.Task != "X-9" {
		t.Errorf("the file's name gives %s", named.Task)
	}
	given := must(p.Import(t.Context(), ImportRequest{Name: "task-X-9-state.md", Data: []byte(foreign), ID: "50"}))(t)
	if given.Task != "50" {
		t.Errorf("--id gives %s", given.Task)
	}
	free := must(p.Import(t.Context(), ImportRequest{Name: "n.md", Data: []byte("## Progress Log\n")}))(t)
	if free.Task != "51" {
		t.Errorf("a file without id becomes %s", free.Task)
	}
}

// TS-D15, TS-5: what cannot be read as a task file is refused, and nested fences only with Lenient taken in.
func TestTSD15_ImportLenient(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.mkdir(".baton/tasks")
	p := s.as("a")
	wrapped := "```markdown\n" + strings.Replace(foreign, "(Finalized when complete)", "### API Contract\n```go\nfunc A()\n```", 1) + "```\n"
	before := s.tracked()
	for name, c := range map[string]struct {
		data, code string
		kind       report.Kind
		lenient    bool
	}{
		"nested":         {wrapped, "unclosed_fence", report.Violation, false},
		"no task":        {"# Notes\n", "not_a_task", report.Violation, false},
		"no task either": {"# Notes\n", "not_a_task", report.Violation, true},
		"not UTF-8":      {"# Task #1: \xff\n\n## Progress Log\n", "not_utf8", report.Corrupt, false},
		"id":             {"## Progress Log\n", "id_invalid", report.Usage, false},
	} {
		r := ImportRequest{Name: "f.md", Data: []byte(c.data), Lenient: c.lenient}
		if name == "id" {
			r.ID = "../x"
		}
		_, err := p.Import(t.Context(), r)
		refused(t, err, c.kind, c.code)
	}
	if len(s.tracked()) != len(before) {
		t.Error("a refused file left something behind")
	}
	got := must(p.Import(t.Context(), ImportRequest{Name: "f.md", Data: []byte(wrapped), Lenient: true}))(t)
	if got.Task != "41" || !got.Changed {
		t.Errorf("got %+v", got)
	}
	if st := s.task("41"); st.Output.State != task.OutputWritten || len(st.Sessions) != 1 {
		t.Errorf("output %s, %d sessions", st.Output.State, len(st.Sessions))
	}
}
