package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/usecase/doctor"
	"baton/internal/workspace"
)

// clones returns two clones of a project with two tasks, in which git merges with baton's driver or by lines.
func clones(t *testing.T, driver bool) (a, b *clinic) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to play clones")
	}
	a = newClinic(t)
	a.repository()
	a.do("init", `task new One --accept "it stands"`, `task new Two --accept "it holds"`)
	if driver {
		a.do("merge install")
	}
	a.commit("base")
	b = &clinic{t: t, dir: filepath.Join(filepath.Dir(a.dir), "q"), now: a.now, git: true, who: "agent-2"}
	a.shell("git", "clone", "-q", a.dir, b.dir)
	if driver {
		b.do("merge install")
	}
	return a, b
}

func (c *clinic) commit(message string) {
	c.t.Helper()
	c.shell("git", "add", "-A")
	c.shell("git", "commit", "-q", "-m", message)
}

// pull merges the other clone's work and leaves conflicts as they are.
func (c *clinic) pull(from *clinic) {
	c.t.Helper()
	c.shell("git", "fetch", "-q", from.dir, "HEAD")
	out, err := c.try("git", "merge", "-q", "--no-edit", "FETCH_HEAD")
	c.t.Logf("%v %s", err, out)
	c.date()
}

// healthy checks that there are no findings except two: a clock finding, because the file system uses another clock,
// and the missing merge driver.
func healthy(t *testing.T, r workspace.DoctorResult) {
	t.Helper()
	for _, f := range r.Findings {
		if f.Code != "future_time" && f.Code != "merge_driver_missing" {
			t.Errorf("%+v", f)
		}
	}
}

// left runs "merge check".
func (c *clinic) left() (r doctor.MergeCheck, code int) {
	c.t.Helper()
	out, code := c.run("merge", "check", "--json")
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		c.t.Fatalf("%v in %q", err, out)
	}
	return r, code
}

// Two clones each create a task 3 and work on it. After the merge both tasks are there. The later one has the next
// number, its evidence and the tasks that depend on it; nothing of either is missing (D40).
func TestD40_TwoClonesMadeOneTaskEach(t *testing.T) {
	t.Parallel()
	for name, driver := range map[string]bool{"by meaning": true, "by lines": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := clones(t, driver)
			a.do(`task new Pier --accept "piles are driven"`, `task log 3 --did "drove piles"`)
			a.commit("pier")
			b.now = b.now.Add(3600e9)
			b.do(`task new Rail --accept "rail is laid"`, `task log 3 --did "laid rail"`, `task check 3 1 --evidence "seen on the quay"`,
				`task output 3 --summary "rails are two metres apart"`, "task complete 3", `task new Deck --accept "planks lie" --after 3`)
			b.commit("rail and deck")
			a.pull(b)
			if !driver { // of the lines about the tasks in the digest, either side is good
				a.shell("git", "checkout", "-q", "--ours", ".baton/STATE.md")
				a.shell("git", "add", ".baton/STATE.md")
			}
			found, code := a.left()
			if code != 6 || len(found.Findings) > 2 || found.Findings[0].Code != "task_doubled" ||
				found.Findings[0].Command != "baton doctor --fix" {
				t.Fatalf("%d %+v", code, found.Findings)
			}
			planned := a.look("--dry-run")
			fixed := a.look("--fix")
			if len(planned.Changes) < 3 || len(fixed.Fixes) == 0 || fixed.Fixes[0].Code != "task_renumbered" ||
				!strings.Contains(fixed.Fixes[0].Text, `task #3 "Rail" is now task #5`) {
				t.Fatalf("%+v\n%+v", planned.Changes, fixed.Fixes)
			}
			healthy(t, fixed)
			if found, code := a.left(); code != 0 {
				t.Errorf("%+v", found.Findings)
			}
			for file, words := range map[string][]string{
				".baton/tasks/task-3-state.md": {"# Task #3: Pier", `"task_id": 3`, "drove piles"},
				".baton/tasks/task-5-state.md": {
					"# Task #5: Rail", `"task_id": 5`, "laid rail", "rails are two metres apart", "- [x] rail is laid",
				},
				".baton/tasks/task-4-state.md":         {`"dependencies": [5]`, "### From Task #5: Rail", `"input_hashes": {"5":`},
				".baton/archive/task-5-evidence.jsonl": {"seen on the quay"},
			} {
				text := a.read(file)
				for _, word := range words {
					if !strings.Contains(text, word) {
						t.Errorf("%s has no %q:\n%s", file, word, text)
					}
				}
			}
			if _, err := os.Stat(a.path(".baton/archive/task-3-evidence.jsonl")); err == nil {
				t.Error("the evidence stands under the old number too")
			}
			a.commit("repaired")
			if out, code := a.run("task", "new", "Lamp"); code != 0 || !strings.Contains(out, "#6") {
				t.Errorf("%d %s", code, out)
			}
		})
	}
}

// Both clones log a session 1 and move it to the archive, where the driver keeps the numbers: the later one gets the
// next number.
func TestD40_TwoClonesArchivedOneSessionEach(t *testing.T) {
	t.Parallel()
	a, b := clones(t, true)
	for i, c := range []*clinic{a, b} {
		c.now = c.now.Add(3600e9)
		c.do(`task log 1 --did "first of `+[...]string{"ours", "theirs"}[i]+
			`"`, `task log 1 --did "second of `+[...]string{"ours", "theirs"}[i]+`"`, "task archive 1 --keep 0")
		b.now = c.now
		c.commit("work")
	}
	a.pull(b)
	found, code := a.left()
	if code != 6 || len(found.Findings) != 2 || found.Findings[0].Code != "session_number_doubled" || !found.Findings[0].Fixable {
		t.Fatalf("%d %+v", code, found.Findings)
	}
	r := a.look("--fix")
	if healthy(t, r); len(r.Fixes) < 2 || r.Fixes[0].Code != "session_renumbered" {
		t.Errorf("%+v", r)
	}
	archive := a.read(".baton/archive/task-1-archive.md")
	for _, want := range []string{
		"## Session 1 -", "## Session 2 -", "## Session 3 -", "## Session 4 -", "first of ours", "second of ours", "first of theirs",
		"second of theirs",
	} {
		if strings.Count(archive, want) != 1 {
			t.Errorf("%q stands %d times in\n%s", want, strings.Count(archive, want), archive)
		}
	}
	if state := a.read(".baton/tasks/task-1-state.md"); !strings.Contains(state, `"archived_sessions": 4`) ||
		!strings.Contains(state, "Sessions 1-4") {
		t.Error(state)
	}
	if found, code := a.left(); code != 0 {
		t.Errorf("%+v", found.Findings)
	}
	a.do(`task log 1 --did "the fifth"`)
	if !strings.Contains(a.read(".baton/tasks/task-1-state.md"), "### Session 5 -") {
		t.Error("the next session is not the fifth")
	}
}

// If nothing decides which task is meant, the reference stays with the one that keeps the number, and a finding asks
// about it.
func TestD40_AReferenceThatMayMeanEither(t *testing.T) {
	t.Parallel()
	a, b := clones(t, true)
	a.do(`task new Pier --accept "piles are driven"`, `task log 3 --did "drove piles"`)
	a.commit("pier")
	b.now = b.now.Add(3600e9)
	b.do(`task new Rail --accept "rail is laid"`, `task log 3 --did "laid rail"`, `task new Deck --accept "planks lie" --after 3`)
	b.commit("rail and deck")
	a.pull(b)
	if err := os.RemoveAll(a.path(".git")); err != nil { // now nothing shows which side a task came from
		t.Fatal(err)
	}
	for _, mode := range [...]string{"--dry-run", "--fix"} {
		r := a.look(mode)
		const doubt = "task #4 names #3, and baton cannot tell which of the two"
		if len(r.Fixes) == 0 || !strings.Contains(r.Fixes[0].Text, doubt) || r.Next != "" {
			t.Errorf("%+v", r)
		}
		asked := 0
		for _, f := range r.Findings {
			if f.Code == "reference_doubtful" && f.Path == ".baton/tasks/task-4-state.md" &&
				f.Text == `task #4 waits for #3; which of the two is meant: #3 "Pier", or #5 "Rail"?` && f.Advice != "" && !r.OK {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("%s %+v", mode, r.Findings)
		}
	}
	if !strings.Contains(a.read(".baton/tasks/task-4-state.md"), `"dependencies": [3]`) {
		t.Error("the dependency was taken away from the one that keeps the number")
	}
}
