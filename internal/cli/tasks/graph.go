package tasks

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/tasks"
)

func graphCommand(d *app.App) *cobra.Command {
	var format string
	cmd := d.Command(app.Spec{
		Use: "graph", Short: "Show which task waits for which",
		Long: `Print the chain of tasks. text is a tree in which each task is below the last one that it waits
for; a chain of more than six levels, or one that the terminal has no room for, becomes a numbered
list in dependency order. mermaid and dot are for documents and for Graphviz; json is the same as
--json.`,
		Example: "baton task graph\nbaton task graph --format mermaid",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			var text func(*app.Page, tasks.GraphResult)
			switch format {
			case "text":
				text = graphTree
			case "mermaid":
				text = graphMermaid
			case "dot":
				text = graphDot
			case "json":
				d.JSON = true
			default:
				return app.Usage(
					cmd.CommandPath(), fmt.Sprintf("--format: %q is not text, mermaid, dot or json", format),
				)
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.GraphResult, error) {
				return p.Tasks.Graph(ctx)
			}, text)
		},
	})
	d.OnlyHere(cmd)
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text, mermaid, dot or json")
	return cmd
}
