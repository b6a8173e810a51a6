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
		Long: "Print how a session works on a task: orientation, understanding, planning, implementation, verification, hand-over.\n" +
			"With protocol.setting lean in .baton/config.yaml it is the shorter one of three phases.\n\n" +
			"A project's own words go into .baton/protocol.md: the text below a heading \"## Planning\" takes the place of that phase, and\n" +
			"what stands below \"## Also\" comes at the end; --phase also prints that alone. --task puts the task's id and file into the\n" +
			"text. Where no tasks are kept, the protocol speaks of the digest.",
		Example: "baton protocol\nbaton protocol --task 101 --phase hand-over",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (setup.ProtocolResult, error) {
				return p.Setup.Protocol(ctx, r)
			}, pageProtocol)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Phase, "phase", "", "print one `PHASE` only")
	flags.StringVar(&r.Task, "task", "", "put the task `ID` and its file into the text")
	_ = cmd.RegisterFlagCompletionFunc(
		"phase",
		app.OneOf("orientation", "understanding", "planning", "implementation", "verification", "hand-over", "also"),
	)
	_ = cmd.RegisterFlagCompletionFunc("task", d.CompleteTask)
	return cmd
}

func pageProtocol(p *app.Page, r setup.ProtocolResult) {
	p.Remarks = r.Warnings
	p.Block("", r.Text, 0)
}
