package digest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/markdown"
)

// SF-D2: lines are what LF ends, and what stands behind the last LF.
func TestSFD2_WhatALineIs(t *testing.T) {
	t.Parallel()
	for text, lines := range map[string]int{
		"": 0, "a": 1, "a\n": 1, "a\nb": 2, "a\r\nb\r\n": 2, "a\rb\n": 1, "a\u2028b\f\n": 1, "\n\n": 2,
	} {
		if got := SizeOf([]byte(text)); got.Lines != lines || got.Bytes != len(text) {
			t.Errorf("%q is %+v, want %d lines", text, got, lines)
		}
	}
}

// SF-D1 and SF-D30: exactly at a limit is within it, either limit counts, and a limit of 0 does not hold.
func TestSFD1_OverOneOfTheLimits(t *testing.T) {
	t.Parallel()
	limits := DefaultLimits()
	for _, c := range []struct {
		size Size
		over bool
	}{{Size{100, 32768}, false}, {Size{101, 1}, true}, {Size{1, 32769}, true}, {Size{0, 0}, false}} {
		if limits.Over(c.size) != c.over {
			t.Errorf("%+v: over is %v", c.size, !c.over)
		}
	}
	if (Limits{}).Over(Size{1 << 20, 1 << 30}) {
		t.Error("limits of 0 hold")
	}
}

// SF-D6: the largest sections, those of equal size in the order of the file.
func TestSFD6_LargestSections(t *testing.T) {
	t.Parallel()
	doc := markdown.Parse([]byte("# P\n\n## Small\n\n## Large\n\na\nb\n\n### Inner\n\nc\n\n## Alike\n\n## Fenced\n```\n## Not one\n```\n"))
	want := []SectionSize{{"Large", 9, 29}, {"Fenced", 4, 29}, {"Small", 2, 10}}
	if diff := cmp.Diff(want, Largest(doc, 3)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Largest(markdown.Parse(nil), 3); len(got) != 0 {
		t.Errorf("an empty document has %v", got)
	}
}
