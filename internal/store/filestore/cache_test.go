package filestore_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store/filestore"

	"github.com/google/go-cmp/cmp"
)

// TestSweepCaches: what a killed process left is removed after a minute, and what a living one is
// writing stays.
func TestSweepCaches(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	s := filestore.Open(filestore.Options{
		Root: realTemp(t), Runtime: ".baton/local", Command: "test",
		Env: report.Env{Now: func() time.Time { return now }, Rand: rand.Reader},
	})
	if err := s.WriteCache("sessions/a.json", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(s.Runtime(), "sessions")
	ages := map[string]time.Duration{
		".a.json.0123456789ab.tmp": 2 * time.Minute,
		".b.json.0123456789ab.tmp": 2 * time.Minute,
		".a.json.ab0123456789.tmp": time.Second,
		".notes.tmp":               time.Hour, // not one of ours
	}
	for name, age := range ages {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	sweep := func(base string, want ...string) {
		t.Helper()
		if err := s.SweepCaches("sessions", base); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for _, e := range entries {
			left = append(left, e.Name())
		}
		if diff := cmp.Diff(want, left); diff != "" {
			t.Error(diff)
		}
	}
	sweep("a.json", ".a.json.ab0123456789.tmp", ".b.json.0123456789ab.tmp", ".notes.tmp", "a.json")
	sweep("", ".a.json.ab0123456789.tmp", ".notes.tmp", "a.json")
	if err := s.SweepCaches("absent", ""); err != nil {
		t.Error(err)
	}
}
