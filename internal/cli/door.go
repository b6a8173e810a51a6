package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/workspace"
)

// door is one run of the program: its surroundings and the flags that every command has.
type door struct {
	env   report.Env
	doors Doors

	// canned, when set, fills in the result of a use case in place of the project. Tests of pages set it.
	canned func(o workspace.Options, result any) error

	json     bool
	noColor  bool
	dir      string
	as       string
	layout   string
	tasksDir string

	stdinFor string // flag that standard input was read for; it can be read once
	unsaid   error  // help that could not be printed: cobra takes no error from a help function
}

// options says to project where to look and on whose behalf.
func (d *door) options(cmd *cobra.Command) workspace.Options {
	return workspace.Options{
		Env: d.env, Dir: d.dir, TasksDir: d.tasksDir, Layout: d.layout, As: d.as,
		Command: called(cmd),
	}
}

// answer opens the project, runs one use case and prints its result: the struct itself with --json, else the page
// that text makes of it. Warnings of a page go to standard error, so that standard output can be piped.
func answer[T any](
	d *door, cmd *cobra.Command, use func(context.Context, *project.Project) (T, error), text func(*page, T),
) error {
	return answerWith(d, cmd, d.options(cmd), use, text)
}

// answerWith is answer for a command that looks for the project in its own way.
func answerWith[T any](
	d *door, cmd *cobra.Command, o workspace.Options,
	use func(context.Context, *project.Project) (T, error), text func(*page, T),
) error {
	result, err := ask(d, cmd, o, use)
	if err != nil {
		return err
	}
	return present(d, result, text)
}

// answerJudged is answer for a command whose answer is printed in any case, and whose exit code then says what it means.
func answerJudged[T any](
	d *door, cmd *cobra.Command, use func(context.Context, *project.Project) (T, error), text func(*page, T), judge func(T) error,
) error {
	result, err := ask(d, cmd, d.options(cmd), use)
	if err != nil {
		return err
	}
	if err := present(d, result, text); err != nil {
		return err
	}
	return judge(result)
}

// answerDespite prints the answer also when the use case fails with the given code, and then returns that error.
func answerDespite[T any](
	d *door, cmd *cobra.Command, o workspace.Options, code string,
	use func(context.Context, *project.Project) (T, error), text func(*page, T),
) error {
	result, err := ask(d, cmd, o, use)
	if err != nil && report.CodeOf(err) != code {
		return err
	}
	if refused := present(d, result, text); refused != nil {
		return refused
	}
	return err
}

// present prints a result: the struct itself with --json, else its page.
func present[T any](d *door, result T, text func(*page, T)) error {
	return d.present(result, func(p *page) { text(p, result) })
}

// present is not generic, because each result type would get a copy of it.
func (d *door) present(result any, text func(*page)) error {
	if d.json {
		return d.printJSON(result)
	}
	p := d.page()
	text(p)
	if err := d.print(p.bytes()); err != nil {
		return err
	}
	d.remarks(p.remarks)
	return nil
}

// ask runs one use case of the project and returns its result.
func ask[T any](
	d *door, cmd *cobra.Command, o workspace.Options, use func(context.Context, *project.Project) (T, error),
) (result T, err error) {
	err = d.call(cmd.Context(), o, &result, func(ctx context.Context, p *project.Project) (err error) {
		result, err = use(ctx, p)
		return err
	})
	return result, err
}

// call opens the project, runs one use case, and closes the project. Closing a project that was only read cannot lose
// anything, and one that was written to is durable before the method returns; so the use case's error counts.
func (d *door) call(
	ctx context.Context, o workspace.Options, result any, use func(context.Context, *project.Project) error,
) error {
	if d.canned != nil {
		return d.canned(o, result)
	}
	p, err := project.Open(ctx, o)
	if err != nil {
		return err
	}
	err = use(ctx, p)
	if closed := p.Close(); err == nil {
		err = closed
	}
	return err
}

// operation is the name of a command in error objects: "task.show".
func operation(cmd *cobra.Command) string {
	path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())
	return strings.ReplaceAll(strings.TrimSpace(path), " ", ".")
}
