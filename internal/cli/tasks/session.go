package tasks

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// DigestSession begins and ends a session in a project that has a digest and no tasks (D18).
type DigestSession struct {
	Start func(*app.App, *cobra.Command) error
	End   func(*app.App, *cobra.Command, digests.DigestSessionRequest, []string) error
}

func sessionCommands(d *app.App, digest DigestSession) *cobra.Command {
	return d.Group(
		"session",
		"Start and end a session on a task",
		"A session is one sitting of work on a task, from start to hand-off. The log entry gets "+
			"the time of its start, and the commits made since.",
		sessionStartCommand(d, digest),
		sessionEndCommand(d, digest),
		sessionAdoptCommand(d),
		sessionUnbindCommand(d),
	)
}

func sessionStartCommand(d *app.App, digest DigestSession) *cobra.Command {
	var r sessions.SessionStartRequest
	cmd := about(d, app.Spec{
		Use: "start ID", Short: "Claim a task and see what is open",
		Long: `Claim the task, bring in what upstream tasks handed over, set it to in progress, and print what
the session needs first: the file's path, the open criteria, what the last session left to do, and
which inputs changed. If the same holder runs this again, the session continues.

In a project that has a digest and no tasks, leave ID out: baton prints where the project stands
and writes nothing.`,
		Example: "baton session start 101\nbaton session start 101 --as worker-1 --lease 1h\nbaton session start",
		MaxArgs: 1,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return digest.Start(d, cmd)
			}
			if err := app.Positive(cmd, "lease"); err != nil {
				return err
			}
			if r.Reason != "" && !r.Force {
				return app.Usage(cmd.CommandPath(), "--reason needs --force")
			}
			r.ID = args[0]
			others := true // wait for the task
			return app.Answer(d, cmd,
				func(ctx context.Context, p *project.Project) (sessions.SessionStartResult, error) {
					started, err := p.Sessions.StartSession(ctx, r)
					if err == nil && !d.JSON {
						others = p.Tasks.IsAwaited(ctx, started.Task)
					}
					return started, err
				},
				func(p *app.Page, started sessions.SessionStartResult) { pageSessionStart(p, started, others) },
			)
		},
	})
	cmd.Flags().DurationVar(&r.Lease, "lease", 0, "hold it for `TIME`, like 30m (default: the configured lease)")
	cmd.Flags().BoolVar(&r.Force, "force", false, "start even if the task is not ready, unless it is complete")
	cmd.Flags().BoolVar(&r.Refresh, "refresh-inputs", false,
		"replace inputs that somebody edited; the old text goes to the archive")
	cmd.Flags().StringVar(&r.Reason, "reason", "",
		"with --force: why you do a task that is complete on another branch once more: `TEXT`")
	return cmd
}

func pageSessionStart(p *app.Page, r sessions.SessionStartResult, awaited bool) {
	verb := "Started"
	if r.Resumed {
		verb = "Continued"
	}
	p.Item("", app.Good, fmt.Sprintf("%s session %d", verb, r.Number), "of "+r.Task.Ref()+titled(r.Title))
	p.Line(app.Plain, "  file   %s", r.Path)
	p.Line(app.Plain, "  as     %s since %s", r.As, p.Clock(r.Started))
	if r.Claim != nil {
		p.Line(
			app.Plain, "  claim  until %s, fence %d", p.Clock(r.Claim.Until), r.Claim.Fence,
		) // D3: both claim and start print it
	} else {
		p.Line(app.Warn, "  claim  none: baton cannot keep claims here")
	}
	for _, in := range r.Inputs {
		p.Item("  ", app.Plain, "input ", strings.TrimSpace(in.Task.Ref()+" "+in.Title)+", "+inputNews(in, r))
	}
	inputChanges(p, "", r.InputChanged)
	criteria(p, "Open criteria", r.Criteria)
	lastEntry(p, r)
	if len(r.Next) > 0 {
		p.Heading("%s", leftToDo(r.NextFrom))
		for _, text := range r.Next {
			p.Item("  ", app.Accent, p.Marks().Then, text)
		}
	}
	Neighbours(p, r.Neighbours)
	p.Remarks = r.Warnings
	p.End()
	p.Hint("Read the file first.")
	p.Hint("Before you stop: baton task log %[1]s --did TEXT --next TEXT, then baton session end %[1]s", r.Task)
	if !lacks(r.Warnings, r.Task) {
		p.Hint("When it is done: %s", outputStep(r.Task, awaited))
	}
}

// lastEntry puts what the last session left besides next steps: its notes, and what it did if it
// left no steps, as free prose does.
func lastEntry(p *app.Page, r sessions.SessionStartResult) {
	if r.Last == nil {
		return
	}
	var texts []string
	if len(r.Last.Next) == 0 {
		texts = r.Last.Did
	}
	if texts = slices.Concat(texts, r.Last.Notes); len(texts) == 0 {
		return
	}
	p.Heading("From the last session")
	for _, text := range texts {
		p.Item("  ", app.Plain, p.Marks().Dot, text)
	}
}

// leftToDo returns the heading above next steps. from is the session that left them, or 0 for the
// last one.
func leftToDo(from int) string {
	if from == 0 {
		return "Left to do from the last session"
	}
	return fmt.Sprintf("Left to do from session %d", from)
}

// lacks reports whether entries of a task are lost, so that it cannot be completed.
func lacks(warnings []report.Finding, id task.ID) bool {
	return slices.ContainsFunc(warnings, func(f report.Finding) bool {
		file := path.Base(f.Path)
		return f.Code == report.CodeEntriesLost && (file == task.StateName(id) || file == task.ArchiveName(id))
	})
}

// Neighbours puts who else is at work, those whose files concern the caller first.
func Neighbours(p *app.Page, n sessions.Neighbours) {
	if len(n.Rows) == 0 {
		return
	}
	p.Heading("Also at work")
	for _, r := range n.Rows {
		t := app.Accent
		if len(r.Overlaps) > 0 {
			t = app.Warn
		}
		p.Item("  ", t, p.Marks().Then, r.Text)
	}
	if n.More > 0 {
		p.Line(app.Faint, "  and %d more", n.More)
	}
}

// inputColumns is how much of an input's first line is shown: enough to know what it is; the text
// is in the file.
const inputColumns = 60

// inputNews says what is new about an input at a session's start. What no session has worked with
// yet is shown by its first line; of the rest it is enough to know whether it is still what the
// last session had.
func inputNews(in tasks.InputReceipt, r sessions.SessionStartResult) string {
	for _, c := range r.InputChanged {
		switch {
		case c.Task != in.Task || r.Number <= 1:
		case c.Diff == "":
			return "changed since " + since(c)
		default:
			return "changed since " + since(c) + " (below)"
		}
	}
	begins := ": " + safetext.Columns(in.Begins, inputColumns)
	if cut, short := strings.CutSuffix(begins, "…"); short {
		if last := strings.LastIndexByte(cut, ' '); last > inputColumns/2 {
			begins = cut[:last] + " …" // no part of a word
		}
	}
	if in.Begins == "" {
		begins = ""
	}
	switch {
	case in.Change == "kept_edited":
		return "edited by a person and kept" + begins
	case in.Change == "inserted", r.Number <= 1:
		return "received" + begins
	case in.Change == "replaced":
		return "changed" + begins
	}
	return fmt.Sprintf("unchanged since session %d", r.Number-1)
}

func sessionEndCommand(d *app.App, digest DigestSession) *cobra.Command {
	var r sessions.SessionEndRequest
	var stop digests.DigestSessionRequest
	cmd := d.Command(app.Spec{
		Use: "end ID|SESSION", Short: "End a session",
		Long: "End a session and release the task. Name the session by its task or by the name that " +
			"`session start --json` printed. The command is refused if nothing was logged since the " +
			"start, because the next session would know nothing; --no-log ends it anyway.\n\n" +
			"In a project with a digest, use --stopped-at instead of ID: it writes " +
			"into the digest where this session stopped, for the next one. As TEXT, - reads standard " +
			"input, and @FILE reads a file.",
		Example: "baton session end 101\nbaton session end 101 --no-log\n" +
			"baton session end --stopped-at \"Plan 04-02, step 3\" --resume-file notes.md",
		MaxArgs: 1,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("stopped-at") || cmd.Flags().Changed("resume-file") {
				return digest.End(d, cmd, stop, args)
			}
			if len(args) == 0 {
				e := app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs ID|SESSION, or --stopped-at TEXT")
				e.Hint = app.IDHint + e.Hint
				return e
			}
			r.Name = args[0]
			return endSession(d, cmd, r)
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.NoLog, "no-log", false, "end it even if nothing was logged")
	flags.StringVar(&stop.StoppedAt, "stopped-at", "", "write into the digest where you stopped: `TEXT`")
	flags.StringVar(&stop.ResumeFile, "resume-file", "", "with --stopped-at: the `FILE` to continue from")
	cmd.ValidArgsFunction = d.CompleteTask
	return cmd
}

func endSession(d *app.App, cmd *cobra.Command, r sessions.SessionEndRequest) error {
	var next step
	return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (sessions.SessionEndResult, error) {
		ended, err := p.Sessions.EndSession(ctx, r)
		if err == nil && !d.JSON {
			next = nextStep(ctx, p, ended.Task)
		}
		return ended, err
	}, func(p *app.Page, ended sessions.SessionEndResult) {
		p.Add(app.Good, "Ended the session")
		p.Add(app.Plain, " on "+ended.Task.Ref()+" with "+app.EntryCount(ended.Logged)).End()
		if ended.Released {
			p.Line(app.Plain, "  %s is free for others", ended.Task.Ref())
		}
		p.Remarks = ended.Warnings
		switch {
		case next.command == "":
		case next.last:
			p.Hint("Next: %s", next.command)
		default:
			p.Hint("Next: baton session start %s, then %s", ended.Task, next.command)
		}
	})
}
