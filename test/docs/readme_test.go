package docs

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// section returns the text of a page below an H2.
func section(t *testing.T, page, title string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "\n## "+title+"\n")
	if !found {
		t.Fatalf("there is no section %q", title)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// blocks returns the code blocks of a text that have no info string.
func blocks(text string) []string {
	var out []string
	for i, part := range strings.Split(text, "```") {
		if i%2 == 1 && strings.HasPrefix(part, "\n") {
			out = append(out, strings.TrimSpace(part))
		}
	}
	return out
}

// Install says what to do about PATH, and its completion line writes nothing if baton is missing.
func TestF87_InstallWorksIfTheFolderIsNotOnPath(t *testing.T) {
	t.Parallel()
	bin := build(t)
	text := section(t, readText(t, filepath.Join(root, "README.md")), "Install")
	lines := blocks(text)
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "make install") || !strings.Contains(lines[1], "PATH=") {
		t.Fatalf("Install has the blocks %q, not make install, PATH and completion", lines)
	}
	home := t.TempDir()
	programs := filepath.Join(home, ".local", "bin")
	if err := os.MkdirAll(programs, 0o777); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(filepath.Join(bin, "baton"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(programs, "baton"), program, 0o777); err != nil {
		t.Fatal(err)
	}
	completion := filepath.Join(home, ".local", "share", "bash-completion", "completions", "baton")
	run := func(script string) error {
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
		return cmd.Run()
	}
	var exit *exec.ExitError
	if err := run(lines[2]); !errors.As(err, &exit) {
		t.Errorf("without baton on PATH the completion line ends with %v, not with a failure", err)
	}
	if _, err := os.Stat(filepath.Dir(completion)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without baton on PATH the completion line left something: %v", err)
	}
	if err := run(lines[1] + "\n" + lines[2]); err != nil {
		t.Errorf("with the PATH of the README: %v", err)
	}
	if data, err := os.ReadFile(completion); err != nil || len(data) < 1000 {
		t.Errorf("the completion has %d bytes: %v", len(data), err)
	}
}

// fiveMinutes returns the commands of "Five minutes" that call baton, and all commands.
func fiveMinutes(t *testing.T) (baton, all []string) {
	t.Helper()
	for line := range strings.Lines(section(t, readText(t, filepath.Join(root, "README.md")), "Five minutes")) {
		if command, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "$ "); ok {
			all = append(all, command)
			if strings.HasPrefix(command, "baton ") {
				baton = append(baton, command)
			}
		}
	}
	return baton, all
}

// "Five minutes" has ten commands, in the order of the work.
func TestF94b_FiveMinutesAreTenCommands(t *testing.T) {
	t.Parallel()
	commands, _ := fiveMinutes(t)
	want := []string{
		"init --agent", "task new", "task ready", "session start", "task check", "task log", "task complete", "task show", "status", "lost",
	}
	if len(commands) != len(want) {
		t.Fatalf("%d commands, not %d: %q", len(commands), len(want), commands)
	}
	for i, command := range commands {
		if !strings.HasPrefix(command, "baton "+want[i]) {
			t.Errorf("command %d is %q, not baton %s", i+1, command, want[i])
		}
	}
	if !strings.Contains(commands[4], "--run") {
		t.Errorf("the check runs nothing: %q", commands)
	}
}

// No answer in "Five minutes" tells the reader to start a task that is already complete.
func TestF94c_NoAnswerRestartsAFinishedTask(t *testing.T) {
	t.Parallel()
	_, all := fiveMinutes(t)
	answers := play(t, build(t), all)
	done := slices.IndexFunc(all, func(command string) bool { return strings.Contains(command, "task complete") })
	if done < 0 || len(answers) != len(all) {
		t.Fatalf("%d answers, task complete is command %d", len(answers), done+1)
	}
	for i, answer := range answers[done:] {
		if strings.Contains(answer, "session start 1") {
			t.Errorf("%s\nsends the reader back to the task that is complete:\n%s", all[done+i], answer)
		}
	}
}
