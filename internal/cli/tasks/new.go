package tasks

import (
	"context"
	"strings"

	"baton/internal/task/importing/formats"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/task/create"
	"baton/internal/task/importing"
	"baton/internal/usecase/tasks"
)

// newFlags are the flags of "task new"; where a file is given too, they win over it (D20).
type newFlags struct {
	task   tasks.NewTask
	accept []string
	after  []string
	from   string
}

func newCommand(d *app.App) *cobra.Command {
	var f newFlags
	cmd := d.Command(app.Spec{
		Use: "new [TITLE]", Short: "Create a task",
		Long: `Create a task. Without --id, it gets the next free number. If the tasks that it depends on are
complete, it receives their outputs at once.

--from reads JSON (one object or a list, with the keys title, id, epic, repository, prd, agent,
dependencies, requirements, criteria, priority, discovered_from, source) or Markdown (the first
heading is the title, check boxes are criteria, the rest is requirements). A Markdown list of boxes
without a title, and the exports of other tools, become one task for each box or item, as "baton
task import" reads them. All tasks of a list are created together or not at all, and may depend on
each other's ids:

  [{"id": 100, "title": "Schema", "criteria": ["Migrations run twice"]},
   {"id": 101, "title": "Tokens", "dependencies": [100],
    "criteria": [{"text": "Signed", "verify": "go test ./token"}]}]

Flags take precedence over the file.`,
		Example: "baton task new --from tasks.json\n" +
			"baton task new \"Database schema\" --accept \"Migrations run\" --epic \"Auth (#10)\"\n" +
			"baton task new \"JWT service\" --after 100 --requirements -",
		MaxArgs: 1,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			request, list, err := newRequest(d, cmd, &f, args)
			if err != nil {
				return err
			}
			if list != nil {
				return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.NewResult, error) {
					return p.Tasks.ImportList(ctx, *list)
				}, pageNew)
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.NewResult, error) {
				return p.Tasks.NewTasks(ctx, request)
			}, pageNew)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&f.task.ID, "id", "", "use this `ID` instead of the next free number")
	flags.StringVar(&f.task.Epic, "epic", "", "the epic it belongs to: `EPIC` is \"TITLE (#ID)\", a title or #ID")
	flags.StringVar(&f.task.Repository, "repo", "", "the repository it is about: `NAME`")
	flags.StringVar(&f.task.PRD, "prd", "", "link the requirements document at `PATH`")
	flags.StringVar(&f.task.Agent, "agent", "", "the agent that should do it: `NAME`")
	flags.StringArrayVar(&f.after, "after", nil, "depend on task `ID`; may be repeated")
	flags.StringVar(&f.task.Requirements, "requirements", "", "what to do: `TEXT`, or - for standard input")
	flags.StringArrayVar(&f.accept, "accept", nil, "add a criterion: `TEXT`; may be repeated")
	flags.StringVar(&f.task.Priority, "priority", "", "how urgent it is: `LEVEL` is high, normal or low")
	flags.StringVar(&f.task.From, "from-task", "", "you found it while you worked on task `ID`")
	flags.StringVar(&f.from, "from", "", "read tasks from `FILE`, or - for standard input")
	flags.StringVar(&f.task.Dialect, "dialect", "", "write this format: `NAME` is v2 or v1")
	return cmd
}

// newRequest returns the tasks to create, or the list of another tool from which to create them.
func newRequest(
	d *app.App, cmd *cobra.Command, f *newFlags, args []string,
) (tasks.NewRequest, *tasks.ImportListRequest, error) {
	ctx, path := cmd.Context(), cmd.CommandPath()
	failed := func(err error) (tasks.NewRequest, *tasks.ImportListRequest, error) {
		return tasks.NewRequest{}, nil, err
	}
	if len(args) == 0 && f.from == "" {
		return failed(app.Usage(path, app.CommandName(cmd)+" needs TITLE or --from FILE"))
	}
	list := []tasks.NewTask{{}}
	var export *importing.List
	if f.from != "" {
		read := formats.Read
		if len(args) > 0 { // boxes are the criteria of the task with this title
			read = func([]byte, string) (*importing.List, error) { return nil, nil }
		}
		var data []byte
		var err error
		if export, data, err = readList(ctx, d, "from", f.from, read); err != nil {
			return failed(err)
		}
		if export == nil {
			if list, err = tasks.ParseNew(data, app.Operand(args)); err != nil {
				return failed(err)
			}
		}
	}
	if export != nil || len(list) != 1 {
		for _, name := range []string{"id", "after", "requirements", "accept"} {
			if cmd.Flags().Changed(name) {
				return failed(app.Usage(path, "--"+name+" is for one task, but --from has several"))
			}
		}
		if len(args) > 0 {
			return failed(app.Usage(path, "TITLE is for one task, but --from has several"))
		}
	}
	if export != nil {
		ask := &tasks.ImportListRequest{List: export, Name: fileName(f.from), Apply: true}
		f.override(cmd, &ask.Each)
		return tasks.NewRequest{}, ask, nil
	}
	if cmd.Flags().Changed("id") && strings.TrimSpace(string(f.task.ID)) == "" {
		return failed(app.Usage(path, "--id is empty: leave it out to get the next free number"))
	}
	if len(args) > 0 {
		f.task.Title = args[0]
		if strings.TrimSpace(args[0]) == "" {
			return failed(app.Usage(path, "TITLE is empty"))
		}
	}
	requirements, err := d.FlagText(ctx, "requirements", f.task.Requirements)
	if err != nil {
		return failed(err)
	}
	f.task.Requirements = requirements
	for i := range list {
		f.override(cmd, &list[i])
	}
	return tasks.NewRequest{Tasks: list}, nil, nil
}

// override lets the flags that were given win over what the file says.
func (f *newFlags) override(cmd *cobra.Command, t *tasks.NewTask) {
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&t.Title, f.task.Title},
		{&t.ID, f.task.ID},
		{&t.Epic, f.task.Epic},
		{&t.Repository, f.task.Repository},
		{&t.PRD, f.task.PRD},
		{&t.Agent, f.task.Agent},
		{&t.Requirements, f.task.Requirements},
		{&t.Dialect, f.task.Dialect},
		{&t.Priority, f.task.Priority},
		{&t.From, f.task.From},
	} {
		if field.from != "" {
			*field.to = field.from
		}
	}
	if cmd.Flags().Changed("after") {
		t.After = nil
		for _, value := range f.after {
			for id := range strings.SplitSeq(value, ",") { // 100,101 is what many try first
				t.After = append(t.After, strings.TrimSpace(id))
			}
		}
	}
	if len(f.accept) > 0 {
		t.Criteria = nil
		for _, text := range f.accept {
			t.Criteria = append(t.Criteria, create.Criterion{Text: text})
		}
	}
}

func pageNew(p *app.Page, r tasks.NewResult) {
	if r.Import != nil {
		pageImported(p, r)
		return
	}
	for _, t := range r.Tasks {
		named(p, app.Good, "Created "+t.ID.Ref(), t.Title, t.Path)
		if len(t.Dependencies) > 0 {
			p.Line(app.Plain, "  after %s", refs(t.Dependencies))
		}
		if len(t.Inputs) > 0 {
			p.Line(app.Plain, "  received the output of %s", refs(t.Inputs))
		}
	}
	p.Remarks = r.Warnings
	for _, t := range r.Tasks {
		if t.Ready {
			p.Hint("Next: baton session start %s", t.ID)
			return
		}
	}
	p.Hint("To see what you can start: baton task ready")
}
