package tasks

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

// editorEdit opens a copy of the task's file in the person's editor, and writes what they saved if
// it can be the task's file. A text that cannot stays in the copy, which the error names.
func editorEdit(d *app.App, cmd *cobra.Command, id string) error {
	editor := d.Env.Getenv("VISUAL")
	if editor == "" {
		editor = d.Env.Getenv("EDITOR")
	}
	switch {
	case !d.Env.Terminal:
		return app.Usage(cmd.CommandPath(),
			app.CommandName(cmd)+" needs at least one flag: without a terminal, no editor opens")
	case editor == "":
		return app.Usage(cmd.CommandPath(),
			app.CommandName(cmd)+" needs a flag, or $VISUAL or $EDITOR with the name of an editor")
	}
	return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.EditResult, error) {
		before, err := p.Tasks.Text(ctx, id)
		if err != nil {
			return tasks.EditResult{}, err
		}
		dir, err := os.MkdirTemp("", "baton-edit-")
		if err != nil {
			return tasks.EditResult{}, cannotEdit(err)
		}
		draft := filepath.Join(dir, "task-"+id+".md")
		if err := os.WriteFile(draft, before, 0o600); err != nil {
			return tasks.EditResult{}, cannotEdit(err)
		}
		if err := runEditor(ctx, editor, draft); err != nil {
			_ = os.RemoveAll(dir)
			return tasks.EditResult{}, cannotEdit(err)
		}
		after, err := os.ReadFile(draft)
		if err != nil {
			return tasks.EditResult{}, cannotEdit(err)
		}
		out, err := p.Tasks.Rewrite(ctx, id, before, after)
		if err != nil {
			e := *report.As(err)
			e.Message += "; your text is in " + draft
			return tasks.EditResult{}, &e
		}
		_ = os.RemoveAll(dir)
		return out, nil
	}, pageEdit)
}

// runEditor runs an editor, whose setting may have arguments, on a file and waits for it.
func runEditor(ctx context.Context, editor, file string) error {
	run := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", file)
	if runtime.GOOS == "windows" {
		run = exec.CommandContext(ctx, "cmd", "/c", editor, file)
	}
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	return run.Run()
}

func cannotEdit(err error) error {
	return &report.Error{
		Op: "task.edit", Kind: report.Refused, Code: report.CodeIO, Err: err,
		Message: "the editor did not finish: " + err.Error(), Hint: "nothing was changed",
	}
}
