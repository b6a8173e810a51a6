package protocol

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// urgentFacts draws facts with next steps and blockers that can be told apart, and returns how many there are of each.
func urgentFacts(t *rapid.T) (f Facts, next, blockers int) {
	f = anyFacts().Draw(t, "facts")
	f.Task = anyTask(t, func(t *rapid.T, name string, most int) []string {
		return rapid.SliceOfN(rapid.Just("Some words. More of them."), 0, most).Draw(t, name)
	})
	numbered := func(kind string) []string {
		var out []string
		for i := range rapid.IntRange(0, 12).Draw(t, kind) {
			out = append(out, fmt.Sprintf("%s %d %s.", kind, i, strings.Repeat("and so on ", rapid.IntRange(0, 30).Draw(t, "length"))))
		}
		return out
	}
	f.Task.Next, f.Project.Blockers = numbered("Step"), numbered("Blocker")
	f.Task.MoreNext, f.Project.MoreBlockers = rapid.IntRange(0, 3).Draw(t, "more"), rapid.IntRange(0, 3).Draw(t, "older")
	return f, len(f.Task.Next) + f.Task.MoreNext, len(f.Project.Blockers) + f.Project.MoreBlockers
}

// TestF41m_NothingElseBeforeNextStepsAndBlockers: whatever the limit is, a text that leaves out a next step or a blocker
// for lack of room has nothing that a session could do without.
func TestF41m_NothingElseBeforeNextStepsAndBlockers(t *testing.T) {
	t.Parallel()
	always := []string{"project", "task", "next steps", "lost", "blockers", "open criteria", "open features", "protocol"}
	rapid.Check(t, func(t *rapid.T) {
		f, _, _ := urgentFacts(t)
		n := rapid.IntRange(1, 9000).Draw(t, "limit")
		for _, p := range []Packed{
			Orientation(f, Limit{Target: n, Characters: max(n, 8000)}), Orientation(f, Limit{Characters: n}), Pack(f, Limit{Tokens: n}),
		} {
			all := strings.Count(p.Text, "- “Step ") == min(8, len(f.Task.Next)) &&
				strings.Count(p.Text, "- “Blocker ") == min(8, len(f.Project.Blockers))
			for _, part := range p.Parts {
				if !all && part.Form != "left_out" && !slices.Contains(always, part.Name) {
					t.Fatalf("with %d, there is %s:\n%s", n, part.Name, p.Text)
				}
			}
		}
	})
}

// TestF38_WhatIsCutIsCounted: the last line says how many next steps and blockers are missing.
func TestF38_WhatIsCutIsCounted(t *testing.T) {
	t.Parallel()
	count := func(text, what string) (n int) {
		_, last, _ := strings.Cut(text, "Left out for size: ")
		if m := regexp.MustCompile(`(\d+) (?:more )?` + what).FindStringSubmatch(last); m != nil {
			n, _ = strconv.Atoi(m[1])
		}
		return n
	}
	rapid.Check(t, func(t *rapid.T) {
		f, next, blockers := urgentFacts(t)
		n := rapid.IntRange(1500, 9000).Draw(t, "limit")
		for _, text := range []string{Orientation(f, Limit{Target: n, Characters: 9000}).Text, Pack(f, Limit{Tokens: n}).Text} {
			if text == "" {
				continue
			}
			for _, c := range []struct {
				mark, what string
				all        int
			}{{"- “Step ", "next step", next}, {"- “Blocker ", "blocker", blockers}} {
				shown, cut := strings.Count(text, c.mark), count(text, c.what)
				if shown > 0 && shown+cut != c.all {
					t.Fatalf("%d %s, %d shown, %d counted:\n%s", c.all, c.what, shown, cut, text)
				}
			}
		}
	})
}

// TestF41m_LongTextsKeepNextStepsAndCriteria: at the start of a session with long texts everywhere, every next step and
// the first criteria are there, and what the task asks for is not.
func TestF41m_LongTextsKeepNextStepsAndCriteria(t *testing.T) {
	t.Parallel()
	f := shop()
	f.Task.Requirements = strings.Repeat("The requirement goes on and on. ", 40)
	f.Task.Next, f.Task.Criteria, f.Warnings = nil, nil, nil
	for i := range 8 {
		f.Task.Next = append(f.Task.Next, fmt.Sprintf("Step %d: %s", i, strings.Repeat("words ", 25)))
		f.Warnings = append(f.Warnings, fmt.Sprintf("warning %d: %s", i, strings.Repeat("words ", 35)))
	}
	for i := range 10 {
		f.Task.Criteria = append(f.Task.Criteria, Criterion{N: i + 1, Text: strings.Repeat("holds ", 15)})
	}
	text := Orientation(f, start()).Text
	wants(t, text, "- “Step 7: ", "- 4. “holds", "more open criteria", "requirements", "`baton task log 101")
	lacks(t, text, "The requirement goes on", "more next steps")
	if n := units(text); n > 3000 {
		t.Errorf("%d characters", n)
	}
}

// TestF44_OnlyProofsThatRanAreProofs: a command that was only proposed is no evidence.
func TestF44_OnlyProofsThatRanAreProofs(t *testing.T) {
	t.Parallel()
	f := shop()
	f.Task.Criteria = []Criterion{
		{N: 1, Text: "Signed", Checked: true, Verify: "go test ./token"},
		{N: 2, Text: "Rotated", Checked: true, Proof: "go test ./keys"},
		{N: 3, Text: "Said", Checked: true},
		{N: 4, Text: "Open", Verify: "go test ./open"},
	}
	wants(t, Pack(f, Limit{Tokens: 4000}).Text, "- 1. “Signed” (claimed, not verified; proposed: `go test ./token`)\n",
		"- 2. “Rotated” (verified with `go test ./keys`)\n", "- 3. “Said”\n", "- 4. “Open” (verify with `go test ./open`)\n")
}

// TestAdviceIsGivenOnce: no text names the same command of baton twice, except in the line on what is left out.
func TestAdviceIsGivenOnce(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile("`baton [^`]*`|`[a-z_]*` \\([^)]*\\)")
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts().Draw(t, "facts")
		f.Tools = rapid.Bool().Draw(t, "tools")
		text, _, _ := strings.Cut(Orientation(f, start()).Text, "Left out for size: ")
		seen := map[string]bool{}
		for _, c := range command.FindAllString(text, -1) {
			if seen[c] {
				t.Fatalf("%s twice in\n%s", c, text)
			}
			seen[c] = true
		}
	})
}

// TestABlockedTaskIsNoFailedAttempt: the reason why a task is blocked stands with the task.
func TestABlockedTaskIsNoFailedAttempt(t *testing.T) {
	t.Parallel()
	f := shop()
	f.Task.Failed, f.Task.Blocked = nil, "no database"
	text := Orientation(f, start()).Text
	wants(t, text, "\nIt is blocked: “no database”.\n")
	lacks(t, text, "failed attempts")
}
