package project

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"baton/internal/usecase/history"
	"baton/internal/usecase/loss"
)

// TestD37_WhatWasInBothFilesComesBackOnce checks a digest that somebody overwrote with an old text, so that decisions
// that had moved to the archive were in both files. They are in the text that baton last wrote to the digest, so they
// are not put into the archive as well.
func TestD37_WhatWasInBothFilesComesBackOnce(t *testing.T) {
	t.Parallel()
	const archive = ".specflow/DECISIONS_ARCHIVE.md"
	l := &losing{stage: &stage{world: decided(t)}}
	var texts []string
	for n := range 6 {
		texts = append(texts, fmt.Sprintf("Decision number %d of %s", n, strings.Repeat("x", n+1)))
		l.decide(texts[n])
	}
	old := l.read(keptState)
	l.write(keptState, old+strings.Repeat("\nmore and more\n", 60))
	l.decide("This one makes room")
	if !strings.Contains(l.read(archive), texts[0]) {
		t.Fatal("nothing moved to the archive")
	}
	l.write(keptState, old)
	l.decide("Went on with the old text")
	full := l.read(archive)
	head, _, _ := strings.Cut(full, "| 20")
	for _, text := range []string{head, full} { // they were last seen in the archive
		l.write(archive, text)
		must(l.as("a").Kept.Observe(t.Context(), []string{archive}))(t)
	}
	must0(t, os.Remove(l.path(keptState)))
	l.write(archive, head)
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	both := l.read(keptState) + l.read(archive)
	for _, text := range append(texts, "Went on with the old text", "This one makes room") {
		if strings.Count(both, text) != 1 {
			t.Errorf("%q stands %d times:\n%s", text, strings.Count(both, text), both)
		}
	}
	if got := l.lost(false).Lost; len(got) != 0 {
		t.Errorf("%q", labels(got))
	}
}

// TestD37_WhatUndoRemovedIsNotRestored checks a restore that rotated into a new archive, and an undo of both. The
// archive had entries that are now in the digest again. A second restore must bring back only what is lost.
func TestD37_WhatUndoRemovedIsNotRestored(t *testing.T) {
	t.Parallel()
	l, texts := undoneRestore(t)
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	l.onceEach(texts)
	if got := l.lost(false).Lost; len(got) != 0 {
		t.Errorf("%q", labels(got))
	}
}

// TestD37_ARestoredDocumentDoublesNothing checks the same without the log, so that baton does not know that undo
// removed the archive. It also checks that an archive that somebody deleted comes back without entries that somebody
// put into the digest again.
func TestD37_ARestoredDocumentDoublesNothing(t *testing.T) {
	t.Parallel()
	l, texts := undoneRestore(t)
	must0(t, os.RemoveAll(l.path(".baton/local/log")))
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	l.onceEach(texts)

	state := l.read(keptState)
	at := strings.Index(state, "| 20")
	l.write(keptState, state[:at]+"| 2026-03-01 | "+texts[4]+" |\n"+state[at:])
	must0(t, os.Remove(l.path(specArchiveName)))
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	l.onceEach(texts)
	if archive := l.read(specArchiveName); !strings.Contains(archive, texts[3]) || strings.Contains(archive, texts[4]) {
		t.Errorf("%s", archive)
	}
}

// undoneRestore wipes decisions, restores them with a rotation into a new archive, and undoes that.
func undoneRestore(t *testing.T) (l *losing, texts []string) {
	t.Helper()
	l = &losing{stage: &stage{world: decided(t)}}
	for n := range 12 {
		texts = append(texts, fmt.Sprintf("Decision number %d of %s", n, strings.Repeat("x", n+1)))
		l.decide(texts[n])
	}
	l.wipe(texts[3], texts[4])
	state := l.read(keptState)
	long := strings.Replace(state, "\n## ", "\n"+strings.Repeat("more and more\n", 70)+"\n## ", 1)
	l.write(keptState, long)
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	if !strings.Contains(l.read(specArchiveName), texts[0]) {
		t.Fatal("nothing moved to the archive")
	}
	must(l.as("a").History.Undo(t.Context(), history.UndoRequest{}))(t)
	if _, err := os.Stat(l.path(specArchiveName)); err == nil || l.read(keptState) != long {
		t.Fatalf("the restore was not taken back: %v", err)
	}
	return l, texts
}

// onceEach checks that each text is once in digest and archive together.
func (l *losing) onceEach(texts []string) {
	l.t.Helper()
	archive, _ := os.ReadFile(l.path(specArchiveName))
	both := l.read(keptState) + string(archive)
	for _, text := range texts {
		if n := strings.Count(both, text+" "); n != 1 {
			l.t.Errorf("%q stands %d times:\n%s", text, n, both)
		}
	}
}
