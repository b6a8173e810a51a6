package specflow

import (
	"strconv"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/threeway/laws"
)

const mergeBase = `# SpecFlow State

## Current Position

- **Active Specification:** SPEC-001
- **Status:** draft
- **Next Step:** /sf:audit

## Queue

| # | ID | Title | Priority | Status |
|---|----|-------|----------|--------|
| 1 | SPEC-001 | One | high | draft |
| 2 | SPEC-002 | Two | low | draft |
| 3 | SPEC-003 | Three | low | draft |

## Decisions

| Date | Specification | Decision |
|------|---------------|----------|
| 2026-01-01 | SPEC-001 | First |
| 2026-01-02 | SPEC-001 | Second |

## Project Patterns

- Tests first

## Warnings

| Date | Specification | Reason |
|------|---------------|--------|

---
*Last updated: 2026-01-02*
`

func mergeProblems(src []byte) []string {
	var out []string
	for _, f := range Parse(src).Findings(Facts{}) {
		if f.Severity != report.Info {
			out = append(out, string(f.Code))
		}
	}
	for i, e := range Parse(src).Queue() {
		if e.Position != "" && e.Position != strconv.Itoa(i+1) {
			out = append(out, "queue_position")
		}
	}
	return out
}

func TestD40_MergeOfSpecflowDigestsKeepsItsLaws(t *testing.T) {
	t.Parallel()
	merge := func(o, a, b []byte) ([]byte, int) {
		r := Merge(o, a, b)
		return r.Text, r.Conflicts
	}
	edits := []laws.Edit{
		laws.Behind(`^\| 2026-01-0`, "| 2026-01-03 | SPEC-002 | %s |"), laws.Remove(`^\| 2026-01-01 `),
		laws.Replace(`^(\| 3 \| SPEC-003 .*)$`, "$1\n| 4 | SPEC-1%s | New | high | draft |"), laws.Behind(`^- Tests`, "- %s"),
		laws.Replace(`^(\| \d \| SPEC-00\d \| \w+ \| \w+ \|) \w+ \|$`, "$1 review |"),
		laws.Replace(`\*\*Status:\*\* .*`, "**Status:** running"),
		laws.Replace(`\*\*Status:\*\* .*`, "**Status:** done"), laws.Replace(`\*\*Status:\*\* .*`, "**Status:** auditing"),
		laws.Replace(`updated: .*\*`, "updated: 2026-02-01*"),
		laws.Behind(`^\|------\|---------------\|--------\|`, "| 2026-02-02 | - | %s |"),
	}
	laws.Check(t, merge, mergeBase, mergeProblems, edits...)
	laws.CheckSettled(t, merge, mergeBase, edits...)
}

func TestD40_QueueRowsAreRenumbered(t *testing.T) {
	t.Parallel()
	ours := strings.NewReplacer("| 3 | SPEC-003 | Three | low | draft |\n",
		"| 3 | SPEC-003 | Three | high | draft |\n| 4 | SPEC-004 | Four | low | draft |\n").Replace(mergeBase)
	theirs := strings.NewReplacer("| 1 | SPEC-001 | One | high | draft |\n", "", "| 2 | SPEC-002", "| 1 | SPEC-002",
		"| 3 | SPEC-003 | Three | low | draft |\n",
		"| 2 | SPEC-003 | Three | low | review |\n| 3 | SPEC-005 | Five | low | draft |\n").Replace(mergeBase)
	r := Merge([]byte(mergeBase), []byte(ours), []byte(theirs))
	want := "|---|----|-------|----------|--------|\n| 1 | SPEC-002 | Two | low | draft |\n| 2 | SPEC-003 | Three | high | review |\n"
	if text := string(r.Text); r.Conflicts != 0 || !strings.Contains(text, want) || !strings.Contains(text, "| 4 | SPEC-00") ||
		strings.Contains(text, "SPEC-001 | One") {
		t.Errorf("%s", text)
	}
}

// A status that both sides moved follows the life of a specification. Blocked and archived go by the day.
func TestD44_StatusOfASpecification(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ ours, oursOn, theirs, theirsOn, want string }{
		"further along":        {"review", "04", "done", "03", "done"},
		"further along, newer": {"complete", "03", "reviewing", "04", "complete"},
		"running over audited": {"audited", "04", "running", "03", "running"},
		"blocked later":        {"blocked", "04", "done", "03", "blocked"},
		"blocked earlier":      {"done", "04", "blocked", "03", "done"},
		"blocked on one day":   {"archived", "04", "running", "04", "archived"},
		"running on one day":   {"running", "04", "archived", "04", "running"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := func(status, day string) []byte {
				return []byte(strings.NewReplacer("**Status:** draft", "**Status:** "+status,
					"updated: 2026-01-02", "updated: 2026-01-"+day, "| One | high | draft |",
					"| One | high | "+status+" |").Replace(mergeBase))
			}
			r := Merge([]byte(mergeBase), with(c.ours, c.oursOn), with(c.theirs, c.theirsOn))
			other := c.ours
			if c.want == c.ours {
				other = c.theirs
			}
			d := Parse(r.Text)
			if v, _ := d.Get("status"); v.Text != c.want || d.Queue()[0].Status != c.want || len(d.mergedLines()) != 1 ||
				!strings.Contains(string(r.Text), "):** "+other+"\n") {
				t.Errorf("%s, want %s\n%s", v.Text, c.want, r.Text)
			}
			if len(r.Asides) != 2 || r.Asides[0].Over != c.want || r.Asides[1].Over != c.want || r.Asides[0].Text != other {
				t.Errorf("%+v", r.Asides)
			}
			next, err := d.Set("status", "drafting")
			if err != nil {
				t.Fatal(err)
			}
			if same := d.DropMerged(d); string(same.Text) != string(r.Text) {
				t.Errorf("the note goes although the status is the same:\n%s", same.Text)
			}
			if done := Parse(next.Text).DropMerged(d); strings.Contains(string(done.Text), "other side") {
				t.Errorf("the note stays:\n%s", done.Text)
			}
		})
	}
}
