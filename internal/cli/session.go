package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

func (d *door) sessionCommands() *cobra.Command {
	return d.group("session", "Begin and end a session on a task",
		"A session is one run on a task, from start to hand-over. Its start fixes the stamp and the commits of its entry.",
		d.sessionStartCommand(), d.sessionEndCommand())
}

func (d *door) sessionStartCommand() *cobra.Command {
	var r sessions.SessionStartRequest
	cmd := d.about(spec{
		use: "start ID", short: "Begin a session on a task",
		long: "Claim the task, bring in what upstream tasks handed over, set it to in progress, and print what the session needs\n" +
			"first: the file's path, the open criteria, what the last session left to do, and which inputs changed. Started again\n" +
			"by the same holder, it is the same session.\n\n" +
			"In a project that has a digest and no tasks, ID is left out: where the project stands is printed, and nothing is\n" +
			"written.",
		example: "baton session start 101\nbaton session start 101 --as worker-1 --lease 1h\nbaton session start",
		most:    1,
		exits:   writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return d.startDigestSession(cmd)
			}
			if err := positive(cmd, "lease"); err != nil {
				return err
			}
			r.ID = args[0]
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (sessions.SessionStartResult, error) {
				return p.Sessions.StartSession(ctx, r)
			}, pageSessionStart)
		},
	})
	cmd.Flags().DurationVar(&r.Lease, "lease", 0, "hold it for `TIME`, like 30m (default: the configured lease)")
	cmd.Flags().BoolVar(&r.Force, "force", false, "start on a task that is not ready, unless it is complete")
	return cmd
}

// startDigestSession prints where a project stands that has a digest and no tasks (D18).
func (d *door) startDigestSession(cmd *cobra.Command) error {
	return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateResult, error) {
		state, err := p.Digests.State(ctx)
		if err != nil && report.KindOf(err) != report.NotFound {
			return state, err
		}
		tasks, bad := p.Tasks.List(ctx, tasks.ListRequest{}) // fails where nothing keeps tasks
		if err == nil && (bad != nil || len(tasks.Tasks) == 0) {
			return state, nil
		}
		e := usage(cmd.CommandPath(), called(cmd)+" needs ID")
		e.Hint = idHint + e.Hint
		return state, e
	}, pageState)
}

func pageSessionStart(p *page, r sessions.SessionStartResult) {
	verb := "Started"
	if r.Resumed {
		verb = "Went on with"
	}
	p.add(good, fmt.Sprintf("%s session %d", verb, r.Number)).add(plain, " of "+ref(r.Task)+titled(r.Title)).end()
	p.line(plain, "  file   %s", r.Path)
	p.line(plain, "  as     %s since %s", r.As, p.clock(r.Started))
	if r.Claim != nil {
		p.line(plain, "  claim  until %s, fence %d", p.clock(r.Claim.Until), r.Claim.Fence) // D3: both claim and start print it
	} else {
		p.line(warn, "  claim  none: claims cannot be kept here")
	}
	for _, in := range r.Inputs {
		p.line(plain, "  input  %s, %s", strings.TrimSpace(ref(in.Task)+" "+in.Title), inputNews(in, r))
	}
	p.inputChanges("", r.InputChanged)
	p.criteria("Open criteria", r.Criteria)
	if len(r.Next) > 0 {
		p.heading("Left to do by the last session")
		for _, text := range r.Next {
			p.item("  ", accent, "→", text)
		}
	}
	p.remarks = r.Warnings
	p.end()
	p.hint("Read the file first. Before you stop: baton task log %s --did TEXT --next TEXT, then baton session end %s", r.Task, r.Task)
}

// inputColumns is how much of an input's first line is shown: enough to know what it is; the text is in the file.
const inputColumns = 60

// inputNews says what is new about an input at a session's start. What no session has worked with yet is shown by its
// first line; of the rest it is enough to know whether it is still what the last session had.
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
	begins := ": " + cut(in.Begins, inputColumns)
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

func (d *door) sessionEndCommand() *cobra.Command {
	var r sessions.SessionEndRequest
	var stop digests.DigestSessionRequest
	cmd := d.command(spec{
		use: "end ID|SESSION", short: "End a session",
		long: "End a session, named by its task or by the name that start printed with --json, and let go of the task. It is\n" +
			"refused when nothing was logged since the start, because the next session would know nothing; --no-log ends it\n" +
			"nevertheless.\n\n" +
			"In a project with a GSD digest or baton's own, --stopped-at takes the place of ID: it writes into the digest where this\n" +
			"session stopped, for the next one. TEXT - reads standard input, @FILE a file.",
		example: "baton session end 101\nbaton session end 101 --no-log\nbaton session end --stopped-at \"Plan 04-02, step 3\" --resume-file notes.md",
		most:    1,
		exits:   writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("stopped-at") || cmd.Flags().Changed("resume-file") {
				return d.endDigestSession(cmd, stop, args)
			}
			if len(args) == 0 {
				e := usage(cmd.CommandPath(), called(cmd)+" needs ID|SESSION, or --stopped-at TEXT")
				e.Hint = idHint + e.Hint
				return e
			}
			r.Name = args[0]
			return d.endSession(cmd, r)
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.NoLog, "no-log", false, "end it although nothing was logged")
	flags.StringVar(&stop.StoppedAt, "stopped-at", "", "write into the digest where work stopped: `TEXT`")
	flags.StringVar(&stop.ResumeFile, "resume-file", "", "with --stopped-at: the `FILE` to go on from")
	cmd.ValidArgsFunction = d.completeTask
	return cmd
}

func (d *door) endSession(cmd *cobra.Command, r sessions.SessionEndRequest) error {
	var next step
	return answer(d, cmd, func(ctx context.Context, p *project.Project) (sessions.SessionEndResult, error) {
		ended, err := p.Sessions.EndSession(ctx, r)
		if err == nil && !d.json {
			next = nextStep(ctx, p, ended.Task)
		}
		return ended, err
	}, func(p *page, ended sessions.SessionEndResult) {
		pageSessionEnd(p, ended)
		switch {
		case next.command == "":
		case next.last:
			p.hint("Next: %s", next.command)
		default:
			p.hint("Next: baton session start %s, then %s", ended.Task, next.command)
		}
	})
}

// endDigestSession writes where work stopped into the digest of a project; no task is part of it (D18).
func (d *door) endDigestSession(cmd *cobra.Command, r digests.DigestSessionRequest, args []string) error {
	path := cmd.CommandPath()
	switch {
	case len(args) > 0:
		return usage(path, "ID|SESSION and --stopped-at cannot go together")
	case cmd.Flags().Changed("no-log"):
		return usage(path, "--no-log and --stopped-at cannot go together")
	case !cmd.Flags().Changed("stopped-at"):
		return usage(path, "--resume-file goes with --stopped-at")
	}
	text, err := d.given(cmd, "stopped-at", r.StoppedAt)
	if err != nil {
		return err
	}
	r.StoppedAt = text
	return answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateChange, error) {
		return p.Digests.EndDigestSession(ctx, r)
	}, func(p *page, c digests.StateChange) { pageFields(p, c, "Ended the session") })
}

func pageSessionEnd(p *page, r sessions.SessionEndResult) {
	entries := fmt.Sprintf("%d entries", r.Logged)
	if r.Logged == 1 {
		entries = "1 entry"
	}
	p.add(good, "Ended the session").add(plain, " of "+ref(r.Task)+" with "+entries).end()
	if r.Released {
		p.line(plain, "  %s is free for others", ref(r.Task))
	}
	p.remarks = r.Warnings
}
