//go:build unix

package project

import (
	"os"
	"testing"
)

// TestStatusLineReadsRegularFilesOnly checks that the line does not wait for pipes in the place of files, and follows
// links.
func TestStatusLineReadsRegularFilesOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("p/.git")
	w.pipe("p/.planning/STATE.md")
	w.pipe("p/.planning/config.json")
	w.pipe("p/.baton/config.yaml")
	w.pipe("p/.baton/STATE.md")
	w.pipe("p/.baton/local/active.json")
	w.pipe("p/.git/HEAD")
	w.mkdir("p/.baton/tasks")
	w.pipe("p/.baton/local/lost.json")
	w.wantLine("p", "M │ p")
	w.write("t/.baton/local/lost.json", `{"head":"","lost":7,"fates":{}}`)
	w.mkdir("t/.baton/tasks")
	w.wantLine("t", "M │ lost 7 │ t")
	w.mkdir("t/.git")
	w.pipe("t/.git/HEAD")
	w.wantLine("t", "M │ t")
	w.write("elsewhere/STATE.md", lineDigest)
	w.mkdir("q/.git")
	w.link("../../elsewhere/STATE.md", "q/.planning/STATE.md")
	w.wantLine("q", "M │ v1.2 · executing · Gauge feed (3/5) │ q")
	w.mkdir("r/.git")
	w.link("nowhere", "r/.planning/STATE.md")
	w.wantLine("r", "M │ r")
	w.link("q", "s")
	w.wantLine("s", "M │ v1.2 · executing · Gauge feed (3/5) │ s")
}

// TestD23_SensorThatCannotBeWritten checks that the line is still printed.
func TestD23_SensorThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("p/.git")
	w.write("p/.planning/STATE.md", lineDigest)
	w.write("p/.baton/config.yaml", "statusline: {sensor: true}\n")
	out := t.TempDir()
	w.link(out, "p/.baton/local")
	const usage = `,"session_id":"s","context_window":{"remaining_percentage":60}`
	want := "M │ v1.2 · executing · Gauge feed (3/5) │ p ████░░░░░░ 48%"
	if got := w.line("p", usage).Line; got != want {
		t.Error(got)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) > 0 {
		t.Errorf("written outside the project: %v %v", entries, err)
	}
	if err := os.Remove(w.path("p/.baton/local")); err != nil {
		t.Fatal(err)
	}
	w.write("p/.baton/local", "a file in its place")
	if got := w.line("p", usage).Line; got != want {
		t.Error(got)
	}
}
