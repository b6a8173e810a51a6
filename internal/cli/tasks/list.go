package tasks

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/parallel"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

func listCommand(d *app.App) *cobra.Command {
	var r tasks.ListRequest
	cmd := d.Command(app.Spec{
		Use: "list", Short: "List all tasks",
		Long: "List all tasks in dependency order, with status, criteria, sessions, size, and what " +
			"each waits for. `--status` and `--epic` narrow the list.",
		Example: "baton task list\nbaton task list --status in_progress\nbaton task list --epic 10 --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.NotBlank(cmd, "status", "epic"); err != nil {
				return err
			}
			empty := r == tasks.ListRequest{}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskList, error) {
				list, err := p.Tasks.List(ctx, r)
				if err == nil && len(list.Tasks) == 0 && !d.JSON {
					empty = empty || noTasks(ctx, p)
				}
				return list, err
			}, func(p *app.Page, list tasks.TaskList) {
				pageList(p, list)
				if len(list.Tasks) > 0 {
					return
				}
				if !empty {
					p.Line(app.Plain, "No task matches. To list all tasks: baton task list")
					return
				}
				p.Line(app.Plain, "%s", noTasksSeen(list.Warnings))
			})
		},
	})
	cmd.Flags().
		StringVar(&r.Status, "status", "", "only tasks with this status: `STATUS` is "+
			strings.Join(Statuses[:len(Statuses)-1], ", ")+" or "+Statuses[len(Statuses)-1])
	cmd.Flags().StringVar(&r.Epic, "epic", "", "only tasks of this epic: `EPIC` is its id or its title")
	d.OnlyHere(cmd)
	return cmd
}

// Statuses are the words that --status takes, in the order of a task's life.
var Statuses = [...]string{
	"backlog", "waiting", "ready", "in_progress", "in_review", "blocked", "complete", "cancelled", "decomposed",
}

// noTasksYet is what every command about tasks answers in a new project.
const noTasksYet = `No tasks yet. To create one: baton task new "TITLE"`

// noTasksSeen is noTasksYet, unless there were tasks.
func noTasksSeen(warnings []report.Finding) string {
	if TasksGone(warnings) {
		return "No task file is left."
	}
	return noTasksYet
}

// noTasks reports whether the project has no task at all. It reads them all again, so it is only
// called if nothing was found.
func noTasks(ctx context.Context, p *project.Project) bool {
	all, err := p.Tasks.List(ctx, tasks.ListRequest{})
	return err == nil && len(all.Tasks) == 0 && !TasksGone(all.Warnings)
}

// marksIgnored reports whether a warning says that --here ignores what other worktrees completed.
func marksIgnored(f report.Finding) bool { return f.Code == report.CodeMarksIgnored }

// TasksGone reports whether a warning is about a task whose file is gone: then a project without
// tasks is not a new one.
func TasksGone(warnings []report.Finding) bool {
	return slices.ContainsFunc(warnings, func(f report.Finding) bool { return f.Code == report.CodeTaskGone })
}

func readyCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "ready", Short: "List the tasks that you can start",
		Long: "List the tasks that you can start now, in the recommended order. They are not done " +
			"and not blocked, nobody holds them, and everything that they depend on is complete.",
		Example: "baton task ready\nbaton task ready --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			var all tasks.TaskList
			empty := false
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskList, error) {
				list, err := p.Tasks.Ready(ctx)
				if err == nil && len(list.Tasks) == 0 && !d.JSON {
					all, err = p.Tasks.List(ctx, tasks.ListRequest{})
					empty = len(all.Tasks) == 0
				}
				return list, err
			}, func(p *app.Page, list tasks.TaskList) {
				pageList(p, list)
				if empty || len(list.Tasks) == 0 && TasksGone(list.Warnings) {
					p.Line(app.Plain, "%s", noTasksSeen(list.Warnings))
					return
				}
				if len(list.Tasks) == 0 {
					nothingReady(p, all.Tasks)
					Later(p, list.Later)
					p.Hint("To see what each task waits for: baton task list")
					return
				}
				for _, t := range list.Tasks {
					inputChanges(p, " of "+t.ID.Ref(), t.InputChanged)
					if len(t.InputChanged) > 0 {
						p.End()
					}
				}
				Later(p, list.Later)
				if d.Here && slices.ContainsFunc(list.Warnings, marksIgnored) {
					// A session begins with a task that is complete elsewhere only after a claim.
					p.Hint("Next: baton task claim --next --here")
					return
				}
				p.Hint("Next: baton session start %s", list.Tasks[0].ID)
			})
		},
	})
	d.OnlyHere(cmd)
	return cmd
}

// Later puts the tasks that a merge would make ready, with the command that merges.
func Later(p *app.Page, list []tasks.LaterTask) {
	for _, t := range list {
		text := t.Title + ", " + t.Words()
		if t.Command != "" {
			text += ": `" + t.Command + "`"
		}
		p.Item("  ", app.Faint, t.ID.Ref(), text)
	}
}

// nothingReady puts that no task can be started, and who works on which.
func nothingReady(p *app.Page, all []tasks.TaskRow) {
	p.Line(app.Plain, "Nothing is ready.")
	for _, t := range all {
		if t.CompleteOn != nil {
			p.Item("  ", app.Good, t.ID.Ref(), t.Title+", "+t.CompleteOn.Words)
		} else if t.StatusOn != nil && t.StatusOn.Status == "decomposed" {
			p.Item("  ", app.Faint, t.ID.Ref(), t.Title+", "+t.StatusOn.Words)
		} else if t.Claim != nil || t.Status == "in_progress" {
			status, tone := app.TaskStatus(t)
			held := status + ", held by nobody"
			if t.Claim != nil {
				held = status + ", " + p.Held(t.Claim.By, t.Claim.Until)
			}
			if t.StatusOn != nil {
				held += ", " + t.StatusOn.Words
			}
			p.Item("  ", tone, t.ID.Ref(), t.Title+", "+held)
		}
	}
}

func pageList(p *app.Page, list tasks.TaskList) {
	p.Remarks = list.Warnings
	if len(list.Tasks) == 0 {
		return
	}
	rows := make([][]app.Cell, len(list.Tasks))
	parallel.Halves(len(rows), func(begin, end int) {
		for i := begin; i < end; i++ {
			t := &list.Tasks[i]
			status, tone := app.TaskStatus(*t)
			rows[i] = []app.Cell{
				{Tone: app.Strong, Text: string(t.ID)},
				{Text: t.Title},
				{Tone: tone, Text: status},
				{Text: Fraction(t.CriteriaDone, t.CriteriaTotal)},
				{Text: strconv.Itoa(t.Sessions)},
				{Tone: app.Faint, Text: app.Kilobytes(t.SizeBytes)},
				{Tone: app.Accent, Text: note(p, *t)},
			}
		}
	})
	columns := []app.Column{
		{Name: "ID"},
		{Name: "TITLE", Shrinks: true},
		{Name: "STATUS"},
		{Name: "CRITERIA", Right: true},
		{Name: "SESSIONS", Right: true},
		{Name: "SIZE", Right: true},
		{Name: "NOTE"},
	}
	p.TableOrBelow(columns, rows)
}

// note returns what else there is to know about a row: who holds it, what it waits for, which
// inputs changed.
func note(p *app.Page, t tasks.TaskRow) string {
	var notes []string
	if t.Claim != nil {
		notes = append(notes, t.Claim.By+" until "+p.Clock(t.Claim.Until))
	}
	if t.StatusOn != nil {
		notes = append(notes, t.StatusOn.Words)
	}
	switch {
	case t.CompleteOn != nil:
		notes = append(notes, t.CompleteOn.Words)
	case t.ReadyOnce != nil:
		notes = append(notes, "waits for "+refs(t.WaitingFor)+", "+t.ReadyOnce.Words())
	case len(t.WaitingFor) > 0 && t.Status != "complete":
		notes = append(notes, "waits for "+refs(t.WaitingFor))
	}
	if t.Note != "" {
		notes = append(notes, t.Note)
	}
	for _, c := range t.InputChanged { // since the task's last session (D12)
		notes = append(notes, fmt.Sprintf("input from %s changed since %s", c.Task.Ref(), since(c)))
	}
	return strings.Join(notes, "; ")
}

// Fraction returns "done/total", or "-" if there is nothing to do.
func Fraction(done, total int) string {
	if total == 0 {
		return "-"
	}
	return strconv.Itoa(done) + "/" + strconv.Itoa(total)
}
