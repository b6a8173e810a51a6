package project

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"baton/internal/usecase/folder"
)

// largeFolder fills a state folder with entries of all buckets, and one folder with as many again.
func largeFolder(b testing.TB, w *stateWorld, entries int) {
	b.Helper()
	w.mkdir(stateDir + "/big")
	for n := range entries {
		name := [...]string{"review-part-%05d.md", "thoughts %05d", "left-%05d.tmp", "test-summary-%05d.json"}[n%4]
		for _, dir := range [...]string{stateDir, stateDir + "/big"} {
			if err := os.WriteFile(filepath.Join(w.path(dir), fmt.Sprintf(name, n)), []byte("x"), 0o666); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkDirAudit10000 audits ten thousand entries; the lower bound is one lstat of each.
func BenchmarkDirAudit10000(b *testing.B) {
	w := newStateWorld(b)
	largeFolder(b, w, 10_000)
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			entries, err := os.ReadDir(w.path(stateDir))
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range entries {
				if _, err := e.Info(); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("audit", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.p().Folder.DirAudit(b.Context(), folder.DirRequest{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDirCleanup10000 moves ten thousand entries to a snapshot; the lower bound is as many plain renames.
func BenchmarkDirCleanup10000(b *testing.B) {
	for name, move := range map[string]func(*stateWorld){
		"floor": func(w *stateWorld) {
			entries, err := os.ReadDir(w.path(stateDir))
			if err != nil {
				b.Fatal(err)
			}
			to := w.path(stateDir + "/.archive/snapshot")
			w.mkdir(stateDir + "/.archive/snapshot")
			for _, e := range entries {
				if err := os.Rename(filepath.Join(w.path(stateDir), e.Name()), filepath.Join(to, e.Name())); err != nil {
					b.Fatal(err)
				}
			}
		},
		"cleanup": func(w *stateWorld) {
			out, err := w.p().Folder.DirCleanup(b.Context(), folder.CleanupRequest{Apply: true, StaleDays: ref(0)})
			if err != nil || out.Counts["moved"] < 10_000 {
				b.Fatal(out.Counts, err)
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				w := newStateWorld(b)
				largeFolder(b, w, 10_000)
				w.pass(24 * 365 * 100 * time.Hour)
				b.StartTimer()
				move(w)
			}
		})
	}
}
