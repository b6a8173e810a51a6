package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/usecase/find"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// canned is the result or the error of whichever use case a command calls. The zero value stands for the zero value of
// each result.
type canned struct {
	answer  any
	err     error
	options *workspace.Options // receives the options with which the project would be opened
}

func (c canned) fill(o workspace.Options, result any) error {
	if c.options != nil {
		*c.options = o
	}
	into := reflect.ValueOf(result).Elem()
	switch result := result.(type) {
	case *find.SearchResult:
		result.Total = 1 // a search without hits is an error
	case *folder.RecordResult:
		result.Record = []byte(`{"active":false}`) // a project always has one
	}
	if c.answer != nil && reflect.TypeOf(c.answer) == into.Type() {
		into.Set(reflect.ValueOf(c.answer))
	}
	return c.err
}

// noon is the time at which all tests of this package run.
var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// outcome is the result of a run.
type outcome struct {
	code        int
	out, errors string
}

// setting is the environment of a run; the zero value is a pipe without standard input.
type setting struct {
	stdin string
	vars  map[string]string
	dir   string
	env   report.Env // only Terminal, Prompt and Width are used
}

func (s setting) door(args []string) (d *app.App, out, errors *bytes.Buffer) {
	out, errors = new(bytes.Buffer), new(bytes.Buffer)
	env := s.env
	env.Args, env.Stdin, env.Stdout, env.Stderr = args, strings.NewReader(s.stdin), out, errors
	env.Getenv = func(name string) string { return s.vars[name] }
	env.Now = func() time.Time { return noon }
	env.Dir = s.dir
	return &app.App{Env: env}, out, errors
}

// play runs one command line and prints the canned result.
func (s setting) play(t *testing.T, c canned, args ...string) outcome {
	t.Helper()
	d, out, errors := s.door(args)
	d.Canned = c.fill
	code := run(t.Context(), d)
	return outcome{code, out.String(), errors.String()}
}

// real runs one command line in the project around s.dir.
func (s setting) real(t *testing.T, args ...string) outcome {
	t.Helper()
	d, out, errors := s.door(args)
	d.Env.User, d.Env.PID, d.Env.Home = "agent-1", os.Getpid(), filepath.Join(s.dir, "home")
	code := run(t.Context(), d)
	return outcome{code, out.String(), errors.String()}
}

// play runs a command line without input, terminal and variables.
func play(t *testing.T, c canned, args ...string) outcome {
	t.Helper()
	return setting{}.play(t, c, args...)
}

// taskSite creates a project with one task, 1, that has two criteria.
func taskSite(t *testing.T) string {
	t.Helper()
	s := setting{dir: t.TempDir()}
	for _, args := range [][]string{{"init"}, {"task", "new", "One", "--accept", "A", "--accept", "B"}} {
		if got := s.real(t, args...); got.code != 0 {
			t.Fatalf("%v: %+v", args, got)
		}
	}
	return s.dir
}
