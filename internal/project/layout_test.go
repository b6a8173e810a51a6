package project

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// plain returns the text of a small task file.
func plain(id task.ID, title string, after ...task.ID) string {
	return string(create.New(create.Request{
		ID: id, Title: title, Repository: "demo", Requirements: "Do it.", Dependencies: after,
		Criteria: []create.Criterion{{Text: "Done"}},
	}))
}

func TestD28_WhereLookingUpwardEnds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		make []string // folders; names that end in .md are files
		home string
		dir  string
		root string
		none bool
	}{
		{name: "here", make: []string{"a/.baton/tasks"}, dir: "a", root: "a"},
		{name: "above", make: []string{"a/.baton/tasks", "a/b/c"}, dir: "a/b/c", root: "a"},
		{name: "nearest first", make: []string{"a/.baton/tasks", "a/b/.specflux"}, dir: "a/b", root: "a/b"},
		{name: "the folder with .git is looked at", make: []string{"a/.baton/tasks", "a/.git", "a/b"}, dir: "a/b", root: "a"},
		{name: "nothing above .git", make: []string{"a/.baton/tasks", "a/b/.git", "a/b/c"}, dir: "a/b/c", root: "a/b", none: true},
		{name: "a .git file counts", make: []string{"a/.baton/tasks", "a/b/.git.md", "a/b/c"}, dir: "a/b/c", root: "a/b", none: true},
		{name: "home itself is not looked at", make: []string{".baton/tasks", "a/b"}, home: ".", dir: "a/b", root: "a/b", none: true},
		{name: "home with .git is", make: []string{".baton/tasks", ".git", "a/b"}, home: ".", dir: "a/b", root: "."},
		{name: "home when one is in it", make: []string{".baton/tasks"}, home: ".", dir: ".", root: "."},
		{name: "nothing but git", make: []string{".git", "a"}, dir: "a", root: ".", none: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for _, name := range tt.make {
				if file, ok := strings.CutSuffix(name, ".md"); ok {
					w.write(file, "gitdir: /nowhere\n")
					continue
				}
				w.mkdir(name)
			}
			if tt.home != "" {
				w.env["HOME"] = w.path(tt.home)
			}
			p := w.open(workspace.Options{Dir: tt.dir})
			if want := filepath.Clean(w.path(tt.root)); p.Root != want {
				t.Errorf("root %s, want %s", p.Root, want)
			}
			if p.Found == tt.none {
				t.Errorf("found %v", p.Found)
			}
		})
	}
}

func TestD28_DirAndRootComeBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	w.mkdir("other/.baton/tasks")
	w.mkdir("third/.baton/tasks")
	w.mkdir("third/deep")
	w.env["BATON_ROOT"] = "other"
	if p := w.open(workspace.Options{}); p.Root != w.path("other") {
		t.Errorf("BATON_ROOT: root %s", p.Root)
	}
	if p := w.open(workspace.Options{Dir: "third/deep"}); p.Root != w.path("third") {
		t.Errorf("-C: root %s", p.Root)
	}
	w.env["BATON_ROOT"] = w.path("third/deep")
	if p := w.open(workspace.Options{}); p.Root != w.path("third/deep") || p.Found {
		t.Errorf("BATON_ROOT is the root and no place to begin: root %s, found %v", p.Root, p.Found)
	}
	_, err := w.tryOpen(workspace.Options{Dir: "nowhere"})
	wantError(t, err, report.NotFound, "no_folder")
}

func TestD2_RuntimeAndConfigurationAreNoLayout(t *testing.T) {
	t.Parallel()
	for name, layout := range map[string]bool{
		".baton/local/lock": false, ".baton/config.yaml": false, ".baton/contract.yaml": false, ".baton/protocol.md": false,
		".baton/memory/x": false, ".baton/STATE.md": true, ".baton/tasks/x": true, ".baton/work/x": true,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(name, "")
			if p := w.as("agent-1"); p.Found != layout {
				t.Errorf("layout found: %v, want %v", p.Found, layout)
			}
		})
	}
}

func TestWithoutAProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	p := w.as("agent-1")
	calls := map[string]func() error{
		"list":    func() error { _, err := p.Tasks.List(ctx, tasks.ListRequest{}); return err },
		"ready":   func() error { _, err := p.Tasks.Ready(ctx); return err },
		"graph":   func() error { _, err := p.Tasks.Graph(ctx); return err },
		"show":    func() error { _, err := p.Tasks.Show(ctx, tasks.ShowRequest{ID: "1"}); return err },
		"claim":   func() error { _, err := p.Tasks.Claim(ctx, tasks.ClaimRequest{Next: true}); return err },
		"release": func() error { _, err := p.Tasks.Release(ctx, tasks.TaskRequest{ID: "1"}); return err },
	}
	for name, call := range calls {
		e := wantError(t, call(), report.NotFound, "no_project")
		if !strings.Contains(e.Hint, "baton init") {
			t.Errorf("%s: hint %q", name, e.Hint)
		}
	}
	if _, err := p.Sessions.Status(ctx); report.CodeOf(err) != report.CodeNoProject {
		t.Errorf("status: %v", err)
	}
	if c, err := p.Config(ctx); err != nil || c.Path != "" || len(c.Settings) == 0 {
		t.Errorf("config %+v, %v", c, err)
	}
	if len(w.files()) != 0 {
		t.Errorf("reads made files: %v", w.files())
	}
}

func TestD16_WhereNewTasksGo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		make  []string
		conf  string
		o     workspace.Options
		want  string
		code  report.Code
		given string
	}{
		{name: "nothing there", want: ".baton/tasks"},
		{name: "specflux only", make: []string{".specflux"}, want: ".specflux/task-states"},
		{name: "older folders only", make: []string{"devflow/task-states"}, want: "devflow/task-states"},
		{name: "a digest of baton does not compete", make: []string{".specflux", ".baton/STATE.md"}, want: ".specflux/task-states"},
		{name: "two", make: []string{".specflux", ".baton/tasks"}, code: "layout_ambiguous"},
		{name: "two, named", make: []string{
			".specflux", ".baton/tasks",
		}, o: workspace.Options{Layout: "specflux"}, want: ".specflux/task-states"},
		{name: "two, configured", make: []string{".specflux", ".baton/tasks"}, conf: "layout:\n  tasks: baton\n", want: ".baton/tasks"},
		{name: "named one that is not there", make: []string{".specflux"}, o: workspace.Options{Layout: "baton"}, want: ".baton/tasks"},
		{name: "given", make: []string{".specflux", ".baton/tasks", ".git"}, o: workspace.Options{TasksDir: "my/tasks"}, want: "my/tasks"},
		{name: "given by the environment", make: []string{".git"}, given: "my/tasks", want: "my/tasks"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for _, name := range tt.make {
				w.mkdir(name)
			}
			if tt.conf != "" {
				w.write(config.Name, tt.conf)
			}
			if tt.given != "" {
				w.env["BATON_TASKS_DIR"] = tt.given
			}
			out, err := w.open(tt.o).Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Here"}}})
			if tt.code != "" {
				wantError(t, err, report.Usage, tt.code)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := tt.want + "/task-1-state.md"; out.Tasks[0].Path != want {
				t.Errorf("path %s, want %s", out.Tasks[0].Path, want)
			}
			if _, err := os.Stat(w.path(out.Tasks[0].Path)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestD16_ReadsShowBothLayouts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
	w.write(".specflux/task-states/task-2-state.md", plain("2", "Two"))
	w.write("orchestrator/devflow/task-states/task-3-state.md", plain("3", "Three"))
	w.write(".specflux/worktrees/task-4/.specflux/task-states/task-4-state.md", plain("4", "Four"))
	list, err := w.as("agent-1").Tasks.List(context.Background(), tasks.ListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, row := range list.Tasks {
		paths = append(paths, row.Path)
	}
	want := []string{
		".baton/tasks/task-1-state.md", ".specflux/task-states/task-2-state.md",
		"orchestrator/devflow/task-states/task-3-state.md", ".specflux/worktrees/task-4/.specflux/task-states/task-4-state.md",
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
	if d := w.show("4"); d.Title != "Four" {
		t.Errorf("title %q", d.Title)
	}
	one, err := w.open(workspace.Options{Layout: "specflux"}).Tasks.List(context.Background(), tasks.ListRequest{})
	if err != nil || len(one.Tasks) != 3 { // the older folders are SpecFlux's, too (F-68)
		t.Errorf("--layout shows %d tasks, %v", len(one.Tasks), err)
	}
}

func TestTS55_SecondCopyIsAFinding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/tasks/task-1-state.md", plain("1", "First"))
	w.write(".specflux/task-states/task-1-state.md", plain("1", "Second"))
	d := w.show("1")
	if d.Title != "First" || !hasCode(d.Warnings, "duplicate_task_file") {
		t.Errorf("title %q, warnings %+v", d.Title, d.Warnings)
	}
	list, err := w.as("agent-1").Tasks.List(context.Background(), tasks.ListRequest{})
	if err != nil || len(list.Tasks) != 1 || !hasCode(list.Warnings, "duplicate_task_file") {
		t.Errorf("list %+v, %v", list, err)
	}
	if _, err := w.as("agent-1").Tasks.Claim(context.Background(), tasks.ClaimRequest{ID: "1"}); err != nil {
		t.Fatal(err)
	}
	if w.read(".specflux/task-states/task-1-state.md") != plain("1", "Second") {
		t.Error("the second copy was written")
	}
}

func TestTasksDirMakesItsOwnRoot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("here/.git")
	w.write("far/.specflux/task-states/task-8-state.md", plain("8", "Far away"))
	p := w.open(workspace.Options{Dir: "here", TasksDir: "far/.specflux/task-states"})
	if p.Root != w.path("far") {
		t.Errorf("root %s", p.Root)
	}
	list, err := p.Tasks.List(context.Background(), tasks.ListRequest{})
	if err != nil || len(list.Tasks) != 1 || list.Tasks[0].Path != ".specflux/task-states/task-8-state.md" {
		t.Errorf("list %+v, %v", list, err)
	}
	w.write("file", "")
	_, err = w.tryOpen(workspace.Options{TasksDir: "file"})
	wantError(t, err, report.Usage, "tasks_dir_invalid")
}

func TestD2_RootIsTheRealPath(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("true/.baton/tasks/task-1-state.md", plain("1", "One"))
	if err := os.Symlink(w.path("true"), w.path("link")); err != nil {
		t.Skipf("not possible on this system: %v", err)
	}
	w.mkdir("user")
	if err := os.Symlink(w.path("true/.baton"), w.path("user/.baton")); err != nil {
		t.Fatal(err)
	}
	p := w.open(workspace.Options{Dir: "user"})
	if p.Root != w.path("user") {
		t.Errorf("root %s without approval", p.Root)
	}
	if _, err := p.Approve(t.Context(), p.WideSettings()); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"link", "user"} {
		if p := w.open(workspace.Options{Dir: dir}); p.Root != w.path("true") {
			t.Errorf("%s: root %s", dir, p.Root)
		}
	}
}

func TestD36_LinkOutsideIsReadAndNotWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("in/.baton/tasks")
	w.write("out/task-1-state.md", plain("1", "Outside"))
	if err := os.Symlink(w.path("out/task-1-state.md"), w.path("in/.baton/tasks/task-1-state.md")); err != nil {
		t.Skipf("not possible on this system: %v", err)
	}
	ctx := context.Background()
	d, err := w.open(workspace.Options{Dir: "in"}).Tasks.Show(ctx, tasks.ShowRequest{ID: "1"})
	if err != nil || d.Title != "Outside" || !hasCode(d.Warnings, "outside") {
		t.Errorf("shown %+v, %v", d, err)
	}
	_, err = w.open(workspace.Options{Dir: "in"}).Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"})
	wantError(t, err, report.Violation, "path_outside")
	if w.read("out/task-1-state.md") != plain("1", "Outside") {
		t.Error("the file outside was written")
	}
	w.write("in/.baton/config.yaml", "paths:\n  allow: ["+w.path("out")+"]\n")
	w.env["HOME"] = w.path("home")
	p := w.open(workspace.Options{Dir: "in"})
	_, err = p.Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"})
	wantError(t, err, report.Violation, "not_trusted")
	if _, err := p.Approve(ctx, p.WideSettings()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"}); err != nil {
		t.Error(err)
	}
	if !strings.Contains(w.read("out/task-1-state.md"), "in_progress") {
		t.Error("the allowed file was not written")
	}
}

func TestD2_Init(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	p := w.as("agent-1")
	out, err := p.Setup.Init(ctx, setup.InitRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".baton/tasks", ".baton/archive", ".baton/STATE.md"}, out.Created); diff != "" || out.Layout != "baton" ||
		len(out.Found) != 0 {
		t.Errorf("init %+v\n%s", out, diff)
	}
	if list, err := p.Tasks.List(ctx, tasks.ListRequest{}); err != nil || len(list.Tasks) != 0 {
		t.Errorf("the project that was made: %+v, %v", list, err)
	}
	before := w.files()
	again, err := w.as("agent-1").Setup.Init(ctx, setup.InitRequest{})
	if err != nil || len(again.Created) != 0 || !cmp.Equal(again.Found, []string{"baton"}) {
		t.Errorf("again %+v, %v", again, err)
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("a second init changed something: %s", diff)
	}
	second, err := w.as("agent-1").Setup.Init(ctx, setup.InitRequest{Layout: "specflux"})
	if err != nil || second.Layout != "specflux" ||
		!cmp.Equal(second.Created, []string{".specflux/task-states", ".specflux/archives", config.Name}) {
		t.Errorf("second layout %+v, %v", second, err)
	}
	if got := w.create(tasks.NewTask{Title: "Chosen"}); w.show(got).Path != ".specflux/task-states/task-1-state.md" {
		t.Errorf("the choice is not kept: %s", w.show(got).Path)
	}
	_, err = w.as("agent-1").Setup.Init(ctx, setup.InitRequest{Layout: "devnull"})
	wantError(t, err, report.Usage, "layout_unknown")
}

func TestD16_InitKeepsTheConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := "# ours\ntasks:\n  lease: 45m # long\nlayout:\n  digest: baton\n"
	w.write(config.Name, text)
	if _, err := w.as("agent-1").Setup.Init(context.Background(), setup.InitRequest{Layout: "specflux"}); err != nil {
		t.Fatal(err)
	}
	got := w.read(config.Name)
	for _, keep := range []string{"# ours\n", "  lease: 45m # long\n", "  digest: baton\n", "  tasks: specflux\n"} {
		if !strings.Contains(got, keep) {
			t.Errorf("%q is missing in\n%s", keep, got)
		}
	}
}

func TestInitNamesWhatItFound(t *testing.T) {
	t.Parallel()
	tests := []struct {
		make    []string
		want    string
		created int // baton's own layout gets a digest, and others are left alone
	}{
		{
			[]string{".specflux"}, "specflux", 0,
		}, {[]string{".baton/tasks", ".specflux"}, "baton", 0}, {[]string{".baton/STATE.md.d", ".baton/work"}, "baton", 1},
	}
	for _, tt := range tests {
		w := newWorld(t)
		for _, name := range tt.make {
			w.mkdir(name)
		}
		got, err := w.as("agent-1").Setup.Init(context.Background(), setup.InitRequest{})
		if err != nil || got.Layout != tt.want || len(got.Created) != tt.created || len(w.tracked()) != tt.created {
			t.Errorf("%v: %+v, %v", tt.make, got, err)
		}
	}
}

func TestConfigurationThatIsAFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(config.Name)
	_, err := w.as("agent-1").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "x"}}})
	e := wantError(t, err, report.Refused, "config_unreadable")
	if strings.Contains(e.Message, w.dir) || e.Hint == "" {
		t.Errorf("message %q", e.Message)
	}
}
