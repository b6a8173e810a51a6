package tasks

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/task/importing"
	"baton/internal/task/importing/backlog"
	"baton/internal/task/importing/formats"
	"baton/internal/usecase/tasks"
)

func importCommand(d *app.App) *cobra.Command {
	var r tasks.ImportRequest
	apply := false
	cmd := d.Command(app.Spec{
		Use: "import FILE", Short: "Import tasks of another tool, a checklist or a task file",
		Long: `Create the tasks of a file or a folder that this project does not have yet; - reads standard input.
Without --apply, baton only shows what it would create. FILE is one of these:

  - a Markdown list of boxes (see below)
  - baton's own JSON list, as in "baton task new --help"
  - GitHub issues: gh issue list --json number,title,body,labels,state,url
  - the issues of beads: bd export
  - a folder of Backlog.md
  - .taskmaster/tasks/tasks.json of Task Master
  - a task file of any format

In a list of boxes, each outermost box is a task. The boxes in it are its criteria, and the rest of
the item is its requirements. "after #2" or "(after: Title)" at the end of a box is a dependency: #2 is the
second outermost box, or task #2 of the project if the list is shorter.

A task file is copied byte for byte. Its id is --id, else the one in its name, title or metadata,
else the next free number.

Every other task remembers its source. If you import a list again, baton adds only what is new, and
changes no task. Items that are done are left out, and no task waits for them. A task with sub-tasks
waits for them. The answer counts what has no place in baton, such as comments.

--lenient accepts code fences inside code fences, which many samples of task files have: a task file
inside a Markdown fence is taken out of it, and an outer fence gets longer fence lines.`,
		Example: "baton task import todo.md --apply\nbaton task import backlog\n" +
			"baton task import issues.jsonl --apply\nbaton task import task-101-state.md --id 7",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if err := app.Exclusive(cmd, "apply", "dry-run"); err != nil {
				return err
			}
			list, data, err := readList(cmd.Context(), d, app.FileOperand, args[0], formats.ReadImport)
			if err != nil {
				return err
			}
			if list != nil {
				for _, name := range []string{"id", "lenient"} {
					if cmd.Flags().Changed(name) {
						return app.Usage(cmd.CommandPath(), "--"+name+" is for a task file, but "+args[0]+" is a list")
					}
				}
				ask := tasks.ImportListRequest{List: list, Name: fileName(args[0]), Apply: apply}
				return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.NewResult, error) {
					return p.Tasks.ImportList(ctx, ask)
				}, pageNew)
			}
			d.DryRun, d.Again = !apply, importAgain
			r.Data, r.Name = data, fileName(args[0])
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.ImportResult, error) {
				return p.Tasks.Import(ctx, r)
			}, pageImport)
		},
	})
	cmd.Flags().StringVar(&r.ID, "id", "", "give the task of a task file this `ID`")
	cmd.Flags().BoolVar(&apply, "apply", false, "create them")
	cmd.Flags().BoolVar(&r.Lenient, "lenient", false, "read nested code fences as they are meant")
	app.OldSpelling(cmd.Flags(), "dry-run")
	return cmd
}

// fileName returns how messages call a file that an operand or a flag names.
func fileName(operand string) string {
	if operand == "-" {
		return "standard input"
	}
	return filepath.Base(operand)
}

// readList returns the list in a file or a folder, or else the bytes of the file.
func readList(
	ctx context.Context, d *app.App, flag, name string, read func([]byte, string) (*importing.List, error),
) (*importing.List, []byte, error) {
	files, folder, err := d.Folder(flag, name, formats.Folders()...)
	if err != nil {
		return nil, nil, err
	}
	if folder {
		inside := slices.ContainsFunc(files, func(f app.FolderFile) bool { return f.Part != "." })
		of := make([]backlog.File, 0, len(files))
		for _, f := range files {
			if f.Part == "." && (inside || !backlog.Is(f.Data)) {
				continue // of the project, such as its README
			}
			of = append(of, backlog.File{Name: f.Name, Data: f.Data, Completed: path.Base(f.Part) == "completed"})
		}
		if len(of) == 0 {
			return nil, nil, app.Misuse(name+" is a folder without tasks of Backlog.md",
				"give a file, the folder of Backlog.md, or - for standard input")
		}
		list, err := formats.ReadFolder(of, name)
		return list, nil, err
	}
	data, err := d.File(ctx, flag, name)
	if err != nil {
		return nil, nil, err
	}
	list, err := read(data, fileName(name))
	return list, data, err
}

// titled returns a title to put after an id; a file may have none.
func titled(title string) string {
	if title == "" {
		return ""
	}
	return "  " + title
}

// headline puts what became of a task, its title and the details of it, wrapped.
func headline(p *app.Page, done, title, details string) {
	if title == "" {
		p.Add(app.Good, done).Add(app.Plain, details).End()
		return
	}
	p.Item("", app.Good, done+" ", title+details)
}

// named puts a task: what became of it, its title, and what else is to say. If that is too much for
// one line, the title is wrapped and the rest goes below.
func named(p *app.Page, t app.Tone, mark, title, rest string) {
	title, rest = safetext.Visible(title), safetext.Visible(rest)
	if p.Width == 0 || displaywidth.String(mark+titled(title)+"  "+rest) <= p.Width {
		p.Add(t, mark).Add(app.Plain, titled(title))
		if rest != "" {
			p.Add(app.Faint, "  "+rest)
		}
		p.End()
		return
	}
	p.Item("", t, mark+" ", title)
	if rest != "" {
		p.Below(app.Faint, strings.Repeat(" ", 2+len(mark)-len(strings.TrimLeft(mark, " "))), rest)
	}
}

func pageImport(p *app.Page, r tasks.ImportResult) {
	named(p, app.Good, "Imported "+r.Task.Ref(), r.Title, r.Path)
	p.Line(app.Plain, "  %s, dialect %s, %s", r.Status, dialectName(r.Dialect), safetext.Count(r.Sessions, "session"))
	if r.Changed {
		p.Line(app.Faint, "  its nested code fences were read leniently")
	}
	p.Remarks = r.Warnings
	p.Hint("To see it: baton task show %s", r.Task)
}

// importAgain is how to do what "task import" only shows.
const importAgain = "run the same command with --apply"

// shownTasks is how many tasks of each kind a page names.
const shownTasks = 20

// formats has what the formats of lists are called.
var formatNames = map[string]string{
	"checklist": "a checklist", "json": "a JSON list", "github": "GitHub issues", "beads": "beads issues",
	"backlog": "a Backlog.md folder", "taskmaster": "Task Master's tasks",
}

// pageImported shows what an import created, or would create, and what became of the rest.
func pageImported(p *app.Page, r tasks.NewResult) {
	rep := r.Import
	created, verb := safetext.Count(len(r.Tasks), "task"), "Would import "
	switch {
	case len(r.Tasks) == 0:
		p.Line(app.Plain, "Nothing to import from %s: it has no open item that is new", formatNames[rep.Format])
	case rep.Applied:
		verb = "Imported "
		fallthrough
	default:
		p.Add(app.Good, verb+created).Add(app.Plain, " from "+formatNames[rep.Format]).End()
	}
	for i, t := range r.Tasks {
		if i == shownTasks {
			p.Line(app.Faint, "  and %s; --json has all", safetext.Count(len(r.Tasks)-i, "more task"))
			break
		}
		after := ""
		if len(t.Dependencies) > 0 {
			after = "after " + refs(t.Dependencies)
		}
		named(p, app.Plain, "  "+t.ID.Ref(), t.Title, after)
	}
	if n := len(rep.Present); n > 0 {
		p.Line(app.Plain, "Already here: %s", safetext.Count(n, "task"))
		for i, t := range rep.Present {
			if i == shownTasks {
				p.Line(app.Faint, "  and %s; --json has all", safetext.Count(n-i, "more task"))
				break
			}
			deleted := ""
			if t.Deleted {
				deleted = "  deleted"
			}
			named(p, app.Plain, "  "+t.ID.Ref(), t.Title, t.Source+deleted)
		}
	}
	pageLeftOut(p, rep, len(r.Tasks) > 0)
	p.Remarks = r.Warnings
	if !rep.Applied && len(r.Tasks) > 0 {
		p.DoIt("Nothing was written.", importAgain)
		return
	}
	for _, t := range r.Tasks {
		if t.Ready {
			p.Hint("Next: baton session start %s", t.ID)
			return
		}
	}
	p.Hint("To see what you can start: baton task ready")
}

// pageLeftOut shows which items became no tasks, and what has no place.
func pageLeftOut(p *app.Page, rep *tasks.ImportReport, created bool) {
	if rep.Done+rep.Dropped > 0 {
		p.Line(app.Plain, "Left out")
	}
	if rep.Done > 0 {
		p.Line(app.Plain, "  %s done", safetext.CountOf(rep.Done, "item that is", "items that are"))
	}
	if rep.Dropped > 0 {
		p.Line(app.Plain, "  %s cancelled or deleted", safetext.CountOf(rep.Dropped, "item that is", "items that are"))
	}
	if rep.Satisfied > 0 {
		p.Line(app.Plain, "  %s on done items, which no task waits for",
			safetext.CountOf(rep.Satisfied, "dependency", "dependencies"))
	}
	if len(rep.NoPlace) > 0 && created {
		p.Line(app.Plain, "No place in baton")
		for _, loss := range rep.NoPlace {
			p.Line(app.Plain, "  %s: %d", loss.What, loss.Count)
		}
	}
}
