package tasks

import (
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/task"
)

func taskCommands(d *app.App) *cobra.Command {
	return d.Group(
		"task",
		"Create tasks, work on them and hand them over",
		"A task is one Markdown file. It contains what to do, what upstream tasks hand over, "+
			"the criteria, an entry for each session, and what downstream tasks will receive.",
		newCommand(d),
		editCommand(d),
		listCommand(d),
		readyCommand(d),
		showCommand(d),
		graphCommand(d),
		claimCommand(d),
		releaseCommand(d),
		blockCommand(d),
		reopenCommand(d),
		cancelCommand(d),
		deleteCommand(d),
		logCommand(d),
		checkCommand(d),
		proveCommand(d),
		uncheckCommand(d),
		outputCommand(d),
		completeCommand(d),
		archiveCommand(d),
		splitCommand(d),
		convertCommand(d),
		importCommand(d),
	)
}

// about builds a command whose first operand is a task's id, which shells complete.
func about(d *app.App, s app.Spec) *cobra.Command {
	cmd := d.Command(s)
	cmd.ValidArgsFunction = d.CompleteTask
	return cmd
}

// refs joins ids for a sentence.
func refs(ids []task.ID) string {
	words := make([]string, 0, len(ids))
	for _, id := range ids {
		words = append(words, id.Ref())
	}
	return strings.Join(words, ", ")
}
