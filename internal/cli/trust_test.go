package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
)

// F-83, D45: on a terminal, `baton trust` shows each setting and asks. Only a yes is a yes.
func TestF83_TrustAsksAtATerminal(t *testing.T) {
	t.Parallel()
	for answers, approved := range map[string]int{
		"y\nyes\n": 2, "n\ny\n": 1, "\n\n": 0, "": 0, "y": 1, "yeah\nYES\n": 1, "y\n": 1,
	} {
		t.Run(answers, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, "p", ".baton"), 0o755); err != nil {
				t.Fatal(err)
			}
			text := "paths:\n  allow: [\"/one\", \"/two\"]\n"
			if err := os.WriteFile(filepath.Join(dir, "p", ".baton", "config.yaml"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			s := setting{
				dir: filepath.Join(dir, "p"), stdin: answers, env: report.Env{Terminal: true, Prompt: true, Width: 80},
			}
			own := filepath.Join(dir, "own")
			s.vars = map[string]string{"NO_COLOR": "1", "XDG_CONFIG_HOME": own, "AppData": own}
			got := s.real(t, "trust")
			if got.code != 0 || strings.Count(got.out, "Approve this? [y/N]") != 2 || strings.Count(got.out, "allows:") < 2 {
				t.Errorf("%+v", got)
			}
			s.env = report.Env{}
			list := s.real(t, "trust", "--list")
			if n := strings.Count(list.out, "  approved"); n != approved {
				t.Errorf("%d of 2 are approved, want %d:\n%s", n, approved, list.out)
			}
			// Without a terminal on one of the two sides, it does not ask, and approves nothing.
			for _, env := range []report.Env{{Terminal: true}, {Prompt: true}, {}} {
				s.env = env
				if got := s.real(t, "trust"); approved < 2 && (got.code != 2 || strings.Contains(got.out, "[y/N]")) {
					t.Errorf("%+v: %+v", env, got)
				}
			}
		})
	}
}
