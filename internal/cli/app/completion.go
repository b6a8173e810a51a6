package app

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

// InGroup completes a flag that means one thing in a group and another elsewhere.
func InGroup(group string, here, elsewhere Completer) Completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if cmd.HasParent() && cmd.Parent().Name() == group {
			return here(cmd, args, word)
		}
		return elsewhere(cmd, args, word)
	}
}

// NoCandidates is a Completer that offers nothing, not even file names.
func NoCandidates(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// OneOf completes to fixed words.
func OneOf(list ...string) Completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// TaskRows lists the tasks for a completion, and who asks. What cannot be read completes to
// nothing: a key press must not fail.
func (d *App) TaskRows(cmd *cobra.Command) (list []tasks.TaskRow, holder string) {
	_, _ = Ask(d, cmd, d.Options(cmd), func(ctx context.Context, p *project.Project) (struct{}, error) {
		all, err := p.Tasks.List(ctx, tasks.ListRequest{})
		list = all.Tasks
		if err == nil && slices.ContainsFunc(list, func(t tasks.TaskRow) bool { return t.Claim != nil }) {
			if status, err := p.Sessions.Status(ctx); err == nil {
				holder = status.Holder
			}
		}
		return struct{}{}, err
	})
	return list, holder
}

// CompleteTask completes the id of a task that the command has a use for.
func (d *App) CompleteTask(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, holder := d.TaskRows(cmd)
	ids := make([]string, 0, len(list))
	for _, t := range list {
		if suits(cmd, t, holder) {
			ids = append(ids, string(t.ID)+"\t"+safetext.Visible(t.Title))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// suits reports whether a command can do something with a task as it stands.
func suits(cmd *cobra.Command, t tasks.TaskRow, holder string) bool {
	mine := t.Claim != nil && t.Claim.By == holder
	status, _ := TaskStatus(t)
	switch CommandName(cmd) {
	case "task claim":
		if steal := cmd.Flags().Lookup("steal"); steal != nil && steal.Changed {
			return t.Claim != nil && !mine
		}
		return t.Ready || mine
	case "session start":
		return t.Ready || mine
	case "session end": // a session may outlast its claim
		return mine || t.Claim == nil && status == "in_progress"
	case "task release":
		return mine
	case "task complete":
		return !slices.Contains([]string{"complete", "cancelled", "backlog", "waiting", "blocked"}, status)
	case "task reopen":
		return status == "complete" || status == "blocked"
	case "task block":
		return !slices.Contains([]string{"complete", "cancelled", "decomposed", "blocked"}, status)
	}
	return true
}

// FirstOperand offers candidates for the first operand only.
func FirstOperand(complete Completer) Completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return NoCandidates(cmd, args, word)
		}
		return complete(cmd, args, word)
	}
}

// Candidates asks the digest for candidates. What cannot be read offers nothing: a key press must
// not fail.
func Candidates(
	d *App, cmd *cobra.Command, use func(context.Context, *project.Project) ([]string, error),
) ([]string, cobra.ShellCompDirective) {
	list, err := Ask(d, cmd, d.Options(cmd), use)
	if err != nil {
		list = nil
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// TaskStatus returns the status as a person thinks of it: a task that waits for others is not
// ready, whatever its file says.
func TaskStatus(t tasks.TaskRow) (string, Tone) {
	state := tasks.StateOf(t.Status, t.WaitingFor)
	switch state {
	case "complete":
		return state, Good
	case "blocked":
		return state, Bad
	case "waiting":
		return state, Faint
	case "in_progress":
		return state, Accent
	}
	return state, Plain
}
