package digest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/markdown"
)

func TestSFD2_WhatALineIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "\n": 1, "a": 1, "a\n": 1, "a\nb": 2, "a\r\nb\r\n": 2, "a\rb": 1, "a\u2028b\fc\n": 1, "\n\n\n": 3,
		strings.Repeat("x\n", 100): 100, strings.Repeat("x\n", 100) + "x": 101,
	} {
		if got := SizeOf([]byte(text)); got.Lines != want || got.Bytes != len(text) {
			t.Errorf("%.20q: %+v, want %d lines", text, got, want)
		}
	}
}

func TestSFD1_SFD30_Over(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	for _, c := range []struct {
		limits Limits
		size   Size
		over   bool
	}{
		{l, Size{100, 32768}, false},
		{l, Size{101, 10}, true},
		{l, Size{5, 32769}, true},
		{l, Size{}, false},
		{Limits{MaxLines: 100}, Size{5, 1 << 30}, false},
		{Limits{MaxBytes: 10}, Size{1000, 10}, false},
		{Limits{}, Size{1 << 20, 1 << 30}, false},
	} {
		if got := c.limits.Over(c.size); got != c.over {
			t.Errorf("%+v over %+v: %v", c.size, c.limits, got)
		}
	}
}

func TestSFD6_LargestSections(t *testing.T) {
	t.Parallel()
	doc := "# T\n\n## A\n\n1\n2\n\n## B\n\n### in B\n\n```\n## no section\n```\nlast line of B\n---\nfoot\n\n## C ##\n## D\n\n1\n2\n"
	got := Largest(markdown.Parse([]byte(doc)), 3, false)
	want := []SectionSize{{"B", 11, 63}, {"A", 5, 11}, {"D", 4, 10}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := Largest(markdown.Parse(nil), 3, false); len(got) != 0 || got == nil {
		t.Errorf("of nothing: %v", got)
	}
}
