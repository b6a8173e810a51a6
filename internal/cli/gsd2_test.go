package cli

import (
	"os"
	"path/filepath"
	"testing"

	"baton/internal/project"
)

// GSD-2: a text that comes by file or standard input is the text that stands in the command line, without the line ends
// at its end; a file that cannot be had is refused before anything is asked of the project.
func TestGSD2_TextsFromFilesAndStandardInput(t *testing.T) {
	t.Parallel()
	const text = "cost $5 | $& `x` \\ \"q\""
	dir := t.TempDir()
	write(t, dir, "note.txt", text+"\r\n\n")
	if err := os.Mkdir(filepath.Join(dir, "elsewhere"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "elsewhere/note.txt", text)
	if err := os.Symlink(filepath.Join(dir, "missing.txt"), filepath.Join(dir, "loose.txt")); err != nil {
		t.Logf("no links here: %v", err)
	}
	for _, arg := range []string{text, "-", "@note.txt", "@elsewhere/note.txt", "@" + filepath.Join(dir, "note.txt")} {
		for verb, want := range map[string]any{
			"decision": project.DecisionRequest{Text: text}, "blocker": project.BlockerRequest{Text: text},
		} {
			f := &fake{}
			got := (setting{dir: dir, stdin: text + "\n"}).play(t, f, verb, "add", arg)
			if got.code != 0 || f.request != want {
				t.Errorf("%s add %s: exit %d, %#v\n%s", verb, arg, got.code, f.request, got.errors)
			}
		}
	}
	for _, arg := range []string{"@missing.txt", "@loose.txt", "@elsewhere"} {
		f := &fake{}
		if got := (setting{dir: dir}).play(t, f, "decision", "add", arg); got.code != 2 || f.request != nil {
			t.Errorf("%s: exit %d, %v", arg, got.code, f.request)
		}
	}
}
