package project

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/statusbar"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// lineRun is one status line, with its cost.
type lineRun struct {
	statusbar.StatusLineResult
	opened int   // files
	bytes  int64 // bytes read
}

// countedFile counts the bytes that are read.
type countedFile struct {
	disk.File
	bytes *int64
}

func (f countedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	*f.bytes += int64(n)
	return n, err
}

// line returns the status line for an agent that works in a folder, without colours.
func (w *world) line(dir, more string) lineRun {
	w.t.Helper()
	folder, err := json.Marshal(w.path(dir))
	if err != nil {
		w.t.Fatal(err)
	}
	input := fmt.Sprintf(`{"model":{"display_name":"M"},"workspace":{"current_dir":%s}%s}`, folder, more)
	return w.lineOf(statusbar.StatusLineRequest{Input: []byte(input), NoColor: true})
}

func (w *world) lineOf(r statusbar.StatusLineRequest) lineRun {
	w.t.Helper()
	r.Env = report.Env{
		Getenv: func(name string) string { return w.env[name] }, Dir: w.dir, Home: w.env["HOME"], PID: 7,
		Now: func() time.Time { return w.time },
	}
	var run lineRun
	run.StatusLineResult = statusbar.RenderLine(r, func(path string) (disk.File, error) {
		f, err := disk.OS{}.Open(path)
		if err != nil {
			return nil, err
		}
		run.opened++
		return countedFile{File: f, bytes: &run.bytes}, nil
	})
	return run
}

func (w *world) wantLine(dir, want string) {
	w.t.Helper()
	if got := w.line(dir, "").Line; got != want {
		w.t.Errorf("in %s: %q, want %q", dir, got, want)
	}
}

const lineDigest = "---\nmilestone: v1.2\nstatus: executing\n---\n\n# T\n\nPhase: 3 of 5 (Gauge feed)\n"

// activeTasks writes the cache of active tasks: holder, task and minute for each entry.
func (w *world) activeTasks(entries ...string) {
	w.t.Helper()
	book := workspace.ActiveBook{Holders: map[string]workspace.ActiveEntry{}}
	for _, e := range entries {
		var holder, id string
		var minute int
		if _, err := fmt.Sscan(e, &holder, &id, &minute); err != nil {
			w.t.Fatal(err)
		}
		var entry workspace.ActiveEntry
		if err := json.Unmarshal(fmt.Appendf(nil, `{"task":%q,"at":"2026-03-01T09:%02d:00Z"}`, id, minute), &entry); err != nil {
			w.t.Fatal(err)
		}
		book.Holders[holder] = entry
	}
	data, err := json.Marshal(book)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(".baton/local/active.json", string(data))
}

// D28: the nearest folder upward counts, and the search ends at the folder with .git, below home.
func TestD28_StatusLineFindsTheNearestDigest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("repo/.git")
	w.mkdir("repo/a/b")
	w.wantLine("repo/a/b", "M │ b")
	w.write(".planning/STATE.md", lineDigest)
	w.wantLine("repo/a/b", "M │ b")
	w.write("repo/.planning/STATE.md", lineDigest)
	w.wantLine("repo/a/b", "M │ v1.2 · executing · Gauge feed (3/5) │ b")
	w.mkdir("repo/a/.planning/STATE.md") // a folder is not a digest
	w.wantLine("repo/a/b", "M │ v1.2 · executing · Gauge feed (3/5) │ b")
	w.write("repo/a/.baton/STATE.md", "---\nmilestone: v9\nstatus: planning\n---\nPhase: 1 of 2\n")
	w.wantLine("repo/a/b", "M │ v9 · planning · ph 1/2 │ b")
	w.write("repo/a/b/.planning/config.json", "{}") // nor is a folder without one
	w.wantLine("repo/a/b", "M │ v9 · planning · ph 1/2 │ b")
}

// TestD16_DigestAndTasksAreLookedForOnTheirOwn checks that a part of a repository may have its own tasks below a common
// digest.
func TestD16_DigestAndTasksAreLookedForOnTheirOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("p/.git")
	w.write("p/.planning/STATE.md", lineDigest)
	api := *w
	api.dir = w.path("p/api")
	api.write(".specflux/task-states/task-7-state.md", plain("7", "Feed"))
	api.activeTasks("a 7 1")
	w.wantLine("p/api", "M │ v1.2 · executing · Gauge feed (3/5) │ #7 Feed · 0/1 │ api")
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ p")
}

func TestD28_StatusLineStopsBelowHome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["HOME"] = w.dir
	w.write(".planning/STATE.md", lineDigest)
	w.wantLine("work/deep", "M │ deep")
	w.mkdir("work/deep")
	w.wantLine("work/deep", "M │ deep")
}

func TestD28_SubReposComeFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("all/.planning/STATE.md", lineDigest)
	w.mkdir("all/api/.git")
	w.wantLine("all/api", "M │ api")
	w.write("all/.planning/config.json", `{"sub_repos":["api"],"statusline":{"state_format":"compact"}}`)
	w.wantLine("all/api", "M │ v1.2 · P3/5 · executing │ api")
}

// TestWhereTheStatusLineLooks checks the order of precedence: -C, BATON_ROOT, the folder that the agent names, the
// working folder.
func TestWhereTheStatusLineLooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"one", "two", "three"} {
		w.mkdir(name + "/.git")
		w.write(name+"/.planning/STATE.md", "---\nstatus: "+name+"\n---\nPhase: 1 of 2\n")
	}
	w.dir = w.path("one")
	defer func(dir string) { w.dir = dir }(w.dir)
	run := func(dir, input, root string) string {
		w.env["BATON_ROOT"] = root
		return w.lineOf(statusbar.StatusLineRequest{Dir: dir, Input: []byte(input), NoColor: true}).Line
	}
	for _, c := range []struct{ dir, input, root, want string }{
		{"", "", "", "Claude │ one · ph 1/2 │ one"},
		{"", `{"cwd":"../two"}`, "", "Claude │ two · ph 1/2 │ two"},
		{"", `{"cwd":"../two","workspace":{"current_dir":"../three"}}`, "", "Claude │ three · ph 1/2 │ three"},
		{"", `{"cwd":"../two"}`, "../three", "Claude │ three · ph 1/2 │ two"},
		{"../one", `{"cwd":"../two"}`, "../three", "Claude │ one · ph 1/2 │ one"},
		{"", `{"cwd":"../gone/for/ever"}`, "", "Claude │ ever"},
	} {
		if got := run(c.dir, c.input, c.root); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestGSD56_Workstreams(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["TMPDIR"] = w.path("tmp")
	w.mkdir("p/.git")
	w.write("p/.planning/workstreams/pump/STATE.md", "---\nmilestone: v1.2\nstatus: executing\n---\nPhase: 1 of 2 (Valves)\n")
	w.write("p/.planning/workstreams/lamp/STATE.md", "---\nmilestone: v1.3\nstatus: planning\n---\n")
	w.wantLine("p", "M │ no active workstream │ p")
	w.write("p/.planning/active-workstream", "ghost\n")
	w.wantLine("p", "M │ no active workstream │ p")
	if got := w.read("p/.planning/active-workstream"); got != "ghost\n" {
		t.Errorf("the pointer is %q now", got)
	}
	w.write("p/.planning/active-workstream", "pump\n")
	w.wantLine("p", "M │ v1.2 · executing · Valves (1/2) │ p")
	w.env["GSD_WORKSTREAM"] = "lamp"
	w.wantLine("p", "M │ v1.3 · planning │ p")
	w.env["GSD_WORKSTREAM"] = "../../../etc"
	w.wantLine("p", "M │ no active workstream │ p")
	w.write("p/.planning/STATE.md", lineDigest) // the project's own digest comes first
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ p")
}

// TestSF35_SpecflowInTheLine checks SpecFlow alone, with a GSD digest, and without an active specification.
func TestSF35_SpecflowInTheLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("p/.git")
	active := "# SpecFlow State\n\n## Current Position\n\n- **Active Specification:** SPEC-048c — Feed\n- **Status:** running\n"
	w.write("p/.specflow/STATE.md", active)
	w.wantLine("p", "[SF: SPEC-048c running] │ M │ p")
	if got := w.line("p", `,"context_window":{"remaining_percentage":60}`).Line; got != "[SF: SPEC-048c running] │ M │ p ████░░░░░░ 40%" {
		t.Error(got)
	}
	w.write("p/.planning/STATE.md", lineDigest)
	w.wantLine("p", "[SF: SPEC-048c running] │ M │ v1.2 · executing · Gauge feed (3/5) │ p")
	w.write("p/.baton/config.yaml", "layout: {digest: specflow}\n")
	w.wantLine("p", "[SF: SPEC-048c running] │ M │ p")
	w.write("p/.specflow/STATE.md", strings.Replace(active, "SPEC-048c — Feed", "(none)", 1))
	w.wantLine("p", "M │ p")
}

func TestD24_ActiveTaskInTheLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("p/.git")
	p := *w
	p.dir = w.path("p")
	w.write("p/.git/HEAD", "ref: refs/heads/feature/jwt\n")
	p.write(
		".baton/tasks/task-101-state.md",
		"# Task #101: JWT service\n\n## 0. Metadata\n```json\n{\"task_id\": 101, \"status\": \"in_progress\", \"total_sessions\": "+
			"3}\n```\n\n## 1. Context\n\n### Acceptance Criteria\n- [x] a\n- [x] b\n- [ ] c\n- [ ] d\n\n## 3. Progress Log\n",
	)
	p.write(".baton/tasks/task-7-state.md", plain("7", "Other"))
	w.wantLine("p", "M │ p │ feature/jwt") // nobody works on a task
	p.activeTasks("s-1 101 10", "s-2 7 20")
	w.wantLine("p", "M │ #7 Other · 0/1 │ p │ feature/jwt")
	if got := w.line("p", `,"session_id":"s-1","context_window":{"remaining_percentage":93}`).Line; got !=
		"M │ #101 JWT service · 2/4 · s3 │ p │ feature/jwt ░░░░░░░░░░ 7%" {
		t.Error(got)
	}
	w.env["BATON_AS"] = "s-1"
	w.wantLine("p", "M │ #101 JWT service · 2/4 · s3 │ p │ feature/jwt")
	w.env["BATON_AS"] = ""
	p.write(".baton/STATE.md", lineDigest)
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ #7 Other · 0/1 │ p │ feature/jwt")
	p.activeTasks("s-1 404 10") // the file is gone
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ p │ feature/jwt")
	p.write(".baton/local/active.json", `{"holders":{"a":{"task":"../../x","at":"2026"}}}`)
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ p │ feature/jwt")
	p.write(".baton/local/active.json", `{"holders`)
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ p │ feature/jwt")
}

// TestD24_WhatClaimWroteIsShown checks that the line reads the cache that commands write, in both layouts.
func TestD24_WhatClaimWroteIsShown(t *testing.T) {
	t.Parallel()
	for _, layout := range []string{"baton", "specflux"} {
		w := newWorld(t)
		if _, err := w.as("agent-1").Setup.Init(context.Background(), setup.InitRequest{Layout: layout}); err != nil {
			t.Fatal(err)
		}
		id := w.create(tasks.NewTask{Title: "Gauge feed", Criteria: []create.Criterion{{Text: "a"}, {Text: "b"}}})
		if _, err := w.as("agent-1").Tasks.Claim(context.Background(), tasks.ClaimRequest{ID: string(id)}); err != nil {
			t.Fatal(err)
		}
		if got := w.line("", "").View; got.Line != "" {
			t.Error("data although nobody asked")
		}
		if got := w.line("", "").Line; !strings.Contains(got, " │ #"+string(id)+" Gauge feed · 0/2 │ ") {
			t.Errorf("%s: %q", layout, got)
		}
	}
}

func TestBranchOfALinkedCheckout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("p/.baton/tasks")
	for _, c := range []struct{ name, git, head, want string }{
		{"branch", "", "ref: refs/heads/a/b\n", " │ a/b"},
		{"detached", "", strings.Repeat("0123456789", 4) + "\n", " │ (detached)"},
		{"kept in tables", "", "ref: refs/heads/.invalid\n", ""},
		{"no branch", "", "ref: refs/remotes/x\n", ""},
		{"empty", "", "\n", ""},
		{"linked", "gitdir: ../main/.git/worktrees/p\n", "ref: refs/heads/linked\n", " │ linked"},
		{"linked nowhere", "gitdir: ../nowhere\n", "", ""},
		{"made up", "something else\n", "", ""},
	} {
		if err := os.RemoveAll(w.path("p/.git")); err != nil {
			t.Fatal(err)
		}
		head := "p/.git/HEAD"
		if c.git != "" {
			w.write("p/.git", c.git)
			head = "main/.git/worktrees/p/HEAD"
		}
		if c.head != "" {
			w.write(head, c.head)
		}
		if got := w.line("p", "").Line; got != "M │ p"+c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestSettingsOfTheStatusLine(t *testing.T) {
	t.Parallel()
	const usage = `,"context_window":{"remaining_percentage":60,"current_usage":156000}`
	for _, c := range []struct{ name, gsd, own, want string }{
		{"none", "", "", "M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%"},
		{
			"nested", `{"statusline":{"show_context_tokens":true,"context_position":"front","state_format":"compact"}}`, "",
			"M ████░░░░░░ 48% (156k) │ v1.2 · P3/5 · executing │ p",
		},
		{
			"flat", `{"statusline.show_context_tokens":true,"statusline.context_position":"front","statusline.state_format":"compact"}`,
			"", "M ████░░░░░░ 48% (156k) │ v1.2 · P3/5 · executing │ p",
		},
		{
			"other types", `{"statusline":{"show_context_tokens":"yes","context_position":7,"state_format":[]},"mode":3}`, "",
			"M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%",
		},
		{"broken", `{"statusline":{"show_context_tokens":true`, "", "M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%"},
		{"no object", `{"statusline":3}`, "", "M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%"},
		{
			"own wins", `{"statusline":{"show_context_tokens":true,"state_format":"compact"}}`,
			"statusline: {show_context_tokens: false, state_format: full, scale: real}\n",
			"M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 40%",
		},
		{
			"own says nothing of it", `{"statusline":{"state_format":"compact"}}`, "statusline: {context_position: front}\n",
			"M ████░░░░░░ 48% │ v1.2 · P3/5 · executing │ p",
		},
		{"segments", "", "statusline:\n  segments: [branch, state]\n", "main │ v1.2 · executing · Gauge feed (3/5)"},
		{"unknown segment", "", "statusline:\n  segments: [branch, moon]\n", "M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%"},
		{
			"wrong elsewhere (D27)", "", "statusline:\n  segments: [branch]\ntasks: {warn_kb: many}\n",
			"M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%",
		},
		{"no YAML (D27)", "", "statusline: [\n", "M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%"},
	} {
		w := newWorld(t)
		w.write("p/.planning/STATE.md", lineDigest)
		w.write("p/.git/HEAD", "ref: refs/heads/main\n")
		if c.gsd != "" {
			w.write("p/.planning/config.json", c.gsd)
		}
		if c.own != "" {
			w.write("p/.baton/config.yaml", c.own)
		}
		if got := w.line("p", usage).Line; got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestEnvironmentOfTheStatusLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("p/.planning/STATE.md", lineDigest)
	w.mkdir("p/.git")
	ask := statusbar.StatusLineRequest{
		Dir: "p", Input: []byte(`{"model":"M","context_window":{"remaining_percentage":60,"total_tokens":200000}}`),
	}
	colored := "\x1b[2mM\x1b[0m │ \x1b[2mv1.2 · executing · Gauge feed (3/5)\x1b[0m │ \x1b[2mp\x1b[0m \x1b[32m████░░░░░░ 48%\x1b[0m"
	for _, c := range []struct {
		name, value, want string
	}{
		{"", "", colored},
		{"NO_COLOR", "1", "M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%"},
		{"COLUMNS", "40", "\x1b[2mv1.2 · executing · Gauge feed (3/5)\x1b[0m"},
		{"COLUMNS", "wide", colored},
		{"COLUMNS", "-3", colored},
		{"CLAUDE_CODE_AUTO_COMPACT_WINDOW", "150000", strings.Replace(colored, "\x1b[32m████░░░░░░ 48%", "\x1b[33m█████░░░░░ 53%", 1)},
	} {
		clear(w.env)
		w.env[c.name] = c.value
		if got := w.lineOf(ask).Line; got != c.want {
			t.Errorf("%s=%s:\n got %q\nwant %q", c.name, c.value, got, c.want)
		}
	}
	ask.Format, ask.Plain, ask.View = "compact", true, true
	out := w.lineOf(ask)
	if out.Line != "M | v1.2 - P3/5 - executing | p" && out.Line != "M | v1.2 - P3/5 - executing | p #####----- 53%" ||
		out.View.State.Scene != 4 {
		t.Errorf("%+v", out)
	}
}

// TestD23_TheLineReadsNoMoreThanItNeeds checks that a digest of ten thousand lines costs the same as one of ten, unless
// the line needs something at its end.
// N10: GSD's line is empty if the agent's input is broken. baton's own projects get a line in any case.
func TestN10_BrokenInputOfTheLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{`{"model": `: false, "": true, "{}": true} {
		w := withDigest(t, planned)
		if got := w.lineOf(statusbar.StatusLineRequest{Input: []byte(text)}).Line; got != "" != want {
			t.Errorf("GSD, %q: %q", text, got)
		}
		w = newWorld(t)
		w.write(".baton/STATE.md", planned)
		if got := w.lineOf(statusbar.StatusLineRequest{Input: []byte(text)}).Line; got == "" {
			t.Errorf("baton, %q: nothing", text)
		}
	}
}

func TestD23_TheLineReadsNoMoreThanItNeeds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("- [Phase 3]: a decision with some words in it, as they are\n", 10_000)
	for _, c := range []struct {
		name, text string
		least      int
		most       int64
	}{
		{"the place is in the head", lineDigest + long, 1, statusbar.LineFirst},
		{"active phase", "---\nstatus: executing\nactive_phase: 4\n---\n" + long, 1, statusbar.LineFirst},
		{"the place is at the end", "---\nstatus: executing\n---\n" + long + "Phase: 3 of 5\n", 1, int64(len(long)) + 100},
		{"the place is in the second step", "---\nstatus: executing\n---\n" + long[:statusbar.LineStep] + "\nPhase: 3 of 5\n" +
			long, 1, statusbar.LineFirst + statusbar.LineStep},
		{"never closed", "---\nstatus: executing\n" + long + "Status: Executing\nPhase: 3 of 5\n", 1, int64(len(long)) + 100},
	} {
		w := newWorld(t)
		w.write("p/.planning/STATE.md", c.text)
		w.mkdir("p/.git")
		run := w.line("p", "")
		if run.opened != c.least || run.bytes > c.most || !strings.Contains(run.Line, "executing") {
			t.Errorf("%s: %d files and %d bytes for %q", c.name, run.opened, run.bytes, run.Line)
		}
		if strings.Contains(c.text, "Phase: 3") && !strings.Contains(run.Line, "3/5") {
			t.Errorf("%s: %q", c.name, run.Line)
		}
	}
}

// TestStatusLineOpensAHandfulOfFiles checks a project with everything that one can have.
func TestStatusLineOpensAHandfulOfFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".git/HEAD", "ref: refs/heads/main\n")
	w.write(".planning/STATE.md", lineDigest)
	w.write(".planning/config.json", `{"statusline":{}}`)
	w.write(".specflow/STATE.md", "# S\n\n## Active Specification\n\nSPEC-1\n")
	w.write(".baton/config.yaml", "statusline: {segments: [spec, model, state, task, directory, branch, context]}\n")
	for i := range 200 {
		w.write(fmt.Sprintf(".baton/tasks/task-%d-state.md", i+1), plain(task.ID(fmt.Sprint(i+1)), "T"))
	}
	w.activeTasks("a 17 1")
	run := w.line("", "")
	if run.opened > 7 || !strings.HasPrefix(run.Line, "[SF: SPEC-1] │ M │ v1.2 · executing · Gauge feed (3/5) │ #17 T") ||
		!strings.HasSuffix(run.Line, "main") {
		t.Errorf("%d files for %q", run.opened, run.Line)
	}
}

// TestStatusLineWritesNothing checks this for every state of a project.
func TestStatusLineWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", lineDigest)
	w.write(".specflow/STATE.md", "# S\n\n## Active Specification\n\nSPEC-1\n")
	w.write(".baton/tasks/task-1-state.md", plain("1", "T"))
	w.write(".baton/config.yaml", "statusline: {state_format: compact}\n")
	before := w.files()
	w.line("", `,"session_id":"s","context_window":{"remaining_percentage":60}`)
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Error(diff)
	}
}

// TestD23_Sensor checks that the status line writes the sensor file only if the configuration asks for it, and removes
// it if the value is unknown (agents.md 6.3, D23).
func TestD23_Sensor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", lineDigest)
	w.write(".baton/config.yaml", "statusline: {sensor: true}\n")
	before := w.files()
	const id = "../../s/1"
	say := func(window string) {
		w.line("", `,"session_id":"`+id+`","context_window":`+window)
	}
	say(`{"remaining_percentage":61.5,"used_percentage":38.5,"context_window_size":1000000}`)
	after := w.files()
	text := after[".baton/local/"+statusbar.SensorName(id)]
	want := `{"session_id":"../../s/1","used_percentage":38.5,"remaining_percentage":61.5,` +
		`"context_window_size":1000000,"ts":1772355600}` + "\n"
	if text != want {
		t.Errorf("%q, want %q\n%v", text, want, maps.Keys(after))
	}
	delete(after, ".baton/local/"+statusbar.SensorName(id))
	delete(after, ".baton/local/.gitignore")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	say(`{"remaining_percentage":null,"used_percentage":null}`)
	if text, there := w.files()[".baton/local/"+statusbar.SensorName(id)]; there {
		t.Errorf("still there: %q", text)
	}
	w.line("", `,"context_window":{"remaining_percentage":50}`) // no session
	for name := range w.files() {
		if strings.Contains(name, "sensor/") {
			t.Errorf("left %s", name)
		}
	}
}

// TestTheLineSurvivesAPanic checks that the line survives a panic, because an agent no longer shows a line
// whose program died.
func TestTheLineSurvivesAPanic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("p/.planning/STATE.md", lineDigest)
	r := statusbar.StatusLineRequest{Env: report.Env{Dir: w.dir}, Dir: "p", Plain: true, Input: []byte(`{"model":"M"}`)}
	got := statusbar.RenderLine(r, func(string) (disk.File, error) { panic("defect") })
	if got.Line != "M | p" {
		t.Errorf("%q", got.Line)
	}
}

// BenchmarkStatusLine measures the status line without the start of the program.
func BenchmarkStatusLine(b *testing.B) {
	for name, text := range map[string]string{"small": lineDigest, "10000 lines": lineDigest + strings.Repeat("- a decision\n", 10_000)} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b)
			w.write("p/.planning/STATE.md", text)
			w.write("p/.git/HEAD", "ref: refs/heads/main\n")
			r := statusbar.StatusLineRequest{
				Env: report.Env{
					Dir: w.path("p"), Home: "/home/nobody",
				}, Input: []byte(`{"model":{"display_name":"M"},"context_window":{"remaining_percentage":50}}`),
			}
			var out statusbar.StatusLineResult
			for b.Loop() {
				out = statusbar.StatusLine(r)
			}
			if !strings.Contains(out.Line, "Gauge feed") {
				b.Fatal(out.Line)
			}
		})
	}
}
