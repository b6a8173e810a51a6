package farm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
	"baton/internal/safetext"
	"baton/test/programs"
)

// size is how large a farm is.
type size struct{ workers, tasks int }

// Sizes of the farm in a test of all packages, and of the one in make farm.
var (
	small = size{workers: 4, tasks: 8}
	whole = size{workers: 8, tasks: 40}
)

// farm is one repository with a worktree for each worker.
type farm struct {
	t       *testing.T
	size    size
	seed    uint64
	dir     string // has the program, an empty home folder, and the worktrees
	program string
	after   map[string][]string // what each task depends on

	mu       sync.Mutex
	holders  map[string]string // tasks that a worker got and did not give back
	loose    map[string]bool   // tasks that may be taken from their holders: by force, or when a short lease ends
	finished map[string]string // tasks and who completed them, as soon as it was acknowledged
	words    []word
	faults   []string
	done     []string // for the report of a failure
	kills    int
	merges   int
	locked   int // commands that were run again because the project was locked
	total    time.Duration
	longest  time.Duration
	slowest  string // the command that took longest
}

// word is a text that a command wrote, and what it belongs to.
type word struct {
	kind, task, text string
	sure             bool // the command was acknowledged, so it was not killed
}

// main is the name of the main worktree.
const main = "main"

// TestF1_AFarmCompletesEveryTaskOnce lets workers drain a graph of tasks. BATON_FARMS sets the number of farms of full
// size, and BATON_SEED the first seed.
func TestF1_AFarmCompletesEveryTaskOnce(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to run a farm of worktrees")
	}
	seed, count, of := 1, 1, small
	if n, err := strconv.Atoi(os.Getenv("BATON_SEED")); err == nil {
		seed = n
	}
	if n, err := strconv.Atoi(os.Getenv("BATON_FARMS")); err == nil {
		count, of = n, whole
	}
	for i := range count {
		began := time.Now()
		t.Run(strconv.Itoa(seed+i), func(t *testing.T) {
			f := newFarm(t, uint64(seed+i), of)
			f.drain()
			f.verify()
			if f.kills == 0 && of == whole {
				t.Error("no process was killed: the farm showed nothing about kills")
			}
			t.Logf("%d tasks, %d workers, %d commands, %d kills, %d merges, %d texts, %d times locked; %.1f s of %.0f s for %s",
				of.tasks, of.workers, len(f.done), f.kills, f.merges, len(f.words), f.locked,
				f.longest.Seconds(), f.total.Seconds(), f.slowest)
		})
		if of == whole {
			fmt.Printf("farm %d of %d, seed %d: %.0f s\n", i+1, count, seed+i, time.Since(began).Seconds())
		}
	}
}

// newFarm creates the repository with its tasks, and the worktrees.
func newFarm(t *testing.T, seed uint64, of size) *farm {
	t.Helper()
	f := &farm{
		t: t, size: of, seed: seed, dir: t.TempDir(), after: map[string][]string{},
		holders: map[string]string{}, loose: map[string]bool{}, finished: map[string]string{},
	}
	var err error
	if f.dir, err = filepath.EvalSymlinks(f.dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bin", "home", main} {
		if err := os.Mkdir(filepath.Join(f.dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if f.program, err = programs.Make(filepath.Join(f.dir, "bin"), "baton"); err != nil {
		t.Fatal(err)
	}
	f.must(main, "git", "init", "-q", "-b", main)
	if a := f.run(main, main, "", 0, "git", "worktree", "list"); a.code != 0 {
		t.Skip("this git has no worktrees: install git 2.5 or newer to run a farm")
	}
	f.must(main, "baton", "init")
	if a := f.run(main, main, f.plan(), 0, "baton", "task", "new", "--from", "-"); a.code != 0 {
		t.Fatal(a.stderr)
	}
	f.must(main, "baton", "merge", "install")
	f.must(main, "git", "add", "-A")
	f.must(main, "git", "commit", "-q", "-m", "base")
	for i := range of.workers {
		f.must(main, "git", "worktree", "add", "-q", "../"+nameOf(i), "-b", nameOf(i))
	}
	f.stopIfFailed()
	return f
}

func nameOf(i int) string { return "w" + strconv.Itoa(i+1) }

// plan returns the tasks for task new: each depends on up to three of those before it.
func (f *farm) plan() string {
	type planned struct {
		ID       int      `json:"id"`
		Title    string   `json:"title"`
		After    []int    `json:"dependencies,omitempty"`
		Criteria []string `json:"criteria"`
	}
	random := rand.New(rand.NewPCG(f.seed, 0))
	tasks := make([]planned, f.size.tasks)
	for i := range tasks {
		tasks[i] = planned{ID: i + 1, Title: fmt.Sprintf("Piece %d", i+1), Criteria: []string{"Alpha", "Beta"}[:1+random.IntN(2)]}
		for _, j := range random.Perm(i)[:min(i, random.IntN(4)*random.IntN(2))] {
			tasks[i].After = append(tasks[i].After, j+1)
			f.after[strconv.Itoa(i+1)] = append(f.after[strconv.Itoa(i+1)], strconv.Itoa(j+1))
		}
	}
	data, err := json.Marshal(tasks)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(data)
}

// answer is what a process said and how it ended.
type answer struct {
	stdout, stderr string
	code           int
	killed         bool
}

// run starts git or baton in a worktree. With a limit, the process is killed after that time.
func (f *farm) run(worktree, as, stdin string, limit time.Duration, name string, args ...string) answer {
	f.note("%s: %s %s", as, name, strings.Join(args, " "))
	path := name
	if name == "baton" {
		path = f.program
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = filepath.Join(f.dir, worktree), strings.NewReader(stdin), &out, &errs
	cmd.Env = append(gittest.Environ(clean(os.Environ()), as, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)),
		"HOME="+filepath.Join(f.dir, "home"), "XDG_CONFIG_HOME="+filepath.Join(f.dir, "home", ".config"), "BATON_AS="+as,
		"PATH="+filepath.Dir(f.program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := cmd.Start(); err != nil {
		return answer{code: -1, stderr: err.Error()}
	}
	if limit > 0 {
		timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	began := time.Now()
	err := cmd.Wait()
	f.took(time.Since(began), as+": "+name+" "+strings.Join(args, " "))
	a := answer{stdout: out.String(), stderr: errs.String(), code: cmd.ProcessState.ExitCode()}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		a.code, a.stderr = -1, err.Error()
	} else if a.killed = a.code == -1; a.killed {
		f.note("%s: that was killed after %v", as, limit)
	}
	return a
}

// took notes how long a command took.
func (f *farm) took(long time.Duration, command string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.total += long; long > f.longest {
		f.longest, f.slowest = long, safetext.Runes(command, 100)
	}
}

// clean returns an environment without baton's own variables.
func clean(environ []string) []string {
	var kept []string
	for _, entry := range environ {
		if !strings.HasPrefix(entry, "BATON_") && !strings.HasPrefix(entry, "HOME=") && !strings.HasPrefix(entry, "PATH=") {
			kept = append(kept, entry)
		}
	}
	return kept
}

func (f *farm) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done = append(f.done, safetext.Runes(fmt.Sprintf(format, args...), 200))
}

// fault records what must not happen, and where in the history it was seen.
func (f *farm) fault(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	f.done = append(f.done, "FAULT "+text)
	f.faults = append(f.faults, text)
}

func (f *farm) failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.faults) > 0
}

// drain lets all workers work until every task is complete, or until something is wrong.
func (f *farm) drain() {
	var group sync.WaitGroup
	for i := range f.size.workers {
		w := &worker{farm: f, name: nameOf(i), random: rand.New(rand.NewPCG(f.seed, uint64(i)+1)), usual: map[string]time.Duration{}}
		group.Go(w.work)
	}
	group.Wait()
	f.stopIfFailed()
}

// stopIfFailed ends the test with the faults and the history if there are faults. BATON_FARM_KEEP names a folder that
// receives the worktrees and the history.
func (f *farm) stopIfFailed() {
	f.t.Helper()
	if !f.failed() {
		return
	}
	history := strings.Join(f.done, "\n")
	if dir := os.Getenv("BATON_FARM_KEEP"); dir != "" {
		_ = os.CopyFS(filepath.Join(dir, strconv.FormatUint(f.seed, 10)), os.DirFS(f.dir))
		_ = os.WriteFile(filepath.Join(dir, strconv.FormatUint(f.seed, 10)+".history"), []byte(history), 0o666)
		history = "the history is in " + dir
	}
	f.t.Fatalf("seed %d:\n%s\n\n%s", f.seed, strings.Join(f.faults, "\n"), history)
}
