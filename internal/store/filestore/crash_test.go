package filestore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
)

// readAll reads the documents of a scene through a store: those that lose text before those that
// gain it (D8).
func readAll(t *testing.T, s *filestore.Store, sc scene) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"tasks/1.md", "archive/1.md", "tasks/2.md", "tasks/deep/1.md", "log.md"} {
		doc, err := s.Read(context.Background(), name)
		if err != nil {
			t.Fatalf("read %s: %v", name, err)
		}
		if doc.Exists {
			out[name] = string(doc.Data)
		}
	}
	return out
}

// TestTS30_CrashAfterEveryOperation: if the power fails or the process dies before any file
// operation, recovery leaves all of the old documents or all of the new ones. Readers before
// recovery see the same. What was acknowledged is durable.
func TestTS30_CrashAfterEveryOperation(t *testing.T) {
	t.Parallel()
	for _, sc := range scenes() {
		for _, exchange := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/exchange=%v", sc.Name, exchange), func(t *testing.T) {
				t.Parallel()
				fs := newCrashFS(t, sc.Before)
				fs.NoExchange = !exchange
				points := 0
				check := func(what string, img *crashfs.FS, killed bool, must string) {
					points++
					s := on(img)
					allOrNothing(t, what+", reader", sc, readAll(t, s, sc), must)
					if _, err := nudge(s); err != nil {
						t.Fatalf("%s: recovery: %v", what, err)
					}
					got := documents(img)
					if !killed {
						got = noTemps(got)
					}
					allOrNothing(t, what+", recovered", sc, got, must)
					if _, left := img.Get("/p/.baton/local/journal"); left {
						t.Fatalf("%s: the journal is still there", what)
					}
				}
				crashes(t, fs, func() error {
					_, err := on(fs).Update(context.Background(), sc.Run)
					return err
				}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
					for seed := range seeds() {
						check(fmt.Sprintf("before %s %s (%d), seed %d", op.Name, op.Path, op.N, seed), snap(seed), seed == 0, "")
					}
				})
				for seed := range 4 * seeds() {
					check(fmt.Sprintf("acknowledged, seed %d", seed), fs.Crash(rand.New(rand.NewPCG(seed, 7))), false, "new")
				}
				check("acknowledged, killed", fs.Kill(), true, "new")
				t.Logf("%d crashes", points)
			})
		}
	}
}

// TestTS30_CrashDuringRecovery: recovery itself may be interrupted anywhere, even repeatedly.
func TestTS30_CrashDuringRecovery(t *testing.T) {
	t.Parallel()
	sc := scenes()[0]
	fs := newCrashFS(t, sc.Before)
	points := 0
	crashes(t, fs, func() error {
		_, err := on(fs).Update(context.Background(), sc.Run)
		return err
	}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
		for seed := range uint64(5) {
			first := snap(seed)
			if _, pending := first.Get("/p/.baton/local/journal"); !pending {
				continue
			}
			crashes(t, first, func() error { _, err := nudge(on(first)); return err },
				func(again crashfs.Op, snap func(uint64) *crashfs.FS) {
					if !sampled(op.N+again.N, 8) {
						return
					}
					points++
					second := snap(seed)
					what := fmt.Sprintf("before %s %s (%d), then before %s %s (%d), seed %d",
						op.Name, op.Path, op.N, again.Name, again.Path, again.N, seed)
					if _, err := nudge(on(second)); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					allOrNothing(t, what, sc, noTemps(documents(second)), "")
				})
		}
	})
	if points < 100 {
		t.Errorf("only %d crashes were tried", points)
	}
	t.Logf("%d crashes", points)
}
