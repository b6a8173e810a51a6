//go:build agents && linux

package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// atOnce limits the clients that run at the same time, because each takes a whole core while it starts.
var atOnce = make(chan struct{}, 2)

// world is the environment of one client: a home, a repository with one commit, and programs on PATH.
type world struct {
	t       *testing.T
	dir     string // of everything below
	home    string
	project string
	bin     string // first on PATH
	client  client
	argv    []string
	model   *model
	part    string // of the test, for what BATON_AGENTS_KEEP keeps
}

// The baton that is on PATH.
const (
	spied  = "spy"    // the real one, with a record of every hook
	broken = "panics" // one that panics
	none   = ""       // none at all
)

// newWorld creates the environment of a client; it skips the test if the client is not installed.
func newWorld(t *testing.T, c client, baton string) *world {
	t.Helper()
	argv, version, why := c.installed()
	if why != "" {
		missing(t, c.name, why)
	}
	if version != c.version {
		t.Logf("%s is %s, this was written for %s", c.npm, version, c.version)
	}
	dir := t.TempDir()
	w := &world{
		t: t, dir: dir, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), bin: filepath.Join(dir, "bin"),
		client: c, argv: argv,
	}
	for _, d := range []string{w.home, w.project, w.bin, filepath.Join(dir, "real")} {
		w.must(os.MkdirAll(d, 0o755))
	}
	built := os.Getenv(inside)
	for _, name := range []string{"baton", "batond"} {
		w.copy(filepath.Join(built, "real", name), filepath.Join(dir, "real", name))
	}
	if baton != none {
		w.copy(filepath.Join(built, baton, "baton"), filepath.Join(w.bin, "baton"))
	}
	w.git("init", "-q", "-b", "main")
	w.file(filepath.Join(w.project, "README.md"), "# A project\n")
	w.git("add", ".")
	w.git("commit", "-q", "-m", "start")
	t.Cleanup(w.keep)
	return w
}

// play gives the client its model and user settings.
func (w *world) play(turns ...turn) *model {
	w.t.Helper()
	w.model = play(w.t, w.client.dialect, turns...)
	w.client.home(w)
	return w.model
}

// environ returns the whole environment of a program; no other variable gets in.
func (w *world) environ(more ...string) []string {
	env := []string{
		"HOME=" + w.home, "PATH=" + w.bin + ":" + nodeDir() +
			":/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm-256color", "USER=dev", "SHELL=/bin/sh",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=dev", "GIT_AUTHOR_EMAIL=dev@example.invalid", "GIT_COMMITTER_NAME=dev",
		"GIT_COMMITTER_EMAIL=dev@example.invalid",
		"TMPDIR=" + w.t.TempDir(),
	}
	return append(env, more...)
}

// ran is the outcome of a program.
type ran struct {
	out, err string
	code     int
	late     bool // it was killed because it took too long
}

// command returns a program that runs in the project, in its own process group and without input.
func (w *world) command(argv ...string) *exec.Cmd {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = w.project, w.environ()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// run runs a program to its end. If it takes too long, run kills it with everything that it started.
func (w *world) run(cmd *exec.Cmd, limit time.Duration) ran {
	w.t.Helper()
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &complaint, 2*time.Second
	w.must(cmd.Start())
	timer := time.AfterFunc(limit, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := cmd.Wait()
	late := !timer.Stop()
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		w.t.Fatal(err)
	}
	return ran{out.String(), complaint.String(), cmd.ProcessState.ExitCode(), late}
}

// agent runs the client with a prompt.
func (w *world) agent(more ...string) ran {
	w.t.Helper()
	return w.agentWith(w.client.args(w, "do the thing"), more...)
}

// agentWith runs the client with these arguments and more variables.
func (w *world) agentWith(args []string, more ...string) ran {
	w.t.Helper()
	atOnce <- struct{}{}
	defer func() { <-atOnce }()
	cmd := w.command(append(w.argv, args...)...)
	cmd.Env = append(w.environ(w.client.environ(w)...), more...)
	begun := time.Now()
	r := w.run(cmd, w.client.limit)
	w.t.Logf("%s ran for %s", w.client.name, time.Since(begun).Round(100*time.Millisecond))
	w.must(os.WriteFile(filepath.Join(w.dir, "agent.out"), []byte(r.out), 0o644))
	w.must(os.WriteFile(filepath.Join(w.dir, "agent.err"), []byte(r.err), 0o644))
	if r.late {
		w.t.Fatalf("%s took more than %s\n%s\n%s", w.client.name, w.client.limit, tail(r.out), tail(r.err))
	}
	return r
}

// baton runs the baton under test, as the user would in another terminal.
func (w *world) baton(args ...string) string {
	w.t.Helper()
	r := w.run(w.command(append([]string{filepath.Join(w.dir, "real", "baton")}, args...)...), 10*time.Second)
	if r.code != 0 {
		w.t.Fatalf("baton %s: exit %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r.out
}

func (w *world) git(args ...string) {
	w.t.Helper()
	if r := w.run(w.command(append([]string{"git"}, args...)...), 10*time.Second); r.code != 0 {
		w.t.Fatalf("git %s: %s", strings.Join(args, " "), r.err)
	}
}

// hooked is one hook that the spy recorded.
type hooked struct {
	Args []string `json:"args"`
	In   string   `json:"in"`
	Out  string   `json:"out"`
	Err  string   `json:"err"`
	Exit int      `json:"exit"`
	Took int64    `json:"took_ms"`
	in   map[string]any
	out  map[string]any
}

// event returns the name of the event, as the client wrote it.
func (h hooked) event() string {
	if name := word(h.in["hook_event_name"]); name != "" {
		return name
	}
	for i, arg := range h.Args {
		if arg == "--event" && i+1 < len(h.Args) {
			return h.Args[i+1]
		}
	}
	return ""
}

// context returns the text of the hook for the model.
func (h hooked) context() string {
	return word(member(h.out["hookSpecificOutput"], "additionalContext")) + word(h.out["additionalContext"]) + word(h.out["context"])
}

// hooks returns the hooks that ran, in the order in which they ended; with names, only those events.
func (w *world) hooks(events ...string) []hooked {
	w.t.Helper()
	var all []hooked
	for _, line := range lines(filepath.Join(w.dir, "hooks.jsonl")) {
		var h hooked
		w.must(json.Unmarshal([]byte(line), &h))
		_ = json.Unmarshal([]byte(h.In), &h.in)
		_ = json.Unmarshal([]byte(h.Out), &h.out)
		if len(events) == 0 || within(h.event(), events) {
			all = append(all, h)
		}
	}
	return all
}

// served returns the methods that the MCP server was sent, in order.
func (w *world) served() []string {
	var methods []string
	for _, line := range lines(filepath.Join(w.dir, "mcp.jsonl")) {
		var message struct{ Method string }
		if json.Unmarshal([]byte(line), &message) == nil && message.Method != "" {
			methods = append(methods, message.Method)
		}
	}
	return methods
}

// keep copies the conversation into the folder of BATON_AGENTS_KEEP.
func (w *world) keep() {
	root := os.Getenv("BATON_AGENTS_KEEP")
	if root == "" || w.model == nil {
		return
	}
	dir := filepath.Join(root, strings.ReplaceAll(w.t.Name()+w.part, "/", "-"))
	w.must(os.MkdirAll(dir, 0o755))
	w.must(w.model.keep(dir))
	for _, name := range []string{"hooks.jsonl", "mcp.jsonl", "agent.out", "agent.err", "debug.log"} {
		if exists(filepath.Join(w.dir, name)) {
			w.copy(filepath.Join(w.dir, name), filepath.Join(dir, name))
		}
	}
}

func (w *world) file(path, content string) {
	w.t.Helper()
	w.must(os.MkdirAll(filepath.Dir(path), 0o755))
	w.must(os.WriteFile(path, []byte(content), 0o644))
}

// content reads a file of the project.
func (w *world) content(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.project, name))
	w.must(err)
	return string(data)
}

func (w *world) copy(from, to string) {
	w.t.Helper()
	in, err := os.Open(from)
	w.must(err)
	defer in.Close()
	info, err := in.Stat()
	w.must(err)
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode())
	w.must(err)
	_, err = io.Copy(out, in)
	w.must(errors.Join(err, out.Close()))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func lines(path string) []string {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
}

func lastLine(s string) string {
	s = strings.TrimRight(s, "\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func within(s string, all []string) bool {
	for _, one := range all {
		if s == one {
			return true
		}
	}
	return false
}

// tail returns the end of a long output.
func tail(s string) string { return s[max(0, len(s)-2000):] }
