package filestore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"baton/internal/store"
	"baton/internal/store/filestore"
	"baton/internal/store/storetest"
)

func fill(b *testing.B, dir string) []string {
	b.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	names := make([]string, 10_000)
	for i := range names {
		names[i] = fmt.Sprintf("notes-of-agent-%05d.md", i)
		if err := os.WriteFile(filepath.Join(dir, names[i]), nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return names
}

// BenchmarkRelocate10000 sweeps 10,000 entries with their manifest. For comparison, it also
// measures the renames alone.
func BenchmarkRelocate10000(b *testing.B) {
	b.Run("store", func(b *testing.B) {
		root := b.TempDir()
		names := fill(b, filepath.Join(root, "a"))
		s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local", RecordOutcomes: storetest.RecordOutcomes})
		from, to := "a", "b"
		for n := 0; b.Loop(); n++ {
			_, err := s.Update(context.Background(), func(tx *store.Tx) error {
				manifest := fmt.Sprintf("m%d", n)
				tx.Create(manifest, make([]byte, 2<<20))
				tx.RecordOutcomes(manifest)
				return moveAll(tx, from, to)
			})
			if err != nil {
				b.Fatal(err)
			}
			from, to = to, from
		}
		if f, err := s.Scan(context.Background(), from); err != nil || len(f.Items) != len(names) {
			b.Fatalf("%d entries, %v", len(f.Items), err)
		}
	})
	b.Run("floor", func(b *testing.B) {
		root := b.TempDir()
		from, to := filepath.Join(root, "a"), filepath.Join(root, "b")
		names := fill(b, from)
		if err := os.Mkdir(to, 0o755); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			for _, name := range names {
				if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
					b.Fatal(err)
				}
			}
			from, to = to, from
		}
	})
}

func moveAll(tx *store.Tx, from, to string) error {
	f, err := tx.Scan(from)
	for _, i := range f.Items {
		tx.Relocate(store.Relocation{From: from, To: to, Name: i.Name, Seen: i})
	}
	return err
}

// BenchmarkScan10000 scans a folder of 10,000 files. For comparison, it also does that with package
// os.
func BenchmarkScan10000(b *testing.B) {
	root := b.TempDir()
	fill(b, filepath.Join(root, "a"))
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local"})
	b.Run("store", func(b *testing.B) {
		for b.Loop() {
			if f, err := s.Scan(context.Background(), "a"); err != nil || len(f.Items) != 10_000 {
				b.Fatalf("%d entries, %v", len(f.Items), err)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			entries, err := os.ReadDir(filepath.Join(root, "a"))
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
}
