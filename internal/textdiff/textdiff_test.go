package textdiff

import (
	"strings"
	"testing"
)

func TestUnifiedDiff(t *testing.T) {
	t.Parallel()
	ten := "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n"
	for name, c := range map[string]struct{ before, after, want string }{
		"new":    {"", "a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n"},
		"gone":   {"a\nb", "", "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"},
		"middle": {ten, strings.Replace(ten, "e\n", "E\n", 1), "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"},
		"two ends": {ten, "A" + ten[1:18] +
			"J\n", "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -7,4 +7,4 @@\n g\n h\n i\n-j\n+J\n"},
		"near": {ten, strings.NewReplacer("c\n", "", "h\n", "h\nx\n").Replace(
			ten,
		), "--- a/f\n+++ b/f\n@@ -1,10 +1,10 @@\n a\n b\n-c\n d\n e\n f\n g\n h\n+x\n i\n j\n"},
	} {
		if got := Unified("f", []byte(c.before), []byte(c.after), name != "new", name != "gone"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// Both texts can be restored from the lines of a diff.
func TestDiffGivesBothTextsBack(t *testing.T) {
	t.Parallel()
	words := []string{"", "a\n", "b\n", "a\nb\n", "b\na\n", "a\na\nb\n", "c\nb\na\nb\n", "x", "b\nx", strings.Repeat(
		"l\n", 3000,
	), strings.Repeat("m\n", 2500)}
	for _, a := range words {
		for _, b := range words {
			before, after := "", ""
			for _, l := range diffLines(splitLines(a), splitLines(b)) {
				if l.mark != '+' {
					before += l.text
				}
				if l.mark != '-' {
					after += l.text
				}
			}
			if before != a || after != b {
				t.Fatalf("%.20q to %.20q gives %.20q and %.20q", a, b, before, after)
			}
		}
	}
}
