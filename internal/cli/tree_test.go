package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// leaves returns every command that does something, including help.
func leaves(d *app.App) []*cobra.Command {
	root := tree(d)
	root.InitDefaultHelpCmd()
	var all []*cobra.Command
	app.EachCommand(root, func(cmd *cobra.Command) {
		if !cmd.HasSubCommands() {
			all = append(all, cmd)
		}
	})
	return all
}

func TestEveryCommandExplainsItself(t *testing.T) {
	t.Parallel()
	for _, cmd := range leaves(&app.App{}) {
		name := cmd.CommandPath()
		text := app.Help(cmd)
		if other := cmd.Annotations[app.AliasKey]; other != "" { // one line that names the other command
			if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "baton help "+other+"\n") {
				t.Errorf("help of %s: %s", name, text)
			}
			continue
		}
		status := "\nExit codes: 0, 1, 2, "
		switch cmd.Name() {
		case "statusline": // an agent shows no line if the program fails
			status = "\nExit codes: 0, even if a flag or word is wrong; 130 if interrupted\n"
		case "hook": // and understands a failure of a hook in its own way
			status = "\nExit codes: 0; with --agent kiro, 42 if baton refuses a tool call\n"
		}
		for _, want := range []string{"\nUsage:\n  " + name, "\nExamples:\n  baton ", status} {
			if !strings.Contains(text, want) {
				t.Errorf("help of %s lacks %q", name, want)
			}
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || cmd.Long == "" {
			t.Errorf("%s: short text %q, long text %q", name, cmd.Short, cmd.Long)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if displaywidth.String(line) > app.HelpColumns {
				t.Errorf("help of %s has a line of %d characters: %s", name, len(line), line)
			}
		}
	}
}

func TestNoFlagIsThereTwice(t *testing.T) {
	t.Parallel()
	for _, cmd := range leaves(&app.App{}) {
		seen := map[string]bool{}
		visit := func(flag *pflag.Flag) {
			if seen[flag.Name] || flag.Shorthand != "" && seen["-"+flag.Shorthand] {
				t.Errorf("%s has --%s twice", cmd.CommandPath(), flag.Name)
			}
			seen[flag.Name] = true
			if flag.Shorthand != "" {
				seen["-"+flag.Shorthand] = true
			}
		}
		cmd.LocalNonPersistentFlags().VisitAll(visit)
		cmd.InheritedFlags().VisitAll(visit)
		if !seen["json"] || !seen["dir"] || !seen["as"] {
			t.Errorf("%s lacks the flags of every command: %v", cmd.CommandPath(), seen)
		}
	}
}

// TestExamplesParse runs every example on a project whose use cases all succeed, to check flags and operands.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "tasks.json", `{"title":"A"}`)
	write(t, dir, "entry.md", "Did something\n")
	write(t, dir, "task-101-state.md", "# Task #101: T\n")
	write(t, dir, "notes.md", "# Task #7: T\n")
	write(t, dir, "todo.md", "- [ ] A\n")
	write(t, dir, "issues.jsonl", `{"id": "bd-a1", "title": "A", "issue_type": "task"}`)
	if err := os.MkdirAll(filepath.Join(dir, "backlog", "tasks"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "backlog/tasks/task-1.md", "---\nid: TASK-1\ntitle: A\n---\n")
	write(t, dir, "output.md", "What others need\n")
	for _, side := range []string{"base.md", "ours.md", "theirs.md"} {
		write(t, dir, side, "# Project State\n")
	}
	for _, cmd := range leaves(&app.App{}) {
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			words := shellWords(t, line)
			if words[0] != "baton" {
				t.Errorf("%s: example %q does not call baton", cmd.CommandPath(), line)
				continue
			}
			if cmd.Name() == "selftest" || cmd.Name() == "mcp" { // they start processes, so only their flags are parsed
				if err := cmd.ParseFlags(words[2:]); err != nil {
					t.Errorf("%s: %v", line, err)
				}
				continue
			}
			got := setting{dir: dir, stdin: "text"}.play(t, canned{}, words[1:]...)
			if got.code != 0 {
				t.Errorf("%s: exit code %d: %s", line, got.code, got.errors)
			}
			if !strings.HasPrefix(line, cmd.CommandPath()) {
				t.Errorf("%s: example of another command: %s", cmd.CommandPath(), line)
			}
		}
	}
}

// shellWords splits a line as a shell does, with the blanks and double quotes that examples use.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	var words []string
	word, quoted, open := "", false, false
	for _, r := range line {
		switch {
		case r == '"':
			quoted, open = !quoted, true
		case r == ' ' && !quoted:
			if open || word != "" {
				words = append(words, word)
			}
			word, open = "", false
		default:
			word += string(r)
		}
	}
	if quoted {
		t.Fatalf("open quote in %q", line)
	}
	if open || word != "" {
		words = append(words, word)
	}
	return words
}

// TestCommandMapIsComplete checks that the constant and the tree have the same commands.
func TestCommandMapIsComplete(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, cmd := range leaves(&app.App{}) {
		known[cmd.CommandPath()] = true
		if cmd.Annotations[app.AliasKey] != "" {
			continue // the other command is there
		}
		inGroup := false // a line may name all commands of a group
		for group := cmd.Parent(); group.HasParent(); group = group.Parent() {
			inGroup = inGroup || strings.Contains(allHelp, "  "+group.CommandPath()+" COMMAND ")
			known[group.CommandPath()+" COMMAND"] = true
		}
		if !inGroup && !strings.Contains(allHelp, "  "+cmd.CommandPath()+" ") {
			t.Errorf("baton help --all lacks %s", cmd.CommandPath())
		}
	}
	for line := range strings.SplitSeq(allHelp, "\n") {
		if !strings.HasPrefix(line, "  baton ") {
			continue
		}
		words := strings.Fields(line)
		if !known[words[0]+" "+words[1]] && !known[words[0]+" "+words[1]+" "+words[2]] {
			t.Errorf("baton help --all names what does not exist: %s", line)
		}
	}
}

// TestPartsOfTheTree checks that a command line that begins with a command's name gets that command as in the whole
// tree.
func TestPartsOfTheTree(t *testing.T) {
	t.Parallel()
	whole := tree((&app.App{}))
	for _, want := range whole.Commands() {
		part := tree((&app.App{Env: report.Env{Args: []string{want.Name(), "x"}}}))
		got, _, err := part.Find([]string{want.Name()})
		if err != nil || got.Name() != want.Name() || len(got.Commands()) != len(want.Commands()) {
			t.Errorf("%s: %v, %v", want.Name(), got, err)
		}
		if n := len(part.Commands()); n != 1 && want.Name() != "completion" {
			t.Errorf("%s: %d commands were built", want.Name(), n)
		}
	}
	for _, args := range [][]string{nil, {"help"}, {"completion"}, {"__complete", "st"}, {"-C", "state"}, {"nonsense"}} {
		if got := tree((&app.App{Env: report.Env{Args: args}})); len(got.Commands()) != len(whole.Commands()) {
			t.Errorf("%v: %d commands of %d", args, len(got.Commands()), len(whole.Commands()))
		}
	}
}

func TestF90_TopLevelHelpFitsAScreenAndNamesWhatPeopleType(t *testing.T) {
	t.Parallel()
	for _, page := range []string{topHelp, allHelp} {
		for line := range strings.SplitSeq(page, "\n") {
			if displaywidth.String(line) > app.HelpColumns {
				t.Errorf("%d columns: %s", displaywidth.String(line), line)
			}
		}
	}
	if n := strings.Count(topHelp, "\n"); n > 60 {
		t.Errorf("%d lines", n)
	}
	for _, name := range []string{"hook", "merge driver", "plugin build", "selftest"} {
		if strings.Contains(topHelp, "baton "+name) {
			t.Errorf("baton help lists %s", name)
		}
		if !strings.Contains(allHelp, "\n  baton "+name+" ") {
			t.Errorf("baton help --all lacks %s", name)
		}
	}
	root := tree(&app.App{})
	for line := range strings.SplitSeq(topHelp, "\n") {
		if !strings.HasPrefix(line, "  baton ") || strings.HasPrefix(line, "  baton help ") {
			continue
		}
		words := strings.Fields(line)
		found, rest, err := root.Find(words[1:3])
		if err != nil || found == root || found.HasSubCommands() && rest[0] != "COMMAND" {
			t.Errorf("baton help lists what does not exist: %s", line)
		}
	}
}

// TestF90_BatonAloneShowsTheStatus checks that it prints the status in a project, the help elsewhere, and does not
// fail.
func TestF90_BatonAloneShowsTheStatus(t *testing.T) {
	t.Parallel()
	elsewhere := setting{dir: t.TempDir()}
	if got := elsewhere.real(t); got != (outcome{0, topHelp, ""}) {
		t.Errorf("outside a project: %+v", got)
	}
	inside := setting{dir: taskSite(t)}
	for _, flags := range [][]string{nil, {"--json"}, {"-C", inside.dir}} {
		want, got := inside.real(t, append([]string{"status"}, flags...)...), inside.real(t, flags...)
		if got != want || got.code != 0 {
			t.Errorf("in a project, %v:\n%+v\nwant\n%+v", flags, got, want)
		}
	}
}

func TestF90_HelpOfAllCommands(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"help", "--all"}, {"--help", "--all"}, {"--all", "--help"}, {"-C", ".", "help", "--all"}} {
		if got := play(t, canned{}, args...); got != (outcome{0, allHelp, ""}) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// TestD31_HelpAndVersionNeedNoTree checks that both are answered from the arguments alone.
func TestD31_HelpAndVersionNeedNoTree(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"help"}, {"help", "--all"}, {"--help"}, {"-h"}, {"version"}, {"--version"}, {"version", "--json"}} {
		var out strings.Builder
		d := &app.App{Env: report.Env{Args: args, Stdout: &out}}
		done, err := quick(d)
		if !done || err != nil || out.Len() == 0 {
			t.Errorf("%v: done %v, error %v, output %q", args, done, err, out.String())
		}
	}
}

func TestHelpIsTheSameWhateverWayOneAsks(t *testing.T) {
	t.Parallel()
	want := play(t, canned{}, "task", "log", "--help")
	for _, args := range [][]string{{"help", "task", "log"}, {"task", "log", "-h"}, {"task", "log", "101", "--help"}} {
		if got := play(t, canned{}, args...); got != want {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if want.code != 0 || want.errors != "" {
		t.Errorf("help: %+v", want)
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		got := play(t, canned{}, "completion", shell)
		if got.code != 0 || !strings.Contains(got.out, "baton") || len(got.out) < 500 {
			t.Errorf("%s: exit code %d, %d bytes", shell, got.code, len(got.out))
		}
	}
}
