package app

import (
	"bytes"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/safetext"
)

func TestF94d_WhenThereIsColour(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		terminal bool
		flag     bool
		vars     string
		want     bool
	}{
		{"terminal", true, false, "", true},
		{"pipe", false, false, "", false},
		{"flag", true, true, "FORCE_COLOR=1", false},
		{"never", true, false, "COLOR=never FORCE_COLOR=1", false},
		{"always", false, false, "COLOR=always NO_COLOR=1", true},
		{"auto", true, false, "COLOR=auto NO_COLOR=1", false},
		{"auto, nothing said", true, false, "COLOR=auto", true},
		{"never wins over always", true, true, "COLOR=always", false},
		{"NO_COLOR", true, false, "NO_COLOR=1", false},
		{"NO_COLOR wins", true, false, "NO_COLOR=1 FORCE_COLOR=1", false},
		{"FORCE_COLOR", false, false, "FORCE_COLOR=1", true},
		{"FORCE_COLOR=0", false, false, "FORCE_COLOR=0", false},
		{"CLICOLOR_FORCE", false, false, "CLICOLOR_FORCE=1", true},
		{"dumb terminal", true, false, "TERM=dumb", false},
		{"forced on a dumb terminal", true, false, "TERM=dumb FORCE_COLOR=1", true},
	}
	for _, c := range cases {
		vars := map[string]string{}
		for pair := range strings.FieldsSeq(c.vars) {
			name, value, _ := strings.Cut(pair, "=")
			vars[name] = value
		}
		env := report.Env{Terminal: c.terminal, Getenv: func(name string) string { return vars[name] }}
		d := &App{NoColor: c.flag, Color: ColorMode(vars["COLOR"]), Env: env}
		if got := d.color(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestWidth(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		terminal bool
		columns  string
		size     int
		want     int
	}{
		{"terminal", true, "", 90, 90},
		{"told otherwise", true, "70", 90, 70},
		{"nonsense", true, "wide", 90, 90},
		{"unknown", true, "", 0, 0},
		{"pipe", false, "70", 90, 0},
	}
	for _, c := range cases {
		d := &App{Env: report.Env{Terminal: c.terminal, Width: c.size, Getenv: func(string) string { return c.columns }}}
		if got := d.width(); got != c.want {
			t.Errorf("%s: %d", c.name, got)
		}
	}
}

func TestVerbatimIsNotWrapped(t *testing.T) {
	t.Parallel()
	p := Page{Width: 10}
	p.Verbatim("  ", "\na line to copy: x  \n- b\n")
	if got, want := string(p.Bytes()), "  a line to copy: x\n  - b\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		room int
		want []string
	}{
		{"as it is", 0, []string{"as it is"}},
		{"fits", 10, []string{"fits"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"unbreakable-word x", 5, []string{"unbreakable-word", "x"}},
		{"端点 端点 端点", 9, []string{"端点 端点", "端点"}},
		{"merge it: `git merge a/b`", 17, []string{"merge it:", "`git merge a/b`"}},
		{"`git merge a/b`; or wait", 16, []string{"`git merge a/b`;", "or wait"}},
		{"`git merge a/b`", 6, []string{"`git", "merge", "a/b`"}},
		{"one ` two ` three", 7, []string{"one", "` two `", "three"}},
		{"a  b and c", 9, []string{"a  b and", "c"}},
		{"one  two\n  three", 11, []string{"one  two", "three"}},
		{"so: baton does it", 9, []string{"so: baton", "does it"}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, Wrap(c.text, c.room)); diff != "" {
			t.Errorf("%q in %d columns (-want +got):\n%s", c.text, c.room, diff)
		}
	}
}

// A hint does not break the commands that it names.
func TestHintsKeepCommandsWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width      int
		text, want string
	}{
		{0, "See it: baton a   Do it: baton b", "See it: baton a   Do it: baton b\n"},
		{20, "See it: baton a   Do it: baton b", "See it: baton a\nDo it: baton b\n"},
		{18, "To see them: baton task list", "To see them:\nbaton task list\n"},
		{15, "run: baton a b, then baton c d", "run: baton a b,\nthen baton c d\n"},
		{8, "run: baton a b c", "run:\nbaton a\nb c\n"},
	} {
		p := &Page{Width: c.width}
		p.Hint("%s", c.text)
		if got := string(p.Bytes()); got != c.want {
			t.Errorf("%q in %d columns:\n%s", c.text, c.width, got)
		}
	}
}

// TestTS23_TitlesAreCutBetweenCharacters checks that an emoji family, a flag or a letter with combining marks is kept
// or cut as a whole.
func TestTS23_TitlesAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	title := strings.Repeat("👩‍👩‍👧e\u0301端", 20)
	for width := 1; width < 40; width++ {
		got := safetext.Columns(title, width)
		if displaywidth.String(got) > width {
			t.Errorf("%d columns: %q takes %d", width, got, displaywidth.String(got))
		}
		whole := strings.TrimSuffix(got, "…")
		for _, piece := range []string{"👩‍👩‍👧", "e\u0301", "端"} {
			whole = strings.ReplaceAll(whole, piece, "")
		}
		if whole != "" {
			t.Errorf("%d columns: %q holds a part of a character", width, got)
		}
	}
}

func TestTablesStayAligned(t *testing.T) {
	t.Parallel()
	p := &Page{}
	p.Table([]Column{{Name: "A"}, {Name: "EMPTY"}, {Name: "N", Right: true}, {Name: "LAST"}}, [][]Cell{
		{{Text: "端点"}, {}, {Text: "1"}, {Text: "x"}},
		{{Text: "e\u0301"}, {}, {Text: "1000"}, {Text: ""}},
	})
	want := "A        N  LAST\n端点     1  x\ne\u0301     1000\n"
	if diff := cmp.Diff(want, string(p.Bytes())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {
		"log", "log", 0,
	}, {"lgo", "log", 1}, {"lo", "log", 1}, {"logs", "log", 1}, {"lag", "log", 1}, {"", "log", 3}, {"list", "split", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// The next step is the last line that a person sees, also if there are warnings (F-20).
func TestWarningsComeBeforeTheHintsAtTheEnd(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	d := &App{Env: report.Env{Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}}
	page := func(p *Page) {
		p.Hint("Not this: it is no end")
		p.Line(Plain, "Done")
		p.Hint("To see it: baton a")
		p.Hint("Next: baton b")
		p.Remarks = []report.Finding{{Severity: report.Warning, Text: "look"}}
	}
	if err := d.present(nil, page); err != nil {
		t.Fatal(err)
	}
	want := "Not this: it is no end\nDone\nwarning: look\nTo see it: baton a\nNext: baton b\n"
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}
