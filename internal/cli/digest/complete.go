package digest

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/digest/phases"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

func completeActive(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) (ids []string, err error) {
		list, err := p.Digests.ActiveList(ctx)
		for _, a := range list.Active {
			ids = append(ids, a.ID+"\t"+safetext.Visible(a.Title))
		}
		return ids, err
	})
}

// CompleteQueue completes the ids of queued specifications.
func CompleteQueue(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) (ids []string, err error) {
		list, err := p.Digests.QueueList(ctx)
		for _, q := range list.Queue {
			ids = append(ids, q.ID+"\t"+safetext.Visible(q.Title))
		}
		return ids, err
	})
}

// nextActions are the steps that may come next for a phase.
var nextActions = [...]string{phases.Discuss, phases.Plan, phases.Execute, phases.Verify}

// completeActiveAdd offers what waits in the queue, then a status.
func completeActiveAdd(
	d *app.App, cmd *cobra.Command, args []string, word string,
) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return CompleteQueue(d, cmd, args, word)
	case 1:
		return app.OneOf(workspace.SpecStatuses()...)(cmd, args, word)
	}
	return app.NoCandidates(cmd, args, word)
}

func completeBlocker(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) (numbers []string, err error) {
		list, err := p.Digests.Blockers(ctx)
		for _, blocker := range list.Blockers {
			numbers = append(numbers, strconv.Itoa(blocker.N)+"\t"+safetext.Visible(blocker.Text))
		}
		return numbers, err
	})
}

func completeHistory(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) (ids []string, err error) {
		got, err := p.Digests.History(ctx, digests.HistoryRequest{})
		for _, s := range got.Specs {
			ids = append(ids, s.ID+"\t"+safetext.Visible(s.Title))
		}
		return ids, err
	})
}

// completeField offers the names that a digest of this kind has, then the words that the value may
// be.
func completeField(d *app.App, cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		if cmd.Name() == "set" && len(args) == 1 && args[0] == "next_action" {
			return app.OneOf(nextActions[:]...)(cmd, args, word)
		}
		return app.NoCandidates(cmd, args, word)
	}
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) ([]string, error) {
		state, err := p.Digests.State(ctx)
		if err != nil || state.Specflow != nil {
			return []string{"active", "status", "next"}, err
		}
		names := []string{
			"status", "milestone", "milestone_name", "active_phase", "next_action", "next_phases", "current_phase",
			"current_phase_name",
			"current_plan", "stopped_at", "paused_at", "last_activity", "Status", "Last activity", "Resume file",
		}
		if cmd.Name() == "get" {
			names = append(
				names, "progress.percent", "progress.total_phases", "progress.completed_phases", "progress.total_plans",
				"progress.completed_plans", "last_updated",
			)
		}
		return names, nil
	})
}

// completeAssignment is completeField for NAME=VALUE.
func completeAssignment(d *app.App, cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return app.NoCandidates(cmd, nil, word)
	}
	names, _ := completeField(d, cmd, nil, word)
	for i := range names {
		names[i] += "="
	}
	return names, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
