package specflow

import (
	"fmt"
	"strings"
	"testing"

	"baton/internal/lineartest"
)

// F-81: what an edit of a digest costs grows with the number of rows, not with the square of it.
func TestF81_EditsAreLinear(t *testing.T) {
	digest := func(n int, title, header string, row func(i int) string) *Doc {
		var b strings.Builder
		fmt.Fprintf(&b, "# S\n\n## %s\n\n%s\n%s|\n", title, header, strings.Repeat("|---", strings.Count(header, "|")-1))
		for i := range n {
			b.WriteString(row(i) + "\n")
		}
		return Parse([]byte(b.String()))
	}
	files := func(n int) []ExecutionFile {
		out := make([]ExecutionFile, n)
		for i := range out {
			out[i] = ExecutionFile{ID: fmt.Sprintf("SPEC-%d", i), Mode: "fast"}
		}
		return out
	}
	executions := func(n int) *Doc {
		return digest(n, "Execution Status", "| Spec ID | Mode |", func(i int) string { return fmt.Sprintf("| SPEC-%d | fast |", i) })
	}
	for name, c := range map[string]func(n int) func() error{
		"rows without a file": func(n int) func() error {
			d := executions(n)
			return func() error {
				done, err := d.SyncExecution(nil)
				if err == nil {
					_, _, err = done.Gone.Shelve(nil, "Archived Execution Status")
				}
				return err
			}
		},
		"rows with a file": func(n int) func() error {
			d, all := executions(n), files(n)
			return func() error { _, err := d.SyncExecution(all); return err }
		},
		"files without a row": func(n int) func() error {
			d, all := executions(1), files(n)
			return func() error { _, err := d.SyncExecution(all); return err }
		},
		"findings": func(n int) func() error {
			d, all := executions(n), files(n)
			return func() error { d.Findings(Facts{Execution: all}); return nil }
		},
		"active specifications": func(n int) func() error {
			d := digest(n, "Active Specifications", "| ID | Status |", func(i int) string { return fmt.Sprintf("| SPEC-%d | draft |", i) })
			return func() error {
				d.Resolve("")
				d.Findings(Facts{})
				return nil
			}
		},
	} {
		lineartest.Check(t, name, 200, 6400, func(n int) func() {
			act := c(n)
			return func() {
				if err := act(); err != nil {
					t.Fatal(name, err)
				}
			}
		})
	}
}
