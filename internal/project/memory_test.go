package project

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/find"
	"baton/internal/workspace"
)

// remember runs one command of the memory tool.
func (w *world) remember(r find.MemoryRequest) (string, error) {
	w.t.Helper()
	got, err := w.as("a").Find.Memory(context.Background(), r)
	return got.Text, err
}

func wantMemory(t *testing.T, got string, err error, want string) {
	t.Helper()
	if err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func wantMemoryError(t *testing.T, err error, want string) {
	t.Helper()
	if e := report.As(err); err == nil || e.Code != "memory_error" || e.Kind != report.Violation || e.Message != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// The exact wording of agents.md 11.
func TestMemoryAnswersInTheToolsWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	got, err := w.remember(find.MemoryRequest{Command: "view", Path: "/memories"})
	wantMemory(
		t, got, err,
		"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n0\t/memories",
	)
	got, err = w.remember(find.MemoryRequest{Command: "create", Path: "/memories/notes/a.md", FileText: "one\ntwo\nthree\n"})
	wantMemory(t, got, err, "File created successfully at: /memories/notes/a.md")
	_, err = w.remember(find.MemoryRequest{Command: "create", Path: "/memories/notes/a.md", FileText: "x"})
	wantMemoryError(t, err, "Error: File /memories/notes/a.md already exists")
	got, err = w.remember(find.MemoryRequest{Command: "view", Path: "/memories/notes/a.md", ViewRange: []int{2, -1}})
	wantMemory(t, got, err, "Here's the content of /memories/notes/a.md with line numbers:\n     2\ttwo\n     3\tthree")
	_, err = w.remember(find.MemoryRequest{Command: "view", Path: "/memories/none"})
	wantMemoryError(t, err, "The path /memories/none does not exist. Please provide a valid path.")

	got, err = w.remember(find.MemoryRequest{Command: "str_replace", Path: "/memories/notes/a.md", OldStr: "two", NewStr: "2"})
	wantMemory(t, got, err, "The memory file has been edited.\n     1\tone\n     2\t2\n     3\tthree")
	_, err = w.remember(find.MemoryRequest{Command: "str_replace", Path: "/memories/notes/a.md", OldStr: "four"})
	wantMemoryError(t, err, "No replacement was performed, old_str `four` did not appear verbatim in /memories/notes/a.md.")
	_, err = w.remember(find.MemoryRequest{Command: "str_replace", Path: "/memories/notes/a.md", OldStr: "e", NewStr: "E"})
	wantMemoryError(t, err, "No replacement was performed. Multiple occurrences of old_str `e` in lines: 1, 3. Please ensure it is unique")
	for _, path := range []string{"/memories/none", "/memories/notes", "/memories"} { // for an edit, a folder does not exist
		_, err = w.remember(find.MemoryRequest{Command: "str_replace", Path: path, OldStr: "x"})
		wantMemoryError(t, err, "Error: The path "+path+" does not exist. Please provide a valid path.")
		_, err = w.remember(find.MemoryRequest{Command: "insert", Path: path, InsertText: "x"})
		wantMemoryError(t, err, "Error: The path "+path+" does not exist")
	}
	got, err = w.remember(find.MemoryRequest{Command: "insert", Path: "/memories/notes/a.md", InsertLine: 3, InsertText: "four"})
	wantMemory(t, got, err, "The file /memories/notes/a.md has been edited.")
	_, err = w.remember(find.MemoryRequest{Command: "insert", Path: "/memories/notes/a.md", InsertLine: 5, InsertText: "x"})
	wantMemoryError(t, err, "Error: Invalid `insert_line` parameter: 5. It should be within the range of lines of the file: [0, 4]")
	if text := w.read(".baton/memory/notes/a.md"); text != "one\n2\nthree\nfour\n" {
		t.Errorf("the file reads %q", text)
	}

	got, err = w.remember(find.MemoryRequest{Command: "rename", OldPath: "/memories/notes/a.md", NewPath: "/memories/b.md"})
	wantMemory(t, got, err, "Successfully renamed /memories/notes/a.md to /memories/b.md")
	_, err = w.remember(find.MemoryRequest{Command: "rename", OldPath: "/memories/none", NewPath: "/memories/c"})
	wantMemoryError(t, err, "Error: The path /memories/none does not exist")
	_, err = w.remember(find.MemoryRequest{Command: "rename", OldPath: "/memories/b.md", NewPath: "/memories/notes"})
	wantMemoryError(t, err, "Error: The destination /memories/notes already exists")
	got, err = w.remember(find.MemoryRequest{Command: "view", Path: "/memories"})
	wantMemory(
		t, got, err,
		"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n"+
			"17\t/memories\n17\t/memories/b.md\n0\t/memories/notes",
	)

	got, err = w.remember(find.MemoryRequest{Command: "delete", Path: "/memories/b.md"})
	wantMemory(t, got, err, "Successfully deleted /memories/b.md")
	_, err = w.remember(find.MemoryRequest{Command: "delete", Path: "/memories/b.md"})
	wantMemoryError(t, err, "Error: The path /memories/b.md does not exist")
	kept, _ := filepath.Glob(w.path(".baton/archive/memory/*/b.md"))
	if len(kept) != 1 {
		t.Errorf("what was deleted is not in the archive: %v", kept)
	}
	for _, command := range []string{"delete", "rename"} {
		if _, err := w.remember(
			find.MemoryRequest{Command: command, Path: "/memories", OldPath: "/memories", NewPath: "/memories/x"},
		); report.CodeOf(err) != "memory_error" {
			t.Errorf("%s of the root: %v", command, err)
		}
	}
}

// A folder is listed two levels deep, with readable sizes and without hidden files, and is deleted as a whole
// (agents.md 11).
func TestMemoryFolders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	for name, size := range map[string]int{"a/b/c.md": 7, "a/long.md": 1536, "a/z.md": 20 <<
		10, ".hidden/x": 5, "node_modules/x": 5, "a/.keep": 5} {
		w.write(".baton/memory/"+name, strings.Repeat("x", size))
	}
	got, err := w.remember(find.MemoryRequest{Command: "view", Path: "/memories"})
	wantMemory(
		t, got, err, "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n"+
			"22K\t/memories\n22K\t/memories/a\n7\t/memories/a/b\n1.5K\t/memories/a/long.md\n20K\t/memories/a/z.md",
	)
	got, err = w.remember(find.MemoryRequest{Command: "delete", Path: "/memories/a"})
	wantMemory(t, got, err, "Successfully deleted /memories/a")
	if kept, _ := filepath.Glob(w.path(".baton/archive/memory/*/a/b/c.md")); len(kept) != 1 || workspace.Exists(w.path(".baton/memory/a")) {
		t.Errorf("kept: %v", kept)
	}
	w.write(".baton/memory/many", strings.Repeat("\n", 1_000_000))
	_, err = w.remember(find.MemoryRequest{Command: "view", Path: "/memories/many"})
	wantMemoryError(t, err, "File /memories/many exceeds maximum line limit of 999,999 lines.")
	_, err = w.remember(find.MemoryRequest{Command: "rename", OldPath: "/memories/many", NewPath: "/memories"})
	if report.CodeOf(err) != "memory_error" {
		t.Errorf("renamed to the root: %v", err)
	}
}

func TestMemoryPathsStayInside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	w.write("secret.txt", "not for models\n")
	w.mkdir(".baton/memory")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "x"), []byte("out\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"out": outside, "file": filepath.Join(outside, "x"), "up": "../.."} {
		if err := os.Symlink(target, w.path(".baton/memory/"+link)); err != nil {
			t.Skip("no links here")
		}
	}
	for _, path := range []string{
		"", "/", "/memoriesx/a", "memories/a", "/memories/../secret.txt", "/memories/a/../../x", "/memories/%2e%2e/x", "/memories/..%2fx",
		"/memories/a\\b", "/memories/a\x00b", "/memories/a//b", "/memories/./a", "/memories/.hidden", "/memories/a:b", "/memories/a\nb",
		"/memories/out/x", "/memories/file", "/memories/up/secret.txt", "/memories/%252e%252e/x", "/memories/" + strings.Repeat("a", 300),
	} {
		for _, command := range []string{"view", "create", "str_replace", "insert", "delete", "rename"} {
			r := find.MemoryRequest{
				Command: command, Path: path, OldPath: path, NewPath: "/memories/new", FileText: "x", OldStr: "o", InsertText: "x",
			}
			if got, err := w.remember(r); err == nil {
				t.Errorf("%s %q was answered: %q", command, path, got)
			}
		}
		if _, err := w.remember(find.MemoryRequest{Command: "rename", OldPath: "/memories/out", NewPath: path}); err == nil {
			t.Errorf("rename to %q was answered", path)
		}
	}
	if names, _ := filepath.Glob(w.path(".baton/memory/*")); len(names) != 3 || w.read("secret.txt") != "not for models\n" {
		t.Errorf("something changed: %v", names)
	}
	if data, err := os.ReadFile(filepath.Join(outside, "x")); err != nil || string(data) != "out\n" {
		t.Errorf("the file outside reads %q, %v", data, err)
	}
}

func TestMemoryKeepsNoSecretsAndHasCaps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	for name, text := range map[string]string{
		"key": "-----BEGIN RSA PRIVATE KEY-----\nabc\n", "token": "use ghp_" +
			strings.Repeat("a1", 18), "large": strings.Repeat("x", 1<<20+1), "nul": "a\x00b",
	} {
		if _, err := w.remember(find.MemoryRequest{Command: "create", Path: "/memories/" + name, FileText: text}); err == nil {
			t.Errorf("%s was kept", name)
		}
	}
	if _, err := w.remember(
		find.MemoryRequest{Command: "create", Path: "/memories/long", FileText: strings.Repeat("a line of text\n", 3000)},
	); err != nil {
		t.Fatal(err)
	}
	got, err := w.remember(find.MemoryRequest{Command: "view", Path: "/memories/long"})
	if err != nil || len(got) > 17000 || !strings.Contains(got, "are left out; view them with view_range [") {
		t.Errorf("a long view has %d characters, %v", len(got), err)
	}
	if _, err := w.remember(find.MemoryRequest{Command: "burn", Path: "/memories/long"}); report.KindOf(err) != report.Usage {
		t.Errorf("an unknown command: %v", err)
	}
}

// Several sessions create the same file at once: one succeeds, the others are told that it exists.
func TestMemoryCreatesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	var group sync.WaitGroup
	done := make([]error, 8)
	for i := range done {
		p := w.as("a")
		group.Go(func() {
			_, done[i] = p.Find.Memory(context.Background(), find.MemoryRequest{Command: "create", Path: "/memories/a", FileText: "x\n"})
		})
	}
	group.Wait()
	made := 0
	for _, err := range done {
		if err == nil {
			made++
		} else if report.CodeOf(err) != "memory_error" {
			t.Error(err)
		}
	}
	if made != 1 {
		t.Errorf("%d calls created the file", made)
	}
}
