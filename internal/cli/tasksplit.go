package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/tasks"
)

func (d *door) splitCommand() *cobra.Command {
	var r tasks.SplitRequest
	cmd := d.about(spec{
		use: "split ID", short: "Cut a large task into chained parts",
		long: "Propose sub-tasks for what is still open. Nothing is written until --apply, which creates them as a chain, hands\n" +
			"over the state of the parent and sets it to decomposed. --dismiss keeps the proposal quiet for five more sessions.",
		example: "baton task split 101\nbaton task split 101 --apply\nbaton task split 101 --dismiss",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if err := exclusive(cmd, "apply", "dismiss"); err != nil {
				return err
			}
			r.ID = args[0]
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.SplitResult, error) {
				return p.Tasks.Split(ctx, r)
			}, pageSplit)
		},
	})
	cmd.Flags().BoolVar(&r.Apply, "apply", false, "create the sub-tasks")
	cmd.Flags().BoolVar(&r.Dismiss, "dismiss", false, "do not propose it again for five more sessions")
	return cmd
}

func pageSplit(p *page, r tasks.SplitResult) {
	p.remarks = r.Warnings
	switch {
	case r.Applied:
		p.line(good, "Split %s into %s", ref(r.Task), plural(len(r.Created), "task"))
		for _, t := range r.Created {
			p.add(plain, "  "+ref(t.ID)+" "+t.Title).add(faint, "  "+t.Path).end()
		}
		p.hint("Next: baton task ready")
	case r.Dismissed:
		p.line(plain, "The proposal for %s stays quiet for five more sessions.", ref(r.Task))
	case len(r.Suggested) == 0:
		if r.Open < 2 {
			p.line(plain, "Nothing to split: %s has fewer than two open criteria.", ref(r.Task))
			return
		}
		p.line(plain, "Nothing to split: the %d open criteria of %s fit into one part.", r.Open, ref(r.Task))
	default:
		// The box of the file's own notice says the same in less: the criteria that each part would get are missing.
		for _, part := range r.Suggested {
			p.line(strong, "%s %s (about %s)", ref(part.ID), part.Title, plural(part.Estimate, "session"))
			for _, text := range part.Criteria {
				p.item("  ", faint, "·", strings.TrimSpace(text))
			}
		}
		p.hint("Create them: baton task split %s --apply", r.Task)
	}
}
