package project

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

const foreign = "# Task #41: Sign tokens - State\n\n## 1. Static Context\n\n### Acceptance Criteria\n- [ ] One\n\n---\n\n" +
	"## 3. Progress Log (Updated by agent)\n\n### Session 1 - 2024-05-01 10:00\n**What I did:**\n- a\n\n---\n\n## 4. Chain Output\n\n" +
	"(Finalized when complete)\n"

// 5.12.1: a file of any dialect is imported byte for byte, under its own id.
func TestImportKeepsEveryByte(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.mkdir(".baton/tasks")
	p := s.as("a")
	got := must(p.Tasks.Import(t.Context(), tasks.ImportRequest{Name: "old.md", Data: []byte(foreign)}))(t)
	if got.Task != "41" || got.Dialect != "v1a" || got.Sessions != 1 || got.Changed || got.Path != statePath("41") {
		t.Errorf("got %+v", got)
	}
	if s.read(statePath("41")) != foreign {
		t.Error("the file was changed")
	}
	_, err := p.Tasks.Import(t.Context(), tasks.ImportRequest{Name: "old.md", Data: []byte(foreign)})
	refused(t, err, report.Conflict, "id_taken")
	named := must(p.Tasks.Import(t.Context(), tasks.ImportRequest{Name: "task-X-9-state.md", Data: []byte(foreign)}))(t)
	if named.Task != "X-9" {
		t.Errorf("the file's name gives %s", named.Task)
	}
	given := must(p.Tasks.Import(t.Context(), tasks.ImportRequest{Name: "task-X-9-state.md", Data: []byte(foreign), ID: "50"}))(t)
	if given.Task != "50" {
		t.Errorf("--id gives %s", given.Task)
	}
	free := must(p.Tasks.Import(t.Context(), tasks.ImportRequest{Name: "n.md", Data: []byte("## Progress Log\n")}))(t)
	if free.Task != "51" {
		t.Errorf("a file without id becomes %s", free.Task)
	}
}

// TS-D15, TS-5: a file that is not a task file is refused; one with nested fences is imported only with Lenient.
func TestTSD15_ImportLenient(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.mkdir(".baton/tasks")
	p := s.as("a")
	wrapped := "```markdown\n" + strings.Replace(foreign, "(Finalized when complete)", "### API Contract\n```go\nfunc A()\n```", 1) +
		"```\n"
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
		r := tasks.ImportRequest{Name: "f.md", Data: []byte(c.data), Lenient: c.lenient}
		if name == "id" {
			r.ID = "../x"
		}
		_, err := p.Tasks.Import(t.Context(), r)
		refused(t, err, c.kind, report.Code(c.code))
	}
	if len(s.tracked()) != len(before) {
		t.Error("a refused file left something behind")
	}
	got := must(p.Tasks.Import(t.Context(), tasks.ImportRequest{Name: "f.md", Data: []byte(wrapped), Lenient: true}))(t)
	if got.Task != "41" || !got.Changed {
		t.Errorf("got %+v", got)
	}
	if st := s.task("41"); st.Output.State != task.OutputWritten || len(st.Sessions) != 1 {
		t.Errorf("output %s, %d sessions", st.Output.State, len(st.Sessions))
	}
}

// 5.1: an archive inside the project is used whatever its name is. A file that is not an archive of the task is
// reported and never appended to.
func TestArchivePathOfAnotherName(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", ArchivePath: "hist/old.md", Dialect: task.V1C})
	s.plant(create.Request{ID: "2", ArchivePath: "README.md", Dialect: task.V1C})
	s.plant(create.Request{ID: "3", ArchivePath: "hist", Dialect: task.V1C})
	const old = "# Task #1 Archive - Full Session History\n\n## Session 1 - 2024-01-01 10:00\n**Did:** old\n\n---\n" +
		"Archived on: 2024-01-02 10:00\nReason: x\nSessions archived: 1\n"
	s.write("hist/old.md", old)
	s.write("README.md", "# Task #1 Archive of another task\n")
	if got := s.log("a", "1", "Next"); got.Session != 2 {
		t.Errorf("session %d", got.Session)
	}
	s.log("a", "1", "Later")
	got := must(s.as("a").Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 1}))(t)
	if got.Path != "hist/old.md" || !strings.HasPrefix(s.read("hist/old.md"), old+"\n") {
		t.Errorf("archived to %s", got.Path)
	}
	for _, id := range []task.ID{"2", "3"} {
		if d := s.show(id); !hasCode(d.Warnings, "archive_missing") {
			t.Errorf("task %s: %+v", id, d.Warnings)
		}
	}
	s.log("a", "2", "One")
	s.log("a", "2", "Two")
	if got := must(s.as("a").Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "2", Keep: 1}))(t); got.Path != archivePath("2") {
		t.Errorf("archived to %s", got.Path)
	}
	if s.read("README.md") != "# Task #1 Archive of another task\n" {
		t.Error("a file that is no archive of the task was appended to")
	}
}

// TS-5, TS-25: a file that must not be changed does not block the rest of the queue.
func TestTS25_ClaimNextSkipsUnfitFiles(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for id, bad := range map[string]string{"1": "\xff", "2": "a\x00b", "3": "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs"} {
		s.write(statePath(id), strings.Replace(s.text(create.Request{ID: task.ID(id)}), "Do it well.", bad, 1))
	}
	s.plant(create.Request{ID: "4"})
	before := s.read(statePath("1")) + s.read(statePath("2")) + s.read(statePath("3"))
	got := s.claim("a", tasks.ClaimRequest{Next: true})
	if got.Task != "4" {
		t.Errorf("claimed %s", got.Task)
	}
	for _, code := range []report.Code{"not_utf8", "nul", "conflict_markers"} {
		if !hasCode(got.Warnings, code) {
			t.Errorf("no warning %s in %+v", code, got.Warnings)
		}
	}
	if before != s.read(statePath("1"))+s.read(statePath("2"))+s.read(statePath("3")) {
		t.Error("an unfit file was changed")
	}
	_, err := s.as("b").Tasks.Claim(t.Context(), tasks.ClaimRequest{Next: true})
	refused(t, err, report.NotFound, "nothing_ready")
	for _, f := range s.show("3").Warnings {
		if f.Code == "conflict_markers" {
			return
		}
	}
	t.Error("show does not report the conflict")
}

// Bullets have no number of their own; show counts them as log did (5.4, style D).
func TestTS48_BulletsAreCounted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(statePath("B"), "# Task B State\n\n## Progress Log\n- [2025-01-01T10:00:00Z] one\n\n## Chain Output\n")
	logged := s.log("a", "B", "two")
	d := s.show("B")
	if len(d.Sessions) != 2 || d.Sessions[0].Number != 1 || d.Sessions[1].Number != logged.Session {
		t.Errorf("logged as %d, shown as %+v", logged.Session, d.Sessions)
	}
}
