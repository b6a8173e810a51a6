//go:build agents && linux

package agents

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Claude Code itself finds the plugin valid, installs it from its marketplace, and it does the same as `baton init`
// (agents.md 5 and 12.3).
func TestClaudeTakesThePlugin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, claude(), spied)
	market := filepath.Join(w.dir, "market")
	w.baton("plugin", "build", "--out", market)
	archive := w.prepare("")
	c := w.client
	c.mcp = func(tool string, args map[string]any) call {
		return call{name: "mcp__plugin_baton_baton__" + tool, input: args}
	}
	w.client = c
	turns, denied := w.standard(archive)
	w.play(turns...)

	var verdict map[string]any
	out := w.ask("plugin", "validate", filepath.Join(market, "plugins", "baton"), "--json", "--strict", "--profile", "directory")
	if json.Unmarshal([]byte(out), &verdict) != nil {
		t.Errorf("validate says %s", out)
	}
	w.ask("plugin", "marketplace", "add", market)
	w.ask("plugin", "install", "baton@baton-market")
	if list := w.ask("plugin", "list", "--json"); !strings.Contains(list, "baton@baton-market") {
		t.Errorf("installed: %s", list)
	}
	args := w.client.args(w, "do the thing")
	for i, arg := range args {
		if arg == "mcp__baton__*" {
			args[i] = "mcp__plugin_baton_baton__*"
		}
	}
	if r := w.agentWith(args); r.code != 0 {
		t.Errorf("exit %d\n%s\n%s", r.code, tail(r.out), tail(r.err))
	}
	w.digestOnce()
	w.denied(denied)
	w.checked(denied + 2)
	w.heldOnce()
	w.sessions(1)
	w.quietHooks()
}

// Codex and Copilot accept the same marketplace.
func TestOthersTakeThePlugin(t *testing.T) {
	t.Parallel()
	for _, c := range []client{codex(), copilot()} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c, spied)
			market := filepath.Join(w.dir, "market")
			w.baton("plugin", "build", "--out", market)
			w.play()
			w.ask("plugin", "marketplace", "add", market)
			verb := map[string]string{"codex": "add", "copilot": "install"}[c.name]
			w.ask("plugin", verb, "baton@baton-market")
			if list := w.ask("plugin", "list"); !strings.Contains(list, "baton") {
				t.Errorf("installed: %s", list)
			}
		})
	}
}

// ask runs a command of the client that needs no model.
func (w *world) ask(args ...string) string {
	w.t.Helper()
	cmd := w.command(append(w.argv, args...)...)
	cmd.Env = w.environ(w.client.environ(w)...)
	r := w.run(cmd, time.Minute)
	if r.code != 0 {
		w.t.Fatalf("%s %s: exit %d\n%s%s", w.client.name, strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r.out
}
