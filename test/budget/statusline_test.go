//go:build budget

package budget

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestD31_StatusLine measures the line that an agent asks for after each of its messages. In a GSD project it takes at
// most 1.8 times as long as an empty program, even with a digest of ten thousand lines (D23).
func TestD31_StatusLine(t *testing.T) {
	b := build(t)
	for name, decisions := range map[string]int{"100 lines": 80, "10000 lines": 10_000} {
		t.Run(name, func(t *testing.T) {
			dir := gsdProject(t, decisions)
			input := agentInput(t, dir)
			line := command{dir: dir, args: []string{b.baton, "statusline"}, stdin: input}
			if got := printed(t, line); !strings.Contains(got, "v1.2 Tide Tables [████░░░░░░] 44% · executing · Gauge feed (3/5)") ||
				!strings.Contains(got, "8% (70k)") {
				t.Fatalf("line %q", got)
			}
			within(t, 1.8, line, command{dir: dir, args: []string{b.floor}, stdin: input}, nil)
		})
	}
}

// gsdProject creates a project with a GSD digest of so many decisions.
func gsdProject(t *testing.T, decisions int) string {
	t.Helper()
	head := "---\ngsd_state_version: 1.0\nmilestone: v1.2\nmilestone_name: Tide Tables\nstatus: executing\nprogress:\n  total_phases: 5\n" +
		"  completed_phases: 2\n  total_plans: 9\n  completed_plans: 6\n  percent: 44\n---\n\n# Project State\n\n## Current Position\n\n" +
		"Phase: 3 of 5 (Gauge feed)\nPlan: 2 of 3\nStatus: Executing Phase 3\n\n## Decisions\n\n"
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString(head)
	for i := range decisions {
		fmt.Fprintf(&text, "- [Phase %d]: number %d of the decisions that were taken on the way\n", i%5+1, i+1)
	}
	for file, text := range map[string]string{
		".planning/STATE.md": text.String(), ".planning/config.json": `{"mode": "yolo", "statusline": {"show_context_tokens": true}}`,
		".git/HEAD": "ref: refs/heads/main\n",
		// GSD's context monitor is installed, so its file is written at most once a second (D49).
		".baton/local/line.json": `{"next":null,"waiting":0,"bridge":true,"at":""}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// printed returns what a command prints.
func printed(t *testing.T, c command) string {
	t.Helper()
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Env = c.dir, strings.NewReader(c.stdin), []string{"HOME=" + c.dir, "BATON_AS=budget"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// agentInput is the input that an agent writes.
func agentInput(t *testing.T, dir string) string {
	t.Helper()
	type object = map[string]any
	data, err := json.Marshal(object{
		"session_id": "11111111-2222-4333-8444-555555555555", "transcript_path": "/home/dev/t.jsonl", "cwd": dir, "version": "2.1.328",
		"model": object{
			"id": "opus-5-5", "display_name": "Opus 5.5",
		}, "workspace": object{"current_dir": dir, "project_dir": dir, "added_dirs": []string{}},
		"cost": object{"total_cost_usd": 0.2044, "total_duration_ms": 9356, "total_lines_added": 0},
		"context_window": object{
			"context_window_size": 1_000_000, "used_percentage": 7, "remaining_percentage": 93, "total_input_tokens": 70_000,
			"current_usage": object{
				"input_tokens": 50_000, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 20_000,
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
