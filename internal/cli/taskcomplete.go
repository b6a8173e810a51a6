package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/tasks"
)

func (d *door) completeCommand() *cobra.Command {
	var r tasks.TaskRequest
	cmd := d.about(spec{
		use: "complete ID", short: "Finish a task and hand its output on",
		long: "Complete a task. It is refused while criteria are open, the output is empty or parts of a split task are not\n" +
			"complete; --force with a reason does it nevertheless, and the reason is recorded. The output goes to every task that\n" +
			"depends on this one, and what has become ready is named.",
		example: "baton task complete 101\nbaton task complete 101 --force --reason \"the last criterion moved to 140\"",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			switch {
			case r.Force && r.Reason == "":
				return usage(cmd.CommandPath(), "--force needs --reason TEXT")
			case r.Reason != "" && !r.Force:
				return usage(cmd.CommandPath(), "--reason goes with --force")
			}
			r.ID = args[0]
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.CompleteResult, error) {
				return p.Tasks.Complete(ctx, r)
			}, pageComplete)
		},
	})
	cmd.Flags().BoolVar(&r.Force, "force", false, "complete it although something is missing; needs --reason")
	cmd.Flags().StringVar(&r.Reason, "reason", "", "why it counts as complete nevertheless: `TEXT`")
	return cmd
}

func pageComplete(p *page, r tasks.CompleteResult) {
	if r.Changed {
		p.add(good, "Completed "+ref(r.Task)).add(plain, titled(r.Title)).end()
	} else {
		p.line(plain, "Nothing to do: %s is complete.", ref(r.Task))
	}
	for _, text := range r.Overridden {
		p.item("  ", warn, "overridden:", text)
	}
	for _, in := range r.HandedTo {
		p.line(plain, "  %s %s %s", receipt(in.Change, "its output went to", "its output is in"), ref(in.Task), in.Title)
	}
	for _, f := range r.Warnings {
		if f.Code != "parts_complete" { // stands on the page
			p.remarks = append(p.remarks, f)
		}
	}
	if r.Parent != "" {
		p.line(plain, "Ready to complete: %s, all its parts are done", ref(r.Parent))
	}
	if len(r.Ready) == 0 {
		if r.Parent != "" {
			p.hint("Next: baton task output %s --summary TEXT, then baton task complete %s", r.Parent, r.Parent)
		}
		return
	}
	p.line(plain, "Now ready:")
	for _, t := range r.Ready {
		p.line(plain, "  %s %s", ref(t.ID), t.Title)
	}
	p.hint("Next: baton session start %s", r.Ready[0].ID)
}

// receipt says what happened to one chain input.
func receipt(change, arrived, unchanged string) string {
	switch change {
	case "unchanged":
		return unchanged
	case "kept_edited":
		return "a person's own version was kept in"
	default:
		return arrived
	}
}
