package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"baton/internal/project"
	"baton/internal/report"
)

// fake stands for a project: it keeps what it was asked and answers what the test laid down.
type fake struct {
	options project.Options
	request any
	calls   int
	asked   int // since the project was opened
	answer  any
	err     error
	opening error
	closing error
}

func reply[T any](f *fake, request any) (T, error) {
	f.calls++
	if f.asked++; f.asked == 1 { // later ones of the same run only find out what to say next
		f.request = request
	}
	result, _ := f.answer.(T)
	return result, f.err
}

func (f *fake) open(_ context.Context, o project.Options) (backend, error) {
	o.Env = report.Env{}
	f.options, f.asked = o, 0
	return f, f.opening
}

func (f *fake) Close() error { return f.closing }

func (f *fake) Init(_ context.Context, r project.InitRequest) (project.InitResult, error) {
	return reply[project.InitResult](f, r)
}

func (f *fake) NewTasks(_ context.Context, r project.NewRequest) (project.NewResult, error) {
	return reply[project.NewResult](f, r)
}

func (f *fake) List(_ context.Context, r project.ListRequest) (project.TaskList, error) {
	return reply[project.TaskList](f, r)
}

func (f *fake) Ready(context.Context) (project.TaskList, error) {
	return reply[project.TaskList](f, "ready")
}

func (f *fake) Show(_ context.Context, r project.ShowRequest) (project.TaskDetail, error) {
	return reply[project.TaskDetail](f, r)
}

func (f *fake) Claim(_ context.Context, r project.ClaimRequest) (project.ClaimResult, error) {
	return reply[project.ClaimResult](f, r)
}

func (f *fake) Release(_ context.Context, r project.TaskRequest) (project.TaskChange, error) {
	return reply[project.TaskChange](f, r)
}

func (f *fake) Block(_ context.Context, r project.TaskRequest) (project.TaskChange, error) {
	return reply[project.TaskChange](f, r)
}

func (f *fake) Reopen(_ context.Context, r project.TaskRequest) (project.TaskChange, error) {
	return reply[project.TaskChange](f, r)
}

func (f *fake) StartSession(_ context.Context, r project.SessionStartRequest) (project.SessionStartResult, error) {
	return reply[project.SessionStartResult](f, r)
}

func (f *fake) EndSession(_ context.Context, r project.SessionEndRequest) (project.SessionEndResult, error) {
	return reply[project.SessionEndResult](f, r)
}

func (f *fake) Log(_ context.Context, r project.LogRequest) (project.LogResult, error) {
	return reply[project.LogResult](f, r)
}

// Check also writes to the stream, as a criterion's command does.
func (f *fake) Check(_ context.Context, r project.CheckRequest) (project.CheckResult, error) {
	if r.Stream != nil && r.Run != "" {
		_, _ = r.Stream.Write([]byte("output of " + r.Run))
	}
	r.Stream = nil
	return reply[project.CheckResult](f, r)
}

func (f *fake) Output(_ context.Context, r project.OutputRequest) (project.OutputResult, error) {
	return reply[project.OutputResult](f, r)
}

func (f *fake) Complete(_ context.Context, r project.TaskRequest) (project.CompleteResult, error) {
	return reply[project.CompleteResult](f, r)
}

func (f *fake) Archive(_ context.Context, r project.ArchiveRequest) (project.ArchiveResult, error) {
	return reply[project.ArchiveResult](f, r)
}

func (f *fake) Split(_ context.Context, r project.SplitRequest) (project.SplitResult, error) {
	return reply[project.SplitResult](f, r)
}

func (f *fake) Import(_ context.Context, r project.ImportRequest) (project.ImportResult, error) {
	return reply[project.ImportResult](f, r)
}

func (f *fake) Convert(_ context.Context, r project.ConvertRequest) (project.ConvertResult, error) {
	return reply[project.ConvertResult](f, r)
}

func (f *fake) Graph(context.Context) (project.GraphResult, error) {
	return reply[project.GraphResult](f, "graph")
}

func (f *fake) Status(context.Context) (project.StatusResult, error) {
	return reply[project.StatusResult](f, "status")
}

func (f *fake) Config(context.Context) (project.ConfigList, error) {
	return reply[project.ConfigList](f, "config")
}

// noon is the moment at which all tests of this package happen.
var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// outcome is what a run left behind.
type outcome struct {
	code        int
	out, errors string
}

// setting is the surroundings of a run; the zero value is a pipe with nothing on standard input.
type setting struct {
	stdin string
	vars  map[string]string
	dir   string
	env   report.Env // Terminal, Prompt and Width are taken from here
}

// play runs one command line against the fake.
func (s setting) play(t *testing.T, f *fake, args ...string) outcome {
	t.Helper()
	var out, errors bytes.Buffer
	env := s.env
	env.Args, env.Stdin, env.Stdout, env.Stderr = args, strings.NewReader(s.stdin), &out, &errors
	env.Getenv = func(name string) string { return s.vars[name] }
	env.Now = func() time.Time { return noon }
	env.Dir = s.dir
	code := run(t.Context(), env, Doors{}, f.open)
	return outcome{code, out.String(), errors.String()}
}

// play is the common case: no input, no terminal, no variables.
func play(t *testing.T, f *fake, args ...string) outcome {
	t.Helper()
	return setting{}.play(t, f, args...)
}
