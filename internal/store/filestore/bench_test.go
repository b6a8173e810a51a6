package filestore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/store"
	"baton/internal/store/filestore"
)

func benchStore(b *testing.B) (*filestore.Store, string) {
	b.Helper()
	root := b.TempDir()
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local"})
	_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("tasks/1.md", []byte("x")); return nil })
	if err != nil {
		b.Fatal(err)
	}
	return s, root
}

// BenchmarkReplace replaces one file of 75 KB. For comparison, it also measures two fsyncs and a
// rename alone.
func BenchmarkReplace(b *testing.B) {
	data := []byte(strings.Repeat("0123456789", 7500))
	b.Run("store", func(b *testing.B) {
		s, _ := benchStore(b)
		for n := 0; b.Loop(); n++ {
			data[0] = byte('a' + n%26)
			_, err := s.Update(context.Background(), func(tx *store.Tx) error {
				if _, err := tx.Read("tasks/1.md"); err != nil {
					return err
				}
				tx.Write("tasks/1.md", data)
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		dir := b.TempDir()
		for b.Loop() {
			f, err := os.Create(filepath.Join(dir, "t"))
			if err != nil {
				b.Fatal(err)
			}
			_, _ = f.Write(data)
			_ = f.Sync()
			_ = f.Close()
			_ = os.Rename(filepath.Join(dir, "t"), filepath.Join(dir, "f"))
			d, _ := os.Open(dir)
			_ = d.Sync()
			_ = d.Close()
		}
	})
}

// BenchmarkAppend measures what archiving a session costs: one file replaced, and one appended to.
func BenchmarkAppend(b *testing.B) {
	s, _ := benchStore(b)
	for n := 0; b.Loop(); n++ {
		_, err := s.Update(context.Background(), func(tx *store.Tx) error {
			tx.Write("tasks/1.md", fmt.Appendf(nil, "%d", n))
			tx.Append("archive/1.md", []byte("an entry\n"))
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBeginnings lists 1,000 files of 10 KB and reads the first 4 KB of each. For comparison,
// it also does that with package os.
func BenchmarkBeginnings(b *testing.B) {
	s, root := benchStore(b)
	text := []byte(strings.Repeat("0123456789", 1000))
	for n := range 1000 {
		if err := os.WriteFile(filepath.Join(root, "tasks", fmt.Sprintf("t%d.md", n)), text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("store", func(b *testing.B) {
		for b.Loop() {
			entries, err := s.List(context.Background(), "tasks")
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range entries {
				if _, err := s.Head(context.Background(), "tasks/"+e.Name, 4096); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		buf := make([]byte, 4096)
		for b.Loop() {
			entries, err := os.ReadDir(filepath.Join(root, "tasks"))
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range entries {
				f, err := os.Open(filepath.Join(root, "tasks", e.Name()))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = f.Stat()
				_, _ = f.Read(buf)
				_ = f.Close()
			}
		}
	})
}
