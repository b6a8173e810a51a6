package specflow

import (
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
	"github.com/google/go-cmp/cmp"
)

// layouts returns the seven queue layouts of real projects (5.3), each with the same three specifications.
func layouts() map[string]string {
	return map[string]string{
		"ID,Title,Status,Priority,Complexity": `| ID | Title | Status | Priority | Complexity |
|----|-------|--------|----------|------------|
| SPEC-1 | One | done | high | small |
| SPEC-2a | Two | draft | medium | large |
| SPEC-GSD-A | Three | draft | low | — |
`,
		"Position,Spec,Title,Status,Phase": `| Position | Spec | Title | Status | Phase |
|:---------|:----:|-------|--------|------:|
| 1 | SPEC-1 | One | done | 2 |
| 2 | SPEC-2a | Two | draft | 2 |
| 3 | SPEC-GSD-A | Three | draft | 3 |
`,
		"#,ID,Title,Priority,Status,Depends On": `| # | ID | Title | Priority | Status | Depends On |
|---|----|-------|----------|--------|------------|
| 1 | SPEC-1 | One | high | done | — |
| 2 | SPEC-2a | Two | medium | draft | SPEC-1 |
| 3 | SPEC-GSD-A | Three | low | draft | SPEC-2a |
`,
		"Priority,ID,Title,Status,Complexity,Depends On": `| Priority | ID | Title | Status | Complexity | Depends On |
|----------|----|-------|--------|------------|------------|
| 1 | SPEC-1 | One | done | small | - |
| 2 | SPEC-2a | Two | draft | large | SPEC-1 |
| 3 | SPEC-GSD-A | Three | draft | — | SPEC-2a |
`,
		"Position,Spec,Title,Status": `|Position|Spec|Title|Status|
|-|-|-|-|
|1|SPEC-1|One|done|
|2|SPEC-2a|Two|draft|
|3|SPEC-GSD-A|Three|draft|
`,
		"Spec,Title,Priority,Complexity": `| Spec | Title | Priority | Complexity |
|---|---|---|---|
| SPEC-1 | One | high | small |
| SPEC-2a | Two | medium | large |
| SPEC-GSD-A | Three | low | — |
`,
		"#,ID,Title,Priority,Status": `| # | ID | Title | Priority | Status |
|---|----|-------|----------|--------|
| 1 | SPEC-1 | One | high | done |
| 2 | SPEC-2a | Two | medium | draft |
| 3 | SPEC-GSD-A | Three | low | draft |
`,
		"five header cells over four": `| # | ID | Title | Priority | Status |
|---|----|-------|----------|
| 1 | SPEC-1 | One | high | done |
| 2 | SPEC-2a | Two | medium | draft |
| 3 | SPEC-GSD-A | Three | low | draft |
`,
	}
}

func withQueue(table string) string {
	return "# SpecFlow State\n\n## Current Position\n\n- **Active Specification:** none\n\n## Queue\n\n" + table +
		"\nMaster plan: later.\n\n## Decisions\n"
}

func ids(rows []QueueRow) string {
	var out []string
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return strings.Join(out, " ")
}

func TestSF37_SevenQueueLayouts(t *testing.T) {
	t.Parallel()
	for name, text := range layouts() {
		src := withQueue(text)
		d := Parse([]byte(src))
		rows := d.Queue()
		if ids(rows) != "SPEC-1 SPEC-2a SPEC-GSD-A" || rows[1].Title != "Two" || rows[2].Line != 13 {
			t.Fatalf("%s: %+v", name, rows)
		}
		columns := strings.Join(d.QueueColumns(), ",")
		if name != columns && name != "five header cells over four" {
			t.Errorf("columns %q, want %q", columns, name)
		}
		if strings.Contains(name, "Phase") && rows[0].Phase != "2" || strings.Contains(name, "Depends") && rows[1].Depends != "SPEC-1" {
			t.Errorf("%s: %+v", name, rows)
		}
		counted := strings.Contains(columns, "#") || strings.Contains(columns, "Position") ||
			columns == "Priority,ID,Title,Status,Complexity,Depends On"

		e, err := d.MoveQueue("spec-gsd-a", 1)
		after := Parse([]byte(must(t, e, err)))
		if got := ids(after.Queue()); got != "SPEC-GSD-A SPEC-1 SPEC-2a" {
			t.Errorf("%s: moved to %s\n%s", name, got, e.Text)
		}
		e, err = after.MoveQueue("SPEC-GSD-A", 3)
		if diff := cmp.Diff(src, must(t, e, err)); diff != "" {
			t.Errorf("%s: there and back differs\n%s", name, diff)
		}
		e, err = d.AddQueue(QueueEntry{ID: "SPEC-9", Title: "A | B", After: "SPEC-1"})
		after = Parse([]byte(must(t, e, err)))
		got := after.Queue()
		want := "SPEC-1 SPEC-9 SPEC-2a SPEC-GSD-A"
		if ids(got) != want || got[1].Title != "A | B" {
			t.Errorf("%s: %s\n%s", name, ids(got), e.Text)
		}
		if counted {
			table, _ := after.queueTable()
			if n, ok := table.numbers(); !ok || !n.counting() {
				t.Errorf("%s: not counted 1 to 4 after add:\n%s", name, e.Text)
			}
		}
		e, err = after.RemoveQueue("SPEC-9")
		if diff := cmp.Diff(src, must(t, e, err)); diff != "" {
			t.Errorf("%s: added and removed differs\n%s", name, diff)
		}
	}
}

func TestSF37_NumbersAndWordsOfPriority(t *testing.T) {
	t.Parallel()
	numbers := layouts()["Priority,ID,Title,Status,Complexity,Depends On"]
	e, err := Parse([]byte(withQueue(numbers))).AddQueue(QueueEntry{ID: "SPEC-9", Title: "Nine", Priority: "2"})
	if got := ids(Parse([]byte(must(t, e, err))).Queue()); got != "SPEC-1 SPEC-9 SPEC-2a SPEC-GSD-A" {
		t.Errorf("a number is a place: %s\n%s", got, e.Text)
	}
	src := withQueue(numbers)
	e, err = Parse([]byte(src)).AddQueue(QueueEntry{ID: "SPEC-9", Priority: "high"})
	refused(t, src, e, err, report.Usage, "priority_invalid")

	words := layouts()["#,ID,Title,Priority,Status"]
	e, err = Parse([]byte(withQueue(words))).AddQueue(QueueEntry{ID: "SPEC-9", Title: "Nine", Priority: "urgent"})
	if text := must(t, e, err); !strings.Contains(text, "| 4 | SPEC-9 | Nine | urgent | draft |\n") {
		t.Errorf("row with a word:\n%s", text)
	}
	// If one cell is not a number, the column does not number the rows, and none of its cells changes.
	mixed := withQueue(strings.Replace(numbers, "| 2 |", "| soon |", 1))
	e, err = Parse([]byte(mixed)).MoveQueue("SPEC-GSD-A", 1)
	if got := Parse([]byte(must(t, e, err))).Queue(); ids(got) != "SPEC-GSD-A SPEC-1 SPEC-2a" || got[0].Priority != "3" ||
		got[2].Priority != "soon" {
		t.Errorf("%+v", got)
	}
}

func TestQueueIsSortedByNumbersOnlyWhenAllAreIntegers(t *testing.T) {
	t.Parallel()
	src := withQueue("| # | ID |\n|---|---|\n| 20 | SPEC-B |\n| 3 | SPEC-A |\n| 100 | SPEC-C |\n")
	d := Parse([]byte(src))
	if got := ids(d.Queue()); got != "SPEC-A SPEC-B SPEC-C" {
		t.Errorf("sorted: %s", got)
	}
	e, err := d.MoveQueue("SPEC-C", 1)
	if got := ids(Parse([]byte(must(t, e, err))).Queue()); got != "SPEC-C SPEC-A SPEC-B" {
		t.Errorf("moved: %s\n%s", got, e.Text)
	}
	e, err = d.AddQueue(QueueEntry{ID: "SPEC-D"})
	if got := ids(Parse([]byte(must(t, e, err))).Queue()); got != "SPEC-A SPEC-B SPEC-C SPEC-D" {
		t.Errorf("added: %s\n%s", got, e.Text)
	}
	e, err = d.RemoveQueue("SPEC-B")
	if got := must(t, e, err); got != replaced(t, src, "| 20 | SPEC-B |\n", "") {
		t.Errorf("numbers that are not 1 to n changed:\n%s", got)
	}
	gaps := Parse([]byte(withQueue("| # | ID |\n|---|---|\n| 10 | SPEC-A |\n| 11 | SPEC-B |\n| 40 | SPEC-C |\n")))
	e, err = gaps.AddQueue(QueueEntry{ID: "SPEC-N", After: "SPEC-A"})
	if text := must(t, e, err); !strings.Contains(text, "| 10 | SPEC-A |\n| 11 | SPEC-N |\n| 12 | SPEC-B |\n| 40 | SPEC-C |\n") {
		t.Errorf("more numbers than necessary changed:\n%s", text)
	}
}

func TestQueueNext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ rows, want string }{
		"first":                 {"| SPEC-1 | draft | — |", "SPEC-1"},
		"done is passed over":   {"| SPEC-1 | Complete | — |\n| SPEC-2 | draft | - |", "SPEC-2"},
		"waits for the queue":   {"| SPEC-1 | draft | SPEC-2 |\n| SPEC-2 | draft | none |", "SPEC-2"},
		"dependency is done":    {"| SPEC-1 | done | — |\n| SPEC-2 | draft | spec-1, SPEC-0 |", "SPEC-2"},
		"all wait":              {"| SPEC-1 | draft | SPEC-2 |\n| SPEC-2 | draft | SPEC-1 |", ""},
		"placeholder":           {"| — | — | — |", ""},
		"itself is no obstacle": {"| SPEC-1 | draft | SPEC-1 |", "SPEC-1"},
	} {
		src := withQueue("| ID | Status | Depends On |\n|---|---|---|\n" + c.rows + "\n")
		row, ok := NextInQueue(Parse([]byte(src)).Queue())
		if row.ID != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q %v", name, row.ID, ok)
		}
	}
}

func TestSF38_PlaceholderRows(t *testing.T) {
	t.Parallel()
	src := withQueue("| # | ID | Title | Priority | Status |\n|---|---|---|---|---|\n| - | - | - | - | - |\n| — | – |  | — | -- |\n")
	d := Parse([]byte(src))
	if got := d.Queue(); len(got) != 0 {
		t.Fatalf("placeholders are rows: %+v", got)
	}
	e, err := d.AddQueue(QueueEntry{ID: "SPEC-1", Title: "One", Priority: "high"})
	want := withQueue("| # | ID | Title | Priority | Status |\n|---|---|---|---|---|\n| 1 | SPEC-1 | One | high | draft |\n")
	if diff := cmp.Diff(want, must(t, e, err)); diff != "" {
		t.Error(diff)
	}
}

func TestQueueAddBeginsAQueue(t *testing.T) {
	t.Parallel()
	table := queueHeader + "\n" + queueDelimiter + "\n| 1 | SPEC-1 | One | — | draft |\n"
	for name, c := range map[string]struct{ src, want string }{
		"no section": {
			"# S\n\n## Decisions\n\n---\n*Last updated: x*\n", "# S\n\n## Decisions\n\n## Queue\n\n" + table + "\n---\n*Last updated: x*\n",
		},
		"no final terminator": {"# S", "# S\n\n## Queue\n\n" + strings.TrimSuffix(table, "\n")},
		"section of prose":    {"## Queue\n\n(empty)\n\n## Notes\n", "## Queue\n\n(empty)\n\n" + table + "\n## Notes\n"},
		"heading directly":    {"## Queue\n## Notes\n", "## Queue\n\n" + table + "\n## Notes\n"},
		"final blank lines":   {"# S\n\n\n", "# S\n\n## Queue\n\n" + table + "\n\n"},
	} {
		e, err := Parse([]byte(c.src)).AddQueue(QueueEntry{ID: "SPEC-1", Title: "One"})
		if diff := cmp.Diff(c.want, must(t, e, err)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestQueueRefusals(t *testing.T) {
	t.Parallel()
	src := withQueue(layouts()["#,ID,Title,Priority,Status"])
	d := Parse([]byte(src))
	e, err := d.RemoveQueue("SPEC-77")
	refused(t, src, e, err, report.NotFound, "spec_not_queued")
	e, err = d.MoveQueue("SPEC-1", 0)
	refused(t, src, e, err, report.Usage, "place_invalid")
	e, err = d.AddQueue(QueueEntry{ID: "SPEC-9", After: "SPEC-77"})
	refused(t, src, e, err, report.NotFound, "spec_not_queued")
	e, err = d.AddQueue(QueueEntry{ID: "SPEC-1", Title: "Something else"})
	refused(t, src, e, err, report.Conflict, "spec_queued")
	e, err = d.AddQueue(QueueEntry{ID: "SPEC-1", Title: "One"})
	if must(t, e, err) != src {
		t.Error("adding what is there changes something")
	}
	e, err = d.AddQueue(QueueEntry{ID: "none"})
	refused(t, src, e, err, report.Usage, "id_invalid")
	e, err = d.MoveQueue("SPEC-1", 1)
	if must(t, e, err) != src {
		t.Error("moving to where it is changes something")
	}
	if e, err = d.MoveQueue("SPEC-1", 99); !strings.HasSuffix(ids(Parse([]byte(must(t, e, err))).Queue()), "SPEC-1") {
		t.Errorf("a place behind the end is the last:\n%s", e.Text)
	}
	for _, bare := range []string{"# S\n", "## Queue\n\n| What |\n|---|\n| x |\n"} {
		if _, err := Parse([]byte(bare)).RemoveQueue("SPEC-1"); report.KindOf(err) != report.NotFound {
			t.Errorf("%q: %v", bare, err)
		}
	}
}

func TestSF19_TablesOfEveryShape(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		queue string
		want  []string
	}{
		"no outer pipes":      {"ID | Title\n---|---\nSPEC-1 | One\n", []string{"SPEC-1 One"}},
		"alignment colons":    {"| ID | Title |\n|:--|:-:|\n| SPEC-1 | One |\n", []string{"SPEC-1 One"}},
		"header without rows": {"| ID | Title |\n|---|---|\n", nil},
		"blank line inside":   {"| ID | Title |\n|---|---|\n| SPEC-1 | One |\n\n| SPEC-2 | Two |\n", []string{"SPEC-1 One", "SPEC-2 Two"}},
		"rows after a caption": {
			"| ID | Title |\n|---|---|\n| SPEC-1 | One |\nand also:\n| SPEC-2 | Two |\n", []string{"SPEC-1 One", "SPEC-2 Two"},
		},
		"SF-48 no blanks":      {"|ID|Title|\n|-|-|\n|SPEC-1|One|\n   | SPEC-2 | Two\n", []string{"SPEC-1 One", "SPEC-2 Two"}},
		"four blanks are code": {"| ID | Title |\n|---|---|\n\n    | SPEC-1 | One |\n", nil},
		"SF-20 pipes": {
			"| ID | Title |\n|---|---|\n| SPEC-1 | a \\| b |\n| SPEC-2 | `a` | more |\n| SPEC-3 | end\\| |\n",
			[]string{"SPEC-1 a | b", "SPEC-2 `a` | more", "SPEC-3 end|"},
		},
		"SF-14 ragged": {"| ID | Title | Status |\n|---|---|---|\n| SPEC-1 |\n", []string{"SPEC-1 "}},
		"second table": {
			"| What | Why |\n|---|---|\n| x | y |\n\n| ID | Title |\n|---|---|\n| SPEC-1 | One |\n", []string{"SPEC-1 One"},
		},
		"id beside spec": {"| ID | Spec | Title |\n|---|---|---|\n| 7 | SPEC-1 | One |\n", []string{"SPEC-1 One"}},
		"links and bold": {
			"| ID | Title |\n|---|---|\n| [SPEC-1](specs/SPEC-1.md) | One |\n| **SPEC-2** | Two |\n| 003 | Three |\n",
			[]string{"SPEC-1 One", "SPEC-2 Two", "003 Three"},
		},
	} {
		var got []string
		for _, r := range Parse([]byte(withQueue(c.queue))).Queue() {
			got = append(got, r.ID+" "+r.Title)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSF22_HugeQueue(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 100000 {
		b.WriteString("| SPEC-" + itoa(i) + " | a title |\n")
	}
	src := withQueue("| ID | Title |\n|---|---|\n" + b.String())
	d := Parse([]byte(src))
	if n := len(d.Queue()); n != 100000 {
		t.Fatal(n)
	}
	e, err := d.RemoveQueue("SPEC-99999")
	if len(must(t, e, err)) != len(src)-len("| SPEC-99999 | a title |\n") {
		t.Error("more than the row went")
	}
}

func TestSF21_VeryWideRow(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("wide ", 16<<10)
	src := withQueue("| ID | Title | Status |\n|---|---|---|\n| SPEC-1 | " + wide + "| draft |\n| SPEC-2 | Two | draft |\n")
	e, err := Parse([]byte(src)).MoveQueue("SPEC-2", 1)
	text := must(t, e, err)
	if got := Parse([]byte(text)).Queue(); len(text) != len(src) || ids(got) != "SPEC-2 SPEC-1" || got[1].Title != strings.TrimSpace(wide) {
		t.Error("the wide row did not survive")
	}
}
