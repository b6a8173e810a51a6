package cli

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
	"baton/internal/report"
	"baton/internal/workspace"
)

// clinic is a project on the disk that the doctor checks, with a clock that stands still until a test moves it. Files
// get their times from this clock.
type clinic struct {
	t       *testing.T
	dir     string
	now     time.Time
	git     bool
	who     string   // who commits
	environ []string // the environment of baton; nil is the machine's, without git's variables
}

func newClinic(t *testing.T) *clinic {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &clinic{t: t, dir: filepath.Join(dir, "p"), now: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC), who: "agent-1"}
	if err := os.Mkdir(c.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *clinic) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *clinic) write(name, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path(name), []byte(text), 0o666); err != nil {
		c.t.Fatal(err)
	}
}

func (c *clinic) read(name string) string {
	c.t.Helper()
	data, err := os.ReadFile(c.path(name))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(data)
}

// edit replaces a text that must be there.
func (c *clinic) edit(name, old, with string) {
	c.t.Helper()
	text := c.read(name)
	if !strings.Contains(text, old) {
		c.t.Fatalf("%s has no %q:\n%s", name, old, text)
	}
	c.write(name, strings.Replace(text, old, with, 1))
}

func (c *clinic) remove(name string) {
	c.t.Helper()
	if err := os.Remove(c.path(name)); err != nil {
		c.t.Fatal(err)
	}
}

// run runs one command line of baton and returns its standard output.
func (c *clinic) run(args ...string) (out string, code int) {
	c.t.Helper()
	var stdout, stderr bytes.Buffer
	code = Main(c.t.Context(), report.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string { return map[string]string{"BATON_AS": "agent-1"}[name] }, Environ: c.given(),
		Dir: c.dir, Now: func() time.Time { return c.now }, Rand: rand.NewChaCha8([32]byte{}), Home: filepath.Dir(c.dir), PID: os.Getpid(),
	}, Doors{})
	c.t.Log(args, code, stderr.String())
	c.date()
	return stdout.String(), code
}

// do runs commands that must succeed.
func (c *clinic) do(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if out, code := c.run(shellWords(c.t, line)...); code != 0 {
			c.t.Fatalf("baton %s: exit code %d\n%s", line, code, out)
		}
	}
}

// date sets the time of every file outside git's folder to that of the clock.
func (c *clinic) date() {
	c.t.Helper()
	err := filepath.WalkDir(c.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.Type()&os.ModeSymlink != 0 {
			return err
		}
		if e.IsDir() && e.Name() == ".git" {
			return filepath.SkipDir
		}
		return os.Chtimes(path, c.now, c.now)
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

// repository makes the project a git repository.
func (c *clinic) repository() {
	c.t.Helper()
	c.shell("git", "init", "-q")
	c.git = true
}

// shell runs a program that must succeed.
func (c *clinic) shell(name string, args ...string) {
	c.t.Helper()
	if out, err := c.try(name, args...); err != nil {
		c.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// try runs a program. Git uses the time of the clock, because the later commit decides between two tasks.
func (c *clinic) try(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = c.dir, gittest.Environ(c.given(), c.who, c.now)
	return cmd.CombinedOutput()
}

func (c *clinic) given() []string {
	if c.environ == nil {
		return gittest.Environ(os.Environ(), c.who, c.now)
	}
	return c.environ
}

// paste runs a command line as a shell would.
func (c *clinic) paste(line string) {
	c.t.Helper()
	if rest, own := strings.CutPrefix(line, "baton "); own {
		if out, code := c.run(shellWords(c.t, rest)...); code != 0 {
			c.t.Errorf("%s: exit code %d\n%s", line, code, out)
		}
		return
	}
	c.shell("sh", "-c", line)
	c.date()
}

// look runs the doctor.
func (c *clinic) look(args ...string) workspace.DoctorResult {
	c.t.Helper()
	out, code := c.run(append([]string{"doctor", "--json"}, args...)...)
	var r workspace.DoctorResult
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		c.t.Fatalf("%v in %q", err, out)
	}
	if want := map[bool]int{true: 6, false: 0}[r.Errors > 0]; code != want {
		c.t.Errorf("exit code %d with %d errors", code, r.Errors)
	}
	return r
}

// files returns every file with its text and time.
func (c *clinic) files() map[string]string {
	c.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(c.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() && e.Name() == ".git" {
			return filepath.SkipDir
		}
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[path] = info.ModTime().String() + "\n" + string(data)
		}
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return all
}

// manifest returns the name of the one manifest that a clean-up left.
func (c *clinic) manifest() string {
	c.t.Helper()
	found, err := filepath.Glob(c.path(".devt/state/.archive/*.manifest.json"))
	if err != nil || len(found) != 1 {
		c.t.Fatal(found, err)
	}
	name, err := filepath.Rel(c.dir, found[0])
	if err != nil {
		c.t.Fatal(err)
	}
	return filepath.ToSlash(name)
}

func (c *clinic) removeAll(name string) {
	c.t.Helper()
	if err := os.RemoveAll(c.path(name)); err != nil {
		c.t.Fatal(err)
	}
}

func coded(r workspace.DoctorResult, code report.Code) (f workspace.DoctorFinding, ok bool) {
	for _, f := range r.Findings {
		if f.Code == code {
			return f, true
		}
	}
	return f, false
}

const (
	taskFile  = ".baton/tasks/task-1-state.md"
	ownDigest = ".baton/STATE.md"
)

// The projects in which fixtures begin; nothing is wrong in any of them.

func oneTask(c *clinic) { c.do("init", `task new Pier --accept "it stands"`) }

func twoTasks(c *clinic) {
	oneTask(c)
	c.do(`task new Rail --accept "it holds" --after 1`)
}

func logged(n int) func(*clinic) {
	return func(c *clinic) {
		oneTask(c)
		for range n {
			c.do(`task log 1 --did "drove piles, ` + strings.Repeat("one after the other, ", 20) + `all day"`)
		}
	}
}

func archived(c *clinic) {
	logged(4)(c)
	c.do("task archive 1 --keep 1")
}

func claimed(c *clinic) {
	oneTask(c)
	c.do("task claim 1")
}

// inGit has a repository that only reading finds: nothing here runs git.
func inGit(c *clinic) {
	c.write(".git/HEAD", "ref: refs/heads/main\n")
	c.write(".git/refs/heads/main", strings.Repeat("a", 40)+"\n")
	oneTask(c)
}

func decided(c *clinic) {
	c.do("init")
	for range 9 {
		c.do(`decision add "Tar over paint"`)
	}
}

func planned(c *clinic) {
	c.do("init --layout gsd")
	c.write(".planning/ROADMAP.md", "# Roadmap\n\n## v1.0 All of it\n\n### Phase 1: Piles\n\n### Phase 2: Deck\n")
	c.write(".planning/phases/01-piles/01-01-PLAN.md", "# Plan\n")
	c.write(".planning/phases/01-piles/01-02-PLAN.md", "# Plan\n")
	c.write(".planning/phases/02-deck/02-01-PLAN.md", "# Plan\n")
	c.do("state sync", "state next execute-phase 1")
}

func specified(c *clinic) {
	c.write(".specflow/STATE.md", specflowText)
	c.date()
}

func governed1(c *clinic) { c.do("init --layout devt", `dir begin dev "build the pier"`) }

func equipped(c *clinic) { c.do("init --agent claude") }

func versioned(c *clinic) { c.repository(); oneTask(c) }

func bothArchived(c *clinic) {
	archived(c)
	c.do(`task log 1 --did "the deck"`, "task archive 1 --keep 0")
}

func split(c *clinic) {
	c.do("init", `task new Pier --accept "it stands" --accept "it holds"`)
	c.write(".baton/tasks/task-2-state.md", strings.NewReplacer(
		"#1", "#2", `"task_id": 1`, `"task_id": 2, "parent": 1`, "Pier", "Bay",
	).Replace(c.read(taskFile)))
	c.date()
}

func branched(c *clinic) {
	versioned(c)
	c.commit("base")
}

func executing(c *clinic) {
	planned(c)
	c.do("state begin 1 --stage plan --done", "state begin 1 --stage execute")
}

func cleaned(c *clinic) {
	governed1(c)
	c.write(".devt/state/my-notes.txt", "x")
	c.date()
	c.do("dir cleanup --apply")
}

const specflowText = "# State\n\n## Current Position\n\n- **Active Specification:** none\n- **Status:** idle\n\n## Queue\n\n" +
	"| Priority | ID | Title | Status |\n|---|---|---|---|\n\n## Decisions\n\n" +
	"| Date | Specification | Decision |\n|---|---|---|\n| 2026-03-02 | SPEC-001 | Tar over paint |\n" +
	"| 2026-03-01 | SPEC-001 | Oak piles |\n"
