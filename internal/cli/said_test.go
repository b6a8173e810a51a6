package cli

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/workspace"
)

// TestALineIsNamedOnce checks that messages about files have the line after the file's name, and only there.
func TestALineIsNamedOnce(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		f    report.Finding
		want string
	}{
		{
			"configuration",
			report.Finding{Code: "config_invalid", Path: "c.yaml", Line: 3, Text: "c.yaml:3: the YAML is broken"},
			"c.yaml:3: the YAML is broken; baton ignores the whole file, and writes nothing until that is fixed",
		},
		{
			"a value of the wrong type",
			report.Finding{Code: "config_type", Path: "c.yaml", Line: 3, Text: `c.yaml:3: "a" must be a number`},
			`c.yaml:3: "a" must be a number; baton uses the default, and writes nothing until that is fixed`,
		},
		{
			"an unknown key",
			report.Finding{Code: "config_key", Path: "c.yaml", Line: 3, Text: "c.yaml:3: there is no setting a, so it is ignored"},
			"c.yaml:3: there is no setting a, so it is ignored",
		},
		{
			"merge conflict",
			report.Finding{Path: "tasks/task-2.md", Line: 53, Text: "task-2.md cannot be changed: line 53 begins a merge conflict"},
			"task-2.md cannot be changed: line 53 begins a merge conflict",
		},
		{"place unknown to the sentence", report.Finding{
			Path: "tasks/task-2.md", Line: 53, Text: "it is large",
		}, "it is large (tasks/task-2.md:53)"},
		{"other line", report.Finding{Path: "t.md", Line: 5, Text: "task.md: line 53 is odd"}, "task.md: line 53 is odd (t.md:5)"},
	}
	for _, c := range cases {
		if got := app.RemarkText(c.f); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	f := canned{err: &report.Error{
		Kind: report.Corrupt, Path: "t.md", Line: 53, Message: "t.md: line 53 begins a merge conflict", Hint: "settle it",
	}}
	if got := play(t, f, "task", "show", "1"); got.errors != "baton: t.md: line 53 begins a merge conflict\nhint: settle it\n" {
		t.Errorf("error: %q", got.errors)
	}
	f.err = &report.Error{Kind: report.Corrupt, Code: "config_invalid", Line: 1, Message: "c.yaml:1: broken", Hint: "correct it"}
	if got := play(t, f, "task", "log", "1", "--did", "x"); got.errors !=
		"baton: c.yaml:1: broken; baton writes nothing until that is fixed\nhint: correct it\n" {
		t.Errorf("error: %q", got.errors)
	}
}

func TestSettingsFitEightyColumns(t *testing.T) {
	t.Parallel()
	p := &app.Page{}
	pageConfig(p, workspace.ConfigList{Settings: []workspace.Setting{
		{Key: "tasks.notice_sessions", Value: 32768, Default: 32768, Doc: strings.Repeat("some words ", 20)},
	}})
	for line := range strings.SplitSeq(string(p.Bytes()), "\n") {
		if !strings.Contains(line, "No configuration file") && len(line) > app.HelpColumns {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// No word of a setting's meaning is cut off, whatever the width of the terminal.
func TestSettingsKeepEveryWordInAnyTerminal(t *testing.T) {
	t.Parallel()
	list := workspace.ConfigList{Path: "x", Settings: []workspace.Setting{
		{Key: "statusline.show_context_tokens", Value: false, Default: false, Doc: strings.Repeat("some words ", 20) + "end"},
		{Key: "state.max_bytes", Value: 32768, Default: 32768, Doc: "maximum number of bytes of a digest"},
	}}
	for _, width := range [...]int{0, 40, 60, 72, 80, 120, 200} {
		p := &app.Page{Width: width}
		pageConfig(p, list)
		text := string(p.Bytes())
		if words := strings.Count(text, "some"); words != 20 || strings.Count(text, "words") != 20 || !strings.Contains(text, "end") ||
			strings.Contains(text, "…") {
			t.Errorf("%d columns: %d of 20 words are there:\n%s", width, words, text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if most := max(width, 52); width > 0 && displaywidth.String(line) > most {
				t.Errorf("a line has more than %d columns: %s", most, line)
			}
		}
	}
}
