package digest_test

import (
	"strings"
	"testing"

	"baton/internal/digest"
	"baton/internal/markdown"
)

// TestF64_LargestByTheMeasureThatIsOver: with too many bytes, the sections with most bytes come first.
func TestF64_LargestByTheMeasureThatIsOver(t *testing.T) {
	t.Parallel()
	src := []byte("## Decisions\n" + strings.Repeat("- x\n", 20) + "## Current Position\n" + strings.Repeat("y", 500) + "\n")
	doc := markdown.Parse(src)
	for byBytes, want := range map[bool]string{true: "Current Position", false: "Decisions"} {
		if got := digest.Largest(doc, 1, byBytes); got[0].Title != want {
			t.Errorf("by bytes %v: %+v", byBytes, got)
		}
	}
	limits := digest.Limits{MaxLines: 100, MaxBytes: 400}
	if !limits.OnlyBytes(digest.SizeOf(src)) || limits.OnlyBytes(digest.Size{Lines: 101, Bytes: 500}) {
		t.Error("which limit is exceeded")
	}
}
