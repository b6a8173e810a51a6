//go:build agents && linux

package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A person at Qwen Code: the status line is on the terminal, with the task of the session and the use of the context,
// and the settings of the person stay as they are around it (agents.md 6.2).
func TestQwenInATerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, qwen(), spied)
	w.prepare("qwen")
	w.play(turn{text: "First answer.", input: 50000})
	settings, sent := filepath.Join(w.home, ".qwen", "settings.json"), filepath.Join(w.dir, "line.json")
	mine := "cat > " + sent + "; echo a line of mine; echo and another"
	before := strings.Replace(quietSettings("openai"), "{", `{"model": {"generationConfig": {"contextWindowSize": 200000}}, `+
		`"ui": {"statusLine": {"type": "command", "command": "`+mine+`"}}, `, 1)
	w.file(settings, before)
	w.baton("init", "--agent", "qwen", "--statusline")
	if out := w.baton("init", "--agent", "qwen", "--check"); !strings.Contains(out, "status line") {
		t.Errorf("the check does not know the status line:\n%s", out)
	}
	w.git("add", "-A")

	term := w.open(append(w.argv, "--approval-mode", "yolo")...)
	term.await("the status line", func(screen string) bool {
		return strings.Contains(screen, "#1 "+title) && strings.Contains(screen, "Type your message")
	})
	term.enter("do the thing")
	screen := term.await("the first answer, and how full the context is", func(screen string) bool {
		return strings.Contains(screen, "First answer.") && strings.Contains(screen, "25%")
	})
	if !strings.Contains(screen, "a line of mine") || strings.Contains(screen, "and another") {
		t.Error("the line from before is not shown, or takes the place of baton's")
	}
	w.sensor(true)
	term.close()

	w.baton("init", "--agent", "qwen", "--remove")
	after, err := os.ReadFile(settings)
	w.must(err)
	if strings.Contains(string(after), "baton") || !strings.Contains(string(after), "echo a line of mine") { // Qwen itself edits the file
		t.Errorf("the settings after the removal:\n%s\nbefore:\n%s", after, before)
	}
	w.quietHooks()
}
