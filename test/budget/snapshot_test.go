//go:build budget

package budget

import (
	"os"
	"path/filepath"
	"testing"
)

// TestD37_SafetyNet checks that versions and ledger together make adding a decision and logging a session at most 30 %
// slower than without them and the log. Other tests check that they need no fsync (history:
// TestD37_TheLedgerCostsNoFsync and similar ones).
func TestD37_SafetyNet(t *testing.T) {
	b := build(t)
	for name, c := range map[string]struct {
		fill func(t *testing.T, dir string)
		args []string
		more func() func() []string
	}{
		"decision add": {
			func(t *testing.T, dir string) { fillDigest(t, b, dir, "gsd") },
			[]string{b.baton, "decision", "add", "Keep the measured text short"},
			func() func() []string { return nil },
		},
		"task log": {
			func(t *testing.T, dir string) { fillTasks(t, b, dir, 10) },
			[]string{b.baton, "task", "log", "--did", "one more step"},
			func() func() []string { return inTurn(10) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			withinRepeated(t, 1.3, func() contest {
				with, without := t.TempDir(), t.TempDir()
				c.fill(t, with)
				c.fill(t, without)
				withoutNet(t, without)
				return contest{
					what: command{dir: with, args: c.args, more: c.more()}, base: command{dir: without, args: c.args, more: c.more()},
				}
			})
		})
	}
}

// withoutNet turns off versions and ledger. The log cannot be turned off, so a file in its folder's place prevents
// writing it.
func withoutNet(t *testing.T, dir string) {
	t.Helper()
	config, err := os.OpenFile(filepath.Join(dir, ".baton", "config.yaml"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := config.WriteString("snapshots:\n  max_mb: 0\nledger:\n  keep: false\n"); err != nil {
		t.Fatal(err)
	}
	if err := config.Close(); err != nil {
		t.Fatal(err)
	}
	local := filepath.Join(dir, ".baton", "local")
	if err := os.MkdirAll(local, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(local, "log")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(local, "log"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
}
