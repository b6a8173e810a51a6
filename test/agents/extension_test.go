//go:build agents && linux

package agents

import (
	"path/filepath"
	"strings"
	"testing"
)

// Gemini and Qwen install their extension in an empty home, without a terminal, and it does the same as `baton init`.
// If the project's settings have the hooks too, every event still counts once (agents.md 2.6).
func TestExtensionsWork(t *testing.T) {
	t.Parallel()
	for _, c := range []client{geminiCLI(), qwen()} {
		for how, both := range map[string]bool{"alone": false, "and settings of the project": true} {
			t.Run(c.name+" "+how, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, c, spied)
				market := filepath.Join(w.dir, "market")
				w.baton("plugin", "build", "--out", market)
				agents := ""
				if both {
					agents = c.name
				}
				archive := w.prepare(agents)
				before := w.content(".baton/archive/" + filepath.Base(archive))
				turns, denied := w.standard(archive)
				m := w.play(turns...)
				from := filepath.Join(market, "extensions", c.name)
				if c.name == "gemini" {
					w.ask("extensions", "validate", from)
				}
				verb := "install"
				if both && c.name == "gemini" { // without a terminal, Qwen's link takes no consent and installs nothing
					verb = "link"
				}
				w.ask("extensions", verb, from, "--consent")
				if r := w.agent(); r.code != 0 {
					t.Errorf("exit %d\n%s\n%s", r.code, tail(r.out), tail(r.err))
				}
				if n := len(m.mains()); n != len(turns) {
					t.Fatalf("the model was asked %d times, the script has %d turns", n, len(turns))
				}
				w.digestOnce()
				if text := w.hooks(starts...)[0].context(); !strings.Contains(text, "`task_log`") {
					t.Errorf("the session is not told about the extension's tools:\n%s", text)
				}
				w.denied(denied)
				w.heldOnce()
				if now := w.content(".baton/archive/" + filepath.Base(archive)); now != before {
					t.Errorf("the archive was changed:\n%s", now)
				}
				w.countedOnce()
				w.checked(denied + 2)
				w.sessions(1)
				w.quietHooks()
			})
		}
	}
}

// countedOnce checks that the digest was given once and a stop held once. Both clients run a handler once that an
// extension and the settings have in the same words; baton would count it once if they ran it twice.
func (w *world) countedOnce() {
	w.t.Helper()
	ran := w.hooks(starts...)
	if len(ran) != 1 {
		w.t.Errorf("%d hooks at the start", len(ran))
	}
	digests, held := 0, 0
	for _, h := range ran {
		if h.context() != "" {
			digests++
		}
	}
	for _, h := range w.hooks(stops...) {
		if h.reason() != "" {
			held++
		}
	}
	if digests != 1 || held != 1 {
		w.t.Errorf("the digest was given %d times, and a stop held %d times", digests, held)
	}
}
