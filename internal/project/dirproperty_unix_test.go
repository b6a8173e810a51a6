//go:build unix

package project

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/statedir"
	"baton/internal/statedir/record"
	"baton/internal/usecase/folder"
)

// fill creates entries of all buckets, kinds and ages, each with its own text.
func (w *stateWorld) fill(r *rand.Rand) {
	w.t.Helper()
	names := []string{
		"plan.md", "spec.md", "review.md", "review.json", "verification.md", "verification.json", "graph-impact.md", "deferred.md",
		"gate-trace.jsonl", "consolidator-ran.txt",
		"review-a.md", "review-lane-api.md", "review-lane-api.json", "impl-summary-x.json", "slice-1.md", "perf-summary.md",
		"a-b-summary.md",
		".a.tmp", "b.tmp", "c~", "odd", "Odd one", "line\nfeed", "-rf", "odd\xff", "2026-01-01T00-00-00-000Z", "manifest.json", "threads",
		"notes", "ordinary",
	}
	ages := []time.Duration{
		0, time.Second, time.Hour, 2 * time.Hour, 23 * time.Hour, day, day + 1, 20 * day, 21 * day, 21*day + 1, 99 * day, -time.Hour,
	}
	for n, name := range names {
		at := stateDir + "/" + name
		switch r.IntN(10) {
		case 0, 1, 2:
			continue
		case 3:
			w.write(at+"/inner", fmt.Sprintf("in a folder %d", n))
		case 4:
			w.linkTo(fmt.Sprintf("leads to %d", n), at)
			continue
		case 5:
			w.pipe(at)
		default:
			w.write(at, fmt.Sprintf("text %d", n))
		}
		w.touch(name, ages[r.IntN(len(ages))])
	}
	if r.IntN(4) > 0 {
		w.write(stateDir+
			"/workflow.yaml", fmt.Sprintf("active: %v\nworkflow_type: dev\ntask: the old one\ncreated_at: %q\nfirst_created_at: %q\n",
			r.IntN(2) == 0, w.time.Add(-ages[r.IntN(5)]).Format(time.RFC3339), w.time.Add(-ages[r.IntN(8)]).Format(time.RFC3339)))
	}
}

// TestSDD9_SweepAndRestore checks that after a clean-up of a random folder every entry is in exactly one place, and
// that a restore brings the folder back as it was.
func TestSDD9_SweepAndRestore(t *testing.T) {
	t.Parallel()
	sweeps := []func(*testing.T, *Project) folder.DirSweep{
		func(t *testing.T, p *Project) folder.DirSweep {
			return must(p.Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}))(t)
		},
		func(t *testing.T, p *Project) folder.DirSweep {
			return must(p.Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
		},
		func(t *testing.T, p *Project) folder.DirSweep {
			return must(p.Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true}))(t)
		},
		func(t *testing.T, p *Project) folder.DirSweep {
			return must(p.Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "debug", Task: "the new one"}))(t).DirSweep
		},
	}
	for seed := range uint64(24) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newStateWorld(t)
			w.fill(rand.New(rand.NewPCG(seed, 7)))
			before := w.tree(stateDir)
			out := sweeps[seed%4](t, w.p())
			if out.Counts["moved"] != len(out.Entries) {
				t.Fatalf("%v", out.Counts)
			}
			if out.Snapshot == nil {
				return
			}
			together := w.tree(stateDir)
			for name, text := range w.tree(stateDir + "/.archive/" + *out.Snapshot) {
				if _, twice := together[name]; twice && name != record.FileName {
					t.Errorf("%q is in both places", name)
				}
				together[name] = text
			}
			for name := range together {
				if strings.HasPrefix(name, statedir.ArchiveName) {
					delete(together, name)
				}
			}
			if diff := cmp.Diff(before, together); diff != "" && !(seed%4 == 3 && before["workflow.yaml"] == "") {
				t.Errorf("folder and snapshot together: %s", diff)
			}
			back := must(w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: *out.Snapshot, Swap: true}))(t)
			if !back.Emptied {
				t.Errorf("%+v", back)
			}
			if back.Swapped == nil && seed%4 == 3 {
				if err := os.Remove(w.path(stateDir + "/workflow.yaml")); err != nil { // there was none before the begin
					t.Fatal(err)
				}
			}
			after := w.tree(stateDir)
			for name := range after {
				if strings.HasPrefix(name, statedir.ArchiveName) {
					delete(after, name)
				}
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("after the restore: %s", diff)
			}
		})
	}
}
