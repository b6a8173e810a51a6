//go:build budget

package budget

import (
	"os"
	"path/filepath"
	"testing"
)

// TestD37_KeepingVersions: what a write keeps of what it replaces costs at most 30 % of a decision added, against the same
// project with keeping switched off.
func TestD37_KeepingVersions(t *testing.T) {
	b := build(t)
	with, without := t.TempDir(), t.TempDir()
	for dir, most := range map[string]string{with: "64", without: "0"} {
		fillDigest(t, b, dir, "gsd")
		config := filepath.Join(dir, ".baton", "config.yaml")
		old, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(config, append(old, "snapshots:\n  max_mb: "+most+"\n"...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	add := []string{b.baton, "decision", "add", "Keep the measured text short"}
	within(t, 1.3, command{dir: with, args: add}, command{dir: without, args: add}, nil)
}
