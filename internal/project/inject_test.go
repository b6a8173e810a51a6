package project

import (
	"strings"
	"testing"

	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// 8.3: a task gets each input once: at creation, at session start and at completion.
func TestChain_DiamondReceivesEachInputOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Top"})
	s.finish("1", "From the top")
	left := s.create(tasks.NewTask{ID: "2", Title: "Left", After: []string{"1"}})
	if n := strings.Count(s.read(statePath(string(left))), "### From Task #1: Top"); n != 1 {
		t.Fatalf("%d inputs at creation", n)
	}
	s.plant(create.Request{ID: "3", Title: "Right", Dependencies: []task.ID{"1"}}) // made by hand: its input comes at the start
	s.create(tasks.NewTask{ID: "4", Title: "Bottom", After: []string{"2", "3"}})
	if got := s.start("a", "3"); len(got.Inputs) != 1 || got.Inputs[0].Change != "inserted" {
		t.Errorf("inputs at session start: %+v", got.Inputs)
	}
	if got := s.start("a", "3"); len(got.Inputs) != 1 || got.Inputs[0].Change != "unchanged" {
		t.Errorf("inputs at the second start: %+v", got.Inputs)
	}
	s.finish("2", "From the left")
	s.finish("3", "From the right")
	s.start("a", "4")
	st := s.task("4")
	if len(st.Inputs) != 2 || st.Inputs[0].Task != "2" || st.Inputs[1].Task != "3" {
		t.Errorf("inputs %+v", st.Inputs)
	}
	if st.Meta.Inputs["2"].Hash == "" || st.Meta.Inputs["3"].Hash == "" {
		t.Errorf("received hashes %+v", st.Meta.Inputs)
	}
}

func TestTS42_EditedInputSurvives(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Up"})
	s.plant(create.Request{ID: "2", Title: "Down", Dependencies: []task.ID{"1"}})
	s.finish("1", "First words")
	edited := strings.Replace(s.read(statePath("2")), "> First words", "> First words, as we agreed", 1)
	s.write(statePath("2"), edited)
	must(s.as("a").Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	got := s.finish("1", "Second words")
	if got.HandedTo[0].Change != "kept_edited" || !hasCode(got.Warnings, "chain_input_edited") {
		t.Errorf("got %+v, warnings %v", got.HandedTo, got.Warnings)
	}
	if s.read(statePath("2")) != edited {
		t.Error("the edited file was changed")
	}
	forced := must(s.as("a").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "2", Refresh: true}))(t)
	if forced.Inputs[0].Change != "replaced" || !strings.Contains(s.read(statePath("2")), "> Second words\n") {
		t.Errorf("it was not replaced: %+v", forced.Inputs)
	}
	if !strings.Contains(s.read(archivePath("2")), "> First words, as we agreed") {
		t.Error("the replaced block is not in the archive")
	}
}

func TestD12_ChangedInputIsShown(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Up"})
	s.plant(create.Request{ID: "2", Title: "Down", Dependencies: []task.ID{"1"}})
	s.finish("1", "Port 80")
	s.start("a", "2")
	s.log("a", "2", "Used port 80")
	must(s.as("a").Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	s.finish("1", "Port 443")
	archive := s.read(archivePath("2"))
	if !strings.HasPrefix(archive, "# Task #2 Archive") ||
		!strings.Contains(archive, "## Replaced input from Task #1 (until session 1)\n\n> Port 80\n") {
		t.Errorf("archive:\n%s", archive)
	}
	got := s.start("a", "2")
	if len(got.InputChanged) != 1 || got.InputChanged[0].Since != 1 || !strings.Contains(got.InputChanged[0].Diff, "- > Port 80") ||
		!strings.Contains(got.InputChanged[0].Diff, "+ > Port 443") {
		t.Errorf("session start shows %+v", got.InputChanged)
	}
	logged := s.log("a", "2", "Moved to port 443")
	if len(logged.InputChanged) != 1 || !hasCode(logged.Warnings, "input_changed") {
		t.Errorf("log shows %+v %v", logged.InputChanged, logged.Warnings)
	}
	if again := s.log("a", "2", "Went on"); len(again.InputChanged) != 0 {
		t.Errorf("the change is still shown after an entry that knew it: %+v", again.InputChanged)
	}
	// The replaced part is not a session, so numbers and counts continue as before.
	if st := s.task("2"); st.Meta.Total != 2 || st.NextNumber([]byte(archive), 0) != 3 {
		t.Errorf("total %d, next %d", st.Meta.Total, st.NextNumber([]byte(archive), 0))
	}
}

// D12: a session that is running and has not logged yet has read the old input.
func TestD12_ChangedInputDuringTheFirstSession(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Up"})
	s.plant(create.Request{ID: "2", Title: "Down", Dependencies: []task.ID{"1"}})
	s.plant(create.Request{ID: "3", Title: "Nobody's", Dependencies: []task.ID{"1"}})
	s.finish("1", "Port 80")
	s.start("agent-1", "2")
	must(s.as("agent-2").Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	s.output("1", "Port 443")
	done := must(s.as("agent-2").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	if len(done.HandedTo) != 2 || done.HandedTo[0].AtWork != "agent-1" || done.HandedTo[1].AtWork != "" ||
		!hasCode(done.Warnings, "input_changed_at_work") {
		t.Errorf("completing says %+v %v", done.HandedTo, done.Warnings)
	}
	seen := func(where string, got []tasks.InputChange) {
		t.Helper()
		if len(got) != 1 || got[0].Since != 0 || !strings.Contains(got[0].Diff, "+ > Port 443") {
			t.Errorf("%s shows %+v", where, got)
		}
	}
	again := s.start("agent-1", "2")
	if !again.Resumed {
		t.Error("the session did not go on")
	}
	seen("session start", again.InputChanged)
	seen("show", s.show("2").InputChanged)
	logged := s.log("agent-1", "2", "Used port 443")
	seen("log", logged.InputChanged)
	for _, f := range logged.Warnings {
		if f.Code == "input_changed" && !strings.Contains(f.Text, "since it was handed over") {
			t.Errorf("warning %q", f.Text)
		}
	}
	if got := s.show("2"); len(got.InputChanged) != 0 {
		t.Errorf("the change is still shown after an entry that knew it: %+v", got.InputChanged)
	}
	if got := s.start("agent-1", "3"); len(got.InputChanged) != 0 {
		t.Errorf("an input that nobody had read is called changed: %+v", got.InputChanged)
	}
}

// TS-42: if a dependency is gone, its block stays, and nothing fails.
func TestTS42_DependencyDeleted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Up"})
	s.plant(create.Request{ID: "2", Title: "Down", Dependencies: []task.ID{"1", "PROJ-9"}})
	s.finish("1", "Kept")
	got := must(s.as("a").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "2", Force: true}))(t)
	if len(got.Inputs) != 1 || len(s.task("2").Inputs) != 1 {
		t.Errorf("inputs %+v", got.Inputs)
	}
}

func TestTS54_LongOutputHasALink(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Title: "Up"})
	s.plant(create.Request{ID: "2", Title: "Down", Dependencies: []task.ID{"1"}})
	long := strings.Repeat("A line of the contract that takes some room.\n", 180)
	must(s.as("a").Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1", Write: true, Set: map[task.Part]string{
		task.PartSummary: "Short.", task.PartAPI: "```\n" + long + "```", task.PartNotes: "Never read this.",
	}}))(t)
	must(s.as("a").Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t)
	in := s.task("2").Inputs[0]
	if len(in.Body) > 3*1024+200 || !strings.Contains(in.Body, "> Short.") ||
		!strings.Contains(in.Body, "[Full chain output](task-1-state.md)") {
		t.Errorf("%d bytes:\n%s", len(in.Body), in.Body[:min(400, len(in.Body))])
	}
}

// 5.1: an older hand-off file is the output of a task without a file.
func TestInject_OlderHandOverFile(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".specflux/chain-outputs/task-7.md", "---\ntask_id: 7\ncreated_at: 2025-01-01\n---\n# Old work\n\nThe old table.\n")
	s.plant(create.Request{ID: "8", Dependencies: []task.ID{"7"}})
	got := s.start("a", "8")
	if len(got.Inputs) != 1 || got.Inputs[0].Task != "7" {
		t.Fatalf("inputs %+v", got.Inputs)
	}
	if in := s.task("8").Inputs[0]; !strings.Contains(in.Text, "The old table.") {
		t.Errorf("input %q", in.Text)
	}
	if out := must(s.as("a").Tasks.Output(t.Context(), tasks.OutputRequest{ID: "7"}))(t); out.State != "written" ||
		out.Title != "Old work" || !strings.Contains(out.Summary, "The old table.") {
		t.Errorf("output %+v", out)
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	tests := []struct{ dir, file, want string }{
		{".baton/tasks", ".baton/tasks/task-1-state.md", "task-1-state.md"},
		{
			".specflux/worktrees/task-2/.specflux/task-states", ".specflux/task-states/task-1-state.md",
			"../../../../task-states/task-1-state.md",
		},
		{".baton/tasks", "chain-outputs/1-output.md", "../../chain-outputs/1-output.md"},
		{".", "a/b.md", "a/b.md"},
	}
	for _, tt := range tests {
		if got := workspace.Relative(tt.dir, tt.file); got != tt.want {
			t.Errorf("relative(%q, %q) = %q, want %q", tt.dir, tt.file, got, tt.want)
		}
	}
}
