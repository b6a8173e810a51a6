package farm

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// worker is an agent with a worktree and a branch of its own, both with its name.
type worker struct {
	*farm
	name   string
	random *rand.Rand
	usual  map[string]time.Duration // how long each command usually takes
	many   int                      // texts that it wrote
	idle   int                      // turns without work, one after the other
	lost   bool                     // somebody else took the task
}

const (
	mostIdle  = 2000 // idle turns until the farm counts as stuck
	mostTries = 20   // of a command that is killed or finds the project locked
)

// chance reports true once in n times.
func (w *worker) chance(n int) bool { return w.random.IntN(n) == 0 }

// try runs a command of baton once, and sometimes kills it.
func (w *worker) try(args ...string) answer {
	limit := time.Duration(0)
	key := strings.Join(args[:2], " ")
	if w.chance(8) {
		limit = time.Duration(1 + w.random.Int64N(int64(max(w.usual[key], 2*time.Millisecond))*5/4))
	}
	began := time.Now()
	a := w.run(w.name, w.name, "", limit, "baton", args...)
	if a.killed {
		w.mu.Lock()
		w.kills++
		w.mu.Unlock()
	} else {
		w.usual[key] = (3*w.usual[key] + time.Since(began)) / 4
	}
	return a
}

// do runs a command until it is neither killed nor finds the project locked. make returns its
// arguments; it is called for each try. killed reports whether an earlier try was killed.
func (w *worker) do(make func() []string) (a answer, killed bool) {
	for range mostTries {
		args := make()
		a = w.try(args...)
		switch {
		case a.killed:
			killed = true
		case a.code == 5:
			w.mu.Lock()
			w.locked++
			w.mu.Unlock()
		default:
			return a, killed
		}
	}
	w.fault("%s gave up: %s", w.name, a.stderr)
	return a, killed
}

// sure does the same, and any exit code but 0 is a fault.
func (w *worker) sure(args ...string) answer {
	a, _ := w.do(func() []string { return args })
	w.expect("", a, args)
	return a
}

// expect reports an answer that failed. If somebody may take the task from the worker, it is refused what the task's
// holder may do, also after the other one completed it, and the worker gives up the task.
func (w *worker) expect(id string, a answer, args []string) {
	w.mu.Lock()
	loose := w.loose[id]
	w.mu.Unlock()
	switch {
	case a.code == 0:
	case loose && (a.code == 4 || a.code == 6 && strings.Contains(a.stderr, "is complete on")):
		w.lost = true
	default:
		w.fault("%s: baton %s: exit code %d\n%s", w.name, strings.Join(args, " "), a.code, a.stderr)
	}
}

// own runs a command that only the holder of a task may run.
func (w *worker) own(id string, args ...string) {
	if w.lost {
		return
	}
	a, _ := w.do(func() []string { return args })
	w.expect(id, a, args)
}

// writes runs a command with a new text in each try, and remembers which texts must be found.
func (w *worker) writes(kind, task string, command func(text string) []string) {
	var text string
	a, _ := w.do(func() []string {
		if text != "" {
			w.remember(word{kind, task, text, false})
		}
		w.many++
		text = fmt.Sprintf("word-%s-%d-end", w.name, w.many)
		return command(text)
	})
	w.remember(word{kind, task, text, a.code == 0})
	w.expect(task, a, command(text))
}

func (w *worker) remember(one word) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.words = append(w.words, one)
}

// git runs git, which must succeed.
func (w *worker) git(args ...string) string {
	a := w.run(w.name, w.name, "", 0, "git", args...)
	if a.code != 0 {
		diff := w.run(w.name, w.name, "", 0, "git", "diff")
		w.fault("%s: git %s: exit code %d\n%s%s\n%s", w.name, strings.Join(args, " "), a.code, a.stdout, a.stderr, diff.stdout)
	}
	return a.stdout
}

// work takes one task after the other until all are complete.
func (w *worker) work() {
	for !w.failed() {
		finished := w.known()
		if len(finished) == w.size.tasks {
			w.commit()
			return
		}
		id := ""
		if w.chance(20) {
			id = w.steal()
		}
		if id == "" {
			id = w.claim(finished)
		}
		switch {
		case id != "":
			w.idle = 0
			w.perform(id)
		case w.failed():
		default:
			w.wait()
		}
		w.aside()
	}
}

// known returns the tasks that are complete for certain at this moment.
func (w *worker) known() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]string, 0, len(w.finished))
	for id := range w.finished {
		out = append(out, id)
	}
	return out
}

// offered checks that no task is offered that was complete before.
func (w *worker) offered(by string, finished []string, ids ...string) {
	for _, id := range ids {
		if slices.Contains(finished, id) {
			w.mu.Lock()
			who := w.finished[id]
			w.mu.Unlock()
			w.fault("%s offers task %s to %s, after %s completed it", by, id, w.name, who)
		}
	}
}

// claim takes the next task and returns it, or "". After a kill, it looks whether it has one.
func (w *worker) claim(finished []string) string {
	args := []string{"task", "claim", "--next", "--json"}
	short := w.size == whole && w.chance(12)
	if short {
		args = append(args, "--lease", "1s")
	}
	a := w.try(args...)
	var got struct {
		Task  string
		Error struct {
			Details struct {
				Once []struct{ Command string } `json:"ready_once"`
			}
		}
	}
	switch {
	case a.killed || a.code == 5:
		id := w.mine()
		if short && id != "" {
			w.loosen(id)
		}
		return id
	case a.code == 0:
		if err := json.Unmarshal([]byte(a.stdout), &got); err != nil {
			w.fault("%s: %v in %s", w.name, err, a.stdout)
			return ""
		}
		w.offered("claim --next", finished, got.Task)
		w.hold(got.Task)
		if short {
			w.loosen(got.Task)
			time.Sleep(2 * time.Second)
		}
		return got.Task
	case a.code == 3:
		// It is ready once a branch is merged, so the worker merges it.
		if err := json.Unmarshal([]byte(a.stderr), &got); err != nil {
			w.fault("%s: %v in %s", w.name, err, a.stderr)
			return ""
		}
		w.commit()
		for _, once := range got.Error.Details.Once {
			for command := range strings.SplitSeq(once.Command, " && ") {
				if branch, ok := strings.CutPrefix(command, "git merge "); ok && branch != w.name {
					w.merge(branch)
				}
			}
		}
		return ""
	}
	w.fault("%s: claim --next: exit code %d\n%s", w.name, a.code, a.stderr)
	return ""
}

// hold notes that the worker has a task, which nobody else may have.
func (w *worker) hold(id string) {
	w.mu.Lock()
	other, loose := w.holders[id], w.loose[id]
	w.holders[id] = w.name
	w.mu.Unlock()
	w.lost = false
	if other != "" && other != w.name && !loose {
		w.fault("task %s was handed to %s while %s has it", id, w.name, other)
	}
}

func (w *worker) drop(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.holders[id] == w.name {
		delete(w.holders, id)
	}
}

// loosen notes that a task may be taken from its holder from now on.
func (w *worker) loosen(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loose[id] = true
}

// steal takes a task from its holder, whose later commands must fail.
func (w *worker) steal() string {
	w.mu.Lock()
	var held []string
	for id, by := range w.holders {
		if by != w.name {
			held = append(held, id)
		}
	}
	w.mu.Unlock()
	if len(held) == 0 {
		return ""
	}
	sort.Strings(held)
	id := held[w.random.IntN(len(held))]
	w.loosen(id)
	finished := w.known()
	a, _ := w.do(func() []string { return []string{"task", "claim", id, "--steal", "--reason", "it takes too long"} })
	switch a.code {
	case 0:
		w.offered("claim --steal", finished, id)
		w.hold(id)
		return id
	case 6: // it was completed meanwhile, or waits for a task that is not merged here
	default:
		w.fault("%s: claim %s --steal: exit code %d\n%s", w.name, id, a.code, a.stderr)
	}
	return ""
}

type listed struct {
	Tasks []struct {
		ID, Status string
		Claim      *struct{ By string }
	}
}

// list asks for a list of tasks.
func (w *worker) list(args ...string) (out listed) {
	a := w.sure(append(args, "--json")...)
	if err := json.Unmarshal([]byte(a.stdout), &out); err != nil && a.code == 0 {
		w.fault("%s: %v in %s", w.name, err, a.stdout)
	}
	return out
}

// mine returns a task that the worker claimed and did not complete, or "".
func (w *worker) mine() string {
	for _, t := range w.list("task", "list").Tasks {
		if t.Claim != nil && t.Claim.By == w.name && t.Status != "complete" {
			w.hold(t.ID)
			return t.ID
		}
	}
	return ""
}

// perform does a task, and now and then gives it back in between.
func (w *worker) perform(id string) {
	if w.chance(2) {
		w.own(id, "session", "start", id)
	}
	name := filepath.Join(w.dir, w.name, fmt.Sprintf("work-%s-%s.txt", id, w.name))
	if err := os.WriteFile(name, []byte(id+"\n"), 0o666); err != nil {
		w.fault("%v", err)
	}
	for range 1 + w.random.IntN(3) {
		w.log(id)
		if w.chance(4) {
			w.commit()
		}
		if w.chance(8) {
			w.merge("")
		}
	}
	if w.chance(6) {
		w.drop(id)
		w.own(id, "task", "release", id)
		return
	}
	for i := range w.criteria(id) {
		if w.lost {
			break
		}
		w.writes("evidence", id, func(text string) []string {
			return []string{"task", "check", id, strconv.Itoa(i + 1), "--evidence", text}
		})
	}
	w.own(id, "task", "output", id, "--summary", "what piece "+id+" does")
	w.drop(id)
	if !w.lost {
		w.complete(id)
	}
	if w.chance(2) {
		w.commit()
	}
}

// criteria returns how many criteria a task has.
func (w *worker) criteria(id string) int {
	var shown struct{ Criteria []any }
	a := w.sure("task", "show", id, "--json")
	if err := json.Unmarshal([]byte(a.stdout), &shown); err != nil || len(shown.Criteria) == 0 {
		w.fault("%s: no criteria of task %s: %v in %s", w.name, id, err, a.stdout)
	}
	return len(shown.Criteria)
}

// log logs an entry. Some are long, so that files grow until sessions move to the archive.
func (w *worker) log(id string) {
	more := ""
	if w.chance(3) {
		more = strings.Repeat(" and more", 200+w.random.IntN(400))
	}
	w.writes("session", id, func(text string) []string {
		return []string{"task", "log", id, "--did", text + more, "--next", "go on"}
	})
}

// complete completes a task, which nobody may have done before.
func (w *worker) complete(id string) {
	a, killed := w.do(func() []string { return []string{"task", "complete", id, "--json"} })
	if w.expect(id, a, []string{"task", "complete", id}); a.code != 0 {
		return
	}
	var got struct{ Changed bool }
	if err := json.Unmarshal([]byte(a.stdout), &got); err != nil || !got.Changed && !killed {
		w.fault("%s: complete %s: exit code %d, %v\n%s%s", w.name, id, a.code, err, a.stdout, a.stderr)
		return
	}
	w.mu.Lock()
	other := w.finished[id]
	w.finished[id] = w.name
	w.mu.Unlock()
	if other != "" {
		w.fault("task %s was completed by %s and by %s", id, other, w.name)
	}
}

// aside does what agents do between tasks.
func (w *worker) aside() {
	switch w.random.IntN(8) {
	case 0:
		w.log(w.any()) // whosever task it is
	case 1:
		w.writes("decision", "", func(text string) []string { return []string{"decision", "add", text} })
	case 2:
		w.writes("blocker", "", func(text string) []string { return []string{"blocker", "add", text} })
	case 3:
		finished := w.known()
		for _, t := range w.list("task", "ready").Tasks {
			w.offered("ready", finished, t.ID)
		}
	case 4:
		w.sure("status", "--json")
	case 5:
		w.merge("")
	}
}

// any returns any task, and often one of the first three, so that many workers write to the same ones.
func (w *worker) any() string {
	if w.chance(2) {
		return strconv.Itoa(1 + w.random.IntN(3))
	}
	return strconv.Itoa(1 + w.random.IntN(w.size.tasks))
}

// wait lets others go on, after it gave them what it has. If a farm is stuck, it says what is left.
func (w *worker) wait() {
	w.commit()
	if w.idle++; w.idle > mostIdle {
		w.fault("%s waits for ever\n%s", w.name, w.sure("task", "list").stdout)
		return
	}
	if w.idle%10 == 0 {
		w.merge("")
	}
	if id := w.mine(); id != "" {
		w.perform(id) // it was claimed by a process that was killed
	}
	time.Sleep(time.Duration(w.random.IntN(20)) * time.Millisecond)
}

// commit commits everything.
func (w *worker) commit() {
	w.git("add", "-A")
	if w.git("status", "--porcelain") != "" {
		w.git("commit", "-q", "-m", fmt.Sprintf("%s goes on", w.name))
	}
}

// merge merges a branch into the worker's own, a random one for "".
func (w *worker) merge(branch string) {
	if branch == "" {
		if branch = nameOf(w.random.IntN(w.size.workers)); branch == w.name {
			return
		}
	}
	w.commit()
	w.git("merge", "-q", "--no-edit", branch)
	w.unmarked(w.name)
	w.mu.Lock()
	w.merges++
	w.mu.Unlock()
}
