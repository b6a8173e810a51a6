package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
)

func TestStandardInputIsReadOnceAndNeverFromATerminal(t *testing.T) {
	t.Parallel()
	s := setting{dir: taskSite(t), stdin: "Two\nlines\n\n"}
	got := s.real(t, "task", "new", "T", "--requirements", "-")
	if task := details(t, s, "2"); got.code != 0 || task.Requirements != "Two\nlines" {
		t.Errorf("%+v: %q", got, task.Requirements)
	}

	got = setting{stdin: "x"}.play(t, canned{}, "task", "log", "101", "--did", "-", "--next", "-")
	if got.code != 2 || !strings.Contains(got.errors, "--did - and --next - cannot both read standard input") {
		t.Errorf("twice: %+v", got)
	}

	got = setting{env: report.Env{Prompt: true}}.play(t, canned{}, "task", "log", "101", "--file", "-")
	if got.code != 2 || !strings.Contains(got.errors, "that is a terminal\nhint: ") {
		t.Errorf("terminal: %+v", got)
	}
}

// stuck is a pipe that nobody writes to. It reports when a reader begins to wait.
type stuck struct {
	waiting func()
	end     chan struct{}
}

func (s stuck) Read([]byte) (int, error) {
	s.waiting()
	<-s.end
	return 0, io.EOF
}

// TestASignalEndsTheWaitForInput cancels the context, as a signal does.
func TestASignalEndsTheWaitForInput(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	pipe := stuck{func() { cancel(errors.New("a signal came")) }, make(chan struct{})}
	defer close(pipe.end)
	var out, complaint bytes.Buffer
	code := Main(ctx, report.Env{
		Args: []string{"task", "log", "101", "--file", "-"}, Stdin: pipe, Stdout: &out, Stderr: &complaint,
		Getenv: func(string) string { return "" }, Dir: t.TempDir(),
	}, Doors{})
	if code != 130 || out.Len() > 0 {
		t.Errorf("exit code %d, output %q, error %q", code, out.String(), complaint.String())
	}
}

func TestFilesOfFlags(t *testing.T) {
	t.Parallel()
	dir := taskSite(t)
	write(t, dir, "entry.md", "Did it\n")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "sub/entry.md", "Did it below\n")
	write(t, dir, "huge.md", "")
	if err := os.Truncate(filepath.Join(dir, "huge.md"), report.MostBytes+1); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, args string
		code       int
		want       string // what was done, or a part of the message
	}{
		{"relative", "--file entry.md", 0, "Did it"},
		{"relative to -C", "-C sub --file entry.md", 0, "Did it below"},
		{"absolute", "--file " + filepath.Join(dir, "entry.md"), 0, "Did it"},
		{"missing", "--file nowhere.md", 2, "--file nowhere.md: there is no such file"},
		{"folder", "--file sub", 2, "--file sub is a folder, not a file"},
		{"huge", "--file huge.md", 7, "--file huge.md is larger than 64 MiB"},
	}
	for _, c := range cases {
		s := setting{dir: dir}
		got := s.real(t, append([]string{"task", "log", "1"}, strings.Fields(c.args)...)...)
		if got.code != c.code {
			t.Errorf("%s: exit code %d: %s", c.name, got.code, got.errors)
			continue
		}
		said := got.errors
		if c.code == 0 {
			sessions := details(t, s, "1").Sessions
			said = strings.Join(sessions[len(sessions)-1].Did, "")
		}
		if !strings.Contains(said, c.want) || c.code == 0 && said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// closed is a standard output that cannot be written to.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnswersThatCannotBePrintedAreFailures(t *testing.T) {
	t.Parallel()
	dir := taskSite(t)
	for _, args := range [][]string{
		{"task", "list"}, {"task", "list", "--json"}, {"version"}, {"help"}, {"completion", "bash"}, {"task", "--help"},
	} {
		var complaint bytes.Buffer
		code := Main(t.Context(), report.Env{
			Args: args, Stdin: strings.NewReader(""), Stdout: closed{}, Stderr: &complaint,
			Getenv: func(string) string { return "" }, Dir: dir,
		}, Doors{})
		if code != 9 || !strings.Contains(complaint.String(), "no space left on device") {
			t.Errorf("%v: exit code %d, %q", args, code, complaint.String())
		}
	}
}
