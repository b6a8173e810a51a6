//go:build agents && linux

package agents

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// terminal is a client in a terminal of 150 columns and 45 lines.
type terminal struct {
	w      *world
	socket string
}

// open starts the client as a person would.
func (w *world) open(argv ...string) *terminal {
	w.t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		missing(w.t, "tmux", "tmux is not installed")
	}
	term := &terminal{w, filepath.Join(w.dir, "tmux")}
	quoted := make([]string, len(argv))
	for i, arg := range argv {
		quoted[i] = "'" + arg + "'"
	}
	cmd := w.command(
		tmux, "-S", term.socket, "-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "45", "-c", w.project,
		strings.Join(quoted, " "),
	)
	cmd.Env = w.environ(w.client.environ(w)...)
	if r := w.run(cmd, 10*time.Second); r.code != 0 {
		w.t.Skipf("tmux gives no terminal here: %s", r.err)
	}
	w.t.Cleanup(term.close)
	return term
}

// close ends the programs in the terminal, and waits until they have ended.
func (term *terminal) close() {
	pid, err := strconv.Atoi(strings.TrimSpace(term.tmux("display-message", "-p", "#{pane_pid}")))
	term.tmux("kill-server")
	if err != nil || pid <= 1 {
		return
	}
	// The process is not a child of this one, so this has to ask again and again whether it has ended.
	for range 500 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		syscall.Kill(-pid, syscall.SIGKILL)
		time.Sleep(20 * time.Millisecond)
	}
}

func (term *terminal) tmux(args ...string) string {
	cmd := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

func (term *terminal) screen() string { return term.tmux("capture-pane", "-p") }

// enter types a line and sends it. Enter is sent separately, because a client takes text together with Enter for pasted
// text.
func (term *terminal) enter(line string) {
	term.w.t.Helper()
	term.tmux("send-keys", "-l", line)
	term.await("the line "+line, func(screen string) bool { return strings.Contains(screen, line) })
	term.tmux("send-keys", "Enter")
}

// await reads the screen until it shows what is wanted.
func (term *terminal) await(what string, good func(screen string) bool) string {
	term.w.t.Helper()
	screen := ""
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if screen = term.screen(); good(screen) {
			return screen
		}
	}
	term.w.t.Fatalf("%s did not come:\n%s", what, screen)
	return ""
}

// knowsClaude writes what Claude Code remembers of a person who has used it in this project and accepted baton's server.
func (w *world) knowsClaude() {
	w.file(filepath.Join(w.home, ".claude.json"), text(map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark", "customApiKeyResponses": map[string]any{
			"approved": []string{"sk-mock"}, "rejected": []string{},
		},
		"projects": map[string]any{w.project: map[string]any{
			"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true, "enabledMcpjsonServers": []string{"baton"},
		}},
	}))
}

// A person at Claude Code: the status line is on the terminal and follows the context, a compaction keeps what baton
// asks it to keep, and after it, as after /clear, the digest comes again (agents.md 12.6, last paragraph).
func TestClaudeInATerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, claude(), spied)
	w.prepare("claude")
	w.baton("init", "--agent", "claude", "--statusline")
	w.git("add", "-A")
	m := w.play(
		turn{text: "First answer.", input: 50000, cached: 20000}, turn{text: "<analysis>short</analysis><summary>All is well.</summary>"},
		turn{text: "Second answer.", input: 50000, cached: 20000}, turn{text: "Third answer."})
	w.knowsClaude()
	term := w.open(w.argv[0])
	line := func(percent bool) func(string) bool {
		return func(screen string) bool {
			return strings.Contains(screen, "#1 "+title) && strings.Contains(screen, " 7%") == percent
		}
	}
	term.await("the status line", line(false))
	w.startsOf("startup", 1)

	term.enter("do the thing")
	term.await(
		"the first answer with 7 %", func(screen string) bool { return strings.Contains(screen, "First answer.") && line(true)(screen) },
	)
	w.landed(m.mains()[0], w.startsOf("startup", 1))
	if got := word(w.hooks("UserPromptSubmit")[0].in["session_title"]); got != "#1 "+title {
		t.Errorf("the title of the session is %q", got)
	}
	w.sensor(true)

	term.enter("/compact")
	term.await("the compaction", func(string) bool { return len(w.hooks("PostCompact")) == 1 })
	term.await("the status line without numbers", line(false))
	w.sensor(false)
	note := strings.TrimSpace(w.hooks("PreCompact")[0].Out)
	if !strings.Contains(note, title) || !strings.Contains(lastSaid(m, 1), note) {
		t.Errorf("the note for the summary is not in the request: %q", note)
	}

	term.enter("go on")
	term.await("the second answer", func(screen string) bool { return strings.Contains(screen, "Second answer.") })
	w.landed(m.mains()[2], w.startsOf("compact", 1))

	before := word(w.hooks("SessionStart")[0].in["session_id"])
	term.enter("/clear")
	term.await("the new session", func(string) bool { return w.count("clear") == 1 && len(w.hooks("SessionEnd")) == 1 })
	if reason := w.hooks("SessionEnd")[0].in["reason"]; reason != "clear" {
		t.Errorf("the session ended with %v", reason)
	}
	starts := w.hooks("SessionStart")
	if now := word(starts[len(starts)-1].in["session_id"]); now == before {
		t.Error("the session after /clear has the old id")
	}
	term.enter("once more")
	term.await("the third answer", func(screen string) bool { return strings.Contains(screen, "Third answer.") })
	w.landed(m.mains()[3], w.startsOf("clear", 1))
	term.enter("/exit")
	term.await("the end", func(string) bool { return len(w.hooks("SessionEnd")) == 2 })
	w.sessions(2)
	w.quietHooks()
}

// count returns the number of session starts from this source.
func (w *world) count(source string) int {
	n := 0
	for _, h := range w.hooks("SessionStart") {
		if h.in["source"] == source {
			n++
		}
	}
	return n
}

// startsOf returns the digest of the session start from this source, and checks their number.
func (w *world) startsOf(source string, want int) (digest string) {
	w.t.Helper()
	if n := w.count(source); n != want {
		w.t.Fatalf("%d session starts from %s", n, source)
	}
	for _, h := range w.hooks("SessionStart") {
		if h.in["source"] == source {
			digest = h.context()
		}
	}
	if !strings.Contains(digest, nextStep) {
		w.t.Errorf("the digest from %s does not know the next step:\n%s", source, digest)
	}
	return digest
}

// sensor checks whether the values of the context window are recorded for hooks (agents.md 6.3).
func (w *world) sensor(known bool) {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.project, ".baton", "local", "sensor", "*.json"))
	w.must(err)
	if (len(found) == 1) != known {
		w.t.Errorf("sensor files: %v, wanted: %v", found, known)
	}
}

// lastSaid returns the last message of a request of the conversation.
func lastSaid(m *model, request int) string {
	said := m.said(m.mains()[request].body)
	return said[len(said)-1].text
}
