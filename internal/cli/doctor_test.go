package cli

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/project"
	"baton/internal/report"
)

// clinic is a project on the disk that the doctor looks at, with a clock that stands until it is moved. Files are as old as
// the clock says: the file system's own knows nothing of it.
type clinic struct {
	t   *testing.T
	dir string
	now time.Time
	git bool
}

func newClinic(t *testing.T) *clinic {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &clinic{t: t, dir: filepath.Join(dir, "p"), now: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)}
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

// run plays one command line of baton and gives what it prints on standard output.
func (c *clinic) run(args ...string) (out string, code int) {
	c.t.Helper()
	var stdout, stderr bytes.Buffer
	code = Main(c.t.Context(), report.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string { return map[string]string{"BATON_AS": "agent-1"}[name] }, Environ: os.Environ(),
		Dir: c.dir, Now: func() time.Time { return c.now }, Rand: rand.NewChaCha8([32]byte{}), Home: filepath.Dir(c.dir), PID: os.Getpid(),
	}, Doors{})
	c.t.Log(args, code, stderr.String())
	c.date()
	return stdout.String(), code
}

// do plays commands that must succeed.
func (c *clinic) do(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if out, code := c.run(shellWords(c.t, line)...); code != 0 {
			c.t.Fatalf("baton %s: exit code %d\n%s", line, code, out)
		}
	}
}

// date gives every file outside git's folder the time of the clock.
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

// shell runs a program; to git it is as late as the clock says, for what was committed later decides between two tasks.
func (c *clinic) shell(name string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	now := c.now.Format(time.RFC3339)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+now, "GIT_COMMITTER_DATE="+now)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
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

// look asks the doctor.
func (c *clinic) look(args ...string) project.DoctorResult {
	c.t.Helper()
	out, code := c.run(append([]string{"doctor", "--json"}, args...)...)
	var r project.DoctorResult
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		c.t.Fatalf("%v in %q", err, out)
	}
	if want := map[bool]int{true: 6, false: 0}[r.Errors > 0]; code != want {
		c.t.Errorf("exit code %d with %d errors", code, r.Errors)
	}
	return r
}

// files gives every file with its text and time.
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

func coded(r project.DoctorResult, code string) (f project.DoctorFinding, ok bool) {
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
	c.do("state sync")
}

func specified(c *clinic) {
	c.write(".specflow/STATE.md", specflowText)
	c.date()
}

func governed1(c *clinic) { c.do("init --layout devt", `dir begin dev "build the pier"`) }

func equipped(c *clinic) { c.do("init --agent claude") }

func versioned(c *clinic) { c.repository(); oneTask(c) }

const specflowText = "# State\n\n## Current Position\n\n- **Active Specification:** none\n- **Status:** idle\n\n## Queue\n\n| Priority | ID | Title | Status |\n|---|---|---|---|\n\n## Decisions\n\n" +
	"| Date | Specification | Decision |\n|---|---|---|\n| 2026-03-02 | SPEC-001 | Tar over paint |\n| 2026-03-01 | SPEC-001 | Oak piles |\n"

func fixtures() []fixture {
	return slices.Concat(taskFixtures(), digestFixtures(), placeFixtures(), renumberFixtures(), moreFixtures(), driftFixtures(), folderFixtures())
}

// fixture is one thing that can be wrong: a project in which it is not, and what makes it so.
type fixture struct {
	code  string
	begin func(*clinic)
	turn  func(*clinic)
}

func taskFixtures() []fixture {
	return []fixture{
		{code: "duplicate_task_file", begin: oneTask, turn: func(c *clinic) { c.write(".specflux/task-states/task-1-state.md", c.read(taskFile)) }},
		{code: "dependency_missing", begin: twoTasks, turn: func(c *clinic) { c.remove(taskFile) }},
		{code: "dependency_cycle", begin: twoTasks, turn: func(c *clinic) { c.edit(taskFile, `"epic_id": null`, `"epic_id": null, "dependencies": [2]`) }},
		{code: "metadata_invalid", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, `"task_id":`, `"task_id"`) }},
		{code: "task_id_mismatch", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, `"task_id": 1`, `"task_id": 7`) }},
		{code: "conflict_markers", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+"\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n") }},
		{code: "empty_file", begin: oneTask, turn: func(c *clinic) { c.write(taskFile, "") }},
		{code: "title_missing", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, "# Task #1: Pier\n", "") }},
		{code: "over_limit", begin: logged(7), turn: func(c *clinic) { c.write(".baton/config.yaml", "tasks:\n  archive_kb: 1\n") }},
		{code: "task_may_be_too_large", begin: logged(1), turn: func(c *clinic) { c.write(taskFile, c.read(taskFile)+strings.Repeat("more and more\n", 8000)) }},
		{code: "must_split", begin: logged(15), turn: func(c *clinic) { c.do(`task log 1 --did "one more"`) }},
		{code: "archive_gone", begin: archived, turn: func(c *clinic) { c.remove(".baton/archive/task-1-archive.md") }},
		{code: "archive_count", begin: archived, turn: func(c *clinic) { c.edit(taskFile, `"archived_sessions": 3`, `"archived_sessions": 5`) }},
		{code: "archive_orphan", begin: archived, turn: func(c *clinic) { c.remove(taskFile) }},
		{code: "task_name", begin: oneTask, turn: func(c *clinic) { c.write(".baton/tasks/task-2+-state.md", c.read(taskFile)) }},
		{code: "future_time", begin: oneTask, turn: func(c *clinic) {
			if err := os.Chtimes(c.path(taskFile), c.now.Add(time.Hour), c.now.Add(time.Hour)); err != nil {
				c.t.Fatal(err)
			}
		}},
		{code: "output_empty", begin: oneTask, turn: func(c *clinic) { c.edit(taskFile, `"status": "ready"`, `"status": "complete"`) }},
		{code: "claim_lapsed", begin: claimed, turn: func(c *clinic) { c.now = c.now.Add(2 * time.Hour) }},
		{code: "clock_skew", begin: claimed, turn: func(c *clinic) { c.now = c.now.Add(-2 * time.Hour); c.date() }},
	}
}

func digestFixtures() []fixture {
	return []fixture{
		{code: "progress_drift", begin: planned, turn: func(c *clinic) { c.write(".planning/phases/01-piles/01-01-SUMMARY.md", "# Done\n") }},
		{code: "over_lines", begin: decided, turn: func(c *clinic) {
			c.write(".baton/config.yaml", "state:\n  max_lines: 68\ndecisions:\n  keep: 1\n  tolerate: 1\n")
		}},
		{code: "entries_lost", begin: decided, turn: func(c *clinic) {
			var kept []string
			for line := range strings.Lines(c.read(".baton/STATE.md")) {
				if !strings.HasPrefix(line, "| 20") {
					kept = append(kept, line)
				}
			}
			c.write(".baton/STATE.md", strings.Join(kept, ""))
		}},
		{code: "book_unusable", begin: decided, turn: func(c *clinic) {
			c.removeAll(".baton/local/ledger")
			c.write(".baton/local/ledger", "x")
		}},
		{code: "entries_unjudged", begin: decided, turn: func(c *clinic) {
			c.remove(ownDigest)
			c.write(ownDigest+"/x", "x")
		}},
		{code: "frontmatter_invalid", begin: planned, turn: func(c *clinic) {
			c.edit(".planning/STATE.md", "status:", "stopped_at: the pier: second bay\nstatus:")
		}},
		{code: "stacked_frontmatter", begin: planned, turn: func(c *clinic) {
			c.edit(".planning/STATE.md", "\n---\n", "\n---\n\n---\nstatus: planning\n---\n")
		}},
		{code: "lifecycle_conflict", begin: planned, turn: func(c *clinic) {
			c.edit(".planning/STATE.md", "\n---\n", "\nactive_phase: \"1\"\n---\n")
		}},
		{code: "digest_missing", begin: specified, turn: func(c *clinic) {
			c.write(".specflow/DECISIONS_ARCHIVE.md", "# Decisions Archive\n")
			c.remove(".specflow/STATE.md")
		}},
		{code: "digest_missing", begin: decided, turn: func(c *clinic) { c.remove(ownDigest) }},
		{code: "log_altered", begin: decided, turn: func(c *clinic) { c.edit(".baton/local/log/000001.jsonl", "decision add", "decision drop") }},
		{code: "layout_ambiguous", begin: specified, turn: func(c *clinic) { c.write(".planning/ROADMAP.md", "# Roadmap\n") }},
		{code: "detached_rows", begin: specified, turn: func(c *clinic) { c.edit(".specflow/STATE.md", "| 2026-03-01", "\n| 2026-03-01") }},
		{code: "ragged_rows", begin: specified, turn: func(c *clinic) { c.edit(".specflow/STATE.md", "| Oak piles |", "| Oak piles | too | many |") }},
		{code: "archive_unsorted", begin: specified, turn: func(c *clinic) {
			c.write(".specflow/DECISIONS_ARCHIVE.md", "# Decisions Archive\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-02-02 | SPEC-001 | b |\n| 2026-02-01 | SPEC-001 | a |\n")
		}},
		{code: "execution_file_without_row", begin: specified, turn: func(c *clinic) {
			c.write(".specflow/execution/SPEC-004-state.json", `{"mode": "auto", "status": "running"}`)
		}},
		{code: "truncation_scar", begin: specified, turn: func(c *clinic) {
			c.write(".specflow/STATE.md", strings.TrimSuffix(c.read(".specflow/STATE.md"), "les |\n"))
		}},
		{code: "decisions_exhausted", begin: oneTask, turn: func(c *clinic) { c.write(ownDigest, c.read(ownDigest)+strings.Repeat("\nmore and more\n", 60)) }},
		{code: "active_spec_missing", begin: specified, turn: func(c *clinic) { c.edit(".specflow/STATE.md", "Specification:** none", "Specification:** SPEC-009") }},
	}
}

func placeFixtures() []fixture {
	return []fixture{
		{code: "config_key", begin: oneTask, turn: func(c *clinic) { c.write(".baton/config.yaml", "tasks:\n  archiv_kb: 1\n") }},
		{code: "config_type", begin: oneTask, turn: func(c *clinic) { c.write(".baton/config.yaml", "tasks:\n  archive_kb: many\n") }},
		{code: "ad_hoc", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/my-notes.txt", "x") }},
		{code: "lock_stale", begin: governed1, turn: func(c *clinic) {
			c.write(".devt/state/.lock", "999999999")
			c.date()
		}},
		{code: "agents_outdated", begin: equipped, turn: func(c *clinic) { c.remove("AGENTS.md") }},
		{code: "agents_conflict", begin: equipped, turn: func(c *clinic) { c.write(".mcp.json", `{"mcpServers": {"baton": {"command": "other"}}}`) }},
		{code: "hooks_disabled", begin: equipped, turn: func(c *clinic) { c.write(".claude/settings.local.json", `{"disableAllHooks": true}`) }},
		{code: "missing", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/review.md", "## Status: DONE\n") }},
		{code: "name_on_folder", begin: governed1, turn: func(c *clinic) { c.write(".devt/state/review.md/x", "x") }},
		{code: "conflict_kept", begin: oneTask, turn: func(c *clinic) { c.write(".baton/local/conflicts/20260314/STATE.md", "x") }},
		{code: "journal_pending", begin: oneTask, turn: func(c *clinic) { c.write(".baton/local/journal", "") }},
		{code: "runtime_not_ignored", begin: versioned, turn: func(c *clinic) { c.remove(".baton/local/.gitignore") }},
		{code: "runtime_tracked", begin: versioned, turn: func(c *clinic) { c.shell("git", "add", "-f", ".baton/local/lock") }},
	}
}

// Every finding has a project that shows it and one that does not, says what to do, and is gone when its command was pasted or
// --fix was run, where it offers these. Nothing else writes a byte.
func TestDoctorFindsNamesAndMends(t *testing.T) {
	t.Parallel()
	all := fixtures()
	if runtime.GOOS == "linux" {
		all = append(all, fixture{code: "case_clash", begin: oneTask, turn: func(c *clinic) { c.write(".baton/tasks/NOTES.md", "x"); c.write(".baton/tasks/notes.md", "x") }})
		all = append(all, fixture{code: "task_doubled", begin: func(c *clinic) { c.do("init", `task new Pier --id proj-4 --accept "it stands"`) }, turn: func(c *clinic) {
			c.write(".baton/tasks/task-PROJ-4-state.md", strings.NewReplacer("proj-4", "PROJ-4", "Pier", "Rail", "it stands", "it lies").Replace(c.read(".baton/tasks/task-proj-4-state.md")))
		}})
	}
	for _, tt := range all {
		t.Run(tt.code, func(t *testing.T) {
			t.Parallel()
			ill := func() *clinic {
				c := newClinic(t)
				tt.begin(c)
				if r := c.look(); !r.OK || len(r.Findings) > 0 {
					t.Fatalf("the healthy project: %+v", r.Findings)
				}
				tt.turn(c)
				return c
			}
			c := ill()
			before := c.files()
			r := c.look()
			f, found := coded(r, tt.code)
			if !found {
				t.Fatalf("not found; %+v", r.Findings)
			}
			if f.Severity == "" || f.Text == "" || f.Command == "" && f.Advice == "" || f.Fixable && f.Command == "" {
				t.Errorf("%+v", f)
			}
			c.look("--dry-run")
			if tt.code != "future_time" && !sameTexts(before, c.files()) {
				t.Error("looking changed files")
			}
			if f.Command != "" {
				c.paste(f.Command)
				if again, still := coded(c.look(), tt.code); still {
					t.Errorf("after %s there is still %+v", f.Command, again)
				}
			}
			c = ill()
			r = c.look("--fix")
			if _, still := coded(r, tt.code); still == f.Fixable {
				t.Errorf("fixable is %v, and after --fix: %+v", f.Fixable, r.Findings)
			}
			if f.Fixable && len(r.Fixes) == 0 {
				t.Error("it does not say what it mended")
			}
		})
	}
}

// sameTexts compares files without their times, which the clinic itself sets.
func sameTexts(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		_, was, _ := strings.Cut(text, "\n")
		_, is, _ := strings.Cut(b[name], "\n")
		if was != is {
			return false
		}
	}
	return true
}

// A dry run shows, as differences, exactly what a fix then writes.
func TestDoctorDryRunShowsWhatAFixWrites(t *testing.T) {
	t.Parallel()
	for _, tt := range fixtures() {
		t.Run(tt.code, func(t *testing.T) {
			t.Parallel()
			c := newClinic(t)
			tt.begin(c)
			tt.turn(c)
			planned := c.look("--dry-run")
			was := map[string]string{}
			for _, change := range planned.Changes {
				was[change.Path] = change.Diff
			}
			before := c.files()
			fixed := c.look("--fix")
			if len(planned.Fixes) != len(fixed.Fixes) {
				t.Errorf("planned %+v, did %+v", planned.Fixes, fixed.Fixes)
			}
			for name, text := range c.files() {
				rel, _ := filepath.Rel(c.dir, name)
				rel = filepath.ToSlash(rel)
				if strings.HasPrefix(rel, ".baton/local/") {
					continue
				}
				_, old, _ := strings.Cut(before[name], "\n")
				_, now, _ := strings.Cut(text, "\n")
				if (old != now) != (was[rel] != "") {
					t.Errorf("%s changed: %v; its difference was %q", rel, old != now, was[rel])
				}
			}
		})
	}
}

// Nothing is found in a fresh project of any layout, nor in one where work went on as it should.
func TestDoctorFindsNothingOnAHealthyProject(t *testing.T) {
	t.Parallel()
	work := []string{
		`task new Pier --accept "it stands" --accept "it is straight"`, `task new Rail --accept "it holds" --after 1`, "session start 1",
		`task log 1 --did "drove piles" --next "the deck"`, "task check 1 1", "task check 1 2",
		`task output 1 --summary "piles every two metres"`, "session end 1", "task complete 1", "task claim 2", `task log 2 --did "measured"`, "task release 2",
	}
	for _, tt := range []struct {
		name  string
		lines []string
	}{
		{"baton", []string{"init"}},
		{"specflux", []string{"init --layout specflux"}},
		{"gsd", []string{"init --layout gsd"}},
		{"specflow", []string{"init --layout specflow"}},
		{"devt", []string{"init --layout devt"}},
		{"baton with agents", []string{"init --agent claude,codex,gemini"}},
		{"work in baton", append([]string{"init"}, work...)},
		{"work in specflux", append([]string{"init --layout specflux"}, work...)},
		{"a digest of baton", []string{
			"init", `state begin 1 --name Piles --stage plan`, "state begin 1 --stage plan --done", `decision add "Tar over paint"`,
			`blocker add "no oak"`, "blocker resolve 1", "state sync",
		}},
		{"a digest of specflow", []string{"init --layout specflow", `decision add "Tar over paint" --spec SPEC-001`}},
		{"a workflow", []string{"init --layout devt", `dir begin dev "build the pier"`, "dir cleanup --apply"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newClinic(t)
			c.repository()
			c.do(tt.lines...)
			r := c.look("--strict")
			if !r.OK || r.Errors+r.Warnings+r.Notes > 0 {
				t.Errorf("%+v", r.Findings)
			}
			out, code := c.run("doctor")
			if code != 0 || out != "Nothing is wrong.\n" {
				t.Errorf("%d %q", code, out)
			}
		})
	}
}

// What --fix writes is one commit: an over-long digest, a task over the limit and a claim go together.
func TestDoctorFixMendsAllAtOnce(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	logged(7)(c)
	c.do("task claim 1")
	for range 9 {
		c.do(`decision add "Tar over paint"`)
	}
	c.edit(ownDigest, "status:", "stopped_at: the pier: second bay\nstatus:")
	c.write(".baton/config.yaml", "tasks:\n  archive_kb: 1\nstate:\n  max_lines: 68\ndecisions:\n  keep: 1\n  tolerate: 1\n")
	c.now = c.now.Add(2 * time.Hour)
	r := c.look("--fix")
	for _, code := range []string{"over_limit", "over_lines", "frontmatter_invalid", "claim_lapsed"} {
		if f, still := coded(r, code); still {
			t.Errorf("%+v", f)
		}
	}
	if len(r.Fixes) < 4 {
		t.Errorf("%+v", r.Fixes)
	}
	if text := c.read(ownDigest); !strings.Contains(text, "stopped_at: \"the pier: second bay\"\n") {
		t.Error(text)
	}
	if again := c.look("--fix"); len(again.Fixes) > 0 {
		t.Errorf("a second run mended %+v", again.Fixes)
	}
}

// A document that refuses to be mended keeps nothing else from it, stays as it is, and is named.
func TestDoctorFixGoesOnWhereOneDocumentRefuses(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	logged(7)(c)
	for range 9 {
		c.do(`decision add "Tar over paint"`)
	}
	c.write(".baton/DECISIONS_ARCHIVE.md", "# Decisions Archive\n\n```\nnever closed\n")
	c.write(".baton/config.yaml", "tasks:\n  archive_kb: 1\nstate:\n  max_lines: 68\ndecisions:\n  keep: 1\n  tolerate: 1\n")
	before := c.read(ownDigest)
	r := c.look("--fix")
	if _, still := coded(r, "over_limit"); still {
		t.Errorf("the task was not mended: %+v", r.Findings)
	}
	named := false
	for _, f := range r.Findings {
		named = named || strings.HasPrefix(f.Text, "it could not be mended: ")
	}
	if !named || c.read(ownDigest) != before {
		t.Errorf("%+v", r.Findings)
	}
}

func TestDoctorCommandsKeepTheFlagsOfTheRun(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	c.now = c.now.Add(time.Minute)
	sub := &clinic{t: t, dir: c.path("my project"), now: c.now}
	if err := os.Mkdir(sub.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	archived(sub)
	sub.edit(taskFile, `"archived_sessions": 3`, `"archived_sessions": 5`)
	r := c.look("-C", "my project")
	if f, _ := coded(r, "archive_count"); f.Command != "baton task archive 1 --rebuild-summary -C 'my project'" {
		t.Errorf("%+v", r.Findings)
	}
}
