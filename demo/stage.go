package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// stage is the project in which the demo runs. The first unexpected result ends the demo: err keeps
// it, and every later step does nothing.
type stage struct {
	program string // the baton executable
	dir     string // the project
	home    string // the home directory of the calls, "" for the user's own
	holder  string // who works: BATON_AS of the calls
	out     io.Writer
	live    bool     // a person is watching: use colours, and leave time to read
	sizes   []string // files with their sizes, for the last lines
	client  *client  // the agent's process that runs baton; nil runs it from the demo
	columns int      // width of lines, 0 for no limit
	err     error
}

// pause is how long a command stays on the screen if a person is watching.
const pause = 250 * time.Millisecond

// say prints one line of the story.
func (s *stage) say(format string, args ...any) {
	if s.err == nil {
		fmt.Fprintf(s.out, format+"\n", args...)
	}
}

// act prints a heading.
func (s *stage) act(title string) {
	s.say("\n%s", s.bold("── "+title+" "+strings.Repeat("─", max(3, 76-len([]rune(title))))))
}

// command prints a command as you would type it, wrapped if it is long.
func (s *stage) command(args []string) {
	line := "$ baton"
	for _, word := range words(args) {
		if len([]rune(line))+len([]rune(word)) > cmp.Or(s.columns, 96)-2 {
			s.say("%s", s.bold(line+" \\"))
			line = "     "
		}
		line += " " + word
	}
	s.say("%s", s.bold(line))
	if s.live && s.err == nil {
		time.Sleep(pause)
	}
}

// bold highlights a line if a person is watching.
func (s *stage) bold(line string) string {
	if !s.live {
		return line
	}
	return "\x1b[1m" + line + "\x1b[0m"
}

// fail ends the demo.
func (s *stage) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// write writes a file of the project.
func (s *stage) write(name, text string) {
	if s.err != nil {
		return
	}
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.fail("%w", err)
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		s.fail("%w", err)
	}
}

// commit records everything outside baton's own files.
func (s *stage) commit(message string) {
	s.git("add", "-A")
	s.git("commit", "-q", "-m", message)
}

func (s *stage) git(args ...string) string {
	if s.err != nil {
		return ""
	}
	identity := []string{
		"-c", "user.name=baton demo", "-c", "user.email=demo@example.invalid", "-c", "commit.gpgsign=false", "-c",
		"init.defaultBranch=main",
	}
	cmd := exec.Command("git", append(identity, args...)...)
	cmd.Dir = s.dir
	cmd.Env = s.environ()
	text, err := cmd.CombinedOutput()
	if err != nil {
		s.fail("git %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return strings.TrimSpace(string(text))
}

// show runs a baton command and prints it with its answer, indented.
func (s *stage) show(args ...string) string {
	s.command(args)
	out, code, complaint := s.run(args, "")
	if code != 0 {
		s.fail("baton %s ended with %d: %s", quoted(args), code, complaint)
	}
	s.indent(out)
	return out
}

// quiet runs a command and prints only the command.
func (s *stage) quiet(args ...string) {
	s.command(args)
	if _, code, complaint := s.run(args, ""); code != 0 {
		s.fail("baton %s ended with %d: %s", quoted(args), code, complaint)
	}
}

// refused runs a command that must end with the given exit code, and prints its answer.
func (s *stage) refused(want int, args ...string) {
	s.command(args)
	_, code, complaint := s.run(args, "")
	if code != want {
		s.fail("baton %s ended with %d, not %d: %s", quoted(args), code, want, complaint)
	}
	s.indent(complaint)
	s.say("  (exit %d)", code)
}

// ask runs a command with --json, silently, and decodes its answer.
func (s *stage) ask(into any, args ...string) {
	s.askWith("", into, args...)
}

// askWith is ask with standard input.
func (s *stage) askWith(stdin string, into any, args ...string) {
	out, code, complaint := s.run(append(args, "--json"), stdin)
	if code != 0 {
		s.fail("baton %s ended with %d: %s", quoted(args), code, complaint)
	}
	if s.err == nil {
		if err := json.Unmarshal([]byte(out), into); err != nil {
			s.fail("baton %s --json: %w", quoted(args), err)
		}
	}
}

// run returns standard output, exit code and standard error.
func (s *stage) run(args []string, stdin string) (string, int, string) {
	if s.err != nil {
		return "", 0, ""
	}
	o := order{Program: s.program, Args: args, Stdin: stdin, Dir: s.dir, Env: s.environ()}
	if s.live && s.columns == 0 && !slices.Contains(args, "--json") {
		o.Env = append(o.Env, "FORCE_COLOR=1")
	}
	var r result
	var err error
	if s.client != nil {
		r, err = s.client.run(o)
	} else {
		r = execute(o)
	}
	if err == nil && r.Failure != "" {
		err = errors.New(r.Failure)
	}
	if err != nil {
		s.fail("baton %s: %w", quoted(args), err)
	}
	return r.Out, r.Code, r.Complaint
}

// environ returns the environment for a call of baton. The agents of the demo are like `claude -p`,
// which nobody answers.
func (s *stage) environ() []string {
	env := append(clean(os.Environ()), "BATON_AS="+s.holder, "BATON_ROOT=", "BATON_TASKS_DIR=", "COLUMNS=96",
		"CLAUDE_CODE_ENTRYPOINT=sdk-cli",
		"PATH="+filepath.Dir(s.program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if s.home != "" {
		env = append(env, "HOME="+s.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	}
	return env
}

// clean removes git's own variables from an environment. With GIT_DIR set, as in a git hook, the
// demo would run in another repository.
func clean(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		return strings.HasPrefix(entry, "GIT_") || strings.HasPrefix(entry, "BATON_")
	})
}

func (s *stage) indent(text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		for _, part := range hang(strings.TrimRight(line, "\n"), s.columns-2) {
			s.say("  %s", part)
		}
	}
}

// quoted returns a command line as one string, for messages.
func quoted(args []string) string { return strings.Join(words(args), " ") }

// words returns arguments as a shell would take them.
func words(args []string) []string {
	words := make([]string, len(args))
	for i, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \"'$|&;()<>\n#*?`") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words[i] = arg
	}
	return words
}
