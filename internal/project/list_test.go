package project

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func rowIDs(rows []tasks.TaskRow) []task.ID {
	out := []task.ID{}
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return out
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{ID: "1", Title: "One", Epic: "User accounts (#10)"})
	w.create(tasks.NewTask{ID: "2", Title: "Two", Epic: "User accounts (#10)"})
	w.create(tasks.NewTask{ID: "3", Title: "Three", Epic: "Billing"})
	w.create(tasks.NewTask{ID: "4", Title: "Four", Epic: "#11"})
	w.edit("2", `"ready"`, `"done"`)
	w.edit("4", `"ready"`, `"parked"`)
	tests := []struct {
		name string
		r    tasks.ListRequest
		want []task.ID
	}{
		{"all", tasks.ListRequest{}, []task.ID{"1", "2", "3", "4"}},
		{"status", tasks.ListRequest{Status: "ready"}, []task.ID{"1", "3"}},
		{"another word for a status", tasks.ListRequest{Status: "Completed"}, []task.ID{"2"}},
		{"status that nobody has", tasks.ListRequest{Status: "blocked"}, []task.ID{}},
		{"a file's own word", tasks.ListRequest{Status: "PARKED"}, []task.ID{"4"}},
		{"epic by id", tasks.ListRequest{Epic: "10"}, []task.ID{"1", "2"}},
		{"epic by reference", tasks.ListRequest{Epic: "#11"}, []task.ID{"4"}},
		{"epic by title", tasks.ListRequest{Epic: "user Accounts"}, []task.ID{"1", "2"}},
		{"epic by both", tasks.ListRequest{Epic: "User accounts (#10)"}, []task.ID{"1", "2"}},
		{"epic without an id", tasks.ListRequest{Epic: "billing"}, []task.ID{"3"}},
		{"epic that nobody has", tasks.ListRequest{Epic: "x"}, []task.ID{}},
		{"both", tasks.ListRequest{Epic: "10", Status: "ready"}, []task.ID{"1"}},
	}
	for _, tt := range tests {
		got, err := w.as("agent-1").Tasks.List(context.Background(), tt.r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, rowIDs(got.Tasks)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	_, err := w.as("agent-1").Tasks.List(context.Background(), tasks.ListRequest{Status: "reddy"})
	wantError(t, err, report.Usage, "status_unknown")
}

// TestF14_ListsAreNarrowedAndSorted checks every flag of lists that has no page of its own.
func TestF14_ListsAreNarrowedAndSorted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{ID: "1", Title: "Beta", Agent: "Agent-1"})
	w.create(tasks.NewTask{ID: "2", Title: "alpha", After: []string{"1"}, Priority: "high"})
	w.create(tasks.NewTask{ID: "3", Title: "Gamma", Epic: "Billing", Priority: "low"})
	w.create(tasks.NewTask{ID: "4", Title: "Delta"})
	ctx := context.Background()
	if _, err := w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{ID: "4"}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time, rows of the index answer
		for _, tt := range []struct {
			name string
			r    tasks.ListRequest
			want []task.ID
			more int
		}{
			{"ready leaves out what waits", tasks.ListRequest{Status: "ready"}, []task.ID{"1", "3"}, 0},
			{"waiting", tasks.ListRequest{Status: "waiting"}, []task.ID{"2"}, 0},
			{"startable", tasks.ListRequest{Ready: true}, []task.ID{"1", "3"}, 0},
			{"mine", tasks.ListRequest{Mine: true, Sort: "id"}, []task.ID{"1", "4"}, 0},
			{"match", tasks.ListRequest{Match: "bill"}, []task.ID{"3"}, 0},
			{"match of the agent", tasks.ListRequest{Match: "agent-1"}, []task.ID{"1"}, 0},
			{"limit", tasks.ListRequest{Sort: "id", Limit: 3}, []task.ID{"1", "2", "3"}, 1},
			{"title", tasks.ListRequest{Sort: "title"}, []task.ID{"2", "1", "4", "3"}, 0},
			{"newest", tasks.ListRequest{Sort: "newest"}, []task.ID{"4", "3", "2", "1"}, 0},
			{"priority", tasks.ListRequest{Sort: "priority"}, []task.ID{"2", "1", "4", "3"}, 0},
			{"status", tasks.ListRequest{Sort: "status", Limit: 1}, []task.ID{"2"}, 3},
		} {
			got, err := w.as("agent-1").Tasks.List(ctx, tt.r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, rowIDs(got.Tasks)); diff != "" || got.More != tt.more {
				t.Errorf("%s: %d more; %s", tt.name, got.More, diff)
			}
		}
	}
	_, err := w.as("agent-1").Tasks.List(ctx, tasks.ListRequest{Sort: "size"})
	wantError(t, err, report.Usage, "usage")
}

func TestD29_SessionsOfTheMetadataElseCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reported()
	w.edit("7", "  \"total_sessions\": 5,\n", "")
	w.write(".baton/tasks/task-8-state.md", strings.Replace(plain("8", "Told"), `"total_sessions": 0`, `"total_sessions": 12`, 1))
	long := strings.Repeat("### Session 1 - 2026-01-01 10:00\n\n**Did:** "+strings.Repeat("work ", 1000)+"\n\n", 30)
	w.write(".baton/tasks/task-9-state.md", "# Task 9 State\n\n"+strings.Repeat("words ", 3000)+"\n\n## Progress Log\n\n"+long)
	list, err := w.as("agent-1").Tasks.List(context.Background(), tasks.ListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[task.ID]int{}
	for _, r := range list.Tasks {
		got[r.ID] = r.Sessions
	}
	if diff := cmp.Diff(map[task.ID]int{"5": 0, "7": 5, "8": 12, "9": 30}, got); diff != "" {
		t.Error(diff)
	}
}

// TestD29_ListReadsHeadersOnly counts the bytes that a list reads of large files.
func TestD29_ListReadsHeadersOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const listHere = 50
	for i := range listHere {
		id := task.ID(fmt.Sprint(i + 1))
		text := strings.Replace(
			plain(id, "Piece"), "(No sessions yet)", strings.Repeat("### Session 1 - 2026-01-01 10:00\n\n**Did:** work\n\n", 1000), 1,
		)
		w.write(".baton/tasks/"+task.StateName(id), text)
	}
	p := w.as("agent-1")
	list, err := p.Tasks.List(context.Background(), tasks.ListRequest{})
	if err != nil || len(list.Tasks) != listHere || list.Tasks[0].CriteriaTotal != 1 || list.Tasks[0].Title != "Piece" {
		t.Fatal(list, err)
	}
	if n := p.Store.Counters().BytesRead.Load(); n > listHere*(workspace.HeadStep+512) {
		t.Errorf("%d bytes were read of %d files", n, listHere)
	}
	if n := p.Store.Counters().Opens.Load(); n > listHere+5 {
		t.Errorf("%d opens for %d files", n, listHere)
	}
}

// TestShowDoesNotDependOnHowManyTasksThereAre counts opened files with ten tasks and with a hundred.
func TestShowDoesNotDependOnHowManyTasksThereAre(t *testing.T) {
	t.Parallel()
	costs := map[int]int64{}
	for _, n := range []int{10, 100} {
		w := newWorld(t)
		for i := range n {
			id := task.ID(fmt.Sprint(i + 1))
			w.write(".baton/tasks/"+task.StateName(id), plain(id, "Piece"))
		}
		p := w.as("agent-1")
		if _, err := p.Tasks.Show(context.Background(), tasks.ShowRequest{ID: "3"}); err != nil {
			t.Fatal(err)
		}
		costs[n] = p.Store.Counters().Opens.Load() + p.Shared.Counters().Opens.Load()
	}
	if costs[10] != costs[100] || costs[10] > 4 {
		t.Errorf("opens: %v", costs)
	}
}

func TestD31_Syncs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	must0(t, os.MkdirAll(w.path(".baton/archive"), 0o777))
	id := string(w.create(tasks.NewTask{Title: "One", Criteria: []create.Criterion{{Text: "a"}, {Text: "b"}}}))
	tests := []struct {
		name            string
		call            func(*Project) error
		project, shared int64
	}{
		{
			"claim: the task, and the claims",
			func(p *Project) error { _, err := p.Tasks.Claim(ctx, tasks.ClaimRequest{ID: id}); return err }, 2, 2,
		},
		{"release: the claims", func(p *Project) error { _, err := p.Tasks.Release(ctx, tasks.TaskRequest{ID: id}); return err }, 0, 2},
		{"release again: nothing", func(p *Project) error { _, err := p.Tasks.Release(ctx, tasks.TaskRequest{ID: id}); return err }, 0, 0},
		{"log: the task", func(p *Project) error {
			_, err := p.Tasks.Log(ctx, tasks.LogRequest{ID: id, Entry: task.Entry{Did: []string{"x"}}})
			return err
		}, 2, 0},
		{"check: the task and its new evidence", func(p *Project) error {
			_, err := p.Tasks.Check(ctx, tasks.CheckRequest{ID: id, Selector: "1"})
			return err
		}, 7, 0},
		{"check another: the task and its evidence", func(p *Project) error {
			_, err := p.Tasks.Check(ctx, tasks.CheckRequest{ID: id, Selector: "2"})
			return err
		}, 6, 0},
		{"check again: nothing", func(p *Project) error {
			_, err := p.Tasks.Check(ctx, tasks.CheckRequest{ID: id, Selector: "2"})
			return err
		}, 0, 0},
		{"show", func(p *Project) error { _, err := p.Tasks.Show(ctx, tasks.ShowRequest{ID: id}); return err }, 0, 0},
	}
	for _, tt := range tests {
		p := w.as("agent-1")
		if err := tt.call(p); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		project, shared := p.Store.Counters().Syncs.Load(), p.Shared.Counters().Syncs.Load()
		if project != tt.project || shared != tt.shared {
			t.Errorf("%s: %d and %d fsyncs, want %d and %d", tt.name, project, shared, tt.project, tt.shared)
		}
	}
}

func TestGraphNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/tasks/task-1-state.md", strings.Replace(plain("1", "One"), `"ready"`, `"complete"`, 1))
	w.write(".baton/tasks/task-2-state.md", plain("2", "Two", "1", "77"))
	w.write(".baton/tasks/task-3-state.md", plain("3", "Three", "4", "1"))
	w.write(".baton/tasks/task-4-state.md", plain("4", "Four", "3"))
	w.write(".baton/tasks/task-5-state.md", plain("5", "Five", "1"))
	got, err := w.as("agent-1").Tasks.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []tasks.GraphNode{
		{ID: "1", Title: "One", Status: "complete", State: "complete"},
		{ID: "5", Title: "Five", Status: "ready", State: "ready", Ready: true, Depth: 1},
		{ID: "77", Status: "missing", State: "missing"},
		{ID: "2", Title: "Two", Status: "ready", State: "waiting", WaitingFor: []task.ID{"77"}, Depth: 1},
		{ID: "3", Title: "Three", Status: "ready", State: "waiting", WaitingFor: []task.ID{"4"}, Depth: 1},
		{ID: "4", Title: "Four", Status: "ready", State: "waiting", WaitingFor: []task.ID{"3"}, Depth: 2},
	}
	if diff := cmp.Diff(want, got.Nodes); diff != "" {
		t.Error(diff)
	}
	edges := []tasks.GraphEdge{{
		From: "1", To: "2",
	}, {From: "1", To: "3"}, {From: "1", To: "5"}, {From: "77", To: "2"}, {From: "3", To: "4"}, {From: "4", To: "3"}}
	if diff := cmp.Diff(edges, got.Edges); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]task.ID{{"3", "4", "3"}}, got.Cycles); diff != "" {
		t.Error(diff)
	}
	if !hasCode(got.Warnings, "dependency_missing") || !hasCode(got.Warnings, "dependency_cycle") {
		t.Errorf("warnings %+v", got.Warnings)
	}
}

func TestD28_Status(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reported()
	w.mkdir(".specflux")
	w.claim("agent-1", tasks.ClaimRequest{ID: "7"})
	got, err := w.as("agent-2").Sessions.Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := sessions.StatusResult{
		Root: w.dir,
		Layouts: []sessions.LayoutView{
			{Role: "tasks", Name: "baton", Path: ".baton/tasks"}, {Role: "tasks", Name: "specflux", Path: ".specflux/task-states"},
		},
		Runtime: w.path(".baton/local"), SharedRuntime: w.path(".baton/local/shared"), Holder: "agent-2",
		Counts: map[string]int{"complete": 1, "in_progress": 1, "ready": 1}, Ready: 0, Waiting: 1, Blocked: []sessions.BlockedRow{},
		Claims: []sessions.ClaimRow{{
			Task: "7", Title: "Token service", Claim: workspace.Claim{By: "agent-1", Until: "2026-03-01T09:30:00Z", Fence: 1},
		}},
		Warnings: []report.Finding{},
	}
	want.Digests, want.Next, want.Sizes = []sessions.DigestStatus{}, []tasks.TaskRow{}, []sessions.SizeRow{}
	want.Rows = []sessions.NeighbourRow{}
	want.Agents, want.Lost.Documents = []sessions.AgentRow{}, map[string]int{}
	if len(got.Active) != 1 || got.Active[0].ID != "7" {
		t.Errorf("active: %+v", got.Active)
	}
	want.Active = got.Active
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	w.pass(time.Hour)
	if got, _ := w.as("agent-2").Sessions.Status(context.Background()); len(got.Claims) != 0 || got.Ready != 1 {
		t.Errorf("after the lease: %+v", got)
	}
}

func TestOlderHandOverFiles(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, text string }{
		{
			"specflux", ".specflux/chain-outputs/task-5.md",
			"---\ntask_id: 5\ncreated_at: 2025-01-01\n---\n# Schema\n\n### Summary\nTables are there.\n",
		},
		{"older", "chain-outputs/5-output.md", "Tables are there.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ctx := context.Background()
			w.mkdir(".specflux")
			w.write(tt.file, tt.text)
			out, err := w.as("agent-1").Tasks.NewTasks(
				ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{ID: "7", Title: "Tokens", After: []string{"5"}}}},
			)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]task.ID{"5"}, out.Tasks[0].Inputs); diff != "" || !out.Tasks[0].Ready {
				t.Errorf("created %+v\n%s", out.Tasks[0], diff)
			}
			d, err := w.as("agent-1").Tasks.Show(ctx, tasks.ShowRequest{ID: "7"})
			if err != nil || len(d.ChainInputs) != 1 || !strings.Contains(d.ChainInputs[0].Text, "Tables are there.") {
				t.Errorf("inputs %+v, %v", d.ChainInputs, err)
			}
			if _, err := w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{ID: "7"}); err != nil {
				t.Error(err)
			}
			// If there is a state file, it decides; the hand-off file is its output as long as it has none.
			w.write(".specflux/task-states/task-5-state.md", plain("5", "Schema"))
			up, err := w.as("agent-1").Tasks.Show(ctx, tasks.ShowRequest{ID: "5"})
			if err != nil || up.ChainOutput.State != "written" || !strings.Contains(up.ChainOutput.Text, "Tables are there.") {
				t.Errorf("output %+v, %v", up.ChainOutput, err)
			}
		})
	}
}

func TestD12_InputChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	w.mkdir(".baton/tasks")
	a := w.as("agent-1")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w.create(tasks.NewTask{ID: "1", Title: "Schema"})
	w.create(tasks.NewTask{ID: "2", Title: "Tokens", After: []string{"1"}})
	say := func(text string) {
		t.Helper()
		_, err := a.Tasks.Output(ctx, tasks.OutputRequest{ID: "1", Write: true, Set: map[task.Part]string{task.PartSummary: text}})
		must(err)
	}
	finish := func() {
		t.Helper()
		_, err := a.Tasks.Complete(ctx, tasks.TaskRequest{ID: "1"})
		must(err)
	}
	say("Two tables.")
	finish()
	if d := w.show("2"); len(d.ChainInputs) != 1 || d.InputChanged != nil {
		t.Fatalf("after the first completion: %+v %+v", d.ChainInputs, d.InputChanged)
	}
	_, err := a.Tasks.Log(ctx, tasks.LogRequest{ID: "2", Entry: task.Entry{Did: []string{"used the tables"}}})
	must(err)
	if d := w.show("2"); d.InputChanged != nil {
		t.Fatalf("after a session: %+v", d.InputChanged)
	}
	_, err = a.Tasks.Reopen(ctx, tasks.TaskRequest{ID: "1"})
	must(err)
	say("Three tables.")
	check := func(when string) {
		t.Helper()
		d := w.show("2")
		if len(d.InputChanged) != 1 || d.InputChanged[0].Task != "1" || !strings.Contains(d.InputChanged[0].Diff, "- > Two tables.") ||
			!strings.Contains(d.InputChanged[0].Diff, "+ > Three tables.") {
			t.Errorf("%s: shown %+v", when, d.InputChanged)
		}
		list, err := a.Tasks.List(ctx, tasks.ListRequest{})
		must(err)
		if row := list.Tasks[1]; len(row.InputChanged) != 1 {
			t.Errorf("%s: row %+v", when, row)
		}
	}
	check("upstream has other words")
	finish()
	check("the block was replaced")
	if d := w.show("2"); d.InputChanged[0].Since != 1 {
		t.Errorf("since %d, want 1", d.InputChanged[0].Since)
	}
	ready, err := a.Tasks.Ready(ctx)
	must(err)
	if len(ready.Tasks) != 1 || len(ready.Tasks[0].InputChanged) != 1 {
		t.Errorf("ready %+v", ready.Tasks)
	}
	_, err = a.Tasks.Log(ctx, tasks.LogRequest{ID: "2", Entry: task.Entry{Did: []string{"read the new input"}}})
	must(err)
	if d := w.show("2"); d.InputChanged != nil {
		t.Errorf("after the next session: %+v", d.InputChanged)
	}
	if archive := w.read(".baton/archive/task-2-archive.md"); !strings.Contains(archive, "> Two tables.") {
		t.Errorf("the replaced input is not kept:\n%s", archive)
	}
	must(os.Remove(w.path(".baton/tasks/task-1-state.md")))
	if d := w.show("2"); d.InputChanged != nil || !hasCode(d.Warnings, "dependency_missing") {
		t.Errorf("after the upstream task went: %+v", d.InputChanged)
	}
}

func TestTS16_ListOfAFileInAnotherOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := plain("1", "Turned round")
	at := strings.Index(text, "## 3. Progress Log")
	head := strings.Index(text, "## 1. Context")
	sessions := strings.Repeat("### Session 1 - 2026-01-01 10:00\n\n**Did:** work\n\n", 2000)
	w.write(".baton/tasks/task-1-state.md", text[:head]+"## 3. Progress Log\n\n"+sessions+text[head:at])
	w.write(".baton/tasks/task-2-state.md", strings.Replace(plain("2", "Broken"), `"task_id": 2,`, `"task_id": ,`, 1))
	list, err := w.as("agent-1").Tasks.List(context.Background(), tasks.ListRequest{})
	if err != nil || list.Tasks[0].CriteriaTotal != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if len(list.Warnings) != 1 || list.Warnings[0].Code != "metadata_invalid" || list.Warnings[0].Path != ".baton/tasks/task-2-state.md" ||
		list.Warnings[0].Line == 0 {
		t.Errorf("warnings %+v", list.Warnings)
	}
}

func TestD2_GitSeesNothingOfTheRuntime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	git(t, w.dir, "init", "-q")
	if _, err := w.as("agent-1").Setup.Init(ctx, setup.InitRequest{}); err != nil {
		t.Fatal(err)
	}
	id := w.create(tasks.NewTask{Title: "One"})
	git(t, w.dir, "add", "-A")
	git(t, w.dir, "commit", "-q", "-m", "first")
	w.claim("agent-1", tasks.ClaimRequest{ID: string(id)})
	git(t, w.dir, "commit", "-q", "-a", "-m", "claimed")
	if dirty, err := w.as("agent-1").Git.Dirty(ctx); err == nil && dirty {
		t.Error("git sees files of the runtime folder")
	}
	if _, err := os.Stat(w.path(".baton/local/shared/claims.json")); err != nil {
		t.Error(err)
	}
}

// TS-32: a link to nothing is not a task, whatever its name is. Lists report it and continue.
func TestTS32_LinkToNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "2"})
	if err := os.Symlink("../../gone.md", s.path(statePath("1"))); err != nil {
		t.Skipf("not possible on this system: %v", err)
	}
	p := s.as("a")
	got := must(p.Tasks.List(t.Context(), tasks.ListRequest{}))(t)
	if len(got.Tasks) != 1 || got.Tasks[0].ID != "2" || len(got.Warnings) != 1 || got.Warnings[0].Code != "file_gone" {
		t.Errorf("got %+v", got)
	}
	_, err := p.Tasks.Show(t.Context(), tasks.ShowRequest{ID: "1"})
	if e := refused(t, err, report.NotFound, "task_unknown"); strings.Contains(e.Hint, "did you mean") {
		t.Errorf("hint %q", e.Hint)
	}
}

// TS-5, TS-7: a file that cannot be read is in the list, but not as ready.
func TestTS7_RowOfAnUnreadableFile(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.write(statePath("2"), strings.Repeat("a", 65<<20))
	got := must(s.as("a").Tasks.List(t.Context(), tasks.ListRequest{}))(t)
	if len(got.Tasks) != 2 || got.Tasks[1].Status != "unreadable" || got.Tasks[1].Ready || got.Tasks[0].Status != "ready" {
		t.Errorf("got %+v", got.Tasks)
	}
	if counts := must(s.as("a").Sessions.Status(t.Context()))(t).Counts; counts["ready"] != 1 || counts["unreadable"] != 1 {
		t.Errorf("counts %v", counts)
	}
}
