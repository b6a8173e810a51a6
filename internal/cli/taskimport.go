package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/tasks"
)

func (d *door) importCommand() *cobra.Command {
	var r tasks.ImportRequest
	cmd := d.command(spec{
		use: "import FILE", short: "Take in a task file that stands elsewhere",
		long: "Put a task file of any dialect among the tasks of this project, byte for byte; - is standard input. Its id is --id,\n" +
			"else what its name, its title or its metadata says, else the next free number.\n\n" +
			"--lenient reads a text in which code fences stand inside of code fences, as in many samples, the way it is meant:\n" +
			"a task file inside a Markdown fence is taken out of it, and an outer fence gets longer fence lines.",
		example: "baton task import task-101-state.md\nbaton task import notes.md --lenient --id 7",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			data, err := d.file(cmd.Context(), operand, args[0])
			if err != nil {
				return err
			}
			r.Data, r.Name = data, filepath.Base(args[0])
			if args[0] == "-" {
				r.Name = "standard input"
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.ImportResult, error) {
				return p.Tasks.Import(ctx, r)
			}, pageImport)
		},
	})
	cmd.Flags().StringVar(&r.ID, "id", "", "give it this `ID`")
	cmd.Flags().BoolVar(&r.Lenient, "lenient", false, "read nested code fences as they are meant")
	return cmd
}

// titled puts a task's title behind its id; a file may have none.
func titled(title string) string {
	if title == "" {
		return ""
	}
	return "  " + title
}

func pageImport(p *page, r tasks.ImportResult) {
	p.add(good, "Took in "+ref(r.Task)).add(plain, titled(r.Title)).add(faint, "  "+r.Path).end()
	p.line(plain, "  %s, dialect %s, %s", r.Status, r.Dialect, plural(r.Sessions, "session"))
	if r.Changed {
		p.line(faint, "  its code fences were read leniently")
	}
	p.remarks = r.Warnings
	p.hint("Look at it: baton task show %s", r.Task)
}
