package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/project"
)

// one is a request for one new task.
func one(t project.NewTask) project.NewRequest {
	return project.NewRequest{Tasks: []project.NewTask{t}}
}

func TestArgumentsBecomeRequests(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		args []string
		want any
	}{
		{"init", []string{"init"}, project.InitRequest{}},
		{"init layout", []string{"init", "--layout", "specflux"}, project.InitRequest{Layout: "specflux"}},
		{"new", []string{"task", "new", "JWT service"}, one(project.NewTask{Title: "JWT service"})},
		{
			"new with everything",
			[]string{
				"task", "new", "T", "--id", "7", "--epic", "E (#10)", "--repo", "api", "--prd", "p.md", "--agent", "a", "--after", "1",
				"--after", "2,3", "--requirements", "do it", "--accept", "A, b", "--accept", "C", "--dialect", "v1",
			},
			one(project.NewTask{
				ID: "7", Title: "T", Epic: "E (#10)", Repository: "api", PRD: "p.md", Agent: "a", After: []string{"1", "2", "3"},
				Requirements: "do it", Criteria: []project.NewCriterion{{Text: "A, b"}, {Text: "C"}}, Dialect: "v1",
			}),
		},
		{"list", []string{"task", "list", "--status", "done", "--epic", "10"}, project.ListRequest{Status: "done", Epic: "10"}},
		{"ready", []string{"task", "ready"}, "ready"},
		{
			"show",
			[]string{"task", "show", "101", "--section", "context", "--deps", "--all", "--commits"},
			project.ShowRequest{ID: "101", Section: "context", Deps: true, All: true, Commits: true},
		},
		{"claim", []string{"task", "claim", "101", "--lease", "1h", "--force"}, project.ClaimRequest{ID: "101", Lease: time.Hour, Force: true}},
		{"claim next", []string{"task", "claim", "--next"}, project.ClaimRequest{Next: true}},
		{"steal", []string{"task", "claim", "101", "--steal", "--reason", "gone"}, project.ClaimRequest{ID: "101", Steal: true, Reason: "gone"}},
		{"release", []string{"task", "release", "101"}, project.TaskRequest{ID: "101"}},
		{"block", []string{"task", "block", "101", "--reason", "R"}, project.TaskRequest{ID: "101", Reason: "R"}},
		{"reopen", []string{"task", "reopen", "101"}, project.TaskRequest{ID: "101"}},
		{"session start", []string{"session", "start", "101", "--lease", "5m", "--force"}, project.SessionStartRequest{ID: "101", Lease: 5 * time.Minute, Force: true}},
		{"session end", []string{"session", "end", "101", "--no-log"}, project.SessionEndRequest{Name: "101", NoLog: true}},
		{
			"log",
			[]string{"task", "log", "101", "--did", "a, b", "--did", "c", "--issues", "i", "--state", "s", "--next", "n", "--commit", "3f2c1aa", "--commit", "77aa001 Sign tokens"},
			project.LogRequest{ID: "101", Entry: project.Entry{
				Did: []string{"a, b", "c"}, Issues: []string{"i"}, State: []string{"s"}, Next: []string{"n"},
				Commits: []project.Commit{{Hash: "3f2c1aa"}, {Hash: "77aa001", Subject: "Sign tokens"}},
			}},
		},
		{"check", []string{"task", "check", "101", "2"}, project.CheckRequest{ID: "101", Selector: "2"}},
		{
			"check run",
			[]string{"task", "check", "101", "2", "--run", "go test", "--timeout", "1m", "--by", "index"},
			project.CheckRequest{ID: "101", Selector: "2", Run: "go test", Timeout: time.Minute, By: "index"},
		},
		{"check word", []string{"task", "check", "101", "A b", "--evidence", "seen"}, project.CheckRequest{ID: "101", Selector: "A b", Evidence: "seen"}},
		{"uncheck", []string{"task", "uncheck", "101", "2", "--by", "text"}, project.CheckRequest{ID: "101", Selector: "2", By: "text", Uncheck: true}},
		{"output", []string{"task", "output", "101"}, project.OutputRequest{ID: "101"}},
		{
			"output parts",
			[]string{"task", "output", "101", "--summary", "S", "--set", "api=a=b", "--set", "Notes=N"},
			project.OutputRequest{ID: "101", Write: true, Set: map[project.Part]string{"summary": "S", "api": "a=b", "notes": "N"}},
		},
		{"complete", []string{"task", "complete", "101"}, project.TaskRequest{ID: "101"}},
		{"complete forced", []string{"task", "complete", "101", "--force", "--reason", "R"}, project.TaskRequest{ID: "101", Force: true, Reason: "R"}},
		{"archive", []string{"task", "archive", "101"}, project.ArchiveRequest{ID: "101", Keep: -1}},
		{"archive keep", []string{"task", "archive", "101", "--keep", "0"}, project.ArchiveRequest{ID: "101"}},
		{"archive show", []string{"task", "archive", "101", "--show", "2-4"}, project.ArchiveRequest{ID: "101", Keep: -1, Show: "2-4"}},
		{"archive rebuild", []string{"task", "archive", "101", "--rebuild-summary"}, project.ArchiveRequest{ID: "101", Keep: -1, RebuildSummary: true}},
		{"split", []string{"task", "split", "101", "--apply"}, project.SplitRequest{ID: "101", Apply: true}},
		{"split dismiss", []string{"task", "split", "101", "--dismiss"}, project.SplitRequest{ID: "101", Dismiss: true}},
		{"convert", []string{"task", "convert", "101", "--to", "v1", "--apply"}, project.ConvertRequest{ID: "101", To: "v1", Apply: true}},
		{"import", []string{"task", "import", "testdata/import.md", "--id", "7", "--lenient"}, project.ImportRequest{Name: "import.md", Data: []byte("# Task #7: T\n"), ID: "7", Lenient: true}},
		{"graph", []string{"task", "graph", "--format", "dot"}, "graph"},
		{"status", []string{"status"}, "status"},
		{"config", []string{"config", "list"}, "config"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := &fake{}
			if got := play(t, f, c.args...); got.code != 0 {
				t.Fatalf("exit code %d: %s", got.code, got.errors)
			}
			if diff := cmp.Diff(c.want, f.request); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFlagsOfEveryCommandReachTheProject(t *testing.T) {
	t.Parallel()
	f := &fake{}
	got := play(t, f, "task", "log", "101", "--did", "x", "-C", "sub", "--as", "me", "--layout", "baton", "--tasks-dir", "t", "--json", "--no-color")
	if got.code != 0 {
		t.Fatal(got.errors)
	}
	want := project.Options{Dir: "sub", As: "me", Layout: "baton", TasksDir: "t", Command: "task log"}
	if diff := cmp.Diff(want.Command+want.Dir+want.As+want.Layout+want.TasksDir,
		f.options.Command+f.options.Dir+f.options.As+f.options.Layout+f.options.TasksDir); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

// TestD20_FlagsWinOverTheFile: what is given on the command line replaces that part of the file and nothing else.
func TestD20_FlagsWinOverTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "entry.json", `{"did":["from the file"],"next":["also from the file"]}`)
	write(t, dir, "task.json", `{"title":"From the file","repository":"api","criteria":["One"],"dependencies":[1]}`)

	f := &fake{}
	if got := (setting{dir: dir}).play(t, f, "task", "log", "101", "--file", "entry.json", "--did", "from a flag"); got.code != 0 {
		t.Fatal(got.errors)
	}
	entry := project.Entry{Did: []string{"from a flag"}, Next: []string{"also from the file"}}
	if diff := cmp.Diff(project.LogRequest{ID: "101", Entry: entry}, f.request); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}

	if got := (setting{dir: dir}).play(t, f, "task", "new", "From a flag", "--from", "task.json", "--after", "5"); got.code != 0 {
		t.Fatal(got.errors)
	}
	want := one(project.NewTask{Title: "From a flag", Repository: "api", Criteria: []project.NewCriterion{{Text: "One"}}, After: []string{"5"}})
	if diff := cmp.Diff(want, f.request); diff != "" {
		t.Errorf("new (-want +got):\n%s", diff)
	}
}

func TestD20_AFlagAboutOneTaskDoesNotFitSeveral(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "two.json", `[{"title":"A"},{"title":"B"}]`)
	for _, args := range [][]string{{"--id", "7"}, {"--after", "7"}, {"--accept", "x"}, {"--requirements", "x"}, {"A title"}} {
		f := &fake{}
		got := setting{dir: dir}.play(t, f, append([]string{"task", "new", "--from", "two.json"}, args...)...)
		if got.code != 2 || f.calls != 0 {
			t.Errorf("%v: exit code %d, %d calls", args, got.code, f.calls)
		}
	}
	f := &fake{}
	if got := (setting{dir: dir}).play(t, f, "task", "new", "--from", "two.json", "--repo", "api"); got.code != 0 {
		t.Fatal(got.errors)
	}
	want := project.NewRequest{Tasks: []project.NewTask{{Title: "A", Repository: "api", After: []string{}}, {Title: "B", Repository: "api", After: []string{}}}}
	if diff := cmp.Diff(want, f.request); diff != "" {
		t.Errorf("new (-want +got):\n%s", diff)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
