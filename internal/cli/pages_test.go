package cli

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/usecase/waiting"
	"baton/internal/workspace"
)

var update = flag.Bool("update", false, "rewrite golden files")

// scene is a command line with the result that it prints.
type scene struct {
	args   []string
	answer any
	set    setting
}

func words(line string) []string { return strings.Fields(line) }

// pages returns results as a project might give them, one for each form of a page.
func pages() map[string]scene {
	held := &workspace.Claim{By: "agent-1@desk", Until: "2026-03-14T12:30:00Z", Fence: 3}
	list := tasks.TaskList{Tasks: []tasks.TaskRow{
		{ID: "100", Title: "Database schema", Status: "complete", CriteriaDone: 4, CriteriaTotal: 4, Sessions: 3, SizeBytes: 12_600},
		{
			ID: "101", Title: "JWT service", Status: "in_progress", CriteriaDone: 2, CriteriaTotal: 4, Sessions: 12, SizeBytes: 61_000,
			Claim: held,
		},
		{
			ID: "102", Title: "Auth endpoints 端点 with a title that is longer than most", Status: "ready", CriteriaTotal: 3,
			SizeBytes: 2_100, WaitingFor: []task.ID{"101", "PROJ-4"},
		},
		{
			ID: "PROJ-4", Title: "Keys", Status: "ready", Ready: true, SizeBytes: 900,
			InputChanged: []tasks.InputChange{{Task: "100", Since: 2, Diff: "- old\n+ new\n"}},
		},
	}}
	scenes := map[string]scene{
		"init": {words(
			"init",
		), setup.InitResult{Root: "/projects/shop", Layout: "baton", Created: []string{".baton/tasks", ".baton/archive"}}, setting{}},
		"init_again": {
			words("init"), setup.InitResult{Root: "/projects/shop", Layout: "baton", Found: []string{"baton", "specflux"}}, setting{},
		},
		"status": {words("status"), statusScene(held), setting{}},
		"status_digest": {words("status"), sessions.StatusResult{
			Root: "/projects/shop", Layouts: []sessions.LayoutView{
				{Role: "digest", Name: "gsd", Path: ".planning"},
			}, Runtime: "r", SharedRuntime: "r", Holder: "agent-1",
			Digests: []sessions.DigestStatus{
				{Layout: "gsd", Path: ".planning/STATE.md", Status: "planning", NextAction: "plan-phase", NextPhases: []string{"5"}},
			},
		}, setting{}},
		"waiting":           {words("waiting"), waitingScene(), setting{}},
		"waiting_none":      {words("waiting"), waiting.Result{Sessions: []waiting.Row{}}, setting{}},
		"waiting_80":        {words("waiting"), waitingScene(), terminal(80)},
		"waiting_120":       {words("waiting"), waitingScene(), terminal(120)},
		"status_80":         {words("status"), crowdedStatus(held), terminal(80)},
		"status_120":        {words("status"), crowdedStatus(held), terminal(120)},
		"status_verbose":    {words("status --verbose"), statusScene(held), setting{}},
		"status_verbose_80": {words("status --verbose"), crowdedStatus(held), terminal(80)},
		"config": {words("config list"), workspace.ConfigList{Path: ".baton/config.yaml", Settings: []workspace.Setting{
			{Key: "tasks.archive_kb", Value: 60, Default: 75, Source: "file", Doc: "archive above this size, in KB"},
			{Key: "tasks.dialect", Value: "v2", Default: "v2", Source: "default", Doc: "dialect of new files"},
			{
				Key: "repositories", Value: map[string]string{}, Default: map[string]string{}, Source: "default",
				Doc: "folders of repositories by name",
			},
		}}, setting{}},
		"new": {words("task new T"), tasks.NewResult{Tasks: []tasks.Created{
			{ID: "102", Title: "Auth endpoints", Path: ".baton/tasks/task-102-state.md", Ready: true, Dependencies: []task.ID{
				"100", "101",
			}, Inputs: []task.ID{"100"}},
		}, Warnings: []report.Finding{
			{Code: "no_criteria", Text: "task 102 has no criteria", Path: ".baton/tasks/task-102-state.md"},
		}}, setting{}},
		"list": {words("task list"), list, setting{}},
		"list_narrow": {
			words("task list"), list, setting{env: report.Env{Terminal: true, Width: 72}, vars: map[string]string{"NO_COLOR": "1"}},
		},
		"list_80":       {words("task list"), longList(), terminal(80)},
		"list_120":      {words("task list"), longList(), terminal(120)},
		"list_wide_80":  {words("task list --wide"), longList(), terminal(80)},
		"list_wide_120": {words("task list --wide"), longList(), terminal(120)},
		"list_wide":     {words("task list --wide"), longList(), setting{}},
		"ready_80":      {words("task ready"), tasks.TaskList{Tasks: longList().Tasks[1:2], More: 3}, terminal(80)},
		"ready_120":     {words("task ready"), tasks.TaskList{Tasks: longList().Tasks[1:2], More: 3}, terminal(120)},
		"list_empty":    {words("task list"), tasks.TaskList{}, setting{}},
		"list_none":     {words("task list --status blocked"), tasks.TaskList{}, setting{}},
		"ready":         {words("task ready"), tasks.TaskList{Tasks: list.Tasks[3:]}, setting{}},
		"ready_none":    {words("task ready"), tasks.TaskList{}, setting{}},
		"show":          {words("task show 101 --deps --commits"), taskScene(held), setting{}},
		"show_narrow": {words("task show 101"), taskScene(held), setting{
			env:  report.Env{Terminal: true, Width: 60},
			vars: map[string]string{"TERM": "dumb", "LANG": "C.UTF-8"},
		}},
		"show_color": {words("task show 101"), taskScene(held), setting{vars: map[string]string{"FORCE_COLOR": "1"}}},
		"show_new": {words("task show 7"), tasks.TaskDetail{
			ID: "7", Title: "New", Status: "ready", Dialect: "v2", Path: ".baton/tasks/task-7-state.md",
			ChainOutput: tasks.OutputView{State: "empty"},
		}, setting{}},
		"show_waiting": {words("task show 7"), tasks.TaskDetail{
			ID: "7", Title: "New", Status: "ready", Dialect: "v2", Path: "p.md", Dependencies: []task.ID{
				"5", "6",
			}, WaitingFor: []task.ID{"6"}, ChainOutput: tasks.OutputView{State: "empty"},
		}, setting{}},
		"show_blocked": {words("task show 7"), tasks.TaskDetail{
			ID: "7", Title: "New", Status: "blocked", Dialect: "v2", Path: "p.md", Reason: "The key server is down",
			ChainOutput: tasks.OutputView{
				State: "empty",
			},
		}, setting{}},
		"show_forced": {words("task show 7"), tasks.TaskDetail{
			ID: "7", Title: "New", Status: "complete", Dialect: "v2", Path: "p.md", ChainOutput: tasks.OutputView{State: "minimal"},
			Forced: &tasks.Forced{
				Reason: "moved to 9", Overridden: []string{"criterion 1 is open: Keys rotate"}, By: "agent-1", At: "2026-03-14T12:00:00Z",
			},
		}, setting{}},
		"show_section": {
			words(
				"task show 101 --section x",
			), tasks.TaskDetail{Section: &tasks.SectionView{Name: "Progress Log", Text: "\n### Session 1\r\n\tdone\n"}}, setting{},
		},
		"claim": {words("task claim 101"), tasks.ClaimResult{
			Task: "101", Title: "JWT service", Path: ".baton/tasks/task-101-state.md", Claim: *held, Stolen: "agent-2@den",
		}, setting{}},
		"release": {words(
			"task release 101",
		), tasks.TaskChange{Task: "101", Title: "JWT service", Status: "in_progress", Changed: true}, setting{}},
		"unclaimed": {words("task release 101"), tasks.TaskChange{Task: "101", Status: "ready"}, setting{}},
		"block": {words(
			"task block 101 --reason r",
		), tasks.TaskChange{Task: "101", Title: "JWT service", Status: "blocked", Changed: true}, setting{}},
		"reopen": {
			words("task reopen 101"), tasks.TaskChange{Task: "101", Title: "JWT service", Status: "in_progress", Changed: true}, setting{},
		},
		"log": {words("task log 101 --did x"), tasks.LogResult{
			Task: "101", Session: 12, Archived: []int{1, 2, 3, 4, 6, 7}, Path: ".baton/tasks/task-101-state.md", Size: 20_480,
			Commits: []workspace.CommitView{{Hash: "1111111aaaaaaaa"}, {Hash: "3f2c1aa00000000"}}, Notice: "+------+\n| big  |\n+------+",
			InputChanged: []tasks.InputChange{{Task: "100", Since: 6, Diff: "- old\n+ new\n"}},
			Warnings: []report.Finding{
				{
					Code: "input_changed", Severity: report.Warning, Text: "told above",
				}, {Code: "large", Severity: report.Warning, Text: "told here"},
			},
		}, setting{}},
		"log_plain":     {words("task log 101 --did x"), tasks.LogResult{Task: "101", Session: 1, Path: "p.md", Size: 1024}, setting{}},
		"check":         {words("task check 101 2 --run make"), checkScene(true, ranCommand("go test ./...", true)), setting{}},
		"check_claimed": {words("task check 101 2"), checkScene(true, &tasks.Evidence{Kind: "claim", Passed: true}), setting{}},
		"check_again":   {words("task check 101 2"), checkScene(false, ranCommand("go test ./...", true)), setting{}},
		"check_holds":   {words("task check 101 2 --run make"), checkScene(false, ranCommand("go test ./...", true)), setting{}},
		"uncheck":       {words("task uncheck 101 2"), checkScene(true, nil), setting{}},
		"output": {words(
			"task output 101",
		), tasks.OutputResult{Task: "101", State: "written", Summary: "### Summary\nIssues tokens.\n"}, setting{}},
		"output_empty":   {words("task output 101"), tasks.OutputResult{Task: "101", State: "empty"}, setting{}},
		"output_minimal": {words("task output 101"), tasks.OutputResult{Task: "101", State: "minimal"}, setting{}},
		"output_set": {words(
			"task output 101 --summary S",
		), tasks.OutputResult{Task: "101", Title: "JWT service", State: "written", Changed: true}, setting{}},
		"output_same": {words("task output 101 --summary S"), tasks.OutputResult{Task: "101", State: "written"}, setting{}},
		"output_draft": {words(
			"task output 101 --summary S",
		), tasks.OutputResult{Task: "101", Draft: ".baton/archive/task-101-output-draft-20260314T120000Z.md", Warnings: []report.Finding{
			{
				Code: "claimed_by_other", Path: ".baton/archive/task-101-output-draft-20260314T120000Z.md",
				Text: "task #101 is claimed by agent-2 until 12:30; the text was kept as a draft",
			},
		}}, setting{}},
		"complete": {words("task complete 101"), tasks.CompleteResult{
			Task: "101", Title: "JWT service", Status: "complete", Changed: true, Overridden: []string{"criterion 4 is open: Keys rotate"},
			HandedTo: []tasks.InputReceipt{{
				Task: "102", Title: "Auth endpoints", Change: "inserted",
			}, {Task: "103", Title: "Docs", Change: "kept_edited"}, {Task: "104", Title: "Site", Change: "unchanged"}},
			Ready: []tasks.TaskRow{{ID: "102", Title: "Auth endpoints"}},
		}, setting{}},
		"complete_part": {words("task complete 4b"), tasks.CompleteResult{
			Task: "4b", Title: "Rotate", Status: "complete", Changed: true, Parent: "4",
			Warnings: []report.Finding{{Code: "parts_complete", Severity: report.Info, Text: "told on the page"}},
		}, setting{}},
		"complete_again": {words("task complete 101"), tasks.CompleteResult{Task: "101", Status: "complete"}, setting{}},
		"archive": {words(
			"task archive 101",
		), tasks.ArchiveResult{Task: "101", Archived: []int{1, 2, 3}, Path: ".baton/archive/task-101-archive.md", Size: 9_000}, setting{}},
		"archive_nothing": {words("task archive 101"), tasks.ArchiveResult{Task: "101"}, setting{}},
		"archive_show": {
			words("task archive 101 --show 2"), tasks.ArchiveResult{Task: "101", Text: "### Session 2\n**Did:** a\n"}, setting{},
		},
		"archive_rebuild": {
			words("task archive 101 --rebuild-summary"), tasks.ArchiveResult{Task: "101", Path: "a.md", Rebuilt: true}, setting{},
		},
		"archive_rebuilt": {words("task archive 101 --rebuild-summary"), tasks.ArchiveResult{Task: "101", Path: "a.md"}, setting{}},
		"split":           {words("task split 101"), splitScene(), setting{}},
		"split_applied": {words("task split 101 --apply"), tasks.SplitResult{Task: "101", Applied: true, Created: []tasks.Created{
			{ID: "101a", Title: "Sign", Path: "a.md"}, {ID: "101b", Title: "Rotate", Path: "b.md"},
		}}, setting{}},
		"split_dismissed": {words("task split 101 --dismiss"), tasks.SplitResult{Task: "101", Dismissed: true}, setting{}},
		"split_one_part":  {words("task split 101"), tasks.SplitResult{Task: "101", Open: 2, Box: "+--+"}, setting{}},
		"split_nothing":   {words("task split 101"), tasks.SplitResult{Task: "101"}, setting{}},
		"convert": {words("task convert 101 --to v1"), tasks.ConvertResult{
			Task: "101", From: "v2", To: "v1c", Diff: "@@ line 1 @@\n-# Task #101: T\n+# Task #101: T - State\n same\n",
		}, setting{}},
		"convert_applied": {words(
			"task convert 101 --to v1 --apply",
		), tasks.ConvertResult{Task: "101", From: "v2", To: "v1c", Applied: true, Diff: "x"}, setting{}},
		"convert_same": {words("task convert 101 --to v2"), tasks.ConvertResult{Task: "101", From: "v2", To: "v2"}, setting{}},
		"import": {words("task import testdata/import.md"), tasks.ImportResult{
			Task: "101", Title: "JWT service", Path: ".baton/tasks/task-101-state.md", Dialect: "v1b", Status: "in_progress", Sessions: 2,
			Changed: true,
		}, setting{}},
		"session_start": {words("session start 101"), startScene(held), setting{}},
		"session_first": {words("session start 7"), sessions.SessionStartResult{
			Task: "7", Title: "New", Path: "p.md", As: "agent-1@desk", Started: "2026-03-14T12:00:00Z", Number: 1, Claim: held,
			Inputs: []tasks.InputReceipt{{Task: "100", Title: "Database schema", Change: "unchanged", Begins: "Tables users and keys"}},
		}, setting{}},
		"session_later": {words("session start 7"), sessions.SessionStartResult{
			Task: "7", Title: "New", Path: "p.md", As: "agent-1@desk", Started: "2026-03-14T12:00:00Z", Number: 3, Claim: held,
			Inputs: []tasks.InputReceipt{
				{Task: "100", Title: "Database schema", Change: "inserted", Begins: "Tables users and keys"},
				{Task: "101", Change: "kept_edited", Begins: "Two hosts"},
			},
			InputChanged: []tasks.InputChange{{Task: "102", Since: 2}},
		}, setting{}},
		"session_resumed": {words("session start 101"), sessions.SessionStartResult{
			Task: "101", Title: "JWT service", Path: "p.md", As: "agent-1@desk", Started: "2026-03-13T09:00:00Z", Number: 4, Resumed: true,
		}, setting{}},
		"session_end":    {words("session end 101"), sessions.SessionEndResult{Task: "101", Logged: 1, Released: true}, setting{}},
		"session_end_2":  {words("session end 101"), sessions.SessionEndResult{Task: "101", Logged: 2}, setting{}},
		"graph":          {words("task graph"), graphScene(), setting{}},
		"graph_mermaid":  {words("task graph --format mermaid"), graphScene(), setting{}},
		"graph_dot":      {words("task graph --format dot"), graphScene(), setting{}},
		"graph_80":       {words("task graph"), wideGraph(4), terminal(80)},
		"graph_120":      {words("task graph"), wideGraph(4), terminal(120)},
		"graph_deep_80":  {words("task graph"), wideGraph(12), terminal(80)},
		"graph_deep_120": {words("task graph"), wideGraph(12), terminal(120)},
		"graph_empty":    {words("task graph"), tasks.GraphResult{}, setting{}},
	}
	maps.Copy(scenes, digestPages())
	maps.Copy(scenes, dirPages())
	maps.Copy(scenes, widePages())
	return scenes
}

// judgedScenes are pages whose command says with its exit code that something is wrong.
var judgedScenes = map[string]bool{
	"state_validate": true, "dir_cleanup_done": true, "dir_validate": true, "dir_lint": true, "dir_restore_part": true,
	"dir_contract_not": true,
}

// TestPages compares every page with its golden file: go test ./internal/cli -run TestPages -update
func TestPages(t *testing.T) {
	t.Parallel()
	scenes := pages()
	for name, c := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := c.set.play(t, canned{answer: c.answer}, c.args...)
			if got.code != 0 && !judgedScenes[name] {
				t.Fatalf("exit code %d: %s", got.code, got.errors)
			}
			text := got.out
			if got.errors != "" {
				text += "--- standard error ---\n" + got.errors
			}
			golden(t, name, text)
		})
	}
	files, err := os.ReadDir(filepath.Join("testdata", "pages"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, known := scenes[strings.TrimSuffix(file.Name(), ".txt")]; !known {
			t.Errorf("testdata/pages/%s belongs to no test", file.Name())
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "pages", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("page %s (-want +got):\n%s", name, diff)
	}
}

// TestNoLineIsWiderThanTheTerminal checks everything that can be wrapped or cut.
func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, width := range [...]int{60, 72, 80} {
		narrow := setting{env: report.Env{Terminal: true, Width: width}, vars: map[string]string{"NO_COLOR": "1"}}
		got := narrow.play(t, canned{answer: pages()["list"].answer}, "task", "list")
		for line := range strings.SplitSeq(got.out, "\n") {
			if n := displaywidth.String(line); n > width {
				t.Errorf("%d columns: %s", n, line)
			}
			lines = append(lines, line)
		}
		if note := "waits for #101"; !strings.Contains(got.out, note) {
			t.Errorf("%q is cut away at %d columns:\n%s", note, width, got.out)
		}
	}
	if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "…") }) {
		t.Error("nothing was cut")
	}
}

// TestF15_StatusIsOneScreen checks that a project with much to say of everything fits on a terminal of 80 by 24.
func TestF15_StatusIsOneScreen(t *testing.T) {
	t.Parallel()
	held := &workspace.Claim{By: "agent-1@desk", Until: "2026-03-14T12:30:00Z", Fence: 1}
	for _, width := range [...]int{80, 120} {
		got := terminal(width).play(t, canned{answer: crowdedStatus(held)}, "status")
		lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
		if len(lines) > 23 {
			t.Errorf("%d lines:\n%s", len(lines), got.out)
		}
		for _, line := range lines {
			if n := displaywidth.String(line); n > width {
				t.Errorf("%d columns: %s", n, line)
			}
		}
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "Next: ") {
			t.Errorf("the last line is %q", last)
		}
	}
}
