package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/digest/phases"
	"baton/internal/project"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// first offers candidates for the first operand only.
func first(complete completer) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nothing(cmd, args, word)
		}
		return complete(cmd, args, word)
	}
}

// offered asks the digest for candidates. What cannot be read offers nothing: a key press must not fail.
func offered(d *door, cmd *cobra.Command, use func(context.Context, *project.Project) ([]string, error)) ([]string, cobra.ShellCompDirective) {
	list, err := ask(d, cmd, d.options(cmd), use)
	if err != nil {
		list = nil
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func (d *door) completeActive(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return offered(d, cmd, func(ctx context.Context, p *project.Project) (ids []string, err error) {
		list, err := p.Digests.ActiveList(ctx)
		for _, a := range list.Active {
			ids = append(ids, a.ID+"\t"+harmless(a.Title))
		}
		return ids, err
	})
}

func (d *door) completeQueue(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return offered(d, cmd, func(ctx context.Context, p *project.Project) (ids []string, err error) {
		list, err := p.Digests.QueueList(ctx)
		for _, q := range list.Queue {
			ids = append(ids, q.ID+"\t"+harmless(q.Title))
		}
		return ids, err
	})
}

// nextActions are the steps that may come next for a phase.
var nextActions = [...]string{phases.Discuss, phases.Plan, phases.Execute, phases.Verify}

// completeActiveAdd offers what waits in the queue, then a status.
func (d *door) completeActiveAdd(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return d.completeQueue(cmd, args, word)
	case 1:
		return oneOf(workspace.SpecStatuses()...)(cmd, args, word)
	}
	return nothing(cmd, args, word)
}

func (d *door) completeBlocker(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return offered(d, cmd, func(ctx context.Context, p *project.Project) (numbers []string, err error) {
		list, err := p.Digests.Blockers(ctx)
		for _, blocker := range list.Blockers {
			numbers = append(numbers, strconv.Itoa(blocker.N)+"\t"+harmless(blocker.Text))
		}
		return numbers, err
	})
}

func (d *door) completeHistory(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return offered(d, cmd, func(ctx context.Context, p *project.Project) (ids []string, err error) {
		got, err := p.Digests.History(ctx, digests.HistoryRequest{})
		for _, s := range got.Specs {
			ids = append(ids, s.ID+"\t"+harmless(s.Title))
		}
		return ids, err
	})
}

// completeField offers the names that a digest of this kind has, then the words that the value may be.
func (d *door) completeField(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		if cmd.Name() == "set" && len(args) == 1 && args[0] == "next_action" {
			return oneOf(nextActions[:]...)(cmd, args, word)
		}
		return nothing(cmd, args, word)
	}
	return offered(d, cmd, func(ctx context.Context, p *project.Project) ([]string, error) {
		state, err := p.Digests.State(ctx)
		if err != nil || state.Specflow != nil {
			return []string{"active", "status", "next"}, err
		}
		names := []string{
			"status", "milestone", "milestone_name", "active_phase", "next_action", "next_phases", "current_phase", "current_phase_name",
			"current_plan", "stopped_at", "paused_at", "last_activity", "Status", "Last activity", "Resume file",
		}
		if cmd.Name() == "get" {
			names = append(names, "progress.percent", "progress.total_phases", "progress.completed_phases", "progress.total_plans",
				"progress.completed_plans", "last_updated")
		}
		return names, nil
	})
}

// completeAssignment is completeField for NAME=VALUE.
func (d *door) completeAssignment(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return nothing(cmd, nil, word)
	}
	names, _ := d.completeField(cmd, nil, word)
	for i := range names {
		names[i] += "="
	}
	return names, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
