package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func TestFlagsOfEveryCommandReachTheProject(t *testing.T) {
	t.Parallel()
	var o workspace.Options
	got := play(t, canned{options: &o},
		"task", "log", "101", "--did", "x", "-C", "sub", "--as", "me", "--layout", "baton", "--tasks-dir", "t", "--json", "--no-color")
	if got.code != 0 {
		t.Fatal(got.errors)
	}
	if o.Dir != "sub" || o.As != "me" || o.Layout != "baton" || o.TasksDir != "t" || o.Command != "task log" {
		t.Errorf("options: %+v", o)
	}
}

// details returns a task as --json prints it.
func details(t *testing.T, s setting, id string) tasks.TaskDetail {
	t.Helper()
	got := s.real(t, "task", "show", id, "--all", "--json")
	var detail tasks.TaskDetail
	if err := json.Unmarshal([]byte(got.out), &detail); err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	return detail
}

// TestD20_FlagsWinOverTheFile checks that a flag replaces its part of the file and nothing else.
func TestD20_FlagsWinOverTheFile(t *testing.T) {
	t.Parallel()
	s := setting{dir: taskSite(t)}
	write(t, s.dir, "entry.json", `{"did":["from the file"],"next":["also from the file"]}`)
	write(t, s.dir, "task.json", `{"title":"From the file","repository":"api","criteria":["One"],"dependencies":[7]}`)

	if got := s.real(t, "task", "log", "1", "--file", "entry.json", "--did", "from a flag"); got.code != 0 {
		t.Fatal(got.errors)
	}
	entry := details(t, s, "1").Sessions[0]
	if diff := cmp.Diff([][]string{{"from a flag"}, {"also from the file"}}, [][]string{entry.Did, entry.Next}); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}

	if got := s.real(t, "task", "new", "From a flag", "--from", "task.json", "--after", "1"); got.code != 0 {
		t.Fatal(got.errors)
	}
	task := details(t, s, "2")
	if task.Title != "From a flag" || task.Repository != "api" || len(task.Criteria) != 1 || task.Criteria[0].Text != "One" ||
		len(task.Dependencies) != 1 || task.Dependencies[0] != "1" {
		t.Errorf("new: %+v", task)
	}
}

func TestD20_AFlagAboutOneTaskDoesNotFitSeveral(t *testing.T) {
	t.Parallel()
	s := setting{dir: taskSite(t)}
	write(t, s.dir, "two.json", `[{"title":"A"},{"title":"B"}]`)
	for _, args := range [][]string{{"--id", "7"}, {"--after", "7"}, {"--accept", "x"}, {"--requirements", "x"}, {"A title"}} {
		if got := s.real(t, append([]string{"task", "new", "--from", "two.json"}, args...)...); got.code != 2 {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if got := s.real(t, "task", "new", "--from", "two.json", "--repo", "api"); got.code != 0 {
		t.Fatal(got.errors)
	}
	for id, title := range map[string]string{"2": "A", "3": "B"} {
		if task := details(t, s, id); task.Title != title || task.Repository != "api" {
			t.Errorf("new: %+v", task)
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
