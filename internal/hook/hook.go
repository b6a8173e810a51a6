// Package hook is the door for the hooks of coding agents. It reads what a client sends on standard
// input and answers in the form that this client understands. It fails open: if anything goes
// wrong, the client gets its neutral output, exit code 0 and nothing on standard error (D15).
// Clients differ only in names and forms: detect.go finds out which one is calling, event.go and
// tools.go convert what it sent to a agentsession.Event, and render.go writes the answer.
//
// Numbers in comments are explained in docs/dev/rules.md.
package hook

import (
	"context"
	"runtime"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/agents"
	"baton/internal/workspace"
)

// Limits of one event.
const (
	wholeTime  = 2 * time.Second        // from start to answer (agents.md 2.2)
	pauseTime  = 250 * time.Millisecond // of it: one pause, after which baton looks whether more has come
	mostPauses = 4                      // such pauses in a row, after which an incomplete event is taken as it is
	lockTime   = 300 * time.Millisecond // for locks (D15)
)

// asker answers events; tests replace it.
type asker interface {
	Agent(ctx context.Context, e agentsession.Event) (agentsession.Answer, error)
	Attend(ctx context.Context, session string) error
	LogHook(n agents.HookNote) error
	Watched() bool
	Close() error
}

type opener func(ctx context.Context, o workspace.Options) (asker, error)

func openProject(ctx context.Context, o workspace.Options) (asker, error) {
	p, err := project.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return p.Agents, nil
}

// Run answers one event. args are the words after `baton hook`. The exit code is 0, or 42 for a
// tool call that is refused under --agent kiro: the command in Kiro's settings turns that into the
// client's own code (agents.md 2.1).
func Run(ctx context.Context, env report.Env, args []string) int {
	return run(ctx, env, args, openProject)
}

func run(ctx context.Context, env report.Env, args []string, open opener) int {
	ctx, cancel := context.WithTimeout(ctx, wholeTime)
	defer cancel()
	d := &door{
		env: env, open: open, ask: parseFlags(args), late: func() <-chan time.Time { return time.After(pauseTime) },
	}
	if d.env.Getenv == nil {
		d.env.Getenv = func(string) string { return "" }
	}
	out := d.guarded(ctx)
	d.print(out)
	d.attend(ctx)
	d.log()
	d.close()
	return out.code
}

// flags are the words after `baton hook`. Unknown words are ignored, because they may be from
// another version.
type flags struct {
	agent string // whose configuration file calls
	event string // of clients that do not name it
	dir   string // -C
}

func parseFlags(args []string) (f flags) {
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		var to *string
		switch name {
		case "--agent":
			to = &f.agent
		case "--event":
			to = &f.event
		case "-C", "--dir":
			to = &f.dir
		default:
			continue
		}
		if !joined && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		*to = value
	}
	return f
}

// door is one run of the hook.
type door struct {
	env  report.Env
	open opener
	ask  flags
	late func() <-chan time.Time // the end of a pause, for a client that leaves the pipe open

	p     asker   // the project around the event, nil when there is none
	in    message // the event, once it is answered
	waits bool    // the session began to wait for a person
	notes []agents.HookNote
}

// step is how far the work on an event has come: event read, project opened, or done.
type step struct {
	in   message
	p    asker
	out  output
	note []agents.HookNote
	done bool

	waits bool
}

// guarded answers the event in another goroutine, so that neither a slow disk nor a panic affects
// the client. A panic would end the process with exit code 2, which most clients understand as
// "block" (agents.md 1).
func (d *door) guarded(ctx context.Context) output {
	var in inbox
	steps := make(chan step, 8) // as many as two workers send
	go func() {
		needStack()
		d.work(ctx, steps, func() (data []byte, fault string, mine bool) { return in.readAll(d.env) })
	}()
	now := step{in: message{client: client{name: d.ask.agent}}}
	late, said := d.late(), patience{}
	for {
		select {
		case now = <-steps:
			if d.p = now.p; now.done {
				d.notes, d.in, d.waits = now.note, now.in, now.waits
				return now.out
			}
		case <-late:
			if !said.over(&in) {
				late = d.late()
				continue
			}
			late = nil
			if data, fault, mine := in.seal(); mine {
				go d.work(ctx, steps, func() ([]byte, string, bool) { return data, fault, true })
			}
		case <-ctx.Done(): // it may still be at work: the log is all that is asked of the project
			d.notes = []agents.HookNote{now.in.note("late", "no answer within "+wholeTime.String())}
			return neutral(now.in.client)
		}
	}
}

// needStack grows the stack of its goroutine at once to the size that the work needs. Otherwise it
// would double five times, and copying its frames would take a twentieth of a session's start
// (D30).
//
//go:noinline
func needStack() byte {
	var room [40 << 10]byte
	return room[time.Now().Nanosecond()%len(room)]
}

// work reads one event and asks the project, and reports after each part how far it has come.
func (d *door) work(ctx context.Context, steps chan<- step, read func() (data []byte, fault string, mine bool)) {
	now := step{in: message{client: client{name: d.ask.agent}}}
	defer func() {
		if what := recover(); what != nil {
			now.done, now.out = true, neutral(now.in.client)
			now.note = []agents.HookNote{now.in.note("failed", "panic: "+panicText(what))}
			steps <- now
		}
	}()
	data, fault, mine := read()
	if !mine {
		return
	}
	if fault == "" {
		now.in, fault = decode(d.ask, d.env.Dir, data)
		alone(&now.in.event, d.env.Getenv)
	}
	steps <- now
	now.out = neutral(now.in.client)
	if fault != "" || !now.in.ignored {
		now.p = d.around(ctx, &now.in)
		steps <- now
	}
	switch {
	case now.p == nil:
	case fault != "":
		now.note = []agents.HookNote{now.in.note("ignored", fault)}
	default:
		answer, err := now.p.Agent(ctx, now.in.event)
		now.out, now.note, now.waits = now.in.render(answer), now.in.outcome(answer), answer.Waits
		if err != nil {
			now.note = append(now.note, now.in.note("failed", err.Error()))
		}
	}
	now.done = true
	steps <- now
}

// panicText returns the text of a panic if it comes from the language: other texts may hold data.
func panicText(what any) string {
	if err, ok := what.(runtime.Error); ok {
		return err.Error()
	}
	return "unexpected"
}

// print writes the answer. It is no error if the client no longer listens.
func (d *door) print(out output) {
	if len(out.stdout) > 0 && d.env.Stdout != nil {
		_, _ = d.env.Stdout.Write(out.stdout)
	}
	if out.stderr != "" && d.env.Stderr != nil {
		_, _ = d.env.Stderr.Write([]byte(out.stderr))
	}
}

// attend starts the command for a session that began to wait, now that the client has its answer.
func (d *door) attend(ctx context.Context) {
	if d.p == nil || !d.waits {
		return
	}
	defer func() { _ = recover() }()
	if err := d.p.Attend(ctx, d.in.event.Session); err != nil {
		d.notes = append(d.notes, d.in.note("failed", "on_attention: "+err.Error()))
	}
}

// log writes down what failed, was refused or was held. It is no error if the log cannot be
// written.
func (d *door) log() {
	if d.p == nil {
		return
	}
	defer func() { _ = recover() }()
	for _, n := range d.notes {
		_ = d.p.LogHook(n)
	}
}

func (d *door) close() {
	defer func() { _ = recover() }()
	if d.p != nil {
		_ = d.p.Close()
	}
}
