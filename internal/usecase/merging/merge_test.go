package merging

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/task"
	"baton/internal/threeway"
	"baton/internal/threeway/laws"
)

const harmBase = "# Task #9: Pier\n\n## 1. Context\n\n### Acceptance Criteria\n- [ ] It stands\n\n## 3. Progress Log\n\n" +
	"### Session 1 - 2026-03-01 10:00\n**Did:** drove the piles\n\n## 4. Chain Output\n\n(To be completed)\n"

// A merge that would lose an entry, or the order of sessions, is noticed whatever the cause.
func TestD44_WhatAMergeWouldLoseIsNoticed(t *testing.T) {
	t.Parallel()
	const name = "app/.baton/tasks/task-9-state.md"
	with := func(text string, entries ...string) string {
		return strings.Replace(text, "## 4.", strings.Join(entries, "")+"## 4.", 1)
	}
	early := "### Session 2 - 2026-03-02 10:00\n**Did:** cut the deck\n\n"
	late := "### Session 3 - 2026-03-03 10:00\n**Did:** laid the rails\n\n"
	ours, theirs := with(harmBase, early), with(harmBase, late)
	whole := with(harmBase, early, late)
	for what, test := range map[string]struct {
		ours, theirs, merged string
		asides               []threeway.Aside
		harm                 string
	}{
		"everything is there":      {ours, theirs, whole, nil, ""},
		"a new session is missing": {ours, theirs, ours, nil, `session "Session 3: laid the rails" would be gone`},
		"an old criterion is missing": {
			ours, theirs, strings.Replace(whole, "- [ ] It stands\n", "", 1), nil,
			`criterion "It stands" would be gone`,
		},
		"one side removed it": {
			strings.Replace(ours, "- [ ] It stands\n", "", 1), theirs, strings.Replace(whole, "- [ ] It stands\n", "", 1), nil, "",
		},
		"sessions change places": {
			ours, theirs, with(harmBase, strings.Replace(late, " 3 ", " 2 ", 1), strings.Replace(early, " 2 ", " 2 ", 1)), nil,
			"session 2 would come after a newer one",
		},
		"a session behind a newer one got another number": {
			ours, theirs, with(harmBase, late, strings.Replace(early, "10:00", "10:00 (was session 2)", 1)), nil, "",
		},
		"both edited one session": {
			strings.Replace(ours, "the piles\n", "the piles\n- by hand\n", 1),
			strings.Replace(theirs, "the piles\n", "the piles\n- in rain\n", 1),
			strings.Replace(whole, "the piles\n", "the piles\n- by hand\n- in rain\n", 1), nil, "",
		},
		"git prints what is missing": {
			strings.Replace(ours, "It stands", "A gale does not move it", 1), strings.Replace(theirs, "It stands", "Ships pass", 1),
			strings.Replace(whole, "It stands", "Ships pass", 1),
			[]threeway.Aside{{Text: "A gale does not move it"}},
			"",
		},
		"nobody knows what became of it": {
			strings.Replace(ours, "It stands", "A gale does not move it", 1), strings.Replace(theirs, "It stands", "Ships pass", 1),
			strings.Replace(whole, "It stands", "Ships pass", 1), nil, `criterion "A gale does not move it" would be gone`,
		},
	} {
		versions := [3][]byte{[]byte(harmBase), []byte(test.ours), []byte(test.theirs)}
		if got := harmOf(name, versions, threeway.Result{Text: []byte(test.merged), Asides: test.asides}); got != test.harm {
			t.Errorf("%s: %q, want %q", what, got, test.harm)
		}
	}
	digest := "# Project State\n\n## Accumulated Context\n\n### Decisions\n\n- [Phase 1]: use RS256 keys\n"
	both := [3][]byte{[]byte(digest), []byte(digest + "- [Phase 1]: rotate monthly\n"), []byte(digest + "- [Phase 2]: no cookies\n")}
	if got := harmOf("app/.baton/STATE.md", both, threeway.Result{Text: both[1]}); got != `decision "no cookies" would be gone` {
		t.Errorf("digest: %q", got)
	}
}

// No merge that keeps its laws is refused.
func TestD44_GoodMergesAreNotRefused(t *testing.T) {
	t.Parallel()
	session := func(stamp string) laws.Edit {
		return func(t *rapid.T, text, word string) string {
			n := strconv.Itoa(task.Parse("35", []byte(text)).NextNumber(nil, 0))
			return laws.Before(`^## [0-9. ]*(Git History|Chain Output)`, "### Session "+n+" - "+stamp, "**Did:** %s", "")(
				t, text, word)
		}
	}
	digest := "# Project State\n\nStatus: Planning\n\n## Accumulated Context\n\n### Decisions\n\n- [Phase 1]: use RS256 keys\n" +
		"- [Phase 1]: rotate monthly\n\n### Blockers/Concerns\n\n- The vendor is late\n"
	texts := map[string]string{".baton/STATE.md": digest, ".planning/STATE.md": digest}
	texts[".specflow/STATE.md"] = "# State\n\n## Decisions\n\n" +
		"| Date | Specification | Decision |\n|---|---|---|\n| 2026-02-01 | SPEC-001 | use sqlite |\n| 2026-02-02 | SPEC-002 | cents |\n"
	for _, name := range [...]string{"v1a", "v15", "v2", "bare"} {
		src, err := os.ReadFile("../../task/tasktest/testdata/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		texts[name+"/.baton/tasks/task-35-state.md"] = string(src)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			merge := func(o, a, b []byte) ([]byte, int) {
				_, r, err := MergeBytes(name, o, a, b)
				if err != nil {
					t.Fatalf("%v\n=== base\n%s\n=== ours\n%s\n=== theirs\n%s", err, o, a, b)
				}
				return r.Text, r.Conflicts
			}
			laws.Check(t, merge, text, nil, session("2026-03-01 10:00"), session("2026-03-02 10:00"), session("2026-02-01 10:00"),
				laws.Replace(`^- \[ \]`, "- [x]"), laws.Behind(`^- \[[ x]\] `, "- [ ] Also %s"),
				laws.Replace(`^- \[[ x]\] .*`, "- [ ] Now %s"),
				laws.Behind(`^\*\*(Did|Issues):\*\*`, "- %s"), laws.Remove(`^- \[ \] `), laws.Remove(`^\*\*Next`),
				laws.Behind(`^- \[Phase`, "- [Phase 1]: %s"), laws.Replace(`^- \[Phase.*`, "- [Phase 2]: it is %s"),
				laws.Remove(`^- \[Phase`), laws.Behind(`^- The`, "- Waits for %s"),
				laws.Replace(`^\| 2026.*`, "| 2026-02-02 | SPEC-002 | %s |"),
				laws.Behind(`^\| 2026`, "| 2026-02-03 | SPEC-003 | %s |"), laws.Remove(`^\| 2026`))
		})
	}
}
