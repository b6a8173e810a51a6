package tasks

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

// completeCriterion completes a task's id, and then the number of one of its criteria that is not
// yet as the command would make it.
func completeCriterion(d *app.App, checked bool) app.Completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) != 1 {
			return d.CompleteTask(cmd, args, word)
		}
		t, err := app.Ask(d, cmd, d.Options(cmd),
			func(ctx context.Context, p *project.Project) (tasks.TaskDetail, error) {
				return p.Tasks.Show(ctx, tasks.ShowRequest{ID: args[0]})
			},
		)
		if err != nil {
			return app.NoCandidates(cmd, args, word)
		}
		var numbers []string
		for _, c := range t.Criteria {
			if c.Checked == checked {
				numbers = append(numbers, strconv.Itoa(c.N)+"\t"+safetext.Visible(c.Text))
			}
		}
		return numbers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
