package tasks

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/task/create"
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
heading is the title, check boxes are criteria, the rest is requirements). All tasks of a list are
created together or not at all, and may depend on each other's ids:

  [{"id": 100, "title": "Schema", "criteria": ["Migrations run twice"]},
   {"id": 101, "title": "Tokens", "dependencies": [100],
    "criteria": [{"text": "Signed", "verify": "go test ./token"}]}]

Flags take precedence over the file.`,
		Example: "baton task new \"Database schema\" --accept \"Migrations run\" --epic \"Auth (#10)\"\n" +
			"baton task new \"JWT service\" --after 100 --requirements -\n" +
			"baton task new --from tasks.json",
		MaxArgs: 1,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			request, err := newRequest(d, cmd, &f, args)
			if err != nil {
				return err
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

func newRequest(d *app.App, cmd *cobra.Command, f *newFlags, args []string) (tasks.NewRequest, error) {
	ctx, path := cmd.Context(), cmd.CommandPath()
	if len(args) == 0 && f.from == "" {
		return tasks.NewRequest{}, app.Usage(path, app.CommandName(cmd)+" needs TITLE or --from FILE")
	}
	list := []tasks.NewTask{{}}
	if f.from != "" {
		data, err := d.File(ctx, "from", f.from)
		if err != nil {
			return tasks.NewRequest{}, err
		}
		if list, err = tasks.ParseNew(data, app.Operand(args)); err != nil {
			return tasks.NewRequest{}, err
		}
	}
	if len(list) != 1 {
		for _, name := range []string{"id", "after", "requirements", "accept"} {
			if cmd.Flags().Changed(name) {
				return tasks.NewRequest{}, app.Usage(path, "--"+name+" is for one task, but --from has several")
			}
		}
		if len(args) > 0 {
			return tasks.NewRequest{}, app.Usage(path, "TITLE is for one task, but --from has several")
		}
	}
	if cmd.Flags().Changed("id") && strings.TrimSpace(string(f.task.ID)) == "" {
		return tasks.NewRequest{}, app.Usage(path, "--id is empty: leave it out to get the next free number")
	}
	if len(args) > 0 {
		f.task.Title = args[0]
		if strings.TrimSpace(args[0]) == "" {
			return tasks.NewRequest{}, app.Usage(path, "TITLE is empty")
		}
	}
	requirements, err := d.FlagText(ctx, "requirements", f.task.Requirements)
	if err != nil {
		return tasks.NewRequest{}, err
	}
	f.task.Requirements = requirements
	for i := range list {
		f.override(cmd, &list[i])
	}
	return tasks.NewRequest{Tasks: list}, nil
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
	for _, t := range r.Tasks {
		p.Add(app.Good, "Created "+t.ID.Ref()).Add(app.Plain, "  "+t.Title).Add(app.Faint, "  "+t.Path).End()
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
