package project

import (
	"context"
	"fmt"
	"testing"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/usecase/folder"
)

// listing creates a snapshot with one entry and a manifest that lists n more, which are gone.
func (w *stateWorld) listing(n int) string {
	w.t.Helper()
	snapshot := cleanup.SnapshotName(w.time, func(string) bool { return false })
	m := cleanup.Manifest{Version: cleanup.ManifestVersion, Kind: statedir.SweepCleanup, Complete: true}
	for i := range n {
		m.Entries = append(m.Entries, cleanup.ManifestEntry{
			Name: fmt.Sprintf("gone-%d", i), Kind: statedir.File, Size: int64(i), State: cleanup.StateMoved,
		})
	}
	w.write(stateDir+"/.archive/"+snapshot+"/here", "x")
	w.write(stateDir+"/.archive/"+cleanup.ManifestName(snapshot), string(m.Encode()))
	return snapshot
}

// TestSD19_SD45_ARestoreOfALargeManifest checks that the time is proportional to the manifest and to the names that are
// asked for. Comparing every entry with every other would be 10,000,000,000 comparisons here.
func TestSD19_SD45_ARestoreOfALargeManifest(t *testing.T) {
	t.Parallel()
	const n = 100_000
	w := newStateWorld(t)
	snapshot := w.listing(n)
	out := must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, DryRun: true}))(t)
	if len(out.Entries) != n+1 || out.Entries[n-1].State != cleanup.StateMissing || out.Entries[n-1].Size != n-1 ||
		out.Entries[n].State != cleanup.StateWouldMove {
		t.Errorf("%d entries, the last %+v", len(out.Entries), out.Entries[len(out.Entries)-1])
	}
	const asked = n / 4
	words := make([]string, 0, 2*asked)
	for i := range asked {
		words = append(words, fmt.Sprintf("gone-%d", i), fmt.Sprintf("gone-%d", n-1-i))
	}
	out = must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: snapshot, Names: words, DryRun: true}))(t)
	if len(out.Entries) != 2*asked || out.Entries[1].Name != fmt.Sprintf("gone-%d", n-1) {
		t.Errorf("%d entries", len(out.Entries))
	}
}

// askedOften is a context that is cancelled after it was asked a number of times.
type askedOften struct {
	context.Context
	left *int
}

func (c askedOften) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

func (askedOften) Deadline() (time.Time, bool) { return time.Time{}, false }

// TestSD45_ARestoreCanBeInterrupted checks that a restore asks its context at least once per entry of a large manifest,
// and that an interruption leaves everything as it was.
func TestSD45_ARestoreCanBeInterrupted(t *testing.T) {
	t.Parallel()
	const n = 2000
	w := newStateWorld(t)
	snapshot := w.listing(n)
	left := 1 << 30
	must(w.p().Folder.DirRestore(askedOften{Context: t.Context(), left: &left}, folder.RestoreRequest{Snapshot: snapshot, DryRun: true}))(t)
	if asked := 1<<30 - left; asked < n {
		t.Fatalf("it asked %d times", asked)
	}
	before := w.tree(stateDir)
	left = n / 2
	if _, err := w.p().Folder.DirRestore(askedOften{Context: t.Context(), left: &left}, folder.RestoreRequest{Snapshot: snapshot}); err ==
		nil {
		t.Error("it went on")
	}
	if after := w.tree(stateDir); len(after) != len(before) || after["here"] != "" {
		t.Errorf("%d became %d", len(before), len(after))
	}
}
