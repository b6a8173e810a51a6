package agents

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/usecase/setup"
)

func protocolCommand(d *app.App) *cobra.Command {
	r := setup.ProtocolRequest{}
	cmd := d.Command(app.Spec{
		Use: "protocol", Short: "Print the session protocol",
		Long: `Print how a session works on a task: orientation, understanding, planning, implementation,
verification, hand-over. If protocol.setting is lean in .baton/config.yaml, you get the shorter
protocol of three phases.

Your own rules go into .baton/protocol.md: the text below a heading "## Planning" replaces that
phase, and the text below "## Also" is printed at the end or, with --phase also, alone. --task puts
the task's id and file into the text. In a project without tasks, the protocol is about the digest.`,
		Example: "baton protocol\nbaton protocol --task 101 --phase hand-over",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (setup.ProtocolResult, error) {
				return p.Setup.Protocol(ctx, r)
			}, func(p *app.Page, r setup.ProtocolResult) {
				p.Remarks = r.Warnings
				p.Block("", r.Text, 0)
			})
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Phase, "phase", "", "print only this `PHASE`")
	flags.StringVar(&r.Task, "task", "", "put the `ID` of this task and its file into the text")
	_ = cmd.RegisterFlagCompletionFunc(
		"phase",
		app.OneOf("orientation", "understanding", "planning", "implementation", "verification", "hand-over", "also"),
	)
	_ = cmd.RegisterFlagCompletionFunc("task", d.CompleteTask)
	return cmd
}
