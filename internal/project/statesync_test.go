package project

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/usecase/digests"
)

func (w *world) sync(r digests.StateSyncRequest) digests.StateSyncResult {
	w.t.Helper()
	out, err := w.as("agent-1").Digests.StateSync(context.Background(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func TestGSD46_Sync(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.write(".planning/ROADMAP.md", strings.Replace(w.read(".planning/ROADMAP.md"), "### Phase 4: Part 4", "### ~~Phase 4: Part 4~~", 1))
	w.write(".planning/phases/03-part/plans/PLAN-05-more.md", "# More\n")
	w.write(".planning/todos/pending/one.md", "x")
	out := w.sync(digests.StateSyncRequest{})
	front, body := w.stateLines()
	needLines(
		t, "front matter", front, "  total_phases: 3", "  completed_phases: 2", "  total_plans: 13", "  completed_plans: 8",
		"  percent: 62", "status: planning",
	)
	needLines(t, "body", body, "Progress: [██████░░░░] 62%", "Status: Ready to plan", "Stopped at: the harbour wall")
	if out.Next.Action != "execute-phase" || out.Facts.TotalPhases != 3 || *out.Facts.Percent != 62 || len(out.Changed) == 0 ||
		len(out.Lines) == 0 {
		t.Errorf("%+v", out)
	}
	w.pass(time.Hour)
	before := w.files()
	if again := w.sync(digests.StateSyncRequest{}); len(again.Changed) > 0 || len(again.Lines) > 0 {
		t.Errorf("a second sync changed %+v", again.Changed)
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("a second sync wrote: %s", diff)
	}
}

// A milestone that the roadmap does not have yet starts with zero counts, whatever is in the folders of the previous
// one.
func TestGSDD16_MilestoneInheritsNoCounts(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.write(".planning/ROADMAP.md", "# Roadmap\n\n## v1.0 All of it\n\n### Phase 1: Part 1\n\n### Phase 2: Part 2\n")
	w.sync(digests.StateSyncRequest{})
	front, _ := w.stateLines()
	needLines(t, "the old one", front, "  total_phases: 2", "  completed_phases: 2", "  percent: 100")
	w.step(digests.TransitionRequest{Event: "milestone", Version: "v2.0", Name: "Next"})
	if out := w.sync(digests.StateSyncRequest{Check: true}); out.Facts.TotalPhases != 0 || out.Facts.CompletedPhases != 0 ||
		!hasCode(out.Warnings, "milestone_unbounded") {
		t.Errorf("%+v", out)
	}
	w.write(".planning/ROADMAP.md", w.read(".planning/ROADMAP.md")+"\n## v2.0 Next\n\n### Phase 5: Five\n\n### Phase 6: Six\n")
	out := w.sync(digests.StateSyncRequest{})
	front, _ = w.stateLines()
	needLines(
		t, "the new one", front, "  total_phases: 2", "  completed_phases: 0", "  percent: 0", "milestone_name: Next",
	)
	if out.Next.Action != phases.Discuss {
		t.Errorf("%+v", out.Next)
	}
}

func TestD22_SyncCheckWritesNothing(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	before := w.files()
	out, err := w.as("agent-1").Digests.StateSync(context.Background(), digests.StateSyncRequest{Check: true})
	e := wantError(t, err, report.Violation, "out_of_sync")
	if e.Kind.Row().Exit != 6 || e.Details["changes"] == nil || !out.Check || len(out.Changed) == 0 {
		t.Errorf("%+v %+v", out, e)
	}
	// Not even a runtime folder is created.
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("a check wrote: %s", diff)
	}
	if _, err := os.Stat(w.path(".baton")); err == nil {
		t.Error("a check made .baton")
	}
	written := w.sync(digests.StateSyncRequest{})
	said := map[string]string{}
	for _, c := range out.Changed {
		said[c.Field] = c.New
	}
	for _, c := range written.Changed {
		if c.Field != "last_updated" && said[c.Field] != c.New {
			t.Errorf("%s became %q; the check said %q", c.Field, c.New, said[c.Field])
		}
	}
	clean, err := w.as("agent-1").Digests.StateSync(context.Background(), digests.StateSyncRequest{Check: true})
	if err != nil || len(clean.Changed) > 0 || clean.Rotation.Before.Lines == 0 {
		t.Errorf("%+v %v", clean, err)
	}
}

// A sync with nothing to do needs no fsync and writes no byte.
func TestSyncWithNothingToDoIsARead(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.sync(digests.StateSyncRequest{})
	w.pass(time.Hour)
	p := w.as("agent-1")
	if _, err := p.Digests.StateSync(context.Background(), digests.StateSyncRequest{}); err != nil {
		t.Fatal(err)
	}
	if n := p.Store.Counters().Syncs.Load(); n != 0 {
		t.Errorf("%d fsyncs", n)
	}
	info, err := os.Stat(w.path(".planning/STATE.md"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.as("agent-1").Digests.StateSync(context.Background(), digests.StateSyncRequest{}); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(w.path(".planning/STATE.md")); err != nil || !after.ModTime().Equal(info.ModTime()) {
		t.Error("the digest was rewritten")
	}
}

// A sync that changes only the digest changes one file: two fsyncs.
func TestD31_SyncIsAChangeOfOneFile(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.sync(digests.StateSyncRequest{})
	w.write(".planning/phases/03-part/03-01-SUMMARY.md", "# Done\n")
	p := w.as("agent-1")
	got, err := p.Digests.StateSync(context.Background(), digests.StateSyncRequest{})
	if err != nil || len(got.Changed) == 0 {
		t.Fatal(got, err)
	}
	if n := p.Store.Counters().Syncs.Load(); n != 2 {
		t.Errorf("%d fsyncs", n)
	}
}

func TestGSDD16_CompletedCountsDoNotFallSilently(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.sync(digests.StateSyncRequest{})
	for _, n := range []string{"01", "02", "03", "04"} {
		if err := os.Remove(w.path(".planning/phases/02-part/02-" + n + "-SUMMARY.md")); err != nil {
			t.Fatal(err)
		}
	}
	out := w.sync(digests.StateSyncRequest{})
	front, _ := w.stateLines()
	needLines(t, "front matter", front, "  completed_phases: 2", "  completed_plans: 8")
	if !hasCode(out.Warnings, "completed_decrease") {
		t.Errorf("%+v", out.Warnings)
	}
	w.sync(digests.StateSyncRequest{AllowDecrease: true})
	front, _ = w.stateLines()
	needLines(t, "front matter", front, "  completed_phases: 1", "  completed_plans: 4", "  percent: 25")
}

func TestGSD34_ProgressLineKeepsItsSuffix(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.write(".planning/STATE.md", strings.Replace(digestText, "Progress: [░░░░░░░░░░] 0%", "Progress: [░░░░░░░░░░] 0% of the quay", 1))
	w.sync(digests.StateSyncRequest{})
	_, body := w.stateLines()
	needLines(t, "body", body, "Progress: [█████░░░░░] 50% of the quay")

	w.write(".planning/STATE.md", strings.Replace(digestText, "Progress: [░░░░░░░░░░] 0%\n", "", 1))
	w.sync(digests.StateSyncRequest{})
	front, body := w.stateLines()
	needLines(t, "front matter", front, "  percent: 50")
	if text := strings.Join(body, "\n"); strings.Contains(text, "Progress:") {
		t.Errorf("a line appeared: %s", text)
	}
}

// The percentage of a milestone that the roadmap does not have cannot be derived: it goes, and the answer says so (F-47).
func TestGSD31_SyncOfAnUnboundedMilestone(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.write(".planning/STATE.md", strings.NewReplacer(
		"milestone: v1.0", "milestone: v7.0", "percent: 0", "percent: 42", "0%", "42%",
	).Replace(digestText))
	out := w.sync(digests.StateSyncRequest{})
	front, body := w.stateLines()
	needLines(t, "front matter", front, "  total_plans: 0", "milestone: v7.0")
	if all := strings.Join(front, "\n"); strings.Contains(all, "percent") {
		t.Errorf("a percentage that is known to be wrong: %s", all)
	}
	needLines(t, "body", body, "Progress: [░░░░░░░░░░] 42%")
	if !hasCode(out.Warnings, "milestone_unbounded") || out.Facts.Percent != nil {
		t.Errorf("%+v", out)
	}
}

// Fields of old notes are neither read nor written.
func TestGSD46_StaleFieldsAreNotPromoted(t *testing.T) {
	t.Parallel()
	const old = "\n## Archive\n\nPhase: 9 of 9 (Gone)\nStopped at: long ago\nPaused At: 2020-01-01\nProgress: [██████████] 99%\n" +
		"Last activity: 2020-01-01\n"
	for name, text := range map[string]string{
		"below": digestText + old,
		"above": strings.Replace(digestText, "\n## Current Position", old+"\n## Current Position", 1),
	} {
		w := gsdWorld(t)
		w.write(".planning/STATE.md", text)
		w.sync(digests.StateSyncRequest{})
		front, body := w.stateLines()
		needLines(
			t, name+", body", body, "Phase: 9 of 9 (Gone)", "Stopped at: long ago", "Progress: [██████████] 99%",
			"Progress: [█████░░░░░] 50%", "Last activity: 2020-01-01",
		)
		needLines(t, name+", front matter", front, `current_phase: "1"`, "status: planning")
		if all := strings.Join(front, "\n"); strings.Contains(all, "long ago") || strings.Contains(all, "2020") {
			t.Errorf("%s: %s", name, all)
		}
	}
}

// If the files that sync compares with cannot be listed, it says so and writes nothing.
func TestSyncOfAFolderThatCannotBeListed(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	before := w.read(".planning/STATE.md")
	w.fs = closedFS{names: []string{"02-part"}}
	for _, r := range []digests.StateSyncRequest{{}, {Check: true}} {
		_, err := w.as("agent-1").Digests.StateSync(context.Background(), r)
		wantError(t, err, report.Refused, "permission")
	}
	if w.read(".planning/STATE.md") != before {
		t.Error("the digest was written")
	}
}

func TestGSDD19_SyncOfAnUnsafeDigest(t *testing.T) {
	t.Parallel()
	for _, check := range []bool{false, true} {
		w := gsdWorld(t)
		w.write(".planning/STATE.md", digestText+"\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
		_, err := w.as("agent-1").Digests.StateSync(context.Background(), digests.StateSyncRequest{Check: check})
		wantError(t, err, report.Corrupt, "conflict_markers")
	}
}
