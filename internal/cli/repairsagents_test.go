package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"baton/internal/hook"
	"baton/internal/report"
	"baton/internal/usecase/loss"
)

var anyWord = regexp.MustCompile(`word-\d+-end`)

// event sends an event of an agent's session through the door of the hooks.
func (r *repairHistory) event(session, name string, more map[string]any) {
	r.t.Helper()
	r.done = append(r.done, "# hook "+name+" of "+session)
	fields := map[string]any{"session_id": session, "cwd": r.dir, "hook_event_name": name}
	for key, value := range more {
		fields[key] = value
	}
	data, err := json.Marshal(fields)
	if err != nil {
		r.t.Fatal(err)
	}
	var out bytes.Buffer
	r.now = r.now.Add(time.Minute)
	code := Main(r.t.Context(), report.Env{
		Args: []string{"hook", "--agent", "claude"}, Stdin: bytes.NewReader(data), Stdout: &out, Stderr: &out,
		Getenv: func(string) string { return "" }, Environ: r.environ(), Dir: r.dir, Now: func() time.Time { return r.now },
		Rand: rand.NewChaCha8([32]byte{}), PID: os.Getpid(),
	}, Doors{Hook: hook.Run})
	if code != 0 {
		r.t.Fatalf("exit code %d\n%s\n%s", code, strings.Join(r.done, "\n"), out.String())
	}
}

// session lets an agent's session edit a file and end without a log, so that baton drafts an entry with the name of that
// file. Some sessions are killed, and the next one finds what they left.
func (r *repairHistory) session(id, word string) {
	r.t.Helper()
	switch r.statuses()[id] {
	case "complete", "blocked":
		r.now = r.now.Add(time.Minute)
		if _, code := r.answer("task", "reopen", id); code != 0 { // a session that was killed holds it
			r.answer("task", "claim", id, "--steal", "--force", "--reason", "its session is gone")
			r.baton("task", "reopen", id)
		}
	}
	r.answer("task", "release", id)
	name := fmt.Sprintf("s-%d", r.named) // without the word, which is to be there once
	r.event(name, "SessionStart", map[string]any{"source": "startup"})
	// A session that was killed still holds the task.
	r.baton("--as", name, "task", "claim", id, "--steal", "--force", "--reason", "its session is gone")
	r.baton("--as", name, "session", "start", id, "--force", "--reason", "it is needed")
	path := filepath.Join(r.dir, word)
	if err := os.WriteFile(path, []byte("work\n"), 0o666); err != nil {
		r.t.Fatal(err)
	}
	edit := map[string]any{
		"tool_name": "Write", "tool_input": map[string]any{"file_path": path}, "tool_use_id": "t1", "tool_response": "File created",
	}
	if r.rand.IntN(2) == 0 {
		r.event(name, "PostToolUse", edit)
	} else {
		r.event(name, "PostToolBatch", map[string]any{"tool_calls": []any{edit}})
	}
	if r.rand.IntN(3) == 0 {
		r.event(name, "PreCompact", map[string]any{"trigger": "auto"})
	}
	if r.rand.IntN(3) > 0 {
		r.event(name, "SessionEnd", map[string]any{"reason": "other"})
	}
	for next := 1; !strings.Contains(fmt.Sprint(r.documents()), word); next++ { // on a busy machine, hooks put it off
		if next > 8 {
			r.t.Fatalf("no entry was drafted\n%s", strings.Join(r.done, "\n"))
		}
		r.now = r.now.Add(3 * time.Hour)
		later := fmt.Sprintf("next-%d-%s", next, name)
		r.event(later, "SessionStart", map[string]any{"source": "startup"})
		r.event(later, "SessionEnd", map[string]any{"reason": "other"})
	}
}

// mortal runs a command in a process of its own that kills itself at one of its first steps. It reports whether the
// command ended before that.
func (r *repairHistory) mortal(most int, args ...string) (ended bool) {
	r.t.Helper()
	r.now = r.now.Add(time.Minute)
	steps := 1 + r.rand.IntN(most)
	cmd := exec.Command("baton", args...)
	cmd.Dir, cmd.Env = r.dir, append(r.environ(), "GORACE=atexit_sleep_ms=0", "BATON_AS=agent-1",
		"BATON_TEST_NOW="+r.now.Format(time.RFC3339), "BATON_TEST_KILL="+strconv.Itoa(steps))
	out, err := cmd.CombinedOutput()
	r.done = append(r.done, fmt.Sprintf("baton %s # killed after %d steps: %v", strings.Join(args, " "), steps, err))
	if err != nil && cmd.ProcessState.ExitCode() != -1 && args[0] != "lost" && args[0] != "doctor" {
		r.t.Fatalf("%v\n%s\n%s", err, strings.Join(r.done, "\n"), out)
	}
	r.date()
	return err == nil
}

// date gives lock files that a killed process left the time of the clock: the rule by which they are old needs it.
func (r *repairHistory) date() {
	r.t.Helper()
	found, err := filepath.Glob(filepath.Join(r.dir, ".*", "*.lock"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, path := range found {
		if err := os.Chtimes(path, r.now, r.now); err != nil {
			r.t.Fatal(err)
		}
	}
}

// killed runs a command that dies before one of its steps. It reports whether the entry is
// there after the next change.
func (r *repairHistory) killed(id, word string) bool {
	r.t.Helper()
	args := []string{"task", "log", id, "--did", fmt.Sprintf("%s a%d b%d c%d", word, r.named, r.named, r.named), "--next", "go on"}
	if r.layout != "specflux" && r.rand.IntN(2) == 0 {
		args = []string{"decision", "add", word}
		if r.layout == "specflow" {
			args = append(args, "--spec", "SPEC-00"+id)
		}
	}
	acknowledged := r.mortal(40, args...)
	r.work("task", "log", id, "--did", fmt.Sprintf("then d%d e%d f%d", r.named, r.named, r.named))
	there := 0
	for path, text := range r.documents() {
		if n := strings.Count(text, word); n > 0 {
			there++
			r.done = append(r.done, "# it is in "+path)
		}
	}
	if acknowledged && there == 0 {
		r.t.Errorf("%s was acknowledged, and is gone\n%s", word, strings.Join(r.done, "\n"))
	}
	text, _ := r.answer("lost", "--json")
	var lost loss.LostList
	if err := json.Unmarshal([]byte(text), &lost); err != nil {
		r.t.Fatalf("%v\n%s", err, text)
	}
	for _, e := range lost.Lost {
		if strings.Contains(e.Text, word) {
			r.t.Errorf("%s is named as lost, and stood nowhere\n%s", word, strings.Join(r.done, "\n"))
		}
	}
	if there == 0 {
		r.never = append(r.never, word)
		return false
	}
	e := branchEntry{kind: "session", task: id, word: word}
	if args[0] == "decision" {
		e.kind = "decision"
		r.decided(word)
	}
	r.entries = append(r.entries, e)
	return false // it is noted already
}
