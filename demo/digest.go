package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mostLines is the largest number of lines of a digest.
const mostLines = 100

// stand is the part of the answer of "state show" that the demo checks.
type stand struct {
	Size struct {
		Lines int `json:"lines"`
	} `json:"size"`
	GSD struct {
		Status      string   `json:"status"`
		ActivePhase string   `json:"active_phase"`
		NextAction  string   `json:"next_action"`
		NextPhases  []string `json:"next_phases"`
		Progress    struct {
			Percent *int `json:"percent"`
		} `json:"progress"`
	} `json:"gsd"`
}

// digest shows the project's own digest: decisions until they rotate, and one phase from beginning
// to end.
func digest(s *stage) {
	s.act("The digest: where the project stands, in a hundred lines at most")
	s.write(".baton/ROADMAP.md", ownRoadmap)
	s.show("state", "milestone", "v1.0", "--name", "Sign-in")
	s.decisions()

	s.act("A phase of the project, from beginning to end")
	s.show("state", "begin", "1", "--name", "Tokens", "--plans", "2")
	s.expectStand("executing", "1", "")
	s.say("Nobody begins a second one meanwhile:")
	s.refused(4, "state", "begin", "2")
	s.statusline("v1.0 Sign-in [░░░░░░░░░░] 0%", "Phase 1 executing", "40%")
	for _, plan := range []string{"01-01", "01-02"} {
		s.write(".baton/phases/01-tokens/"+plan+"-PLAN.md", "# Plan "+plan+"\n")
		s.write(".baton/phases/01-tokens/"+plan+"-SUMMARY.md", "# What plan "+plan+" brought\n")
	}
	s.say("Its two plans are carried out; each has a summary beside it.")
	s.show("state", "begin", "1", "--done")
	s.show("state", "verify", "1", "--passed")
	s.expectStand("planning", "", "discuss-phase 2")
	s.statusline("v1.0 Sign-in [█████░░░░░] 50%", "next discuss-phase 2")
	s.show("blocker", "add", "No mail server on the test machine")
	s.show("status")
	s.measure(".baton/STATE.md", ".baton/DECISIONS_ARCHIVE.md")
}

// measure records the sizes of files for the last lines of the demo.
func (s *stage) measure(names ...string) {
	for _, name := range names {
		info, err := os.Stat(filepath.Join(s.dir, name))
		if err != nil {
			s.fail("%w", err)
			return
		}
		s.sizes = append(s.sizes, name+"  "+formatKB(int(info.Size()))+" KB")
	}
}

// decisions adds decisions until the oldest ones move to the archive, and looks for every one of
// them.
func (s *stage) decisions() {
	s.say("Decisions are added, one after the other:")
	s.show("decision", "add", choices[0], "--rationale", "one secret, no service for keys")
	added, moved := 1, 0
	for moved == 0 && added < 2*mostLines && s.err == nil {
		var answer struct {
			Rotation struct {
				Moved int `json:"moved"`
				Kept  int `json:"kept"`
				After struct {
					Lines int `json:"lines"`
				} `json:"after"`
			} `json:"rotation"`
		}
		s.ask(&answer, "decision", "add", fmt.Sprintf("%s (%d)", choices[added%len(choices)], added+1))
		added++
		lines := answer.Rotation.After.Lines
		if lines > mostLines {
			s.fail("the digest has %d lines", lines)
		}
		if moved = answer.Rotation.Moved; moved > 0 {
			s.say(
				"  decision %d: the digest would pass %d lines, so the %d oldest moved to the archive; %d stay, "+
					"it has %d lines now",
				added,
				mostLines, moved, answer.Rotation.Kept, lines,
			)
		} else if added%10 == 0 {
			s.say("  decision %d: %d lines", added, lines)
		}
	}
	if moved == 0 {
		s.fail("no decision moved to the archive")
	}
	s.everywhereOnce(added)
	s.say("All %d are there, each in exactly one of the two files:", added)
	s.firstLines(s.text("decision", "list", "--all"), 4)
}

// everywhereOnce checks that each decision is in exactly one of digest and archive.
func (s *stage) everywhereOnce(want int) {
	if s.err != nil {
		return
	}
	var both string
	for _, name := range []string{".baton/STATE.md", ".baton/DECISIONS_ARCHIVE.md"} {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			s.fail("%w", err)
			return
		}
		both += string(data)
	}
	for n := 2; n <= want; n++ {
		if got := strings.Count(both, fmt.Sprintf("(%d)", n)); got != 1 {
			s.fail("decision %d is in the two files %d times", n, got)
		}
	}
	if got := strings.Count(both, choices[0]+" — "); got != 1 {
		s.fail("the first decision is in the two files %d times", got)
	}
}

// planning shows a GSD project, as another program left it.
func planning(s *stage) {
	s.act("A project that another program began: .planning with roadmap and phases")
	s.dir = filepath.Join(s.dir, "planned")
	s.write(".planning/STATE.md", foreignDigest)
	s.git("init", "-q")
	s.write(".planning/ROADMAP.md", foreignRoadmap)
	for _, name := range []string{"04-cache/04-01-PLAN.md", "04-cache/04-01-SUMMARY.md", "05-limits/05-01-PLAN.md"} {
		s.write(".planning/phases/"+name, "# "+name+"\n")
	}
	s.say("Nothing is up to date yet. The status line shows what the file says, as it always did:")
	s.statusline("Opus │ v2.0 Speed · executing · Cache (4/5) │ planned", "48%")
	s.say("sync derives the progress from the roadmap and the folders; --check only asks:")
	s.refused(6, "state", "sync", "--check")
	s.show("state", "sync")
	s.statusline("v2.0 Speed [█████░░░░░] 50%", "executing · Cache (4/5)")
	s.show("state", "begin", "5")
	s.statusline("v2.0 Speed [█████░░░░░] 50% · Phase 5 executing")
	s.keptLines()
	s.dir = filepath.Dir(s.dir)
}

// keptLines checks that the lines of another program and of a person are still there.
func (s *stage) keptLines() {
	if s.err != nil {
		return
	}
	data, err := os.ReadFile(filepath.Join(s.dir, ".planning", "STATE.md"))
	if err != nil {
		s.fail("%w", err)
		return
	}
	for _, line := range []string{"# written by hand, keep", "owner: reader", "Notes that no program knows."} {
		if !strings.Contains(string(data), line) {
			s.fail("the digest lost %q", line)
		}
	}
	s.say("A comment, a key that nobody knows and a section of its own: all still there.")
}

// statusline passes the agent's JSON to baton and looks for parts of the resulting line, in their
// order.
func (s *stage) statusline(parts ...string) {
	s.say("%s", s.bold(`$ echo "$AGENT_JSON" | baton statusline`))
	input := fmt.Sprintf(
		`{"model":{"display_name":"Opus"},"workspace":{"current_dir":%q},"context_window":{"remaining_percentage":60}}`,
		s.dir,
	)
	out, code, complaint := s.run([]string{"statusline"}, input)
	if code != 0 || complaint != "" {
		s.fail("baton statusline ended with %d: %s", code, complaint)
	}
	line := withoutColour(out)
	rest := line
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found && s.err == nil {
			s.fail("the status line is %q and lacks %q", line, part)
		}
		rest = after
	}
	if s.live {
		line = out
	}
	s.indent(line)
}

// withoutColour removes the colour codes from a line.
func withoutColour(line string) string {
	var b strings.Builder
	for i, part := range strings.Split(line, "\x1b[") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "m")
		}
		b.WriteString(part)
	}
	return b.String()
}

// expectStand checks status, active phase and next step of the digest.
func (s *stage) expectStand(status, active, next string) {
	var d stand
	s.ask(&d, "state", "show")
	got := strings.TrimSpace(d.GSD.NextAction + " " + strings.Join(d.GSD.NextPhases, " "))
	if s.err == nil && (d.GSD.Status != status || d.GSD.ActivePhase != active || got != next) {
		s.fail("the digest says status %q, active phase %q, next %q", d.GSD.Status, d.GSD.ActivePhase, got)
	}
}

// choices are the decisions, used again and again.
var choices = [...]string{
	"Tokens are signed with HMAC-SHA256", "E-mail addresses are compared without case",
	"Tokens live for a quarter of an hour",
	"Passwords are hashed with argon2id", "Errors do not tell whether the user exists", "Clocks may differ by a minute",
}

const ownRoadmap = `# Roadmap

## v1.0 Sign-in

### Phase 1: Tokens

### Phase 2: Endpoints
`

const foreignRoadmap = `# Roadmap

## v2.0 Speed

### Phase 4: Cache

### Phase 5: Limits
`

const foreignDigest = `---
gsd_state_version: '1.0'
milestone: v2.0
milestone_name: Speed
status: executing
owner: reader
progress:
  total_phases: 2
  completed_phases: 0
# written by hand, keep
current_phase: "4"
---

# Project State

## Current Position

Phase: 4 of 5 (Cache)
Plan: 1 of 1 in current phase
Status: Executing Phase 4
Last activity: 2026-02-01
Progress: [░░░░░░░░░░] 0%

## Accumulated Context

### Decisions

- [Phase 4]: The cache holds a thousand entries

### Blockers/Concerns

None yet.

## House rules

Notes that no program knows.
`
