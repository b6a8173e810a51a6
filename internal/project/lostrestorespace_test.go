package project

import (
	"slices"
	"strings"
	"testing"
)

// TestD37_TheOnlyEntryOfASectionComesBackAsItWas checks that it comes back byte for byte, with the blank lines that its
// document has around entries.
func TestD37_TheOnlyEntryOfASectionComesBackAsItWas(t *testing.T) {
	t.Parallel()
	p := newWorld(t).as("a")
	const tight = "# Task 7: Pier\n\n## 2. Context\n\n### Requirements\nStone.\n\n### Acceptance Criteria\n- [ ] Piles stand\n\n" +
		"### Notes\nNone of it.\n"
	for name, text := range map[string]string{
		"tight":      tight,
		"at the end": strings.TrimSuffix(tight, "\n### Notes\nNone of it.\n"),
		"with room": strings.NewReplacer(
			"Criteria\n", "Criteria\n\n", "Requirements\n", "Requirements\n\n", "Notes\n", "Notes\n\n",
		).Replace(tight),
		"room, no peer": "# Task 7: Pier\n\n## 2. Context\n\n### Acceptance Criteria\n\n- [ ] Piles stand\n\n## 3. Progress Log\n",
		"room, the end": "# Task 7: Pier\n\n## 2. Context\n\n### Acceptance Criteria\n\n- [ ] Piles stand\n",
		"windows":       strings.ReplaceAll(tight, "\n", "\r\n"),
	} {
		if got := putBack(t, p, taskDigest, text, without(text, "Piles")); got != text {
			t.Errorf("%s: %q, and it was %q", name, got, text)
		}
	}
}

// TestD37_ARestoredEntryKeepsItsBlankLine checks that there is a blank line above an entry that follows text, or whose
// document has no rule for blank lines.
func TestD37_ARestoredEntryKeepsItsBlankLine(t *testing.T) {
	t.Parallel()
	p := newWorld(t).as("a")
	const text = "# Task 7: Pier\n\n## 2. Context\n\n### Acceptance Criteria\n\nAll of these:\n\n- [ ] Piles stand\n\n## 3. Progress Log\n"
	if got := putBack(
		t, p, taskDigest, text, strings.Replace(text, "\n- [ ] Piles stand\n", "", 1),
	); !slices.Contains(strings.Split(got, "\n"), "- [ ] Piles stand") || got != text {
		t.Errorf("%q", got)
	}
}
