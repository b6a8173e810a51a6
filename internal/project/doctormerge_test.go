package project

import (
	"strings"
	"testing"

	"baton/internal/usecase/merging"
	"baton/internal/workspace"
)

// Only a line that gives exactly this pattern to baton's own driver counts, and a later line can override it.
func TestD40_LinesThatGiveAPatternToBaton(t *testing.T) {
	t.Parallel()
	const pattern = ".baton/STATE.md"
	for text, want := range map[string]bool{
		"":                           false,
		pattern + " merge=baton":     true,
		pattern + " merge=baton\r\n": true,
		" \t" + pattern + "\ttext\tmerge=baton -diff\n": true,
		pattern:                                                              false,
		pattern + " text\n":                                                  false,
		"# " + pattern + " merge=baton\n":                                    false,
		"#" + pattern + " merge=baton\n":                                     false,
		pattern + " merge=union\n":                                           false,
		pattern + " merge=baton2\n":                                          false,
		pattern + " -merge\n":                                                false,
		"docs/" + pattern + " merge=baton\n":                                 false,
		pattern + ".old merge=baton\n":                                       false,
		pattern + " merge=union\n" + pattern + " merge=baton\n":              true,
		pattern + " merge=baton\n" + pattern + " merge=union\n":              false,
		pattern + " merge=baton\n" + pattern + " binary\n":                   false,
		pattern + " merge=baton\n" + pattern + " !merge\n":                   false,
		pattern + " merge=baton\n" + pattern + " text\n# merge=union\n":      true,
		pattern + " merge=baton\n*.md merge=union\n" + pattern + ".x -merge": true,
	} {
		if got := workspace.MergedByBaton(text, pattern); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	const quoted = `"my project/STATE.md"`
	if text := merging.WithMergeBlock("*.go text\n", []string{pattern, quoted}); !workspace.MergedByBaton(text, pattern) ||
		!workspace.MergedByBaton(text, quoted) {
		t.Error("what baton writes does not count:", text)
	}
	text := merging.WithMergeBlock("", []string{pattern})
	over := text + pattern + " merge=union\n"
	if got := merging.WithMergeBlock(over, []string{pattern}); got != pattern+" merge=union\n"+text ||
		merging.WithMergeBlock(got, []string{pattern}) != got {
		t.Error("a line behind the block still decides:", got)
	}
	if text := strings.ReplaceAll(
		merging.WithMergeBlock("", []string{quoted}), "baton\n", "union\n",
	); workspace.MergedByBaton(text, quoted) {
		t.Error("another driver counts:", text)
	}
}
