//go:build budget

package budget

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// rounds is the number of runs whose median counts; each clean-up needs a full folder.
const rounds = 3

// TestD31_DirAudit checks that the time of an audit is linear in the entries of the folder, and prints the time of the
// whole process for 10,000 entries. It also prints the lower bound: an empty program, and one lstat of every name.
func TestD31_DirAudit(t *testing.T) {
	b := build(t)
	audit := func(entries int) time.Duration {
		dir := fillFolder(t, b, entries)
		run := command{dir: dir, args: []string{b.baton, "dir", "audit", "--json"}}
		var times []time.Duration
		for range rounds {
			times = append(times, run.once(t))
		}
		return median(times)
	}
	empty, few, many := audit(0), audit(1000), audit(10000)
	t.Logf("audit of 10,000 entries: %.1f ms (goal 80), of 1,000: %.1f ms, of none: %.1f ms", ms(many), ms(few), ms(empty))
	t.Logf("floor: an empty program %.1f ms, names and sizes of 10,000 entries %.1f ms", ms(
		command{dir: t.TempDir(), args: []string{b.floor}}.once(t),
	), ms(lookAtAll(t, fillFolder(t, b, 10000))))
	linear(t, "audit", empty, few, many)
}

// TestD31_DirCleanup does the same for moving the entries into a snapshot.
func TestD31_DirCleanup(t *testing.T) {
	b := build(t)
	cleanup := func(entries int) time.Duration {
		var times []time.Duration
		for range rounds {
			dir := fillFolder(t, b, entries)
			times = append(times, command{dir: dir, args: []string{b.baton, "dir", "cleanup", "--apply", "--json"}}.once(t))
		}
		return median(times)
	}
	empty, few, many := cleanup(0), cleanup(1000), cleanup(10000)
	t.Logf("cleanup of 10,000 entries: %.1f ms (goal 500), of 1,000: %.1f ms, of none: %.1f ms", ms(many), ms(few), ms(empty))
	t.Logf("floor: renaming 10,000 entries %.1f ms", ms(renameAll(t, fillFolder(t, b, 10000))))
	linear(t, "cleanup", empty, few, many)
}

// linear checks that ten times the entries take at most twenty times as long. Linear would be ten; the rest allows for
// other load on the machine. Quadratic would be a hundred.
func linear(t *testing.T, what string, empty, few, many time.Duration) {
	t.Helper()
	own := max(few-empty, time.Millisecond)
	if ratio := float64(many-empty) / float64(own); ratio > 20 {
		t.Errorf("%s of 10,000 entries costs %.1f times that of 1,000", what, ratio)
	}
}

// fillFolder creates a project whose folder has so many entries that a cleanup moves.
func fillFolder(t *testing.T, b built, entries int) string {
	t.Helper()
	dir := t.TempDir()
	command{dir: dir, args: []string{b.baton, "init", "--layout", "devt"}}.once(t)
	folder := stateFolder(dir)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for n := range entries {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("note-%05d.txt", n)), []byte("x\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func stateFolder(dir string) string { return filepath.Join(dir, ".devt", "state") }

func lookAtAll(t *testing.T, dir string) time.Duration {
	t.Helper()
	start := time.Now()
	entries, err := os.ReadDir(stateFolder(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if _, err := entry.Info(); err != nil {
			t.Fatal(err)
		}
	}
	return time.Since(start)
}

func renameAll(t *testing.T, dir string) time.Duration {
	t.Helper()
	folder := stateFolder(dir)
	start := time.Now()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(folder, ".archive")
	if err := os.Mkdir(to, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := os.Rename(filepath.Join(folder, entry.Name()), filepath.Join(to, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return time.Since(start)
}
