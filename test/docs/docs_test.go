package docs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"baton/test/programs"
)

const root = "../.."

func TestCommandsInTheDocumentationWork(t *testing.T) {
	t.Parallel()
	bin := build(t)
	ran := 0
	for _, document := range markdownPages(t) {
		commands := consoleCommands(t, document)
		if len(commands) == 0 {
			continue
		}
		ran += len(commands)
		t.Run(filepath.Base(document), func(t *testing.T) {
			t.Parallel()
			play(t, bin, commands)
		})
	}
	if ran == 0 {
		t.Error("no document shows a command")
	}
}

// play runs the commands one after the other in a fresh repository and returns what each printed.
func play(t *testing.T, bin string, commands []string) (answers []string) {
	t.Helper()
	dir := t.TempDir()
	// With GIT_DIR set, as in a git hook, the commits would go to somebody else's repository.
	clean := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "GIT_") || strings.HasPrefix(entry, "BATON_")
	})
	env := append(clean, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+dir, "BATON_AS=reader",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=reader", "GIT_AUTHOR_EMAIL=reader@example.invalid",
		"GIT_COMMITTER_NAME=reader", "GIT_COMMITTER_EMAIL=reader@example.invalid")
	setUp := []string{"git init -q", "git commit -q --allow-empty -m start"}
	for i, command := range append(setUp, commands...) {
		line, expected := split(t, command)
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		code := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if code != expected {
			t.Fatalf("%s\nended with %d, not %d:\n%s", line, code, expected, out)
		}
		if i >= len(setUp) {
			answers = append(answers, string(out))
		}
	}
	return answers
}

// split separates the expected exit code from a command.
func split(t *testing.T, command string) (string, int) {
	line, note, found := strings.Cut(command, "# exit ")
	if !found {
		return command, 0
	}
	code, err := strconv.Atoi(strings.TrimSpace(note))
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return strings.TrimSpace(line), code
}

// consoleCommands returns the commands of all console blocks of a document. A block that follows a comment such as
// "<!-- file: PATH -->" becomes a command that writes the file.
func consoleCommands(t *testing.T, document string) []string {
	t.Helper()
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	inside, before, file := false, "", ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case file != "" && line == "```":
			commands, file = append(commands, file+"END"), ""
		case file != "":
			file += line + "\n"
		case strings.HasPrefix(line, "```") && strings.HasPrefix(before, "<!-- file: "):
			path := strings.TrimSuffix(strings.TrimPrefix(before, "<!-- file: "), " -->")
			file = "mkdir -p " + filepath.Dir(path) + " && cat > " + path + " <<'END'\n"
		case strings.HasPrefix(line, "```"):
			inside = line == "```console" && !strings.HasPrefix(before, "<!-- ")
		case inside && strings.HasPrefix(line, "$ "):
			commands = append(commands, line[2:])
		}
		before = line
	}
	return commands
}

// folder has the program while tests run.
var folder string

func TestMain(m *testing.M) {
	code := 1
	defer func() { os.Exit(code) }()
	dir, err := os.MkdirTemp("", "baton-docs-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer os.RemoveAll(dir)
	folder = dir
	code = m.Run()
}

// compile builds baton once for all tests of the package.
var compile = sync.OnceValue(func() error {
	_, err := programs.Make(folder, "baton")
	return err
})

// build returns the folder with the program, which is put first on the PATH.
func build(t *testing.T) string {
	t.Helper()
	if err := compile(); err != nil {
		t.Fatal(err)
	}
	return folder
}
