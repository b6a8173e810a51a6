//go:build originals

package originals

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestSFToolsAndBatonAtOnce lets both programs add decisions at the same time. They share the lock
// .specflow/.state.lock, so every decision is in exactly one of the two files, although rotations
// happen all the while.
func TestSFToolsAndBatonAtOnce(t *testing.T) {
	program := filepath.Join(checkout(t, "specflow"), "bin", "sf-tools.cjs")
	if !exists(program) {
		t.Skip("this release of SpecFlow has no sf-tools: let BATON_ORIGINALS name a checkout of 1.24 or newer")
	}
	t.Parallel()
	w := newWorld(t, "sf-tools at once", ".specflow", node(t), program)
	w.play("baton", "init", "--layout", "specflow")
	patterns := "## Project Patterns\n\n" + strings.Repeat("- A pattern of this project\n", 40)
	w.write("STATE.md", strings.Replace(w.read("STATE.md"), "## Project Patterns\n", patterns, 1))
	const each = 200
	failed := make(chan string, 2*each)
	write := func(of string, argv ...string) {
		for n := range each {
			args := append(append([]string{}, argv...), fmt.Sprintf("%s decision %d of %d", of, n, each))
			if got := w.run(args...); got.exit != 0 {
				failed <- fmt.Sprintf("%v ends with %d\n%s%s", args, got.exit, got.out, got.err)
			}
			if n%40 == 39 && of == "their" {
				w.run(append(append([]string{}, w.original...), "state", "rotate", "--keep", "4")...)
			}
		}
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		write("their", append(append([]string{}, w.original...), "state", "add-decision", "SPEC-001", "--summary")...)
	}()
	write("our", w.program, "decision", "add")
	<-done
	close(failed)
	for text := range failed {
		t.Error(text)
	}
	all := w.read("STATE.md") + w.read("DECISIONS_ARCHIVE.md")
	for _, of := range []string{"their", "our"} {
		for n := range each {
			if times := strings.Count(all, fmt.Sprintf("%s decision %d of", of, n)); times != 1 {
				t.Errorf("%s decision %d is there %d times", of, n, times)
			}
		}
	}
	if exists(w.path(".state.lock")) {
		t.Error("the lock is left")
	}
	if got := w.baton("lost"); !strings.HasPrefix(got.out, "Nothing is lost") {
		t.Error(got.out)
	}
}
