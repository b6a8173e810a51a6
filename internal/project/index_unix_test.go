//go:build unix

package project

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/internal/store/disk"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

const indexFile = ".baton/local/index"

// changedAt returns when the system says that a file changed.
func (w *world) changedAt(name string) time.Time {
	w.t.Helper()
	info, err := disk.OS{}.Lstat(w.path(name))
	must0(w.t, err)
	return time.Unix(0, info.Changed)
}

// tick makes files until the clock of the file system moves on, so that what happens next has another time.
func (w *world) tick() {
	w.t.Helper()
	w.write(".clock", "")
	for before := w.changedAt(".clock"); !w.changedAt(".clock").After(before); {
		w.write(".clock", "x")
	}
	w.time = w.changedAt(".clock").Add(time.Minute) // whatever was written before is old
}

// answers returns what the commands that read every task answer.
func (w *world) answers(o workspace.Options) map[string]string {
	w.t.Helper()
	ctx := context.Background()
	out := map[string]string{}
	add := func(what string, answer any, err error) {
		must0(w.t, err)
		text, err := json.Marshal(answer)
		must0(w.t, err)
		out[what] = string(text)
	}
	list, err := w.open(o).Tasks.List(ctx, tasks.ListRequest{})
	add("list", list, err)
	ready, err := w.open(o).Tasks.Ready(ctx)
	add("ready", ready, err)
	graph, err := w.open(o).Tasks.Graph(ctx)
	add("graph", graph, err)
	status, err := w.open(o).Sessions.Status(ctx)
	status.Agents = sessions.StatusResult{}.Agents
	add("status", status, err)
	return out
}

// sameWithout checks that the answers are the same without the index, and that no answer writes it.
func (w *world) sameWithout(o workspace.Options) {
	w.t.Helper()
	index, err := os.ReadFile(w.path(indexFile))
	with := w.answers(o)
	if err != nil {
		return
	}
	must0(w.t, os.Rename(w.path(indexFile), w.path(indexFile)+".aside"))
	without := w.answers(o)
	if diff := cmp.Diff(without, with); diff != "" {
		w.t.Fatalf("the index changes an answer: %s\n%s", diff, index)
	}
	if _, err := os.Lstat(w.path(indexFile)); err == nil {
		w.t.Fatal("a read wrote the index")
	}
	must0(w.t, os.Rename(w.path(indexFile)+".aside", w.path(indexFile)))
}

// TestD43_ManyTasksHaveTheSameAnswers checks what baton does differently with more than a thousand tasks: it shares work
// between goroutines, and status opens only books of documents that changed. Answers are the same with the index and
// without, and an entry and a task that are gone are missed.
func TestD43_ManyTasksHaveTheSameAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := workspace.Options{As: "agent-1"}
	const many = 1100
	for id := range many {
		w.write(statePath(fmt.Sprint(id+1)), plain(task.ID(fmt.Sprint(id+1)), "One of many"))
	}
	w.tick()
	must(w.open(o).Setup.Init(t.Context(), setup.InitRequest{}))(t)
	w.create(tasks.NewTask{Title: "One more", Criteria: []create.Criterion{{Text: "it works"}, {Text: "it is fast"}}})
	w.tick()
	w.create(tasks.NewTask{Title: "The last", Criteria: []create.Criterion{{Text: "it works"}}})
	w.sameWithout(o)
	before := must(w.open(o).Sessions.Status(t.Context()))(t)
	if before.Lost.Count != 0 || len(before.Next) != 3 || before.Counts["ready"] != many+2 {
		t.Errorf("%+v", before)
	}
	name := statePath(fmt.Sprint(many + 1))
	text := must(os.ReadFile(w.path(name)))(t)
	w.write(name, strings.Replace(string(text), "- [ ] it is fast\n", "", 1))
	must0(t, os.Remove(w.path(statePath("7"))))
	w.sameWithout(o)
	after := must(w.open(o).Sessions.Status(t.Context()))(t)
	if after.Lost.Documents[name] != 1 || after.Counts["ready"] != many+1 || !hasCode(after.Warnings, "task_gone") {
		t.Errorf("lost %+v, counts %v, warnings %+v", after.Lost, after.Counts, after.Warnings)
	}
}

// TestD43_TheIndexChangesNoAnswer edits tasks by hand and by commands, damages the index, and compares.
func TestD43_TheIndexChangesNoAnswer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t)
		o := workspace.Options{As: "agent-1", Looked: -1}
		w.tick()
		for n := range 6 {
			w.create(tasks.NewTask{Title: fmt.Sprintf("Task %d", n), Criteria: []create.Criterion{{Text: "it works"}}})
		}
		w.tick()
		ctx := context.Background()
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			id := task.ID(fmt.Sprint(rapid.IntRange(1, 6).Draw(rt, "task")))
			name := ".baton/tasks/task-" + string(id) + "-state.md"
			text, err := os.ReadFile(w.path(name))
			there := err == nil
			switch rapid.IntRange(0, 11).Draw(rt, "step") {
			case 0, 1: // an edit in place that keeps the size, maybe in the tick of the last change
				if there {
					words := [][2]string{
						{`"ready"`, `"fresh"`}, {`"in_progress"`, `"in_PROGRESS"`}, {"it works", "it WORKS"}, {"- [ ]", "- [x]"},
					}
					pair := rapid.SampledFrom(words).Draw(rt, "words")
					w.write(name, strings.Replace(string(text), pair[0], pair[1], 1))
				}
			case 2: // an editor that replaces the file
				if there {
					w.write("new", strings.Replace(string(text), `"ready"`, `"backlog"`, 1))
					must0(t, os.Rename(w.path("new"), w.path(name)))
				}
			case 3:
				_ = os.Remove(w.path(name))
			case 4: // a file that somebody added, with a time of long ago
				w.write(name, plain(id, "Added"))
				old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
				must0(t, os.Chtimes(w.path(name), old, old))
			case 5:
				_ = os.Rename(w.path(name), w.path(".baton/tasks/task-X-state.md"))
			case 6: // two tasks change names
				_ = syscall.Rename(w.path(name), w.path("aside"))
				_ = os.Rename(w.path(".baton/tasks/task-1-state.md"), w.path(name))
				_ = os.Rename(w.path("aside"), w.path(".baton/tasks/task-1-state.md"))
			case 7:
				_, _ = w.open(o).Tasks.Complete(ctx, tasks.TaskRequest{ID: string(id), Force: true, Reason: "test"})
			case 8:
				_, _ = w.open(o).Tasks.Claim(ctx, tasks.ClaimRequest{Next: true})
			case 9:
				_, _ = w.open(o).Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "More", After: []string{string(id)}}}})
			case 10: // a crash while the index was written, or a damaged disk
				if index, err := os.ReadFile(w.path(indexFile)); err == nil && len(index) > 0 {
					at := rapid.IntRange(0, len(index)-1).Draw(rt, "at")
					if rapid.Bool().Draw(rt, "cut") {
						index = index[:at]
					} else {
						index[at] ^= 1
					}
					w.write(indexFile, string(index))
				}
			default:
				w.tick()
			}
			if rapid.Bool().Draw(rt, "clock") {
				w.tick()
			} else { // nothing that changed just now may be trusted
				w.write(".clock", "")
				w.time = w.changedAt(".clock")
			}
			w.sameWithout(o)
		}
	})
}

// TestD43_WritersUseTheIndex checks what changes do in a large project: they find what they need by the index, and what
// somebody added to the folder since.
func TestD43_WritersUseTheIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := workspace.Options{As: "agent-1", Looked: -1}
	ctx := context.Background()
	w.tick()
	w.create(tasks.NewTask{Title: "First", Criteria: []create.Criterion{{Text: "it works"}}})
	w.tick()
	w.write(".baton/tasks/task-7-state.md", plain("7", "Added by hand"))
	made, err := w.open(o).Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Second", After: []string{"1", "7"}}}})
	must0(t, err)
	if id := made.Tasks[0].ID; id != "8" {
		t.Fatalf("the next number is %s", id)
	}
	w.tick()
	second, err := w.open(o).Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Third", After: []string{"1"}}}})
	must0(t, err)
	if id := second.Tasks[0].ID; id != "9" {
		t.Fatalf("the next number is %s", id)
	}
	// A new file of another clone that has the next number already.
	w.tick()
	w.write(".baton/tasks/task-10-state.md", plain("10", "From another clone"))
	third, err := w.open(o).Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Fourth"}}})
	must0(t, err)
	if id := third.Tasks[0].ID; id != "11" {
		t.Fatalf("the next number is %s", id)
	}
	w.tick()
	done, err := w.open(o).Tasks.Complete(ctx, tasks.TaskRequest{ID: "1", Force: true, Reason: "test"})
	must0(t, err)
	if got := rowIDs(done.Ready); !slices.Equal(got, []task.ID{"9"}) {
		t.Fatalf("ready are %v", got)
	}
	w.tick()
	// An edit in place is found before the task is claimed.
	w.edit("7", `"ready"`, `"blocked"`)
	claim, err := w.open(o).Tasks.Claim(ctx, tasks.ClaimRequest{Next: true})
	must0(t, err)
	if claim.Task == "7" || claim.Task == "8" {
		t.Fatalf("task %s is claimed", claim.Task)
	}
}

// TestD43_AForgedIndex has rows and a mark that a stranger made up and committed: they are of other files, so they say
// nothing.
func TestD43_AForgedIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := workspace.Options{As: "agent-1", Looked: -1}
	w.tick()
	w.create(tasks.NewTask{Title: "First"})
	w.create(tasks.NewTask{Title: "Second"})
	w.tick()
	w.create(tasks.NewTask{Title: "Third"})
	clone := newWorld(t)
	clone.time = w.time
	for name, text := range w.files() {
		clone.write(name, strings.Replace(text, `"status": "ready"`, `"status": "block"`, 1))
	}
	clone.sameWithout(o)
	list, err := clone.open(o).Tasks.List(context.Background(), tasks.ListRequest{})
	must0(t, err)
	for _, row := range list.Tasks {
		if row.Status != "block" {
			t.Errorf("task %s is %s", row.ID, row.Status)
		}
	}
	for _, kind := range []string{"link", "folder"} {
		w.tick()
		must0(t, os.RemoveAll(w.path(indexFile)))
		if kind == "link" {
			must0(t, os.Symlink(filepath.Join(t.TempDir(), "elsewhere"), w.path(indexFile)))
		} else {
			must0(t, os.Mkdir(w.path(indexFile), 0o777))
		}
		w.create(tasks.NewTask{Title: "More"})
		w.answers(o)
	}
}
