//go:build agents && linux

package agents

import (
	"path/filepath"
	"strings"
	"testing"
)

// A project may be set up by somebody who has baton, and opened by somebody who has not, or whose baton is broken. The
// agent must then work as if there were no hooks (agents.md 12.6, items 6 and 7).
func TestAgentsWorkWithoutBaton(t *testing.T) {
	t.Parallel()
	for _, c := range []client{claude(), codex(), copilot(), geminiCLI(), qwen()} {
		for kind, baton := range map[string]string{"missing": none, "panics": broken} {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, c, baton)
				if baton == none && (exists("/usr/bin/baton") || exists("/bin/baton")) {
					t.Skip("this system has a baton among its own programs")
				}
				archive := w.prepare(c.name)
				turns := []turn{{text: "A shell call.", calls: []call{c.shell("echo hello")}}}
				if c.read != nil {
					turns = append(turns, turn{calls: []call{*c.read(archive)}})
				}
				write := c.write(archive, "rewritten\n")
				if c.name == "copilot" { // its create makes new files only
					write = c.write(filepath.Join(filepath.Dir(archive), "other.md"), "rewritten\n")
					archive = filepath.Join(filepath.Dir(archive), "other.md")
				}
				turns = append(turns, turn{calls: []call{write}}, turn{text: "All finished."})
				m := w.play(turns...)
				r := w.agent()
				if r.code != 0 {
					t.Errorf("exit %d\n%s\n%s", r.code, tail(r.out), tail(r.err))
				}
				mains := m.mains()
				if len(mains) != len(turns) {
					t.Fatalf("the model was asked %d times, the script has %d turns", len(mains), len(turns))
				}
				for _, s := range m.said(mains[0].body) {
					if strings.Contains(s.text, nextStep) {
						t.Errorf("something told the model of the task: %.200s", s.text)
					}
				}
				if result := w.lastResult(1); !strings.Contains(result, "hello") {
					t.Errorf("the shell answered %q", result)
				}
				if name := strings.TrimPrefix(archive, w.project); !strings.Contains(w.content(name), "rewritten") {
					t.Errorf("the write was refused: %q", w.lastResult(len(mains)-1))
				}
			})
		}
	}
}

// Copilot also reads the hooks of Claude Code's settings (agents.md 12.6, item 11).
func TestCopilotNextToClaudeFires(t *testing.T) {
	t.Parallel()
	w := newWorld(t, copilot(), spied)
	archive := w.prepare("claude,copilot")
	turns, denied := w.standard(archive)
	w.play(turns...)
	if r := w.agent(); r.code != 0 {
		t.Errorf("exit %d\n%s\n%s", r.code, tail(r.out), tail(r.err))
	}
	w.digestOnce()
	w.denied(denied)
	w.heldOnce()
	w.sessions(1)
	w.quietHooks()
}

// baton's limit is below the size at which clients cut texts: a text of that size arrives complete (agents.md 12.6,
// item 8).
func TestTheLargestDigestArrivesWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []client{claude(), codex(), copilot(), geminiCLI(), qwen()} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c, spied)
			w.prepare(c.name)
			digest := strings.Repeat("The parser is faster by a little, and that is known. ", 200)[:8000-4] + "END."
			w.file(filepath.Join(w.dir, "digest"), digest)
			m := w.play(turn{text: "All finished."})
			w.agent()
			if len(m.mains()) == 0 {
				t.Fatal("the model was asked nothing")
			}
			w.landed(m.mains()[0], digest)
		})
	}
}
