package restore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"baton/internal/ledger"
)

// reading returns a format that counts how often it reads a document. It does not read a text with
// some words as an entry.
func reading(unread string, reads *int) Format {
	return Format{
		Read: func(data []byte) []ledger.Entry {
			*reads++
			var out []ledger.Entry
			for line := range strings.Lines(string(data)) {
				if strings.HasPrefix(line, "- ") && (unread == "" || !strings.Contains(line, unread)) {
					e := ledger.NewEntry(ledger.Decision, line)
					e.Raw, e.Section = line, "## List"
					out = append(out, e)
				}
			}
			return out
		},
		Fresh:    func() []byte { return []byte("## List\n") },
		Sections: func(data []byte, _ []*ledger.Entry) []byte { return data },
		Count:    func(data []byte) []byte { return data },
	}
}

// TestD37_OneWithoutAPlaceCostsTheOthersLittle: entries without a place are not searched one by
// one, and all others come back.
func TestD37_OneWithoutAPlaceCostsTheOthersLittle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		hidden      func(n int) bool
		left, reads int
	}{
		{"none", func(int) bool { return false }, 0, 10},
		{"one", func(n int) bool { return n == 234 }, 1, 100},
		{"ten", func(n int) bool { return n%100 == 7 }, 10, 400},
		{"every other", func(n int) bool { return n%2 == 0 }, 500, 2000},
		{"all", func(int) bool { return true }, 1000, 2000},
	} {
		t.Run(c.name, func(t *testing.T) {
			var known []ledger.Entry
			back := map[string]bool{}
			for n := range 1000 {
				text := fmt.Sprintf("- Point %d stands\n", n)
				if c.hidden(n) {
					text = fmt.Sprintf("- Point %d is unseen\n", n)
				}
				e := ledger.NewEntry(ledger.Decision, text)
				e.Raw, e.Section = text, "## List"
				known, back[e.Key] = append(known, e), true
			}
			reads := 0
			next, left := Into([]byte("# Doc\n\n## List\n\n## End\n\nIts words.\n"), reading("unseen", &reads), known, back)
			if len(left) != c.left || reads > c.reads {
				t.Errorf("%d are left, after %d reads", len(left), reads)
			}
			for i := range known {
				away := slices.ContainsFunc(left, func(e *ledger.Entry) bool { return e.Key == known[i].Key })
				if strings.Contains(string(next), known[i].Raw) == away {
					t.Fatalf("%q, left %v", known[i].Raw, away)
				}
			}
		})
	}
}

// TestD37_ATryReadsWhatItMayAtMost: if nothing has a place, the search ends, earlier in a long
// document, and all entries are returned.
func TestD37_ATryReadsWhatItMayAtMost(t *testing.T) {
	t.Parallel()
	reads := 0
	var known []ledger.Entry
	back := map[string]bool{}
	for n := range 200 {
		text := fmt.Sprintf("- Point %d is unseen\n", n)
		e := ledger.NewEntry(ledger.Decision, text)
		e.Raw, e.Section = text, "## List"
		known, back[e.Key] = append(known, e), true
	}
	now := []byte("# Doc\n\n## List\n\n## End\n\n" + strings.Repeat("Its words.\n", 50_000))
	next, left := Into(now, reading("unseen", &reads), known, back)
	if len(left) != 200 || string(next) != string(now) || reads > 170 {
		t.Errorf("%d are left, %d bytes, after %d reads", len(left), len(next), reads)
	}
}
