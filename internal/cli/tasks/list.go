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
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

func listCommand(d *app.App) *cobra.Command {
	var r tasks.ListRequest
	wide := false
	cmd := d.Command(app.Spec{
		Use: "list", Short: "List all tasks",
		Long: `List all tasks in dependency order, with their states, how many of their criteria are checked, and
what each waits for. Flags narrow and sort the list. --wide adds the agent that should do each task,
the number of its sessions and the size of its file.`,
		Example: "baton task list\nbaton task list --status in_progress\nbaton task list --mine\n" +
			"baton task list --ready --sort priority --limit 5\nbaton task list --epic 10 --json",
		Exits: app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.NotBlank(cmd, "status", "epic", "match", "sort"); err != nil {
				return err
			}
			if err := app.NotNegative(cmd, "limit"); err != nil {
				return err
			}
			empty := r == tasks.ListRequest{Sort: r.Sort, Limit: r.Limit}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskList, error) {
				list, err := p.Tasks.List(ctx, r)
				if err == nil && len(list.Tasks) == 0 && !d.JSON {
					empty = empty || noTasks(ctx, p)
				}
				return list, err
			}, func(p *app.Page, list tasks.TaskList) {
				pageList(p, list, columnsOf(wide, !r.Ready))
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
	flags := cmd.Flags()
	flags.StringVar(&r.Status, "status", "", "only tasks with this status: `STATUS` is "+
		strings.Join(Statuses[:len(Statuses)-1], ", ")+" or "+Statuses[len(Statuses)-1])
	flags.StringVar(&r.Epic, "epic", "", "only tasks of this epic: `EPIC` is its id or its title")
	flags.StringVar(&r.Match, "match", "", "only tasks with `TEXT` in the title, epic or agent")
	flags.BoolVar(&r.Mine, "mine", false, "only tasks that you hold, or that name you as their agent")
	flags.BoolVar(&r.Ready, "ready", false, "only tasks that you can start")
	flags.StringVar(&r.Sort, "sort", tasks.Orders[0], "sort by `KEY`: "+
		strings.Join(tasks.Orders[:len(tasks.Orders)-1], ", ")+" or "+tasks.Orders[len(tasks.Orders)-1])
	listFlags(cmd, &wide, &r.Limit)
	d.OnlyHere(cmd)
	return cmd
}

// listFlags adds the flags of all lists of tasks.
func listFlags(cmd *cobra.Command, wide *bool, limit *int) {
	cmd.Flags().BoolVar(wide, "wide", false, "also show agents, sessions and sizes")
	cmd.Flags().IntVar(limit, "limit", 0, "list at most `N` tasks (default all)")
}

// Statuses are the words that --status takes, in the order of a task's life.
var Statuses = tasks.Life

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
	wide, limit := false, 0
	cmd := d.Command(app.Spec{
		Use: "ready", Short: "List the tasks that you can start",
		Long: "List the tasks that you can start now, in the recommended order. They are not done " +
			"and not blocked, nobody holds them, and everything that they depend on is complete.",
		Example: "baton task ready\nbaton task ready --limit 3\nbaton task ready --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.NotNegative(cmd, "limit"); err != nil {
				return err
			}
			var all tasks.TaskList
			empty := false
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.TaskList, error) {
				list, err := p.Tasks.Ready(ctx)
				if err == nil && len(list.Tasks) == 0 && !d.JSON {
					all, err = p.Tasks.List(ctx, tasks.ListRequest{})
					empty = len(all.Tasks) == 0
				}
				list.Limit(limit)
				return list, err
			}, func(p *app.Page, list tasks.TaskList) {
				pageList(p, list, columnsOf(wide, false))
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
	listFlags(cmd, &wide, &limit)
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

// column is a column of a list of tasks.
type column struct {
	app.Column
	cell func(*app.Page, *tasks.TaskRow) app.Cell
}

// columnsOf returns the columns of a list. Those without a value in any row are left out.
func columnsOf(wide, status bool) []column {
	list := []column{
		{app.Column{Name: "ID"}, func(_ *app.Page, t *tasks.TaskRow) app.Cell {
			return app.Cell{Tone: app.Strong, Text: string(t.ID)}
		}},
		{app.Column{Name: "TITLE", Shrinks: true, Half: true}, func(_ *app.Page, t *tasks.TaskRow) app.Cell {
			return app.Cell{Text: t.Title}
		}},
		{app.Column{Name: "PRIORITY"}, func(_ *app.Page, t *tasks.TaskRow) app.Cell {
			return app.Cell{Tone: priorityTone(t.Priority), Text: t.Priority}
		}},
	}
	if status {
		list = append(list, column{app.Column{Name: "STATUS"}, func(_ *app.Page, t *tasks.TaskRow) app.Cell {
			status, tone := app.TaskStatus(*t)
			return app.Cell{Tone: tone, Text: status}
		}})
	}
	list = append(list, column{app.Column{Name: "DONE", Right: true}, func(_ *app.Page, t *tasks.TaskRow) app.Cell {
		return app.Cell{Text: Fraction(t.CriteriaDone, t.CriteriaTotal)}
	}})
	if wide {
		list = append(list, column{app.Column{Name: "AGENT"}, func(_ *app.Page, t *tasks.TaskRow) app.Cell {
			return app.Cell{Text: t.Agent}
		}}, column{app.Column{Name: "SESSIONS", Right: true}, func(_ *app.Page, t *tasks.TaskRow) app.Cell {
			return app.Cell{Text: strconv.Itoa(t.Sessions)}
		}}, column{app.Column{Name: "SIZE", Right: true}, func(_ *app.Page, t *tasks.TaskRow) app.Cell {
			return app.Cell{Tone: app.Faint, Text: app.Kilobytes(t.SizeBytes)}
		}})
	}
	return append(list, column{app.Column{Name: "NOTE"}, func(p *app.Page, t *tasks.TaskRow) app.Cell {
		return app.Cell{Tone: app.Accent, Text: note(p, *t)}
	}})
}

func priorityTone(priority string) app.Tone {
	if priority == string(task.High) {
		return app.Warn
	}
	return app.Faint
}

func pageList(p *app.Page, list tasks.TaskList, of []column) {
	p.Remarks = list.Warnings
	if len(list.Tasks) == 0 {
		return
	}
	columns := make([]app.Column, len(of))
	for i, c := range of {
		columns[i] = c.Column
	}
	rows := make([][]app.Cell, len(list.Tasks))
	parallel.Halves(len(rows), func(begin, end int) {
		for i := begin; i < end; i++ {
			rows[i] = make([]app.Cell, len(of))
			for k, c := range of {
				rows[i][k] = c.cell(p, &list.Tasks[i])
			}
		}
	})
	p.TableOrBelow(columns, rows)
	if list.More > 0 {
		p.Line(app.Faint, "%s and %s", p.Marks().More, safetext.CountOf(list.More, "more task", "more tasks"))
	}
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
