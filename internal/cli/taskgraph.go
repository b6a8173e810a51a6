package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/tasks"
)

func (d *door) graphCommand() *cobra.Command {
	var format string
	cmd := d.command(spec{
		use: "graph", short: "Show which task waits for which",
		long: "Print the chain of tasks. text is a tree in which each task stands below the last one that it waits for; mermaid and\n" +
			"dot are for documents and for Graphviz; json is the same as --json.",
		example: "baton task graph\nbaton task graph --format mermaid",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			var text func(*page, tasks.GraphResult)
			switch format {
			case "text":
				text = graphTree
			case "mermaid":
				text = graphMermaid
			case "dot":
				text = graphDot
			case "json":
				d.json = true
			default:
				return usage(cmd.CommandPath(), fmt.Sprintf("--format: %q is not text, mermaid, dot or json", format))
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.GraphResult, error) {
				return p.Tasks.Graph(ctx)
			}, text)
		},
	})
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text, mermaid, dot or json")
	return cmd
}
