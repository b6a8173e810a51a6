package cli

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// F-1: what other branches did fits into a terminal, and the command that merges is not broken.
func TestF1_PagesAboutOtherBranchesAreWrapped(t *testing.T) {
	t.Parallel()
	const command = "git merge feature/parse-configuration"
	on := &workspace.CompleteOn{
		Branch: "feature/parse-configuration", Words: "complete on feature/parse-configuration (../feature-worktree), not merged here",
	}
	once := workspace.ReadyOnce{Branch: on.Branch, Command: command}
	first := tasks.TaskRow{ID: "1", Title: "Parse the configuration", Status: "ready", CompleteOn: on}
	later := []tasks.LaterTask{{ID: "2", Title: "Print the configuration that was parsed", ReadyOnce: once}}
	for name, c := range map[string]struct {
		args    string
		answer  any
		command bool
	}{
		"status": {"status", sessions.StatusResult{
			Root: "/p", Runtime: "/p/.baton/local", Layouts: []sessions.LayoutView{{Role: "tasks", Name: "baton", Path: ".baton/tasks"}},
			Counts: map[string]int{"ready": 2}, Waiting: 1, Apart: []tasks.TaskRow{first}, Later: later,
		}, true},
		"ready": {"task ready", tasks.TaskList{Tasks: []tasks.TaskRow{{ID: "3", Title: "Third", Ready: true}}, Later: later}, true},
		"show": {"task show 2", tasks.TaskDetail{
			ID: "2", Title: "Print", Status: "ready", Dialect: "v2", WaitingFor: []task.ID{"1"}, ReadyOnce: &once, CompleteOn: on,
		}, true},
		"graph": {"task graph", tasks.GraphResult{
			Nodes: []tasks.GraphNode{
				{ID: "1", Title: "Parse the configuration", Status: "ready", CompleteOn: on},
				{ID: "2", Title: "Print", Status: "ready", WaitingFor: []task.ID{"1"}, ReadyOnce: &once},
			},
			Edges: []tasks.GraphEdge{{From: "1", To: "2"}},
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for width := 50; width <= 100; width += 2 {
				set := setting{env: report.Env{Terminal: true, Width: width}, vars: map[string]string{"NO_COLOR": "1"}}
				got := set.play(t, canned{answer: c.answer}, words(c.args)...)
				if got.code != 0 || c.command && !strings.Contains(got.out, "`"+command+"`") {
					t.Errorf("%d columns: exit code %d, %s:\n%s", width, got.code, got.errors, got.out)
				}
				for line := range strings.SplitSeq(got.out, "\n") {
					if displaywidth.String(line) > width {
						t.Errorf("%d columns: %s", width, line)
					}
				}
			}
		})
	}
}
