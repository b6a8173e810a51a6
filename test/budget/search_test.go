//go:build budget

package budget

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestD31_Search checks that searching 2,000 files with 20 MB takes at most three times as long as reading them one
// after the other, and grows linearly with their number. The search also folds the case of every byte, on all
// processors; on a busy machine there is only one.
func TestD31_Search(t *testing.T) {
	b := build(t)
	search := func(files int) command {
		return command{dir: searchable(t, b, files), args: []string{b.baton, "search", `"rotate the refresh tokens"`, "--in", "tasks"}}
	}
	timed := func(run command) time.Duration {
		var times []time.Duration
		for range 2*rounds + 1 {
			times = append(times, run.once(t))
		}
		return median(times)
	}
	large := search(2000)
	empty, few, many := timed(search(1)), timed(search(200)), timed(large)
	t.Logf("search of 2,000 files, 20 MB: %.1f ms (goal 150), of 200: %.1f ms, of one: %.1f ms", ms(many), ms(few), ms(empty))
	linear(t, "search", empty, few, many)
	within(t, 3, large, command{dir: large.dir, args: []string{b.floor, filepath.Join(large.dir, ".baton", "tasks")}}, nil)
}

// searchable creates a project with tasks of 10 KB each. Every hundredth has the phrase, beginning with the first.
func searchable(t *testing.T, b built, files int) string {
	t.Helper()
	dir := t.TempDir()
	command{dir: dir, args: []string{b.baton, "init"}}.once(t)
	for i := range files {
		text := sample(i + 1)
		text += strings.Repeat("filler that nobody looks for — naïve, and long enough\n", max(0, (10<<10-len(text))/57))
		if i%100 == 0 {
			text += "Rotate the Refresh Tokens.\n"
		}
		name := filepath.Join(dir, ".baton", "tasks", fmt.Sprintf("task-%d-state.md", i+1))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
