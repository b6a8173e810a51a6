package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/setup"
)

func (d *door) protocolCommand() *cobra.Command {
	r := setup.ProtocolRequest{}
	cmd := d.command(spec{
		use: "protocol", short: "Print the session protocol",
		long: "Print how a session works on a task: orientation, understanding, planning, implementation, verification, hand-over.\n" +
			"With protocol.setting lean in .baton/config.yaml it is the shorter one of three phases.\n\n" +
			"A project's own words go into .baton/protocol.md: the text below a heading \"## Planning\" takes the place of that phase, and\n" +
			"what stands below \"## Also\" comes at the end; --phase also prints that alone. --task puts the task's id and file into the\n" +
			"text. Where no tasks are kept, the protocol speaks of the digest.",
		example: "baton protocol\nbaton protocol --task 101 --phase hand-over",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (setup.ProtocolResult, error) {
				return p.Setup.Protocol(ctx, r)
			}, pageProtocol)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.Phase, "phase", "", "print one `PHASE` only")
	flags.StringVar(&r.Task, "task", "", "put the task `ID` and its file into the text")
	_ = cmd.RegisterFlagCompletionFunc("phase", oneOf("orientation", "understanding", "planning", "implementation", "verification", "hand-over", "also"))
	_ = cmd.RegisterFlagCompletionFunc("task", d.completeTask)
	return cmd
}

func pageProtocol(p *page, r setup.ProtocolResult) {
	p.remarks = r.Warnings
	p.block("", r.Text, 0)
}
