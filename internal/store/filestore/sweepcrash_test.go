package filestore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"baton/internal/store/disk/crashfs"
)

// crashed checks what a crash leaves after recovery. It ignores temporary names that a power cut
// brought back.
func crashed(t *testing.T, what string, img *crashfs.FS, killed bool, before, after map[string]string, must string) {
	t.Helper()
	tree := recovered(t, what, img)
	if kept := img.Files("/p/.baton/local/conflicts"); len(kept) > 0 {
		t.Fatalf("%s: the transaction's own changes were taken for somebody else's: %v", what, kept)
	}
	if !killed {
		tree = dropTemps(tree)
	}
	onePlace(t, what, tree, before, after, must)
}

// TestSD52_CrashAtEveryOperation (SD-D9, acceptance 4): the power fails or the process dies before
// any operation of a sweep, a begin or a restore. After the next writer, every entry is in exactly
// one place with its content, and the manifest says where. What was acknowledged is durable.
func TestSD52_CrashAtEveryOperation(t *testing.T) {
	t.Parallel()
	for _, sc := range sweepScenes() {
		for _, exchange := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/exchange=%v", sc.name, exchange), func(t *testing.T) {
				t.Parallel()
				fs, before, after := sc.start(t)
				fs.NoExchange = !exchange
				points := 0
				crashes(t, fs, func() error {
					_, err := sweeping(fs).Update(context.Background(), sc.run)
					return err
				}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
					for seed := range seeds() {
						points++
						what := fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed)
						crashed(t, what, snap(seed), seed == 0, before, after, "")
					}
				})
				for seed := range 4 * seeds() {
					what := fmt.Sprintf("acknowledged, seed %d", seed)
					crashed(t, what, fs.Crash(rand.New(rand.NewPCG(seed, 7))), false, before, after, "new")
				}
				crashed(t, "acknowledged, killed", fs.Kill(), true, before, after, "new")
				t.Logf("%d crashes", points)
			})
		}
	}
}

// TestSD52_CrashDuringRecovery: recovery itself may be interrupted anywhere.
func TestSD52_CrashDuringRecovery(t *testing.T) {
	t.Parallel()
	for _, sc := range sweepScenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			fs, before, after := sc.start(t)
			points := 0
			crashes(t, fs, func() error {
				_, err := sweeping(fs).Update(context.Background(), sc.run)
				return err
			}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
				for seed := range uint64(3) {
					if !sampled(op.N+int(seed), 3) {
						continue
					}
					first := snap(seed)
					if _, pending := first.Get("/p/.baton/local/journal"); !pending {
						continue
					}
					crashes(t, first, func() error { _, err := nudge(sweeping(first)); return err },
						func(again crashfs.Op, snap func(uint64) *crashfs.FS) {
							if !sampled(op.N+again.N, 16) {
								return
							}
							points++
							what := fmt.Sprintf("before %s %s (%d), then before %s %s (%d), seed %d",
								op.Name, op.Path, op.N, again.Name, again.Path, again.N, seed)
							crashed(t, what, snap(seed), false, before, after, "")
						})
				}
			})
			if points < 30 {
				t.Errorf("only %d crashes were tried", points)
			}
			t.Logf("%d crashes", points)
		})
	}
}
