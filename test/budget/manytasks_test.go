//go:build budget

package budget

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The sizes of the projects that are compared, and what a command may cost in the large one: times its cost in the small
// one, or times a program that looks at every file of the folder (D43).
const (
	few, many = 100, 10_000
	mostMore  = 3
	mostLooks = 2
)

// manyTasks creates a project of small tasks; every tenth waits for the one before it. They are written directly, and
// the index gets its rows from the first new task.
func manyTasks(t *testing.T, b built, tasks int) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, ".baton", "tasks")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= tasks; i++ {
		text := sample(i)
		text = text[:strings.Index(text, "\n### Session 1")] + "\n## 4. Chain Output\n\n(To be completed)\n"
		text = strings.Replace(text, `"total_sessions": 4`, `"total_sessions": 0`, 1)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("task-%d-state.md", i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(100 * time.Millisecond) // files that changed just now have no rows yet
	for range 2 {
		command{dir: dir, args: []string{b.baton, "task", "new", "One more", "--accept", "it works"}}.once(t)
	}
	command{dir: dir, args: []string{b.baton, "init"}}.once(t) // the ledger knows all of them from then on
	return dir
}

// TestListsOfAThousandTasks measures lists of tasks that are in no index yet, so every file is read.
func TestListsOfAThousandTasks(t *testing.T) {
	b := build(t)
	dir := fill(t, b, 1000)
	base := command{dir: dir, args: []string{b.floor}}
	within(t, 20, command{dir: dir, args: []string{b.baton, "task", "ready"}}, base, nil)
	within(t, 20, command{dir: dir, args: []string{b.baton, "task", "list"}}, base, nil)
}

// TestF19_TenThousandTasks (D43) compares list, ready and status with a program that lists the folder and looks at each file.
// The session start hook and every change are compared with the same change among a hundred tasks.
func TestF19_TenThousandTasks(t *testing.T) {
	b := build(t)
	small, large := manyTasks(t, b, few), manyTasks(t, b, many)
	for _, words := range []string{"task list", "task ready", "status"} {
		within(
			t, mostLooks, command{dir: large, args: append([]string{b.baton}, strings.Fields(words)...)},
			command{dir: large, args: []string{b.floor, filepath.Join(large, ".baton", "tasks"), "look"}}, nil,
		)
	}
	for _, c := range []struct {
		words string
		tasks int // how many tasks it gets in turn; 0 for a command without one
	}{
		{"task new More --accept works", 0},
		{"session start --force", few},
		{"task complete --force --reason measured", few},
	} {
		one := func(dir string) command {
			run := command{dir: dir, args: append([]string{b.baton}, strings.Fields(c.words)...)}
			if c.tasks > 0 {
				run.more = inTurn(c.tasks)
			}
			return run
		}
		within(t, mostMore, one(large), one(small), nil)
	}
	next := []string{b.baton, "task", "claim", "--next", "--lease", "1s"}
	within(t, mostMore, command{dir: large, args: next}, command{dir: small, args: next}, nil)
	hook := func(dir string) command {
		number := 0
		return command{dir: dir, args: []string{b.baton, "hook", "--agent", "claude"}, fresh: func() string {
			number++
			return hookPayload(t, dir, fmt.Sprintf("s-%d", number), map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
		}}
	}
	within(t, mostMore, hook(large), hook(small), nil)
}

// TestD43_AClaim checks that a claim costs at most 4 times an empty program, besides its fsyncs: two for the document,
// two for the claims.
func TestD43_AClaim(t *testing.T) {
	b := build(t)
	dir := manyTasks(t, b, few)
	claim := command{dir: dir, args: []string{b.baton, "task", "claim", "--force"}, more: inTurn(few)}
	within(t, 4, claim, command{dir: dir, args: []string{b.floor}}, &command{dir: dir, args: []string{b.floor, dir, "4"}})
}
