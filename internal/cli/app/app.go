package app

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/workspace"
)

// App is one run of the program: its surroundings and the flags that every command has.
type App struct {
	Env  report.Env
	Hook func(ctx context.Context, env report.Env, args []string) int // answers an event of an agent; may be nil

	// WholeTree builds all commands; most runs build only one.
	WholeTree func() *cobra.Command

	// Canned, when set, fills in the result of a use case in place of the project. Tests of pages
	// set it.
	Canned func(o workspace.Options, result any) error

	// Opening, when set, changes how the project is opened. Tests set it.
	Opening func(o *workspace.Options)

	JSON     bool
	Color    ColorMode
	NoColor  bool
	Dir      string
	As       string
	Layout   string
	TasksDir string
	Here     bool // ignore what other worktrees completed

	stdinFor  string // flag that standard input was read for; it can be read once
	DryRun    bool   // show what the command would change
	each      bool   // the command is at one of several words
	Again     string // how to do what DryRun shows; "" means without the flag
	HelpError error  // help that could not be printed: cobra takes no error from a help function
}

// Options returns where to look for the project, and for whom.
func (d *App) Options(cmd *cobra.Command) workspace.Options {
	o := workspace.Options{
		Env: d.Env, Dir: d.Dir, TasksDir: d.TasksDir, Layout: d.Layout, As: d.As, Here: d.Here,
		Command: CommandName(cmd),
	}
	if d.DryRun {
		o.Rehearsal = &workspace.Rehearsal{
			DryRun: true, Changes: []workspace.DoctorChange{}, Warnings: []report.Finding{},
		}
	}
	if d.Opening != nil {
		d.Opening(&o)
	}
	return o
}

// OnlyHere adds the flag --here to a command about what can be started.
func (d *App) OnlyHere(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&d.Here, "here", false, "ignore what is complete on branches of other worktrees")
}

// Answer opens the project, runs one use case and prints its result: the struct itself with --json,
// else the page that text makes of it. Warnings of a page go to standard error, so that standard
// output can be piped.
//
// The compiler makes a copy of generic code for each type of result, so this function and its
// variants only pass their arguments on to code without type parameters.
func Answer[T any](
	d *App, cmd *cobra.Command, use func(context.Context, *project.Project) (T, error), text func(*Page, T),
) error {
	result := new(T)
	return d.answerHere(cmd, result, func(ctx context.Context, p *project.Project) (err error) {
		*result, err = use(ctx, p)
		return err
	}, func(p *Page) { text(p, *result) })
}

// AnswerWith is Answer for a command that looks for the project in its own way.
func AnswerWith[T any](
	d *App, cmd *cobra.Command, o workspace.Options,
	use func(context.Context, *project.Project) (T, error), text func(*Page, T),
) error {
	return AnswerDespite(d, cmd, o, "", use, text)
}

// AnswerDespite prints the answer also when the use case fails with the given code, and then
// returns that error.
func AnswerDespite[T any](
	d *App, cmd *cobra.Command, o workspace.Options, code report.Code,
	use func(context.Context, *project.Project) (T, error), text func(*Page, T),
) error {
	result := new(T)
	return d.answer(cmd, o, code, result, func(ctx context.Context, p *project.Project) (err error) {
		*result, err = use(ctx, p)
		return err
	}, func(p *Page) { text(p, *result) })
}

// AnswerJudged is Answer for a command whose answer is printed in any case, and whose exit code
// then says what it means.
func AnswerJudged[T any](
	d *App, cmd *cobra.Command, use func(context.Context, *project.Project) (T, error), text func(*Page, T),
	judge func(T) error,
) error {
	result := new(T)
	err := d.answerHere(cmd, result, func(ctx context.Context, p *project.Project) (err error) {
		*result, err = use(ctx, p)
		return err
	}, func(p *Page) { text(p, *result) })
	if err != nil {
		return err
	}
	return judge(*result)
}

// Present prints a result: the struct itself with --json, else its page.
func Present[T any](d *App, result T, text func(*Page, T)) error {
	return d.present(result, func(p *Page) { text(p, result) })
}

// Ask runs one use case of the project and returns its result.
func Ask[T any](
	d *App, cmd *cobra.Command, o workspace.Options, use func(context.Context, *project.Project) (T, error),
) (T, error) {
	result := new(T)
	err := d.call(cmd.Context(), o, result, func(ctx context.Context, p *project.Project) (err error) {
		*result, err = use(ctx, p)
		return err
	})
	return *result, err
}

// answerHere is answer with the usual options.
func (d *App) answerHere(
	cmd *cobra.Command, result any, use func(context.Context, *project.Project) error, text func(*Page),
) error {
	return d.answer(cmd, d.Options(cmd), "", result, use, text)
}

// answer runs a use case, which fills in the result, and prints the result.
func (d *App) answer(
	cmd *cobra.Command, o workspace.Options, despite report.Code, result any,
	use func(context.Context, *project.Project) error, text func(*Page),
) error {
	failed := d.call(cmd.Context(), o, result, use)
	if failed != nil && (despite == "" || report.CodeOf(failed) != despite) {
		return failed
	}
	if err := d.present(result, text); err != nil {
		return err
	}
	return failed
}

// present prints a result or what the pointer to it points to.
func (d *App) present(result any, text func(*Page)) error {
	if d.JSON {
		return d.PrintJSON(result)
	}
	p := d.Page()
	text(p)
	if len(p.Remarks) == 0 {
		return d.Print(p.Bytes())
	}
	// The next step is the last line, also where warnings come in between.
	body, hints := p.Parts()
	if err := d.Print(body); err != nil {
		return err
	}
	d.PrintRemarks(p.Remarks)
	return d.Print(hints)
}

// call opens the project, runs one use case, and closes the project. Closing a project that was
// only read cannot lose anything, and one that was written to is durable before the method returns;
// so the error of the use case comes first.
func (d *App) call(
	ctx context.Context, o workspace.Options, result any, use func(context.Context, *project.Project) error,
) error {
	if d.Canned != nil {
		return d.Canned(o, result)
	}
	p, err := project.Open(ctx, o)
	if err != nil {
		return err
	}
	err = use(ctx, p)
	if closed := p.Close(); err == nil {
		err = closed
	}
	if r := o.Rehearsal; r != nil && r.Done {
		if d.each { // AnswerEach prints it
			return workspace.ErrRehearsed
		}
		if err := d.present(r, func(p *Page) { pageRehearsal(p, r, d.Again) }); err != nil {
			return err
		}
		return workspace.ErrRehearsed
	}
	return err
}
