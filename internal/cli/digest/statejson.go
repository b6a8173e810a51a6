package digest

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/digests"
)

func stateJSONCommand(d *app.App) *cobra.Command {
	pick := ""
	cmd := d.Command(app.Spec{
		Use: "json", Short: "Print the values of the digest as JSON",
		Long: `Print the front matter of the digest as JSON, as a sync would leave it: with the counts of the
roadmap and the folders, and also if the digest has no front matter. GSD's state json has the same
names. --pick prints one value as text: progress.percent, or next_phases[0]; an empty line if there
is none.`,
		Example: "baton state json\nbaton state json --pick progress.percent\nbaton state json --pick current_phase",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("pick") {
				return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StatePick, error) {
					return p.Digests.StatePick(ctx, pick)
				}, func(p *app.Page, r digests.StatePick) { p.Block("", r.Text(), 0) })
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateJSON, error) {
				return p.Digests.StateJSON(ctx)
			}, func(p *app.Page, r digests.StateJSON) {
				if text, err := report.EncodeJSON(r, "  "); err == nil {
					p.Block("", string(text), 0)
				}
			})
		},
	})
	cmd.Flags().StringVar(&pick, "pick", "", "print only the value at `PATH`")
	return cmd
}
