package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

// logFlags are the parts of an entry as flags.
type logFlags struct {
	did, issues, state, next, commits []string
	file                              string
	fresh                             bool
}

func logCommand(d *app.App) *cobra.Command {
	var f logFlags
	cmd := about(d, app.Spec{
		Use: "log ID", Short: "Hand off: append an entry about this session",
		Long: "Append one entry to the task's progress log: what you did, which issues came up, how things " +
			"stand, and what comes next. Give at least one of --did, --issues and --next; you can repeat " +
			"every flag. baton adds the commits made since `baton session start`. If the file grows past " +
			"its limit, baton moves the oldest sessions to the archive in the same step.\n\n" +
			"The file lists each entry as a session. If you log again in the session that you started with " +
			"`baton session start`, baton adds to its entry, unless somebody changed it or it is 12 hours old. " +
			"--new writes an entry of its own.\n\n" +
			"--file reads the entry from a file: JSON like " +
			"{\"did\":[],\"issues\":[],\"state\":[],\"next\":[],\"commits\":[]}, or Markdown with the field " +
			"labels of a task file. Text before the first label counts as what you did. Flags take " +
			"precedence over the file.\n\n" +
			"You can log even if somebody else holds the task, so no hand-off is lost.",
		Example: "baton task log 101 --did \"Signed tokens\" --next \"Rotate the keys\"\n" +
			"baton task log 101 --did \"Read it\" --issues \"No database\" --commit 3f2c1aa\n" +
			"baton task log 101 --file entry.md",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			entry, err := entry(d, cmd, f)
			if err != nil {
				return err
			}
			var next step
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.LogResult, error) {
				r, err := p.Tasks.Log(ctx, tasks.LogRequest{ID: args[0], Entry: entry, New: f.fresh})
				if err == nil && !d.JSON {
					next = stepAfter(ctx, p, r)
				}
				return r, err
			}, func(p *app.Page, r tasks.LogResult) {
				pageLog(p, r)
				pageLogNext(p, r, next)
			})
		},
	})
	flags := cmd.Flags()
	flags.StringArrayVar(&f.did, "did", nil, "what you did: `TEXT`")
	flags.StringArrayVar(&f.issues, "issues", nil, "which issues came up: `TEXT`")
	flags.StringArrayVar(&f.state, "state", nil, "how things stand: `TEXT`")
	flags.StringArrayVar(&f.next, "next", nil, "what the next session should do: `TEXT`")
	flags.StringArrayVar(&f.commits, "commit", nil, "a commit of this session: `SHA`, or \"SHA SUBJECT\"")
	flags.BoolVar(&f.fresh, "new", false, "write a new entry, even in the same session")
	flags.StringVar(&f.file, "file", "", "read the entry from `FILE`, or - for standard input")
	return cmd
}

// entry reads the file and the flags; a flag replaces that part of the file.
func entry(d *app.App, cmd *cobra.Command, f logFlags) (task.Entry, error) {
	var entry task.Entry
	given := false
	for _, name := range []string{"did", "issues", "state", "next", "commit", "file"} {
		given = given || cmd.Flags().Changed(name)
	}
	if !given {
		e := app.Usage(
			cmd.CommandPath(), app.CommandName(cmd)+" needs at least one of --did, --issues and --next, or --file",
		)
		return entry, e
	}
	if f.file != "" {
		data, err := d.File(cmd.Context(), "file", f.file)
		if err != nil {
			return entry, err
		}
		if entry, err = task.ParseEntry(data); err != nil {
			return entry, err
		}
	}
	for _, part := range []struct {
		name string
		from []string
		to   *[]string
	}{
		{
			"did", f.did, &entry.Did,
		}, {"issues", f.issues, &entry.Issues}, {"state", f.state, &entry.State}, {"next", f.next, &entry.Next},
	} {
		if len(part.from) == 0 {
			continue
		}
		*part.to = make([]string, 0, len(part.from))
		for _, value := range part.from {
			text, err := d.FlagText(cmd.Context(), part.name, value)
			if err != nil {
				return entry, err
			}
			*part.to = append(*part.to, text)
		}
	}
	if len(f.commits) > 0 {
		entry.Commits = nil
		for _, value := range f.commits {
			hash, subject, _ := strings.Cut(strings.TrimSpace(value), " ")
			entry.Commits = append(entry.Commits, task.Commit{Hash: hash, Subject: strings.TrimSpace(subject)})
		}
	}
	return entry, nil
}

func pageLog(p *app.Page, r tasks.LogResult) {
	logged := "Logged session %d"
	if r.Extended {
		logged = "Added to session %d"
	}
	p.Add(app.Good, fmt.Sprintf(logged, r.Session)).Add(app.Plain, " of "+r.Task.Ref()).
		Add(app.Faint, fmt.Sprintf("  %s  %s", r.Path, app.Kilobytes(r.Size))).End()
	if n := len(r.Commits); n > 0 {
		p.Line(app.Plain, "  with %s, newest %s", safetext.Count(n, "commit"), safetext.ShortHash(r.Commits[n-1].Hash))
	}
	if len(r.Archived) > 0 {
		p.Line(app.Plain, "  moved to the archive: %s", sessionRanges(r.Archived))
	}
	inputChanges(p, "", r.InputChanged)
	if r.Notice != "" {
		p.End()
		p.Block("", r.Notice, 0)
	}
	for _, f := range r.Warnings {
		if f.Code != report.CodeInputChanged { // shown above with the difference
			p.Remarks = append(p.Remarks, f)
		}
	}
}

// pageLogNext says what comes next, but only to the holder: anybody else has just left a note.
func pageLogNext(p *app.Page, r tasks.LogResult, next step) {
	stranger := slices.ContainsFunc(r.Warnings,
		func(f report.Finding) bool { return f.Code == report.CodeClaimedByOther })
	if stranger || next.command == "" {
		return
	}
	if len(r.InputChanged) > 0 || r.Notice != "" {
		p.End()
	}
	if next.held {
		p.Hint("Next: %s, or to stop: baton session end %s", next.command, r.Task)
		return
	}
	p.Hint("Next: %s", next.command)
}

// ranges writes ascending numbers as 1-4, 6-9.
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, fmt.Sprint(numbers[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}
