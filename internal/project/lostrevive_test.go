package project

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestD37_WhatStoodTwiceComesBackOnce: somebody wrote an old text over a digest whose decisions had moved to the archive, so that they
// stood in both. What baton wrote last into the digest has them; then they are not put into the archive as well.
func TestD37_WhatStoodTwiceComesBackOnce(t *testing.T) {
	t.Parallel()
	const shelf = ".specflow/DECISIONS_ARCHIVE.md"
	l := &losing{&stage{decided(t)}}
	var texts []string
	for n := range 6 {
		texts = append(texts, fmt.Sprintf("Decision number %d of %s", n, strings.Repeat("x", n+1)))
		l.decide(texts[n])
	}
	old := l.read(keptState)
	l.write(keptState, old+strings.Repeat("\nmore and more\n", 60))
	l.decide("This one makes room")
	if !strings.Contains(l.read(shelf), texts[0]) {
		t.Fatal("nothing moved to the archive")
	}
	l.write(keptState, old)
	l.decide("Went on with the old text")
	full := l.read(shelf)
	head, _, _ := strings.Cut(full, "| 20")
	for _, text := range []string{head, full} { // the archive is where they were seen last
		l.write(shelf, text)
		must(l.as("a").store.Observe(t.Context(), []string{shelf}))(t)
	}
	must0(t, os.Remove(l.path(keptState)))
	l.write(shelf, head)
	must(l.as("a").RestoreLost(t.Context(), LostRestoreRequest{}))(t)
	both := l.read(keptState) + l.read(shelf)
	for _, text := range append(texts, "Went on with the old text", "This one makes room") {
		if strings.Count(both, text) != 1 {
			t.Errorf("%q stands %d times:\n%s", text, strings.Count(both, text), both)
		}
	}
	if got := l.lost(false).Lost; len(got) != 0 {
		t.Errorf("%q", labels(got))
	}
}
