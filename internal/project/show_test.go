package project

import (
	"context"
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
	"baton/internal/workspace"
)

const reported = "# Task #7: Token service\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 7,\n  \"epic_id\": 10,\n" +
	"  \"status\": \"in_progress\",\n" +
	"  \"dependencies\": [5],\n  \"total_sessions\": 5,\n  \"archived_sessions\": 3,\n" +
	"  \"archive_path\": \".baton/archive/task-7-archive.md\"\n}\n```\n\n" +
	"## 1. Context\n\n**PRD:** docs/prd.md\n**Epic:** Accounts (#10)\n**Repository:** api\n**Agent:** backend\n\n### Requirements\n" +
	"Issue tokens.\n\n" +
	"### Acceptance Criteria\n- [x] Tokens expire\n- [ ] Keys rotate\n\n## 2. Chain Inputs\n\n### From Task #5: Schema\n" +
	"> Tables are there.\n\n" +
	"## 3. Progress Log\n\n### Archived Summary (Sessions 1-3)\n\n**Accomplishments:** began\n\n" +
	"[Full details: .baton/archive/task-7-archive.md]\n\n" +
	"### Session 4 - 2026-02-27 10:00\n\n**Did:** a thing\n\n**Issues:** None\n\n**Next:** more\n\n**Commits:** abc1234\n\n" +
	"### Session 5b - 2026-02-28 11:30\n\n**Did:**\n- one\n- two\n\n**Issues:** slow\n\n**Next:** rest\n\n" +
	"**Commits:** abc1234, def5678\n\n" +
	"## Notes of ours\n\nRemember the milk.\n\n## 4. Chain Output\n\n### Summary\nTokens work.\n\n### Integration Notes\nUse them.\n"

const reportedArchive = "# Task #7 Archive - Full Session History\n\n## Session 1 - 2026-02-20 10:00\n\n**Did:** first\n\n" +
	"## Session 2 - 2026-02-21 10:00\n\n**Did:** second\n\n" +
	"## Session 3 - 2026-02-22 10:00\n\n**Did:** third\n\n---\nArchived on: 2026-02-22 10:00\nReason: size\nSessions archived: 1-3\n"

func (w *world) reported() {
	w.write(".baton/tasks/task-5-state.md", strings.Replace(plain("5", "Schema"), `"ready"`, `"complete"`, 1))
	w.write(".baton/tasks/task-7-state.md", reported)
	w.write(".baton/archive/task-7-archive.md", reportedArchive)
	w.write(".baton/tasks/task-9-state.md", plain("9", "Endpoints", "7"))
}

func TestShowGivesTheDocumentedFields(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reported()
	got := w.show("7")
	got.Warnings = nil
	want := tasks.TaskDetail{
		ID: "7", Title: "Token service", Status: "in_progress", State: "in_progress", Ready: true,
		Dialect: "v2", Path: ".baton/tasks/task-7-state.md",
		Epic: "Accounts (#10)", Repository: "api", PRD: "docs/prd.md", Agent: "backend", Requirements: "Issue tokens.",
		Dependencies: []task.ID{"5"},
		Criteria: []tasks.CriterionView{
			{N: 1, Key: task.TextKey("Tokens expire"), Text: "Tokens expire", Checked: true},
			{N: 2, Key: task.TextKey("Keys rotate"), Text: "Keys rotate"},
		},
		Sessions: []workspace.SessionView{
			{
				Number:  4,
				Started: "2026-02-27T10:00:00Z",
				Did:     []string{"a thing"},
				Issues:  []string{},
				State:   []string{},
				Next:    []string{"more"},
				Commits: []string{"abc1234"},
			},
			{
				Number:  5,
				Label:   "5b",
				Started: "2026-02-28T11:30:00Z",
				Did:     []string{"one", "two"},
				Issues:  []string{"slow"},
				State:   []string{},
				Next:    []string{"rest"},
				Commits: []string{"abc1234", "def5678"},
			},
		},
		TotalSessions: 5, ArchivedSessions: 3,
		ArchivedSummary: "**Accomplishments:** began\n\n[Full details: .baton/archive/task-7-archive.md]",
		ChainInputs:     []tasks.InputView{{Task: "5", Title: "Schema", Text: "Tables are there."}},
		ChainOutput: tasks.OutputView{
			State: "written", Text: "### Summary\nTokens work.\n\n### Integration Notes\nUse them.",
			Parts: map[string]string{"summary": "Tokens work.", "notes": "Use them."},
		},
		SizeBytes:  int64(len(reported)),
		Dependents: []tasks.Dependent{{ID: "9", Title: "Endpoints", Status: "ready", State: "waiting", WaitingFor: []task.ID{"7"}}},
	}
	got.ArchivedSummary = strings.TrimSpace(got.ArchivedSummary)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestD29_ShowAllAddsArchivedSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reported()
	d, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: "7", All: true, Commits: true})
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	for _, s := range d.Sessions {
		numbers = append(numbers, s.Number)
		if s.Archived != (s.Number <= 3) {
			t.Errorf("session %d archived %v", s.Number, s.Archived)
		}
	}
	if diff := cmp.Diff([]int{1, 2, 3, 4, 5}, numbers); diff != "" || d.TotalSessions != 5 || d.Dependents != nil {
		t.Errorf("sessions %v of %d\n%s", numbers, d.TotalSessions, diff)
	}
	if diff := cmp.Diff([]workspace.CommitView{{Hash: "abc1234"}, {Hash: "def5678"}}, d.Commits); diff != "" {
		t.Error(diff)
	}
}

// TestD8_AnEntryThatIsMovingIsShownOnce puts a session into both files, as between the two writes of a move.
func TestD8_AnEntryThatIsMovingIsShownOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reported()
	entry := reported[strings.Index(reported, "### Session 4"):strings.Index(reported, "### Session 5b")]
	w.write(
		".baton/archive/task-7-archive.md",
		reportedArchive+"\n"+strings.TrimPrefix(entry, "#")+"---\nArchived on: 2026-03-01 09:00\nReason: size\nSessions archived: 4\n",
	)
	d, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: "7", All: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Sessions) != 5 || d.TotalSessions != 5 {
		t.Errorf("%d sessions of %d", len(d.Sessions), d.TotalSessions)
	}
}

func TestShowSection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reported()
	tests := []struct{ name, want string }{
		{"chain_output", "## 4. Chain Output\n\n### Summary\nTokens work.\n\n### Integration Notes\nUse them.\n"},
		{"Chain Output", "## 4. Chain Output\n\n### Summary\nTokens work.\n\n### Integration Notes\nUse them.\n"},
		{"notes of ours", "## Notes of ours\n\nRemember the milk.\n\n"},
		{"chain-inputs", "## 2. Chain Inputs\n\n### From Task #5: Schema\n> Tables are there.\n\n"},
	}
	for _, tt := range tests {
		d, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: "7", Section: tt.name})
		if err != nil || d.Section == nil || d.Section.Text != tt.want {
			t.Errorf("%s: %+v, %v", tt.name, d.Section, err)
		}
	}
	_, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: "7", Section: "unknown"})
	e := wantError(t, err, report.NotFound, "section_unknown")
	if !strings.Contains(e.Hint, "Notes of ours") {
		t.Errorf("hint %q", e.Hint)
	}
}

func TestShowWarnings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		make func(w *world)
		code report.Code
	}{
		{"TS-40 archive deleted", func(w *world) { must0(w.t, os.Remove(w.path(".baton/archive/task-7-archive.md"))) }, "archive_missing"},
		{
			"TS-40 archive path outside",
			func(w *world) { w.edit("7", `".baton/archive/task-7-archive.md"`, `"../../etc/task-7-archive.md"`) },
			"archive_path_outside",
		},
		{
			"TS-40 archive path absolute",
			func(w *world) { w.edit("7", `".baton/archive/task-7-archive.md"`, `"/etc/task-7-archive.md"`) },
			"archive_path_outside",
		},
		{
			"TS-42 dependency deleted",
			func(w *world) { must0(w.t, os.Remove(w.path(".baton/tasks/task-5-state.md"))) },
			"dependency_missing",
		},
		{"TS-42 cycle", func(w *world) { w.write(".baton/tasks/task-5-state.md", plain("5", "Schema", "9")) }, "dependency_cycle"},
		{"TS-42 input without dependency", func(w *world) { w.edit("7", "[5]", "[9]") }, "chain_input_orphan"},
		{"TS-35 another id in the metadata", func(w *world) { w.edit("7", `"task_id": 7`, `"task_id": 8`) }, "number_name_mismatch"},
		{"TS-35 broken metadata", func(w *world) { w.edit("7", `"task_id": 7,`, `"task_id": `) }, "metadata_invalid"},
		{"TS-25 conflict markers", func(w *world) {
			w.edit("7", "Remember the milk.", "<<<<<<< ours\nmilk\n=======\ntea\n>>>>>>> theirs")
		}, "conflict_markers"},
		{"TS-5 not UTF-8", func(w *world) { w.edit("7", "milk", "m\xefk") }, "not_utf8"},
		{"TS-6 NUL", func(w *world) { w.edit("7", "milk", "m\x00k") }, "nul"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.reported()
			tt.make(w)
			d := w.show("7")
			if tt.name == "TS-35 another id in the metadata" {
				if d.ID != "7" {
					t.Errorf("id %s", d.ID)
				}
				return // a test of package task checks which finding reports it
			}
			if !hasCode(d.Warnings, tt.code) {
				t.Errorf("no %s in %+v", tt.code, d.Warnings)
			}
			for _, f := range d.Warnings {
				if f.Text == "" {
					t.Errorf("%s says nothing", f.Code)
				}
			}
		})
	}
}

func (w *world) edit(id task.ID, from, to string) {
	w.t.Helper()
	name := ".baton/tasks/" + task.StateName(id)
	text := w.read(name)
	if !strings.Contains(text, from) {
		w.t.Fatalf("%s does not hold %q", name, from)
	}
	w.write(name, strings.Replace(text, from, to, 1))
}

func must0(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTS40_ArchivePathOutsideIsNeverRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("in/.git")
	w.write("in/.baton/tasks/task-7-state.md", strings.Replace(reported, ".baton/archive/task-7-archive.md", "../task-7-archive.md", 1))
	w.write("task-7-archive.md", reportedArchive)
	_, err := w.open(workspace.Options{Dir: "in"}).Tasks.Show(context.Background(), tasks.ShowRequest{ID: "7", All: true})
	e := wantError(t, err, report.Violation, "archive_path_outside")
	if e.Hint == "" || e.Path == "" {
		t.Errorf("error %+v", e)
	}
}

func TestArchivePathInsideIsHonoured(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reported()
	w.edit("7", `".baton/archive/task-7-archive.md"`, `"docs/old/task-7-archive.md"`)
	w.write("docs/old/task-7-archive.md", reportedArchive)
	must0(t, os.Remove(w.path(".baton/archive/task-7-archive.md")))
	d, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: "7", All: true})
	if err != nil || len(d.Sessions) != 5 || hasCode(d.Warnings, "archive_missing") {
		t.Errorf("%d sessions, %v, %+v", len(d.Sessions), err, d.Warnings)
	}
}

func TestUnknownTaskNamesItsNeighbours(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/tasks/task-PROJ-41-state.md", plain("PROJ-41", "x"))
	w.write(".baton/tasks/task-101-state.md", plain("101", "x"))
	tests := []struct{ id, hint string }{
		{"proj-41", "PROJ-41"}, {"PROJ-14", "PROJ-41"}, {"102", "101"}, {"zzzzzzzz", "baton task list"},
	}
	for _, tt := range tests {
		_, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: tt.id})
		if e := wantError(t, err, report.NotFound, "task_unknown"); !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%s: hint %q", tt.id, e.Hint)
		}
	}
	for _, id := range []string{"", "a/b", "..", "a\nb", "../../etc/passwd", "ä"} {
		_, err := w.as("agent-1").Tasks.Show(context.Background(), tasks.ShowRequest{ID: id})
		wantError(t, err, report.Usage, "id_invalid")
	}
}

func TestTS7_OddFilesInThePlaceOfATask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
	w.write(".baton/tasks/task-2-state.md", "")
	w.write(".baton/tasks/task-3-state.md", " \n\n")
	w.mkdir(".baton/tasks/task-4-state.md")
	w.write(".baton/tasks/task-5-state.md.swp", "x")
	w.write(".baton/tasks/task-05-state.md~", "x")
	w.write(".baton/tasks/notes.md", "x")
	w.write(".baton/tasks/task-6-state.md", "x")
	must0(t, os.Truncate(w.path(".baton/tasks/task-6-state.md"), 100<<20))
	list, err := w.as("agent-1").Tasks.List(ctx, tasks.ListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []task.ID
	for _, row := range list.Tasks {
		ids = append(ids, row.ID)
	}
	if diff := cmp.Diff([]task.ID{"1", "2", "3", "4", "6"}, ids); diff != "" {
		t.Error(diff)
	}
	if !hasCode(list.Warnings, "too_large") || !hasCode(list.Warnings, "is_directory") || list.Tasks[3].Ready ||
		list.Tasks[3].Status != "unreadable" ||
		list.Tasks[4].Ready {
		t.Errorf("warnings %+v", list.Warnings)
	}
	for _, id := range []task.ID{"2", "3"} {
		if d := w.show(id); d.Title != "" || d.Status != "ready" {
			t.Errorf("empty file: %+v", d)
		}
	}
	_, err = w.as("agent-1").Tasks.Show(ctx, tasks.ShowRequest{ID: "4"})
	wantError(t, err, report.Refused, "is_directory")
	_, err = w.as("agent-1").Tasks.Show(ctx, tasks.ShowRequest{ID: "6"})
	wantError(t, err, report.Corrupt, "too_large")
}

func TestUnsafeFilesAreReadAndNotWritten(t *testing.T) {
	t.Parallel()
	for code, text := range map[report.Code]string{
		"nul": "m\x00k", "not_utf8": "m\xffk", "conflict_markers": "<<<<<<< ours\nmilk\n=======\ntea\n>>>>>>> theirs",
	} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.reported()
			w.edit("7", "Remember the milk.", text)
			before := w.tracked()
			_, err := w.as("agent-1").Tasks.Claim(context.Background(), tasks.ClaimRequest{ID: "7"})
			e := wantError(t, err, report.Corrupt, code)
			if e.Path != ".baton/tasks/task-7-state.md" || e.Line == 0 || e.Hint == "" || !strings.Contains(e.Message, "task-7-state.md:") {
				t.Errorf("error %+v", e)
			}
			if diff := cmp.Diff(before, w.tracked()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReadsWriteNothing runs every reader on a project and compares names, bytes and times before and after (law 8).
func TestReadsWriteNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reported()
	long := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{
		".baton", ".baton/tasks", ".baton/tasks/task-7-state.md", ".baton/archive", ".baton/archive/task-7-archive.md", ".",
	} {
		must0(t, os.Chtimes(w.path(name), long, long))
	}
	before := w.files()
	ctx := context.Background()
	p := w.as("agent-1")
	calls := []func() error{
		func() error { _, err := p.Tasks.List(ctx, tasks.ListRequest{}); return err },
		func() error { _, err := p.Tasks.Ready(ctx); return err },
		func() error {
			_, err := p.Tasks.Show(ctx, tasks.ShowRequest{ID: "7", All: true, Deps: true, Commits: true})
			return err
		},
		func() error { _, err := p.Tasks.Graph(ctx); return err },
		func() error { _, err := p.Sessions.Status(ctx); return err },
		func() error { _, err := p.Config(ctx); return err },
		func() error { _, err := p.Tasks.Output(ctx, tasks.OutputRequest{ID: "7"}); return err },
		func() error {
			_, err := p.Tasks.Archive(ctx, tasks.ArchiveRequest{ID: "7", Keep: -1, Show: "1-3"})
			return err
		},
		func() error { _, err := p.Tasks.Split(ctx, tasks.SplitRequest{ID: "7"}); return err },
		func() error { _, err := p.Tasks.Convert(ctx, tasks.ConvertRequest{ID: "7", To: "v1"}); return err },
	}
	for i, call := range calls {
		if err := call(); err != nil {
			t.Errorf("read %d: %v", i, err)
		}
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{".baton", ".baton/tasks", ".baton/tasks/task-7-state.md", ".baton/archive", "."} {
		info, err := os.Stat(w.path(name))
		if err != nil || !info.ModTime().Equal(long) {
			t.Errorf("%s was touched: %v, %v", name, info.ModTime(), err)
		}
	}
	if n := p.Store.Counters().Syncs.Load(); n != 0 {
		t.Errorf("reads synced %d times", n)
	}
}

// The issue: `--deps` adds dependents, which is a list even for a task that nothing depends on; the same is true of
// --commits.
func TestShow_ListsThatWereAskedForAreThere(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	for name, r := range map[string]tasks.ShowRequest{"dependents": {ID: "1", Deps: true}, "commits": {ID: "1", Commits: true}} {
		data, err := json.Marshal(must(s.as("a").Tasks.Show(t.Context(), r))(t))
		if err != nil || !strings.Contains(string(data), `"`+name+`":[]`) {
			t.Errorf("%s is missing: %s, %v", name, data, err)
		}
	}
	if data, err := json.Marshal(must(s.as("a").Tasks.Show(t.Context(), tasks.ShowRequest{ID: "1"}))(t)); err != nil ||
		strings.Contains(string(data), "dependents") {
		t.Errorf("without --deps: %s, %v", data, err)
	}
}
