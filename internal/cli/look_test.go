package cli

import (
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/tasks"
)

// TestOriginalBytesReachAPipe checks that archived sessions are printed byte for byte, unless standard output is a
// terminal (5.14.3).
func TestOriginalBytesReachAPipe(t *testing.T) {
	t.Parallel()
	text := "### Session 1\r\n\x1b[31mred\tline\n"
	f := canned{answer: tasks.ArchiveResult{Text: text}}
	if got := play(t, f, "task", "archive", "101", "--show", "1"); got.out != text {
		t.Errorf("pipe: %q", got.out)
	}
	terminal := setting{env: report.Env{Terminal: true}}
	if got := terminal.play(t, f, "task", "archive", "101", "--show", "1"); got.out != "### Session 1\n␛[31mred\tline\n" {
		t.Errorf("terminal: %q", got.out)
	}
}
