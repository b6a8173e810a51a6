package declaration

import (
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"
)

// TestF74_PatternsEndInTime: a small file and a few long names do not take minutes.
func TestF74_PatternsEndInTime(t *testing.T) {
	t.Parallel()
	heavy := "version: 1\nextends: none\npatterns:\n" +
		strings.Repeat("  - {pattern: '^(?:[a-z0-9]?){200}(?:[a-z0-9]?){200}[0-9][x-z]$'}\n", 45)
	c, err := Declared().Extend("c", []byte(heavy))
	if err != nil {
		t.Fatal(err)
	}
	long, left, names := strings.Repeat("a", 250), NewEffort(), 0
	for c.Affords(long, &left) {
		names++
	}
	if names == 0 || names > 20 {
		t.Errorf("%d names", names)
	}
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "write .baton/work/%s%d\n", long, i)
	}
	known := NewVerdicts()
	if c.Lint([]byte(text.String()), known); !known.Exhausted() {
		t.Error("the check of a text with a thousand names is not cut off")
	}
	many := strings.Builder{}
	for i := range 1000 {
		fmt.Fprintf(&many, "  - {name: %s%d.md}\n", long[:200], i)
	}
	_, err = Declared().Extend("c", []byte(strings.Replace(heavy, "patterns:", "canonical:\n"+many.String()+"leftovers:", 1)))
	if e := report.As(err); e == nil || !strings.Contains(e.Message, "too large together") {
		t.Errorf("left-overs beside a thousand names: %v", err)
	}
}

// TestF74_CommonPatternsAreFree: ten thousand names of a usual length are no trouble for usual patterns.
func TestF74_CommonPatternsAreFree(t *testing.T) {
	t.Parallel()
	text := "version: 1\npatterns:\n"
	for i := range 200 {
		text += fmt.Sprintf("  - {pattern: '^note%d-[a-z0-9]{1,40}\\.md$'}\n", i)
	}
	c, err := Declared().Extend("c", []byte(text+"leftovers:\n  - {pattern: '^.*\\.bak$'}\n  - {pattern: '^[A-Z].*[0-9]$'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	known := NewVerdicts()
	name := []byte("read .baton/work/Plan" + strings.Repeat("-of-the-week", 20) + "-7")
	for range 30_000 { // the same name in many texts
		c.Lint(name, known)
	}
	if known.Exhausted() {
		t.Error("names that are in many texts are compared in each of them")
	}
	left := NewEffort()
	for i := range 10_000 {
		if !c.Affords(fmt.Sprintf("note%d-of-some-usual-length-%d.md", i%200, i), &left) {
			t.Fatalf("only %d names", i)
		}
	}
}
