package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
)

// unread is the output of a client that does not read.
type unread struct{ gone chan struct{} }

func (u unread) Write([]byte) (int, error) {
	<-u.gone
	return 0, io.ErrClosedPipe
}

func newUnread(t *testing.T) unread {
	t.Helper()
	u := unread{make(chan struct{})}
	t.Cleanup(func() { close(u.gone) })
	return u
}

// A client that does not read does not keep the server from hearing that it goes, whatever it left behind: answers,
// refusals of lines, or refusals by the library itself.
func TestAClientThatDoesNotReadDoesNotHoldUpTheEnd(t *testing.T) {
	t.Parallel()
	const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}` + "\n"
	for name, said := range map[string]string{
		"answers": strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{}}}`+
			"\n", 3),
		"no messages": strings.Repeat("nothing\n", 50),
		"an id in use": strings.Repeat(`{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{},`+
			modernMeta+"}}\n", 50),
		"a half last line": `{"jsonrpc":"2.0","id":3,"meth`,
	} {
		for _, end := range []string{"input", "signal"} {
			t.Run(name+", "+end, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				read, write := io.Pipe()
				defer write.Close()
				env := w.env
				env.Stdin, env.Stdout = read, newUnread(t)
				ended := make(chan error, 1)
				go func() {
					ended <- serveStdio(ctx, env, Options{}, patience{
						input: 50 * time.Millisecond, cancelled: 50 * time.Millisecond, unread: 1 << 20,
					})
				}()
				if _, err := io.WriteString(write, hello+said); err != nil {
					t.Fatal(err)
				}
				if end == "input" {
					_ = write.Close()
				} else {
					stop()
				}
				select {
				case err := <-ended:
					if err != nil {
						t.Error(err)
					}
				case <-time.After(10 * time.Second):
					t.Error("the server is still there")
				}
			})
		}
	}
}

// What is put in comes out whole and in order, and nothing after the end.
func TestOutboxKeepsTheOrder(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	b := &outbox{out: &out, limit: 1 << 20, broken: func() { t.Error("broken") }}
	var want strings.Builder
	for i := range 1000 {
		line := strings.Repeat("x", i%7) + "\n"
		want.WriteString(line)
		if err := b.put([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	<-b.drained()
	if err := b.leave(); err != nil {
		t.Error(err)
	}
	if err := b.put([]byte("more")); !errors.Is(err, errLeft) {
		t.Error(err)
	}
	<-b.drained()
	if out.String() != want.String() {
		t.Errorf("%d bytes, want %d", out.Len(), want.Len())
	}
}

// A client that reads nothing is left before its answers fill the memory, and so is one that is gone.
func TestOutboxLeavesAClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		out  io.Writer
		puts int
		err  error
	}{
		"full": {newUnread(t), 3, errUnread},
		"gone": {broken{}, 1, io.ErrClosedPipe},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reported := make(chan struct{})
			b := &outbox{out: c.out, limit: 10, broken: func() { close(reported) }}
			for range c.puts {
				_ = b.put([]byte("four"))
			}
			<-reported
			if err := b.put([]byte("x")); !errors.Is(err, c.err) {
				t.Errorf("put: %v", err)
			}
			if err := b.leave(); !errors.Is(err, c.err) {
				t.Errorf("leave: %v", err)
			}
		})
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The end says why a client was left that did not read.
func TestAClientThatLeavesTooMuchUnreadIsWarned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	read, write := io.Pipe()
	defer write.Close()
	env := w.env
	env.Stdin, env.Stdout = read, newUnread(t)
	ended := make(chan error, 1)
	go func() {
		ended <- serveStdio(t.Context(), env, Options{}, patience{cancelled: 50 * time.Millisecond, unread: 1 << 16})
	}()
	// Refusals are the cheapest answers; the lines are short, so that the limit is reached by what is to be written.
	go func() {
		lines := []byte(strings.Repeat("!\n", 1<<15))
		for {
			if _, err := write.Write(lines); err != nil {
				return
			}
		}
	}()
	if err := <-ended; report.CodeOf(err) != "output_refused" {
		t.Error(err)
	}
}
