package project

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/history"
	"baton/internal/usecase/setup"
)

// decided creates a SpecFlow project with decisions, one a minute.
func decided(t *testing.T, texts ...string) *world {
	t.Helper()
	w := newWorld(t)
	if _, err := w.as("a").Setup.Init(context.Background(), setup.InitRequest{Layout: "specflow"}); err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		w.decide(text)
	}
	return w
}

func (w *world) decide(text string) []report.Finding {
	w.t.Helper()
	w.pass(time.Minute)
	got, err := w.as("a").Digests.AddDecision(context.Background(), digests.DecisionRequest{Text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	return got.Warnings
}

const keptState = ".specflow/STATE.md"

func (w *world) versions(r history.VersionsRequest) history.VersionList {
	w.t.Helper()
	list, err := w.as("a").History.Versions(context.Background(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// TestD37_WhatAnAgentWipesComesBack checks that the digest is kept as baton wrote it, even if baton does not write
// again before an agent wipes it, and that a restore can be undone.
func TestD37_WhatAnAgentWipesComesBack(t *testing.T) {
	t.Parallel()
	w := decided(t, "Use one lock", "Keep files plain")
	whole := w.read(keptState)
	w.write(keptState, "# State\n")
	newest := w.versions(history.VersionsRequest{Document: "STATE.md", Limit: 1}).Versions[0]
	if newest.Document != keptState || newest.Kind != "wrote" || newest.Outside {
		t.Fatalf("%+v", newest)
	}
	before := w.files()
	dry, err := w.as("a").History.RestoreVersion(context.Background(), history.VersionRestoreRequest{Revision: newest.Revision[:4]})
	if err != nil || dry.Applied || !strings.Contains(dry.Diff, "\n+## Queue") || cmp.Diff(before, w.files()) != "" {
		t.Fatalf("%+v, %v", dry, err)
	}
	done, err := w.as("a").History.RestoreVersion(
		context.Background(), history.VersionRestoreRequest{Revision: newest.Revision, Apply: true},
	)
	if err != nil || !done.Applied || done.Diff != dry.Diff || w.read(keptState) != whole {
		t.Fatalf("%+v, %v", done, err)
	}
	back, err := w.as("a").History.RestoreVersion(context.Background(), history.VersionRestoreRequest{Revision: done.Replaced, Apply: true})
	if err != nil || !back.Applied || !back.Outside || w.read(keptState) != "# State\n" {
		t.Fatalf("%+v, %v", back, err)
	}
	if again, err := w.as("a").History.RestoreVersion(
		context.Background(), history.VersionRestoreRequest{Revision: done.Replaced, Apply: true},
	); err != nil || again.Applied || !again.Same {
		t.Fatalf("%+v, %v", again, err)
	}
}

// TestD8_ListingVersionsWritesNothing also checks a project in which nothing was ever written.
func TestD8_ListingVersionsWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(keptState, "# State\n")
	if list := w.versions(history.VersionsRequest{}); len(list.Versions) != 0 || list.Since != "" {
		t.Fatalf("%+v", list)
	}
	w = decided(t, "One")
	before := w.files()
	list := w.versions(history.VersionsRequest{})
	if list.Total != len(list.Versions) || list.Total < 2 || list.Since != "2026-03-01T09:00:00Z" {
		t.Errorf("%+v", list)
	}
	for _, v := range list.Versions {
		got, err := w.as("a").History.ShowVersion(context.Background(), v.Revision)
		if err != nil || int64(len(got.Text)) != got.Size || got.Version != v {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Error(diff)
	}
}

// TestVersionsAreNamedAsPeopleNameFiles checks the path from the root, its end, and a path on the disk.
func TestVersionsAreNamedAsPeopleNameFiles(t *testing.T) {
	t.Parallel()
	w := decided(t, "One")
	for name, want := range map[string]int{
		keptState: 2, "STATE.md": 2, "./" + keptState: 2, filepath.Join(w.dir, filepath.FromSlash(keptState)): 2,
		"": w.versions(history.VersionsRequest{}).Total,
	} {
		if got := w.versions(history.VersionsRequest{Document: name}); got.Total != want {
			t.Errorf("%q: %d versions, want %d", name, got.Total, want)
		}
	}
	for _, name := range [...]string{"TATE.md", ".specflow", "9"} {
		_, err := w.as("a").History.Versions(t.Context(), history.VersionsRequest{Document: name})
		refused(t, err, report.NotFound, "document_unknown")
	}
	w.write(".specflow/notes.md", "Not of baton's making.\n")
	if got := w.versions(history.VersionsRequest{Document: ".specflow/notes.md"}); got.Total != 0 {
		t.Errorf("a file without versions is no error: %+v", got)
	}
	if got := w.versions(history.VersionsRequest{Document: "STATE.md", Limit: 1}); len(got.Versions) != 1 || got.Total != 2 {
		t.Errorf("%+v", got)
	}
}

// TestDiffOfVersions compares a version with the current file, with another version, and with a file that is gone.
func TestDiffOfVersions(t *testing.T) {
	t.Parallel()
	w := decided(t, "One", "Two")
	list := w.versions(history.VersionsRequest{Document: "STATE.md"}).Versions
	diff := func(from, to string) history.VersionDiff {
		got, err := w.as("a").History.DiffVersions(context.Background(), history.VersionDiffRequest{From: from, To: to})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := diff(list[0].Revision, ""); !got.Same || got.Diff != "" || got.To != nil {
		t.Errorf("%+v", got)
	}
	if got := diff(list[1].Revision, list[0].Revision); got.Same || !strings.Contains(got.Diff, "Two") ||
		strings.Contains(got.Diff, "\n+- [2026-03-01] One") || *got.To != list[0] {
		t.Errorf("%+v", got)
	}
	if err := os.Remove(w.path(keptState)); err != nil {
		t.Fatal(err)
	}
	if got := diff(list[0].Revision, ""); got.Same || !strings.Contains(got.Diff, "+++ /dev/null") {
		t.Errorf("%+v", got)
	}
	other := w.versions(history.VersionsRequest{Document: "config.yaml"}).Versions[0]
	_, err := w.as("a").History.DiffVersions(context.Background(), history.VersionDiffRequest{From: list[0].Revision, To: other.Revision})
	if report.CodeOf(err) != "revisions_differ" {
		t.Error(err)
	}
}

// TestInvalidRevisions checks revisions that are too short, not hexadecimal, unknown, or whose bytes are gone.
func TestInvalidRevisions(t *testing.T) {
	t.Parallel()
	w := decided(t, "One")
	v := w.versions(history.VersionsRequest{Document: "STATE.md"}).Versions[0]
	for revision, want := range map[string]string{
		"": "revision_invalid", "abc": "revision_invalid", "../..": "revision_invalid", "000000000000": "revision_unknown",
	} {
		for _, apply := range []bool{false, true} {
			_, err := w.as("a").History.RestoreVersion(
				context.Background(), history.VersionRestoreRequest{Revision: revision, Apply: apply},
			)
			if report.CodeOf(err) != report.Code(want) || report.As(err).Op != "snapshot.restore" {
				t.Errorf("%q: %v", revision, err)
			}
		}
	}
	for name := range w.files() {
		if strings.HasPrefix(name, ".baton/local/snapshots/") && !strings.HasSuffix(name, "index") && !strings.HasSuffix(name, "/totals") {
			w.write(name, "not what was kept")
		}
	}
	before := w.read(keptState)
	if _, err := w.as("a").History.RestoreVersion(
		context.Background(), history.VersionRestoreRequest{Revision: v.Revision, Apply: true},
	); report.CodeOf(err) != "revision_lost" || w.read(keptState) != before {
		t.Error(err)
	}
}

// TestSnapshotsCanBeSwitchedOff checks that nothing is kept then, without a warning.
func TestSnapshotsCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	w := decided(t)
	w.write(".baton/config.yaml", "snapshots:\n  max_mb: 0\n")
	n := w.versions(history.VersionsRequest{}).Total
	if notes := w.decide("Not kept"); len(notes) != 0 {
		t.Errorf("%+v", notes)
	}
	if got := w.versions(history.VersionsRequest{}).Total; got != n {
		t.Errorf("%d versions, want %d", got, n)
	}
}
