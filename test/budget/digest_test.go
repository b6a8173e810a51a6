//go:build budget

package budget

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestD31_DecisionAdd checks that a decision on a digest of 100 lines costs two fsyncs, and apart from them at most the
// time of four empty programs. Keeping it as a version and in the ledger may take three tenths more (D37). The limits
// are raised so that no run rotates.
func TestD31_DecisionAdd(t *testing.T) {
	b := build(t)
	for _, layout := range []string{"specflow", "gsd", "baton"} {
		for _, net := range []struct {
			name, settings string
			limit          float64
		}{{"bare", "snapshots:\n  max_mb: 0\nledger:\n  keep: false\n", 4}, {"kept", "", 4 * 1.3}} {
			t.Run(layout+"/"+net.name, func(t *testing.T) {
				withinRepeated(t, net.limit, func() contest {
					dir := t.TempDir()
					fillDigest(t, b, dir, layout, net.settings)
					return contest{
						what: command{dir: dir, args: []string{b.baton, "decision", "add", "Keep the measured text short"}},
						base: command{dir: dir, args: []string{b.floor}},
						paid: &command{dir: dir, args: []string{b.floor, dir, "2"}},
					}
				})
			})
		}
	}
}

// fillDigest creates a project whose digest has 100 lines, with more settings.
func fillDigest(t *testing.T, b built, dir, layout string, settings ...string) {
	t.Helper()
	command{dir: dir, args: []string{b.baton, "init", "--layout", layout}}.once(t)
	folder := map[string]string{"specflow": ".specflow", "gsd": ".planning", "baton": ".baton"}[layout]
	name := filepath.Join(dir, folder, "STATE.md")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var more strings.Builder
	more.WriteString("\n## Notes\n\n")
	for i := strings.Count(string(data), "\n") + 3; i < 100; i++ {
		fmt.Fprintf(&more, "- note number %d of this project\n", i)
	}
	if err := os.WriteFile(name, append(data, more.String()...), 0o644); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, ".baton", "config.yaml")
	old, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, append(old, "state:\n  max_lines: 100000\n  max_bytes: 100000000\n"+
		strings.Join(settings, "")...), 0o644); err != nil {
		t.Fatal(err)
	}
}
