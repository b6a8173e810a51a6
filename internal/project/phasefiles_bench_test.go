package project

import (
	"context"
	"os"
	"testing"

	"baton/internal/usecase/digests"
)

// BenchmarkStateSync1000 compares a digest with 1,000 phases of four plans each, without differences (D31: goal 150
// ms).
func BenchmarkStateSync1000(b *testing.B) {
	w := newWorld(b)
	phased(w, 1000)
	w.write(".planning/STATE.md", digestText)
	if _, err := w.as("agent-1").Digests.StateSync(context.Background(), digests.StateSyncRequest{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		got, err := w.as("agent-1").Digests.StateSync(context.Background(), digests.StateSyncRequest{})
		if err != nil || len(got.Changed) > 0 || got.Facts.TotalPlans != 3996 {
			b.Fatal(got, err)
		}
	}
}

// BenchmarkPlainPhaseReads is the lower bound of BenchmarkStateSync1000: it lists the same folders and opens the same
// files.
func BenchmarkPlainPhaseReads(b *testing.B) {
	w := newWorld(b)
	phased(w, 1000)
	buf := make([]byte, digests.FirstLook)
	for b.Loop() {
		dirs, err := os.ReadDir(w.path(".planning/phases"))
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range dirs {
			dir := w.path(".planning/phases/" + d.Name())
			entries, err := os.ReadDir(dir)
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range entries {
				if len(e.Name()) > len("01-SUMMARY.md") && e.Name()[len(e.Name())-10:] == "SUMMARY.md" {
					continue
				}
				f, err := os.Open(dir + "/" + e.Name())
				if err != nil {
					b.Fatal(err)
				}
				_, _ = f.Read(buf)
				_ = f.Close()
			}
		}
	}
}
