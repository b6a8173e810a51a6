package project

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"baton/internal/agentsession"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// guardWorld returns a project with several layouts and one task.
func guardWorld(t *testing.T, folders ...string) *world {
	t.Helper()
	w := newWorld(t)
	for _, dir := range folders {
		w.mkdir(dir)
	}
	return w
}

// deny returns the guard's answer to one write of an agent's tool.
func (w *world) deny(edits ...agentsession.FileEdit) string {
	w.t.Helper()
	return w.answer(agentsession.Event{
		Client: "claude", Event: agentsession.PreTool, Session: "s-1", Calls: []agentsession.ToolCall{{Tool: "Edit", Edits: edits}},
	}).Deny
}

// answer returns the answer to one event, as if in a new process.
func (w *world) answer(e agentsession.Event) agentsession.Answer {
	w.t.Helper()
	p := w.open(workspace.Options{Session: e.Session})
	defer p.Close()
	got, err := p.Agents.Agent(context.Background(), e)
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

func text(s string) *string { return &s }

// TestGuardNamesTheCommandForEveryProtectedFile checks that in every layout, edits of files that only baton writes are
// refused with the command to use (agents.md 2.3), and that edits of other files are not.
func TestGuardNamesTheCommandForEveryProtectedFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		folders []string
		path    string
		want    string // part of the denial, "" for none
	}{
		{[]string{".baton/tasks"}, ".baton/archive/task-1-archive.md", "baton task log 1"},
		{[]string{".baton/tasks"}, ".baton/archive/task-1-evidence.jsonl", "baton task check 1 CRITERION --evidence"},
		{[]string{".baton/tasks"}, ".baton/archive/notes.md", ""},
		{[]string{".baton/tasks"}, ".baton/local/claims.json", "baton status"},
		{[]string{".baton/tasks"}, ".baton/local/agents/x/y.json", "baton status"},
		{[]string{".baton/tasks"}, ".baton/config.yaml", ""},
		{[]string{".baton/tasks"}, ".baton/memory/notes.md", ""},
		{[]string{".baton/tasks"}, ".baton/tasks/task-1-archive.md", ""},
		{[]string{".baton/tasks"}, ".baton/STATE.md", ""},
		{[]string{".baton/tasks"}, ".baton/DECISIONS_ARCHIVE.md", "baton decision add"},
		{[]string{".baton/tasks"}, ".baton/STATE-ARCHIVE.md", "baton blocker resolve"},
		{[]string{".baton/tasks"}, "docs/DECISIONS_ARCHIVE.md", ""},
		{[]string{".baton/tasks"}, "src/task-1-archive.md", ""},
		{[]string{".specflux/task-states"}, ".specflux/archives/task-7-archive.md", "baton task archive 7"},
		{[]string{".specflux/task-states"}, ".specflux/archives/task-7-evidence.jsonl", "baton task check 7"},
		{[]string{".specflux/task-states"}, ".specflux/worktrees/task-7/.specflux/archives/task-7-archive.md", "baton task log 7"},
		{[]string{".specflux/task-states"}, ".specflux/worktrees/task-7/.baton/local/lock", "baton status"},
		{[]string{".specflux/task-states"}, ".specflux/archives/README.md", ""},
		{[]string{".planning"}, ".planning/DECISIONS_ARCHIVE.md", "baton decision rotate"},
		{[]string{".planning"}, ".planning/workstreams/api/STATE-ARCHIVE.md", "baton state rotate"},
		{[]string{".planning"}, ".planning/STATE.md", ""},
		{[]string{".planning"}, ".planning/phases/01-x/01-01-PLAN.md", ""},
		{[]string{".specflow"}, ".specflow/DECISIONS_ARCHIVE.md", "baton decision list --all"},
		{[]string{".specflow"}, ".specflow/STATE-ARCHIVE.md", ""},
		{[]string{".specflow"}, ".specflow/specs/DECISIONS_ARCHIVE.md", ""},
		{[]string{".devt/state"}, ".devt/state/workflow.yaml", "baton dir update"},
		{[]string{".devt/state"}, ".devt/state/.lock", "baton dir unlock"},
		{[]string{".devt/state"}, ".devt/state/.archive/cleanup-1/plan.md", "baton dir restore"},
		{[]string{".devt/state"}, ".devt/state/.instances/w1.json", "baton dir begin"},
		{[]string{".devt/state"}, ".devt/state/plan.md", ""},
		{[]string{".devt/state"}, ".devt/state/scratchpad.md", ""},
		{[]string{".devt/state"}, ".devt/state/Plan.txt", ".devt/state/plan.md"},
		{[]string{".devt/state"}, ".devt/state/my-random-thoughts-of-today.md", "baton dir contract"},
		{[]string{".devt/state"}, ".devt/state/somewhere/x.md", "baton dir contract"},
		{[]string{".devt/state", ".devt/state/mine"}, ".devt/state/mine/x.md", ""},
		{[]string{".devt/state", ".devt/state/w1/.archive"}, ".devt/state/w1/x-y-z.md", "baton dir contract"},
		{[]string{".devt/state", ".devt/state/w1/.archive"}, ".devt/state/w1/plan.md", ""},
		{[]string{".devt/state", ".devt/state/w1/.archive"}, ".devt/state/w1/workflow.yaml", "baton dir update"},
		{[]string{".devt/state"}, ".devt/config.json", ""},
		{[]string{".baton/work"}, ".baton/work/workflow.yaml", "baton dir update"},
		{[]string{".baton/work"}, ".baton/work/Notes of mine.md", "baton dir contract"},
		{[]string{".baton/tasks"}, ".baton/work/odd name.md", "baton dir contract"},
		{[]string{"src"}, ".baton/local/claims.json", ""}, // no project
	} {
		w := guardWorld(t, c.folders...)
		for _, edit := range []agentsession.FileEdit{
			{Path: w.path(c.path), Content: text("x\n")},
			{Path: c.path, Old: "a", New: "b"},
			{Path: "./src/../" + c.path, Removed: []string{"a"}, Added: []string{"b"}},
		} {
			got := w.deny(edit)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%v %s: %q, want %q", c.folders, edit.Path, got, c.want)
			}
			if utf8.RuneCountInString(got) > 600 || strings.Contains(got, "\n") {
				t.Errorf("%s: a reason of %d characters: %q", c.path, utf8.RuneCountInString(got), got)
			}
		}
	}
}

// TestGuardProtectsTheKeysThatCommandsWrite checks that prose, check boxes and dependencies of a task file may be
// edited, but keys that commands maintain may not.
func TestGuardProtectsTheKeysThatCommandsWrite(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	w.create(tasks.NewTask{Title: "Sign tokens", Requirements: "Sign them.", Criteria: nil})
	const name = ".baton/tasks/task-1-state.md"
	body := w.read(name)
	edit := func(old, put string) agentsession.FileEdit {
		return agentsession.FileEdit{Path: name, Old: old, New: put}
	}
	whole := func(old, put string) agentsession.FileEdit {
		return agentsession.FileEdit{Path: w.path(name), Content: text(strings.Replace(body, old, put, 1))}
	}
	patch := func(removed, added string) agentsession.FileEdit {
		return agentsession.FileEdit{Path: name, Removed: strings.Split(removed, "\n"), Added: strings.Split(added, "\n")}
	}
	status := `"status": "ready"`
	if !strings.Contains(body, status) {
		t.Fatalf("a new task has no %s:\n%s", status, body)
	}
	for _, c := range []struct {
		name string
		edit agentsession.FileEdit
		want string
	}{
		{"prose", edit("Sign them.", "Sign them all."), ""},
		{"whole file, prose", whole("Sign them.", "Sign them all."), ""},
		{"whole file, the same", whole("", ""), ""},
		{"what is not there", edit("not in the file", "x"), ""},
		{"done", edit(status, `"status": "complete"`), "baton task complete 1"},
		{"blocked", whole(status, `"status": "blocked"`), "baton task block 1"},
		{"in progress", edit(status, `"status": "in_progress"`), "baton session start 1"},
		{"odd word", edit(status, `"status": "whatever"`), "`status`"},
		{"counts", edit(`"total_sessions": 0`, `"total_sessions": 3`), "baton task log 1"},
		{"block gone", whole("```json", "```text"), "metadata block"},
		{"block broken", edit(status, `"status": ready"`), "metadata block"},
		{"everything gone", agentsession.FileEdit{Path: name, Content: text("")}, "metadata block"},
		{"not UTF-8", agentsession.FileEdit{Path: name, Content: text("\xff\xfe\x00")}, "metadata block"},
		{"large", agentsession.FileEdit{Path: name, Content: text(strings.Repeat("All new.\n", 5<<20/9))}, "metadata block"},
		{"large prose", agentsession.FileEdit{Path: name, Content: text(body + strings.Repeat("More.\n", 5<<20/6))}, ""},
		{"larger than anybody looks at", agentsession.FileEdit{Path: name, Old: "e", New: strings.Repeat("e", 1<<20), All: true}, ""},
		{"every occurrence", agentsession.FileEdit{Path: name, Old: "ready", New: "complete", All: true}, "baton task complete 1"},
		{"file gone", agentsession.FileEdit{Path: name, Delete: true}, "baton task cancel 1"},
		{"own key", edit(status, status+`, "jira": "X-1"`), ""},
		{"dependencies", edit(status, status+`, "dependencies": [2]`), "baton task edit 1 --after ID"},
		{"patch, prose", patch("Sign them.", "Sign them all."), ""},
		{"patch, status", patch("  "+status+",", `  "status": "complete",`), "baton task complete 1"},
		{"patch, status among others", patch("  "+status+",\nSign them.", "  \"status\": \"complete\",\nx"), "`status`"},
		{"patch, nothing of it there", patch("nothing", "  \"status\": \"complete\""), ""},
		{"another task", agentsession.FileEdit{Path: ".baton/tasks/task-9-state.md", Content: text("# new\n")}, ""},
		{"Windows style", agentsession.FileEdit{
			Path: `.baton\tasks\task-1-state.md`, Old: status, New: `"status": "complete"`,
		}, "baton task complete"},
		{"nothing", agentsession.FileEdit{Path: ""}, ""},
		{"NUL", agentsession.FileEdit{Path: "a\x00b", Content: text("")}, ""},
		{"long", agentsession.FileEdit{Path: strings.Repeat("a/", 4000), Content: text("")}, ""},
	} {
		got := w.deny(c.edit)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := w.deny(edit("Sign them.", "Sign."), edit("Sign.", "x"), edit(status, `"status": "complete"`)); got == "" {
		t.Error("the last of several edits was not looked at")
	}
	w.write(name, strings.ReplaceAll(body, "\n", "\r\n"))
	if got := w.deny(edit(status+",\n", "\"status\": \"complete\",\n")); got == "" {
		t.Error("an edit of a file with CRLF was not understood")
	}
	w.write(name, strings.Replace(body, status, `"status": "ready`, 1))
	if got := w.deny(edit(`"status": "ready`, status)); got != "" {
		t.Errorf("broken metadata may not be repaired: %q", got)
	}
}

// TestGuardKeepsTheListOfFeatures checks that an edit can neither let a feature pass, which needs its command, nor
// remove one (agents.md 10).
func TestGuardKeepsTheListOfFeatures(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	const name = ".baton/tasks/task-1-state.md"
	w.write(name, "# Task 1: Tokens - State\n\n## 3. Feature Checklist\n\n```json\n{\n  \"features\": [\n"+
		"    {\n      \"id\": \"a-1\",\n      \"description\": \"Sign\",\n      \"passes\": false\n    },\n"+
		"    {\n      \"id\": \"a-2\",\n      \"description\": \"Verify\",\n      \"passes\": true\n    }\n  ]\n}\n```\n\n"+
		"## 4. Progress Log\n\n")
	for _, c := range []struct {
		name string
		edit agentsession.FileEdit
		want bool
	}{
		{"passes", agentsession.FileEdit{Path: name, Old: `"passes": false`, New: `"passes": true`}, true},
		{"gone", agentsession.FileEdit{Path: name, Old: `"id": "a-1"`, New: `"id": "b-1"`}, true},
		{"unreadable", agentsession.FileEdit{Path: name, Old: `"features": [`, New: `"features": `}, true},
		{"patch", agentsession.FileEdit{
			Path: name, Removed: []string{`      "passes": false`}, Added: []string{`      "passes": true`},
		}, true},
		{"words", agentsession.FileEdit{Path: name, Old: `"Sign"`, New: `"Sign a token"`}, false},
		{"one more", agentsession.FileEdit{
			Path: name, Old: `"features": [`, New: `"features": [{"id": "a-0", "description": "x", "passes": false},`,
		}, false},
	} {
		if got := w.deny(c.edit); (got != "") != c.want || c.want && !strings.Contains(got, "baton task check 1") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestGuardFollowsLinks checks that the guard recognises a protected file both by the path that is named and by the
// target of links, and ignores targets outside the project.
func TestGuardFollowsLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows makes symbolic links only for who has the right: run this test on another system")
	}
	w := guardWorld(t, ".baton/tasks", ".baton/local", "src", "elsewhere/archive")
	outside := t.TempDir()
	link := func(to, from string) {
		t.Helper()
		if err := os.Symlink(to, w.path(from)); err != nil {
			t.Fatal(err)
		}
	}
	link(".baton/local", "runtime")
	link(w.path(".baton/local/new.json"), "src/dangling")
	link(filepath.Join("..", "elsewhere", "archive"), ".baton/archive")
	link(outside, "out")
	link("loop", "loop")
	other := filepath.Join(t.TempDir(), "twin")
	if err := os.Symlink(w.dir, other); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"runtime/claims.json": true, "src/dangling": true, ".baton/archive/task-1-archive.md": true, "elsewhere/archive/notes.md": false,
		other + "/.baton/local/x": true, other + "/.baton/archive/task-1-evidence.jsonl": true, other + "/src/a.go": false,
		"out/.baton/local/x": false, outside + "/.baton/local/x": false, "loop/x": false, "../../../../../../etc/passwd": false,
		"C:/proj/.baton/local/x": false, `C:\proj\.baton\local\x`: false, `.baton\local\x`: true,
		`src\..\.baton\archive\task-1-archive.md`: true,
	} {
		if got := w.deny(agentsession.FileEdit{Path: path, Content: text("x")}); (got != "") != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// TestGuardRefusesEveryTime checks that repeated events are refused again (agents.md 2.6), that nothing is written, and
// that the setting turns the guard off and on.
func TestGuardRefusesEveryTime(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	w.create(tasks.NewTask{Title: "One"})
	e := agentsession.Event{
		Client: "claude", Event: agentsession.PreTool, Session: "s-1", Key: "toolu_1",
		Calls: []agentsession.ToolCall{
			{Tool: "Write", Edits: []agentsession.FileEdit{{Path: ".baton/local/<system-reminder>`x`\n", Content: text("")}}},
		},
	}
	before := w.files()
	first, second := w.answer(e), w.answer(e)
	if first.Deny == "" || first != second {
		t.Errorf("first %+v, second %+v", first, second)
	}
	if strings.Contains(first.Deny, "<system") || strings.Contains(first.Deny, "`x`") {
		t.Errorf("a hostile name came through: %q", first.Deny)
	}
	if len(w.files()) != len(before) {
		t.Error("asking wrote something")
	}
	w.write(".baton/config.yaml", "hooks:\n  guard: off\n")
	if got := w.answer(e); got.Deny != "" {
		t.Errorf("switched off, and still %q", got.Deny)
	}
	w.write(".baton/config.yaml", "hooks:\n  guard: on\n")
	if got := w.answer(e); got.Deny == "" {
		t.Error("switched on, and nothing was said")
	}
}

// TestGuardOpensOnlyWhatIsNamed checks that the guard opens the task file that is about to be written, and no file for
// other writes, however many tasks there are.
func TestGuardOpensOnlyWhatIsNamed(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks", ".devt/state")
	for range 12 {
		w.create(tasks.NewTask{Title: "One of many"})
	}
	for _, c := range []struct {
		edit agentsession.FileEdit
		most int64
	}{
		{agentsession.FileEdit{Path: "src/main.go", Content: text("x")}, 0},
		{agentsession.FileEdit{Path: ".baton/local/lock", Content: text("x")}, 0},
		{agentsession.FileEdit{Path: ".baton/archive/task-3-archive.md", Content: text("x")}, 0},
		{agentsession.FileEdit{Path: ".baton/tasks/task-3-state.md", Old: "One of many", New: "x"}, 1},
		// the project's own contract, if there is one
		{agentsession.FileEdit{Path: ".devt/state/odd-name-here.txt", Content: text("x")}, 1},
	} {
		p := w.open(workspace.Options{Session: "s-1"})
		if _, err := p.Agents.AgentPreTool(context.Background(), agentsession.Event{
			Event: agentsession.PreTool, Session: "s-1", Calls: []agentsession.ToolCall{{Edits: []agentsession.FileEdit{c.edit}}},
		}); err != nil {
			t.Fatal(err)
		}
		if got := p.Store.Counters().Opens.Load() + p.Shared.Counters().Opens.Load(); got > c.most {
			t.Errorf("%s: %d files opened, want %d", c.edit.Path, got, c.most)
		}
	}
}
