package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/task/create"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// world is a project on the disk with a clock that stands, and a server for it.
type world struct {
	t      testing.TB
	dir    string
	env    report.Env
	errors *bytes.Buffer // standard error of the server
}

// newWorld makes a project with a digest and three tasks: the second waits for the first, which has two criteria.
func newWorld(t testing.TB) *world {
	t.Helper()
	w := emptyWorld(t)
	p := w.open()
	defer p.Close()
	if _, err := p.Setup.Init(t.Context(), setup.InitRequest{}); err != nil {
		t.Fatal(err)
	}
	_, err := p.Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{
		{ID: "1", Title: "Sign tokens", Requirements: "Tokens are signed.", Criteria: []create.Criterion{
			{Text: "It works"}, {Text: "It is tested"},
		}},
		{ID: "2", Title: "Check tokens", After: []string{"1"}, Criteria: []create.Criterion{{Text: "It works too"}}},
		{ID: "DOC-7", Title: "Write it down"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// emptyWorld is a folder without a project.
func emptyWorld(t testing.TB) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	return &world{t: t, dir: dir, errors: &said, env: report.Env{
		Stderr: &said, Getenv: func(string) string { return "" }, Environ: os.Environ(), Dir: dir, Home: filepath.Dir(dir),
		Now:  func() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) },
		User: "agent", Host: "host", PID: 7,
	}}
}

func (w *world) open() *project.Project {
	w.t.Helper()
	p, err := project.Open(context.Background(), workspace.Options{Env: w.env})
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// client connects a client of the library to a server.
func (w *world) client(s *server, o *mcp.ClientOptions) *mcp.ClientSession {
	w.t.Helper()
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.mcp.Connect(context.Background(), far, nil); err != nil {
		w.t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(context.Background(), near, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { session.Close() })
	return session
}

// call calls a tool and gives the structured content of its result.
func call1(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any) (map[string]any, *mcp.CallToolResult) {
	t.Helper()
	r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	object, ok := r.StructuredContent.(map[string]any)
	if !ok {
		t.Fatalf("%s: structured content %v", name, r.StructuredContent)
	}
	return object, r
}

// must is call1 for a call that has to succeed.
func must(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any) map[string]any {
	t.Helper()
	object, r := call1(t, session, name, arguments)
	if r.IsError {
		t.Fatalf("%s %v: %v", name, arguments, object)
	}
	return object
}

// failure is call1 for a call that has to fail; it gives the error object.
func failure(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any) map[string]any {
	t.Helper()
	object, r := call1(t, session, name, arguments)
	said, ok := object["error"].(map[string]any)
	if !r.IsError || !ok {
		t.Fatalf("%s %v did not fail: %v", name, arguments, object)
	}
	return said
}

// talk is a conversation of lines with a server on standard input and output.
type talk struct {
	t     testing.TB
	in    *io.PipeWriter
	out   *bufio.Scanner
	ended chan error
	stop  context.CancelFunc
}

func (w *world) talk(o Options) *talk {
	w.t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	env := w.env
	env.Stdin, env.Stdout = inRead, outWrite
	ctx, stop := context.WithCancel(context.Background())
	c := &talk{t: w.t, in: inWrite, out: bufio.NewScanner(outRead), ended: make(chan error, 1), stop: stop}
	c.out.Buffer(nil, 1<<22)
	go func() {
		err := Run(ctx, env, o)
		_ = outWrite.Close()
		c.ended <- err
	}()
	w.t.Cleanup(func() { stop(); _ = inWrite.Close(); _ = outRead.Close() })
	return c
}

func (c *talk) say(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// hear gives the next message of the server.
func (c *talk) hear() map[string]any {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatalf("the server says nothing more: %v", c.out.Err())
	}
	var message map[string]any
	if err := json.Unmarshal(c.out.Bytes(), &message); err != nil {
		c.t.Fatalf("%v: %s", err, c.out.Bytes())
	}
	return message
}

// end waits for the server to have ended.
func (c *talk) end() {
	c.t.Helper()
	for c.out.Scan() {
		c.t.Logf("at the end: %s", c.out.Bytes())
	}
	if err := <-c.ended; err != nil {
		c.t.Errorf("the server ended with %v", err)
	}
}

// at walks into a decoded JSON value.
func at(value any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[step]
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}
