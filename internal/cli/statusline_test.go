package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
)

// lineProject creates a folder with a GSD digest.
func lineProject(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.MkdirAll(filepath.Join(dir, ".planning"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".planning"), "STATE.md", "---\nmilestone: v1.2\nstatus: executing\n---\nPhase: 3 of 5 (Gauge feed)\n")
	return dir
}

// TestStatusLineNeverFails checks that for any command line and input, there is one line and exit code 0.
func TestStatusLineNeverFails(t *testing.T) {
	t.Parallel()
	dir := lineProject(t)
	const colored = "\x1b[2mClaude\x1b[0m │ \x1b[2mv1.2 · executing · Gauge feed (3/5)\x1b[0m │ \x1b[2mshop\x1b[0m"
	const bare = "Claude │ v1.2 · executing · Gauge feed (3/5) │ shop"
	for _, c := range []struct{ line, stdin, want string }{
		{"statusline", "", colored},
		{"statusline", `{"model": `, ""}, // as GSD's line (N10)
		{"statusline", "{}", colored},
		{"statusline", strings.Repeat(" ", 1<<20+10) + "{}", colored},
		{"statusline", `{"model":{"display_name":"M"}}`, strings.Replace(colored, "Claude", "M", 1)},
		{"statusline --no-color", "", bare},
		{"statusline --plain", "", "Claude | v1.2 - executing - Gauge feed (3/5) | shop"},
		{"statusline --format compact --no-color", "", "Claude │ v1.2 · P3/5 · executing │ shop"},
		{"statusline --format=compact --no-color", "", "Claude │ v1.2 · P3/5 · executing │ shop"},
		{"statusline --format moon --no-color", "", bare},
		{"statusline --no-color --moon", "", bare},
		{"statusline --no-color moon", "", bare},
		{"statusline --no-color --format", "", bare},
		{"statusline --as x --layout gsd --tasks-dir y --no-color", "", bare},
		{"statusline --no-color -C ..", "", "Claude │ " + filepath.Base(filepath.Dir(dir))},
		{"statusline --no-color --dir=..", "", "Claude │ " + filepath.Base(filepath.Dir(dir))},
		{"-C . statusline --no-color", "", bare},
		{"-C . statusline --no-color --moon", "", bare},
		{"-C . statusline --no-color moon", "", bare},
		{"-C . statusline --no-color --format", "", bare},
		{"--no-color statusline --format compact", "", "Claude │ v1.2 · P3/5 · executing │ shop"},
	} {
		got := setting{dir: dir, stdin: c.stdin}.play(t, canned{}, strings.Fields(c.line)...)
		if got.code != 0 || got.out != c.want || got.errors != "" {
			t.Errorf("%s: exit code %d, %q, want %q; said %q", c.line, got.code, got.out, c.want, got.errors)
		}
	}
}

func TestStatusLineAsData(t *testing.T) {
	t.Parallel()
	dir := lineProject(t)
	for _, flags := range []string{"--format json", "--json"} {
		got := setting{
			dir: dir, stdin: `{"model":"M","context_window":{"remaining_percentage":60}}`,
		}.play(t, canned{}, strings.Fields("statusline "+flags)...)
		var view struct {
			Line    string
			State   struct{ Scene int }
			Context struct {
				Shown int `json:"shown_percentage"`
			}
		}
		if err := json.Unmarshal([]byte(got.out), &view); err != nil || got.code != 0 {
			t.Fatalf("%s: %v\n%+v", flags, err, got)
		}
		if view.Line != "M | v1.2 - executing - Gauge feed (3/5) | shop ####------ 48%" || view.State.Scene != 4 ||
			view.Context.Shown != 48 {
			t.Errorf("%s: %+v", flags, view)
		}
	}
}

// unreadable fails the test if it is read.
type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("standard input was read")
	return 0, io.EOF
}

// refusing is a stream that cannot be written to.
type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errors.New("gone") }

// TestStatusLineAtATerminal checks that it does not wait for input, and that the line has a line end.
func TestStatusLineAtATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	env := report.Env{
		Args: []string{"statusline", "--plain"}, Stdin: unreadable{t}, Stdout: &out, Stderr: &out,
		Getenv: func(string) string { return "" }, Dir: lineProject(t), Prompt: true, Terminal: true,
	}
	if code := Main(t.Context(), env, Doors{}); code != 0 || out.String() != "Claude | v1.2 - executing - Gauge feed (3/5) | shop\n" {
		t.Errorf("exit code %d, %q", code, out.String())
	}
	env.Stdout, env.Terminal = refusing{}, false
	if code := Main(t.Context(), env, Doors{}); code != 0 {
		t.Errorf("exit code %d when nobody takes the line", code)
	}
}

func TestHelpOfTheStatusLineNamesItsFlags(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"statusline --help", "statusline -h", "help statusline"} {
		got := play(t, canned{}, strings.Fields(line)...)
		if got.code != 0 || !strings.Contains(got.out, "--format FORM") || !strings.Contains(got.out, "--plain") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}
