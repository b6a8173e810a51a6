package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// GSD-2: a text from a file or standard input is the same as one in the command line, without the line ends at its end.
// A file that cannot be read is refused before the project is opened.
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
	s := setting{dir: dir, stdin: text + "\n"}
	for _, arg := range []string{text, "-", "@note.txt", "@elsewhere/note.txt", "@" + filepath.Join(dir, "note.txt")} {
		for _, verb := range []string{"decision", "blocker"} {
			digest := filepath.Join(dir, ".planning", "STATE.md")
			if err := os.MkdirAll(filepath.Dir(digest), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(digest, []byte("# Project State\n\n## Decisions\n\n## Blockers\n\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			if got := s.real(t, verb, "add", arg); got.code != 0 {
				t.Errorf("%s add %s: %+v", verb, arg, got)
			}
			data, err := os.ReadFile(digest)
			if err != nil || strings.Count(string(data), text+"\n") != 1 {
				t.Errorf("%s add %s: %v\n%s", verb, arg, err, data)
			}
		}
	}
	for _, arg := range []string{"@missing.txt", "@loose.txt", "@elsewhere"} {
		if got := s.play(t, canned{}, "decision", "add", arg); got.code != 2 {
			t.Errorf("%s: %+v", arg, got)
		}
	}
}
