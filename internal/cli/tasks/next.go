package tasks

import (
	"context"
	"fmt"

	"baton/internal/project"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

// step is what a task still needs.
type step struct {
	command string // "" when it cannot be told or nothing is needed
	last    bool   // it completes the task
	held    bool   // a session, or at least a claim, is to be ended
	// command writes the output, which only a task needs that others wait for
	needsOutput bool
}

// nextStep reads a task and says what it needs.
func nextStep(ctx context.Context, p *project.Project, id task.ID) step {
	t, err := p.Tasks.Show(ctx, tasks.ShowRequest{ID: string(id)})
	if err != nil {
		return step{}
	}
	s := stepOf(p, t)
	if s.needsOutput && !p.Tasks.IsAwaited(ctx, id) {
		s = step{command: completeStep(id), last: true, held: s.held}
	}
	return s
}

func completeStep(id task.ID) string { return fmt.Sprintf("baton task complete %s", id) }

// outputStep says how to end a task once all its criteria are checked. If no task waits for it, it
// needs no output (F-17).
func outputStep(id task.ID, awaited bool) string {
	if !awaited {
		return completeStep(id)
	}
	return fmt.Sprintf("baton task output %s --summary TEXT, then %s", id, completeStep(id))
}

// stepOf says what a task needs as it is now: open criteria come first, then the output, then
// completing.
func stepOf(p *project.Project, t tasks.TaskDetail) step {
	if t.ID == "" || t.Status == "complete" || t.Status == "blocked" {
		return step{}
	}
	s := step{held: t.Claim != nil}
	for _, c := range t.Criteria {
		if !c.Checked {
			s.command = checkStep(p, t.ID, c.N)
			return s
		}
	}
	if t.ChainOutput.State == "empty" {
		s.command = fmt.Sprintf("baton task output %s --summary TEXT", t.ID)
		s.needsOutput = true
		return s
	}
	s.command, s.last = completeStep(t.ID), true
	return s
}

// checkStep proposes how to check a criterion. A person has the command run by baton. An agent runs
// it in its own shell, because its client may refuse to let baton run commands.
func checkStep(p *project.Project, id task.ID, n int) string {
	if p != nil {
		if _, below := p.Agent(); below {
			return fmt.Sprintf("baton task check %s %d --evidence TEXT", id, n)
		}
	}
	return fmt.Sprintf("baton task prove %s %d -- CMD", id, n)
}

// stepAfter is nextStep for an answer that often has it already, so that the task need not be read
// again.
func stepAfter(ctx context.Context, p *project.Project, r tasks.LogResult) step {
	if r.Open > 0 {
		return step{command: checkStep(p, r.Task, r.Open), held: r.Held}
	}
	s := nextStep(ctx, p, r.Task)
	if s.last && lacks(r.Warnings, r.Task) {
		s.command, s.last = "", false
	}
	return s
}
