//go:build originals

package originals

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// gsdVersions are the releases in the registry that have the program: the one nearest to the
// reference (1.10.0 and 63 commits, which was not published), and the newest.
var gsdVersions = []string{"1.11.0", "1.14.0"}

// gsdStart is the digest of a new project, as GSD's template and its roadmapper leave it.
const gsdStart = `---
gsd_state_version: 1.0
milestone: v1.0
milestone_name: First light
status: planning
progress:
  total_phases: 4
  completed_phases: 0
  total_plans: 0
  completed_plans: 0
  percent: 0
---

# Project State

## Project Reference

See: .planning/PROJECT.md (updated 2026-01-05)

**Core value:** One thing that works
**Current focus:** Phase 1 — Parser

## Current Position

Phase: 1 of 4 (Parser)
Plan: 0 of 2 in current phase
Status: Ready to plan
Last activity: 2026-01-05 — Roadmap created

Progress: [░░░░░░░░░░] 0%

## Performance Metrics

**Velocity:**
- Total plans completed: 0
- Average duration: 0 min
- Total execution time: 0 hours

**By Phase:**

| Phase | Plans | Total | Avg/Plan |
|-------|-------|-------|----------|
| - | - | - | - |

## Accumulated Context

### Decisions

- [Phase 1]: The first decision, from the roadmap

### Pending Todos

None yet.

### Blockers/Concerns

None yet.

## Session Continuity

Last session: 2026-01-05 10:00
Stopped at: Roadmap created
Resume file: None
`

var gsdPhases = []string{"Parser", "Printer", "Server", "Release"}

// gsd is a GSD project in play.
type gsd struct {
	*world
	version  string
	turns    int
	blockers []string // those that are open, in words that name them
}

func TestGSDAndBatonReadTheSame(t *testing.T) {
	for _, version := range gsdVersions {
		t.Run(version, func(t *testing.T) {
			program := filepath.Join(agentsDir(), "gsd-"+version, "package", "gsd-core", "bin", "gsd-tools.cjs")
			if _, err := os.Stat(program); err != nil {
				t.Skipf("GSD %s is not installed in %s: make originals installs it", version, agentsDir())
			}
			g := &gsd{world: newWorld(t, "gsd "+version, ".planning", node(t), program), version: version}
			g.setUp()
			play(g.world, system{
				original: g.theirs(), baton: g.ours(), person: g.byHand(), compare: g.compare, exceptions: g.exceptions(),
			}, number("BATON_ALTERNATIONS", 20))
		})
	}
}

// setUp writes a project whose plans are made and carried out while it is played.
func (g *gsd) setUp() {
	g.write("STATE.md", gsdStart)
	g.write("PROJECT.md", "# Project\n\n## Requirements\n")
	roadmap := "# Roadmap: Play\n\n## Milestone v1.0 First light\n\n### Phases\n\n"
	for i, name := range gsdPhases {
		roadmap += fmt.Sprintf("- [ ] **Phase %d: %s** - what it is for\n", i+1, name)
	}
	for i, name := range gsdPhases {
		roadmap += fmt.Sprintf("\n### Phase %d: %s\n**Goal**: it works\n**Depends on**: nothing\n**Plans**: 2 plans\n", i+1, name)
	}
	roadmap += "\n## Progress\n\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n"
	for i, name := range gsdPhases {
		roadmap += fmt.Sprintf("| %d. %s | 0/2 | Not started | - |\n", i+1, name)
	}
	g.write("ROADMAP.md", roadmap)
	if err := os.MkdirAll(g.path("phases/01-parser"), 0o755); err != nil {
		g.fail("%v", err)
	}
	hook := filepath.Join(g.root, ".claude", "hooks", "gsd-statusline.js")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		g.fail("%v", err)
	}
	if err := os.WriteFile(hook, []byte("// gsd-hook-version: "+g.version+"\n"), 0o644); err != nil {
		g.fail("%v", err)
	}
	g.entries["The first decision, from the roadmap"] = "the roadmap"
}

// phase returns the number of the current phase for most steps, and of any phase for some.
func (g *gsd) phase() int {
	if g.rng.IntN(4) > 0 {
		if found := regexp.MustCompile(`(?m)^Phase: (\d+)`).FindStringSubmatch(g.read("STATE.md")); found != nil {
			n, _ := strconv.Atoi(found[1])
			return n
		}
	}
	return 1 + g.rng.IntN(len(gsdPhases))
}

// named returns a phase's number and name.
func (g *gsd) named() (number, name string) {
	n := g.phase()
	return strconv.Itoa(n), gsdPhases[(n-1)%len(gsdPhases)]
}

// theirs are the steps of GSD.
func (g *gsd) theirs() []step {
	state := func(args ...string) { g.play("gsd", append([]string{"state"}, args...)...) }
	return []step{
		{4, func() {
			n, name := g.named()
			state("begin-phase", "--phase", n, "--name", name, "--plans", "2")
		}},
		{2, func() {
			n, name := g.named()
			state("planned-phase", "--phase", n, "--name", name, "--plans", "2")
		}},
		{4, func() { state("advance-plan") }},
		{4, func() {
			n, _ := g.named()
			state("add-decision", "--phase", n, "--summary", g.entry("Their decision"), "--rationale", "for the play")
		}},
		{2, func() {
			text := g.words("Their blocker")
			state("add-blocker", "--text", text)
			g.blockers = append(g.blockers, text)
		}},
		{2, func() {
			if text, ok := g.solve(); ok {
				state("resolve-blocker", "--text", text)
			}
		}},
		{2, func() {
			n, _ := g.named()
			g.counter++
			state("record-metric", "--phase", n, "--plan", strconv.Itoa(g.counter), "--duration", "12 min", "--tasks", "3", "--files", "4")
		}},
		{3, func() {
			state("record-session", "--stopped-at", g.words("Their stop"), "--resume-file", g.pick("None", "notes.md"))
		}},
		{2, func() {
			state("update", "Status", g.pick("In progress", "Ready to plan", "Planning", "Waiting for a review of ours"))
		}},
		{1, func() { state("update", "Last Activity", "2026-02-0"+g.pick("1", "2", "3")) }},
		{2, func() {
			state("patch", "--Status", g.pick("Executing", "Ready to execute", "Verifying"), "--Stopped At", g.words("Their patch"))
		}},
		{2, func() { state("sync") }},
		{2, func() { state("update-progress") }},
		{1, func() {
			n, _ := g.named()
			state("complete-phase", "--phase", n)
		}},
		{2, func() {
			n, _ := g.named()
			g.play("gsd", "phase", "complete", n)
		}},
	}
}

// ours are the steps of baton.
func (g *gsd) ours() []step {
	state := func(args ...string) { g.play("baton", append([]string{"state"}, args...)...) }
	return []step{
		{4, func() {
			n, name := g.named()
			args := []string{"begin", n, "--name", name, "--plans", "2"}
			if g.rng.IntN(3) == 0 {
				args = []string{"begin", n, "--stage", g.pick("discuss", "plan", "verify")}
			}
			if g.rng.IntN(3) == 0 {
				args = append(args, "--force")
			}
			state(args...)
		}},
		{3, func() {
			n, _ := g.named()
			state("begin", n, "--done")
		}},
		{1, func() { state("plan", "--plans", "2", "--done") }},
		{4, func() { state("advance") }},
		{1, func() { state("verify", g.pick("--passed", "--failed")) }},
		{3, func() {
			if g.rng.IntN(2) == 0 {
				state("complete", "--docs")
			} else {
				state("complete")
			}
		}},
		{2, func() { state("pause", g.words("Our pause")) }},
		{2, func() { state("resume") }},
		{2, func() {
			state("set", "Status", g.pick("In progress", "Ready to plan", "Planning", "Waiting for a review of theirs"))
		}},
		{1, func() { state("set", "stopped_at", g.words("Our stop")) }},
		{2, func() {
			state("patch", "status="+g.pick("executing", "planning", "verifying"), "stopped_at="+g.words("Our patch"))
		}},
		{3, func() { state("sync") }},
		{1, func() { state("rotate", "--keep", "3") }},
		{1, func() {
			n, _ := g.named()
			state("next", "plan-phase", n)
		}},
		{2, func() {
			n, _ := g.named()
			g.counter++
			state("metric", n, strconv.Itoa(g.counter), "--duration", "12 min")
		}},
		{4, func() { g.play("baton", "decision", "add", g.entry("Our decision"), "--rationale", "for the play") }},
		{2, func() {
			text := g.words("Our blocker")
			g.play("baton", "blocker", "add", text)
			g.blockers = append(g.blockers, text)
		}},
		{2, func() {
			if text, ok := g.solve(); ok {
				g.play("baton", "blocker", "resolve", text)
				g.entries[text] = "a blocker that baton resolved"
			}
		}},
		{2, func() { g.play("baton", "session", "end", "--stopped-at", g.words("Our end")) }},
	}
}

// byHand are the steps of a person, or of an agent with its own tools.
func (g *gsd) byHand() []step {
	return []step{
		{6, func() { g.work() }},
		{1, func() {
			g.line("Status: ", g.pick("Ready to plan", "Phase complete, says ann", "In progress", "Executing Phase 2"))
		}},
		{1, func() { g.line("Last activity: ", "2026-02-11 — "+g.words("Ann's note")) }},
		{1, func() { g.line("Stopped at: ", g.words("Ann's stop")) }},
		{1, func() {
			text := g.entry("Ann's decision")
			g.steps = append(g.steps, "ann adds a decision: "+text)
			old := g.read("STATE.md")
			g.write("STATE.md", strings.Replace(old, "### Decisions\n\n", "### Decisions\n\n- [Phase 1]: "+text+"\n", 1))
			if !strings.Contains(g.read("STATE.md"), text) {
				delete(g.entries, text)
			}
		}},
	}
}

// work makes a plan of a phase, or the summary of one, or verifies a phase whose plans are all carried out.
func (g *gsd) work() {
	n := g.phase()
	dir := fmt.Sprintf("phases/%02d-%s", n, strings.ToLower(gsdPhases[n-1]))
	for plan := 1; plan <= 2; plan++ {
		for _, kind := range []string{"PLAN", "SUMMARY"} {
			name := fmt.Sprintf("%s/%02d-%02d-%s.md", dir, n, plan, kind)
			if g.read(name) == "" {
				g.steps = append(g.steps, "an agent writes "+name)
				g.write(name, "# "+kind+"\n")
				return
			}
		}
	}
	name := fmt.Sprintf("%s/%02d-VERIFICATION.md", dir, n)
	g.steps = append(g.steps, "an agent writes "+name)
	g.write(name, "---\nstatus: passed\n---\n\n# Verification\n")
}

// line replaces the rest of the first line that begins with a label.
func (g *gsd) line(label, text string) {
	g.steps = append(g.steps, "ann writes "+label+text)
	lines := strings.SplitAfter(g.read("STATE.md"), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, label) {
			lines[i] = label + text + "\n"
			break
		}
	}
	g.write("STATE.md", strings.Join(lines, ""))
}

// solve returns an open blocker, and takes it off the list.
func (g *gsd) solve() (string, bool) {
	if len(g.blockers) == 0 {
		return "", false
	}
	at := g.rng.IntN(len(g.blockers))
	text := g.blockers[at]
	g.blockers = append(g.blockers[:at], g.blockers[at+1:]...)
	return text, true
}

// compare reads the folder with both programs.
func (g *gsd) compare() []difference {
	g.turns++
	rest := g.turns%8 == 1 // the other readings take as long as everything else
	front := g.reading("state", "json")
	var more [3]func() answer
	if rest {
		more = [3]func() answer{
			g.reading("state-snapshot"), g.reading("state", "get", "Decisions"), g.reading("state", "get", "Blockers/Concerns"),
		}
	}
	theirs, ours := g.object(front()), g.object(g.baton("state", "json"))
	var out []difference
	for _, key := range []string{
		"milestone", "milestone_name", "current_phase", "current_phase_name", "current_plan", "status", "stopped_at", "paused_at",
		"last_activity", "last_activity_desc", "progress.total_phases", "progress.completed_phases", "progress.total_plans",
		"progress.completed_plans", "progress.percent",
	} {
		out = different(out, key, pathOf(theirs, key), pathOf(ours, key))
	}
	if !rest {
		return out
	}
	snapshot, shown := g.object(more[0]()), g.object(g.baton("state", "show", "--json"))
	status := pathOf(shown, "gsd.status")
	if status == "unknown" {
		status = pathOf(shown, "gsd.status_raw")
	}
	out = different(out, "snapshot.status", pathOf(snapshot, "status"), status)
	for their, our := range map[string]string{
		"session.last_date": "gsd.session.last_session", "session.stopped_at": "gsd.session.stopped_at",
		"session.resume_file": "gsd.session.resume_file",
	} {
		out = different(out, "snapshot."+their, pathOf(snapshot, their), pathOf(shown, our))
	}
	decisions, blockers := pathOf(g.object(more[1]()), "Decisions"), pathOf(g.object(more[2]()), "Blockers/Concerns")
	out = different(out, "decisions", bullets(decisions), texts(g.object(g.baton("decision", "list", "--json"))))
	return different(out, "blockers", bullets(blockers), texts(g.object(g.baton("blocker", "list", "--json"))))
}

// bullets returns the list items of a text, one per line, in the order of the alphabet: baton
// infers from the numbers of the phases which end is the newest (N8), and phases go back here.
func bullets(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			_, after, found := strings.Cut(item, "]: ")
			if found {
				item = after
			}
			out = append(out, item)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// texts returns the texts of baton's list of decisions or blockers, one per line.
func texts(listed map[string]any) string {
	var out []string
	for _, key := range []string{"decisions", "blockers"} {
		rows, _ := listed[key].([]any)
		for _, row := range rows {
			text := pathOf(row.(map[string]any), "text")
			if why := pathOf(row.(map[string]any), "rationale"); why != "" {
				text += " — " + why
			}
			out = append(out, "- "+text)
		}
	}
	return bullets(strings.Join(out, "\n"))
}

// different adds a difference if the values are not the same.
func different(to []difference, key, original, baton string) []difference {
	if original == baton {
		return to
	}
	return append(to, difference{key, strconv.Quote(original), strconv.Quote(baton)})
}

// object reads a program's JSON.
func (w *world) object(a answer) map[string]any {
	var out map[string]any
	if err := json.Unmarshal([]byte(a.out), &out); err != nil {
		w.fail("no JSON: %v (exit %d)\n%s%s", err, a.exit, a.out, a.err)
	}
	return out
}

// pathOf returns the value at a path as text; what is absent or null is empty.
func pathOf(of map[string]any, path string) string {
	var at any = of
	for part := range strings.SplitSeq(path, ".") {
		inner, _ := at.(map[string]any)
		at = inner[part]
	}
	switch v := at.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	data, _ := json.Marshal(at)
	return string(data)
}
