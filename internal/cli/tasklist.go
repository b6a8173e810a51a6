package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

func (d *door) listCommand() *cobra.Command {
	var r tasks.ListRequest
	cmd := d.command(spec{
		use: "list", short: "List all tasks",
		long: "List all tasks in dependency order with status, criteria, sessions, size, and what each waits for. `--status` and\n" +
			"`--epic` narrow the list.",
		example: "baton task list\nbaton task list --status in_progress\nbaton task list --epic 10 --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"status", "epic"} {
				if flag := cmd.Flags().Lookup(name); flag.Changed && strings.TrimSpace(flag.Value.String()) == "" {
					return usage(cmd.CommandPath(), "--"+name+" is empty")
				}
			}
			empty := r == tasks.ListRequest{}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskList, error) {
				list, err := p.Tasks.List(ctx, r)
				if err == nil && len(list.Tasks) == 0 && !d.json {
					empty = empty || noTasks(ctx, p)
				}
				return list, err
			}, func(p *page, list tasks.TaskList) {
				pageList(p, list)
				if len(list.Tasks) > 0 {
					return
				}
				if !empty {
					p.line(plain, "No task fits. All tasks: baton task list")
					return
				}
				p.line(plain, "%s", noTasksSeen(list.Warnings))
			})
		},
	})
	cmd.Flags().StringVar(&r.Status, "status", "", "only tasks with this status: `STATUS` is "+strings.Join(statuses[:len(statuses)-1], ", ")+" or "+statuses[len(statuses)-1])
	cmd.Flags().StringVar(&r.Epic, "epic", "", "only tasks of this epic: `EPIC` is its id or its title")
	return cmd
}

// statuses are the words that --status takes, in the order of a task's life.
var statuses = [...]string{"backlog", "waiting", "ready", "in_progress", "in_review", "blocked", "complete", "cancelled", "decomposed"}

// noTasksYet is what every command about tasks answers in a new project.
const noTasksYet = `No tasks yet. Create one: baton task new "TITLE"`

// noTasksSeen is noTasksYet, unless there were tasks.
func noTasksSeen(warnings []report.Finding) string {
	if tasksGone(warnings) {
		return "No task file is there."
	}
	return noTasksYet
}

// noTasks says whether the project has no task at all; asked only where nothing was found, so that it costs nothing.
func noTasks(ctx context.Context, p *project.Project) bool {
	all, err := p.Tasks.List(ctx, tasks.ListRequest{})
	return err == nil && len(all.Tasks) == 0 && !tasksGone(all.Warnings)
}

// tasksGone says whether a warning tells of a task whose file is gone: then a project without tasks is no new one.
func tasksGone(warnings []report.Finding) bool {
	return slices.ContainsFunc(warnings, func(f report.Finding) bool { return f.Code == "task_gone" })
}

func (d *door) readyCommand() *cobra.Command {
	return d.command(spec{
		use: "ready", short: "List what can be started now",
		long: "List the tasks that can be started now, in the order in which they should be: not done, not blocked, held by\n" +
			"nobody, and everything they depend on complete.",
		example: "baton task ready\nbaton task ready --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			empty := false
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskList, error) {
				list, err := p.Tasks.Ready(ctx)
				empty = err == nil && len(list.Tasks) == 0 && !d.json && noTasks(ctx, p)
				return list, err
			}, func(p *page, list tasks.TaskList) {
				pageList(p, list)
				if empty || len(list.Tasks) == 0 && tasksGone(list.Warnings) {
					p.line(plain, "%s", noTasksSeen(list.Warnings))
					return
				}
				if len(list.Tasks) == 0 {
					p.line(plain, "Nothing is ready. What each task waits for: baton task list")
					return
				}
				for _, t := range list.Tasks {
					p.inputChanges(" of "+ref(t.ID), t.InputChanged)
					if len(t.InputChanged) > 0 {
						p.end()
					}
				}
				p.hint("Next: baton session start %s", list.Tasks[0].ID)
			})
		},
	})
}

func pageList(p *page, list tasks.TaskList) {
	p.remarks = list.Warnings
	if len(list.Tasks) == 0 {
		return
	}
	rows := make([][]cell, 0, len(list.Tasks))
	for _, t := range list.Tasks {
		status, tone := standing(t)
		rows = append(rows, []cell{
			{strong, string(t.ID)},
			{plain, t.Title},
			{tone, status},
			{plain, fraction(t.CriteriaDone, t.CriteriaTotal)},
			{plain, strconv.Itoa(t.Sessions)},
			{faint, kilobytes(t.SizeBytes)},
			{accent, p.note(t)},
		})
	}
	columns := []column{
		{name: "ID"},
		{name: "TITLE", gives: true},
		{name: "STATUS"},
		{name: "CRITERIA", right: true},
		{name: "SESSIONS", right: true},
		{name: "SIZE", right: true},
		{name: "NOTE"},
	}
	p.tableOrBelow(columns, rows)
}

// standing is the status as a person thinks of it: a task that waits for others is not ready, whatever its file says.
func standing(t tasks.TaskRow) (string, tone) {
	switch {
	case t.Status == "complete":
		return t.Status, good
	case t.Status == "blocked":
		return t.Status, bad
	case t.Status == "ready" && !t.Ready && len(t.WaitingFor) > 0:
		return "waiting", faint
	case t.Status == "in_progress":
		return t.Status, accent
	}
	return t.Status, plain
}

// note is what else there is to know about a row: who holds it, what it waits for, which inputs changed.
func (p *page) note(t tasks.TaskRow) string {
	var notes []string
	if t.Claim != nil {
		notes = append(notes, t.Claim.By+" until "+p.clock(t.Claim.Until))
	}
	if len(t.WaitingFor) > 0 && t.Status != "complete" {
		notes = append(notes, "waits for "+refs(t.WaitingFor))
	}
	if t.Note != "" {
		notes = append(notes, t.Note)
	}
	if len(t.InputChanged) > 0 {
		notes = append(notes, changes(t.InputChanged))
	}
	return strings.Join(notes, "; ")
}

func fraction(done, total int) string {
	if total == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", done, total)
}
