package tasks

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

func outputCommand(d *app.App) *cobra.Command {
	var set []string
	var summary, file string
	cmd := about(d, app.Spec{
		Use: "output ID", Short: "Read or write what downstream tasks receive",
		Long: `Without a flag, print the task's output. --set writes one part of it: summary, files, api,
configuration or notes; --summary TEXT is short for --set summary=TEXT. --file writes the whole
output. A part that you write again is replaced. Downstream tasks receive the parts under these
headings:

  ### Summary
  ### API Contract
  ### Configuration Required
  ### Integration Notes

Files Created and parts with other names stay in the file. At most 3 KB go downstream; beyond
that, downstream tasks get a link.

If somebody else holds the task, baton keeps your text as a draft and says where.`,
		Example: "baton task output 101\n" +
			"baton task output 101 --summary \"Issues tokens\" --set api=\"POST /token\"\n" +
			"baton task output 101 --file output.md",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r, err := outputRequest(d, cmd, set, summary, file)
			if err != nil {
				return err
			}
			r.ID = args[0]
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.OutputResult, error) {
				return p.Tasks.Output(ctx, r)
			}, func(p *app.Page, o tasks.OutputResult) { pageOutput(p, o, r.Write) })
		},
	})
	flags := cmd.Flags()
	flags.StringArrayVar(&set, "set", nil, "write one part: `PART=TEXT`, or PART=- for standard input; may be repeated")
	flags.StringVar(&summary, "summary", "", "write the summary: `TEXT`, or - for standard input")
	flags.StringVar(&file, "file", "", "write the whole output from `FILE`, or - for standard input")
	return cmd
}

func outputRequest(d *app.App, cmd *cobra.Command, set []string, summary, file string) (tasks.OutputRequest, error) {
	var r tasks.OutputRequest
	if err := app.Exclusive(cmd, "file", "set"); err != nil {
		return r, err
	}
	if err := app.Exclusive(cmd, "file", "summary"); err != nil {
		return r, err
	}
	if cmd.Flags().Changed("file") {
		data, err := d.File(cmd.Context(), "file", file)
		r.Whole, r.Write = undrafted(string(data)), true
		return r, err
	}
	if cmd.Flags().Changed("summary") {
		set = append(set, "summary="+summary)
	}
	for _, assignment := range set {
		name, value, found := strings.Cut(assignment, "=")
		part, known := tasks.ParsePart(name)
		if !found || !known {
			message := "--set %s is not PART=TEXT"
			if found {
				message = "--set %s names no part of the output"
			}
			return r, app.Misuse(
				fmt.Sprintf(message, safetext.Columns(safetext.Visible(assignment), 40)),
				"PART is summary, files, api, configuration or notes",
			)
		}
		if _, twice := r.Set[part]; twice {
			return r, app.Usage(cmd.CommandPath(), fmt.Sprintf("the part %s was given twice", part))
		}
		text, err := d.FlagText(cmd.Context(), "set "+name, value)
		if err != nil {
			return r, err
		}
		if r.Set == nil {
			r.Set = map[task.Part]string{}
		}
		r.Set[part], r.Write = text, true
	}
	return r, nil
}

// pageDraft says why a text was not written, and what the holder can do with it, instead of the
// warning about it.
func pageDraft(p *app.Page, r tasks.OutputResult) {
	why := "somebody else holds " + r.Task.Ref()
	for _, f := range r.Warnings {
		if f.Path != r.Draft {
			p.Remarks = append(p.Remarks, f)
			continue
		}
		why, _, _ = strings.Cut(f.Text, ";")
	}
	p.Line(app.Warn, "Kept as a draft: %s", why)
	p.Hint("The holder can use it with: baton task output %s --file %s", r.Task, r.Draft)
}

// undrafted takes off what stands above the text in a draft that was kept for the holder: its
// title, and who wrote it.
func undrafted(text string) string {
	if !strings.HasPrefix(text, "# Draft of the output of task ") {
		return text
	}
	parts := strings.SplitN(text, "\n\n", 3)
	if len(parts) < 3 || !strings.HasPrefix(parts[1], "Written by ") {
		return text
	}
	return parts[2]
}

func pageOutput(p *app.Page, r tasks.OutputResult, written bool) {
	switch {
	case r.Draft != "":
		pageDraft(p, r)
		return
	case written && r.Changed:
		p.Add(app.Good, "Wrote the output of "+r.Task.Ref()).Add(app.Plain, titled(r.Title)).End()
		if !lacks(r.Warnings, r.Task) {
			p.Hint("Next: baton task complete %s", r.Task)
		}
	case written:
		p.Line(app.Plain, "Nothing to do: %s already has this output.", r.Task.Ref())
	case r.State == "written":
		p.Block("", r.Summary, 0)
	case r.State == "minimal":
		p.Line(app.Plain, "%s is a small fix: it has no output for other tasks.", r.Task.Ref())
	default:
		p.Line(app.Plain, "%s has no output yet.", r.Task.Ref())
		p.Hint("To write it: baton task output %s --summary TEXT", r.Task)
	}
	p.Remarks = r.Warnings
}
