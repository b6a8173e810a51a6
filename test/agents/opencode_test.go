//go:build agents && linux

package agents

import (
	"os"
	"path/filepath"
	"testing"
)

// OpenCode has no hooks but a plugin, which cannot hold a stop (agents.md 3.5). Without a network it takes more than a
// minute to start, so this test runs only on request.
func TestOpenCodeWorksWithBaton(t *testing.T) {
	t.Parallel()
	if os.Getenv("BATON_AGENTS_SLOW") == "" {
		t.Skip("OpenCode takes a minute and a half: BATON_AGENTS_SLOW=1 runs it")
	}
	w := newWorld(t, opencode(), spied)
	archive := w.prepare("opencode")
	before := w.content(".baton/archive/" + filepath.Base(archive))
	turns, denied := w.standard(archive)
	m := w.play(turns[:len(turns)-1]...)
	if r := w.agent(); r.code != 0 {
		t.Errorf("exit %d\n%s\n%s", r.code, tail(r.out), tail(r.err))
	}
	if n := len(m.mains()); n != len(turns)-1 {
		t.Fatalf("the model was asked %d times, the script has %d turns", n, len(turns)-1)
	}
	w.digestOnce()
	w.denied(denied)
	if now := w.content(".baton/archive/" + filepath.Base(archive)); now != before {
		t.Errorf("the archive was changed:\n%s", now)
	}
	w.checked(denied + 2)
	w.sessions(1)
	w.quietHooks()
}
