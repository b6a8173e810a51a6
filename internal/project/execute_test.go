//go:build unix

package project

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// run executes a line in a fresh folder.
func run(t *testing.T, c tasks.Command) (tasks.Execution, error) {
	t.Helper()
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	c.Environ = append(os.Environ(), c.Environ...)
	c.Now = time.Now
	return tasks.Execute(t.Context(), c)
}

func TestD19_CommandRuns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		exit       int
		tail       string
	}{
		{"success", "echo fine", 0, "fine"},
		{"failure keeps its code", "echo bad; exit 3", 3, "bad"},
		{"both streams in order", "echo one; echo two >&2; echo three", 0, "one\ntwo\nthree"},
		{"input is empty", "cat; echo end", 0, "end"},
		{"environment is the caller's", "echo $BATON_PROBE", 0, "here"},
		{"unknown command", "no-such-command-at-all 2>/dev/null", 127, ""},
		{"killed by a signal", "kill -9 $$", -1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := run(t, tasks.Command{Line: tt.line, Environ: []string{"BATON_PROBE=here"}})
			if err != nil {
				t.Fatal(err)
			}
			if got.Exit != tt.exit || got.Tail != tt.tail || got.TimedOut {
				t.Errorf("got exit %d, tail %q, timed out %v; want %d, %q", got.Exit, got.Tail, got.TimedOut, tt.exit, tt.tail)
			}
			if got.Passed() != (tt.exit == 0) {
				t.Errorf("passed = %v with exit %d", got.Passed(), got.Exit)
			}
		})
	}
}

func TestD19_OutputStreams(t *testing.T) {
	t.Parallel()
	var seen bytes.Buffer
	got, err := run(t, tasks.Command{Line: "printf 'a\\033[31mred\\033[0m\\n'", Stream: &seen})
	if err != nil {
		t.Fatal(err)
	}
	if seen.String() != "a\x1b[31mred\x1b[0m\n" {
		t.Errorf("the stream got %q", seen.String())
	}
	if got.Tail != "ared" {
		t.Errorf("the tail is %q, want it without escape sequences", got.Tail)
	}
}

func TestD19_TimeLimit(t *testing.T) {
	t.Parallel()
	got, err := run(t, tasks.Command{Line: "echo started; sleep 600", Timeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if !got.TimedOut || got.Passed() {
		t.Errorf("got %+v, want a time-out", got)
	}
}

// A signal ends the whole group, including a grandchild that ignores SIGTERM: the pipe that it holds open is closed.
func TestD19_InterruptEndsTheGroup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("not possible on this system: %v", err)
	}
	fd, err := syscall.Open(pipe, syscall.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(fd) }()
	ctx, cancel := context.WithCancel(t.Context())
	_, err = tasks.Execute(ctx, tasks.Command{
		Line: `sh -c 'trap "" TERM; exec 3>pipe; echo held; sleep 600' & wait`,
		Dir:  dir, Environ: os.Environ(), Now: time.Now, Stream: writerFunc(func([]byte) { cancel() }),
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the cancellation", err)
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
	ended := make(chan int, 1)
	go func() {
		n, _ := syscall.Read(fd, make([]byte, 1))
		ended <- n
	}()
	select {
	case n := <-ended:
		if n != 0 {
			t.Errorf("read %d bytes, want the end of the pipe", n)
		}
	case <-time.After(30 * time.Second):
		t.Error("a process of the group lives on")
	}
}

// writerFunc is called for each write.
type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

func TestD6_TailIsBounded(t *testing.T) {
	t.Parallel()
	var last workspace.Tail
	for range 10000 {
		if _, err := last.Write([]byte("a line with é and 漢字\n")); err != nil {
			t.Fatal(err)
		}
	}
	text := last.Without(nil)
	if len(text) > workspace.TailLimit || len(text) < workspace.TailLimit-4 {
		t.Errorf("the tail has %d bytes, want at most %d and hardly less", len(text), workspace.TailLimit)
	}
	if !strings.HasSuffix(text, "漢字") || strings.ContainsRune(text, '\uFFFD') {
		t.Errorf("the tail was cut inside a character: %q", text[:20])
	}
}

func TestD6_TailIsNeutral(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", "one\n\ttwo", "one\n\ttwo"},
		{"colour", "\x1b[1;31mred\x1b[m", "red"},
		{"title of the window", "\x1b]0;owned\x07text", "text"},
		{"title ended by ST", "\x1b]0;owned\x1b\\text", "text"},
		{"unended title stays in its line", "\x1b]0;owned\ntext", "\ntext"},
		{"carriage return", "10%\r20%\r\n", "10%20%\n"},
		{"bell and backspace", "a\x07b\x08c", "abc"},
		{"C1 control", "a\u009b31mb", "a31mb"},
		{"direction marks", "a\u202eb\u2066c", "abc"},
		{"not UTF-8", "a\xffb", "a\uFFFDb"},
		{"lone escape at the end", "a\x1b", "a"},
		{"escape before a wide character", "\x1b漢", "漢"},
		{"cut sequence", "a\x1b[12", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := safetext.Clean(tt.in); got != tt.want {
				t.Errorf("neutral(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
