package markdown

import (
	"strings"
	"testing"
)

// cellsOf returns the cells of a line as text.
func cellsOf(d *Document, line int) []string {
	var out []string
	for _, c := range d.Cells(line) {
		out = append(out, string(c.Of(d.Bytes())))
	}
	return out
}

func TestTS17_FrontMatterHidesAndSeparatorsDoNot(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		headings  []string
		front     bool
	}{
		{"present", "---\ntask_id: 7\n# comment\nlast\n---\n# t\n", []string{"1 t"}, true},
		{"invalid YAML", "---\na: b: [\n---\n# t\n", []string{"1 t"}, true},
		{"doubled: the second has rules only by shape", "---\na: 1\n---\n---\nb: 2\n---\n# t\n", []string{"2 b: 2", "1 t"}, true},
		{"not closed", "---\na: 1\n# t\n", []string{"1 t"}, false},
		{"separators", "---\n\n# t\n\n---\n\n## a\n\n---\n\n## b\n", []string{"1 t", "2 a", "2 b"}, false},
		{"not at the start", "\n---\na: 1\n\n---\n# t\n", []string{"1 t"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.headings, headings(tc.src))
			_, _, ok := Parse([]byte(tc.src)).FrontMatter()
			same(t, tc.front, ok)
		})
	}
}

func TestTS18_PreambleBeforeTitle(t *testing.T) {
	t.Parallel()
	src := "some words\n<!-- made by\n# hand -->\n\n# Task #7: t\n## a\n"
	d := Parse([]byte(src))
	same(t, []string{"1 Task #7: t", "2 a"}, headings(src))
	same(t, 4, d.Headings()[0].Line)
	same(t, len("some words\n<!-- made by\n# hand -->\n\n"), d.Section(0).Start)
}

func TestTS19_Tables(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		cols      int
		rows      [][]string // header first; empty if there is no table
	}{
		{"plain", "| a | b |\n|---|:-:|\n| 1 | 2 |\nx\n\ny\n", 2, [][]string{{"a", "b"}, {"1", "2"}, {"x"}}},
		{"no outer pipes", "a | b\n-|-\n1 | 2\n", 2, [][]string{{"a", "b"}, {"1", "2"}}},
		{"more and fewer cells", "|a|b|\n|-|-|\n|1|\n|1|2|3|\n", 2, [][]string{{"a", "b"}, {"1"}, {"1", "2", "3"}}},
		{"text above the header", "words\n|a|\n|-|\n", 1, [][]string{{"a"}}},
		{"header with fewer cells", "|a|\n|-|-|\n|1|2|\n", 2, [][]string{{"a"}, {"1", "2"}}},
		{"delimiter too short", "|a|b|\n|-|\n", 0, nil},
		{"delimiter with words", "|a|\n|-x|\n", 0, nil},
		{"delimiter of dashes alone", "a\n---\n", 0, nil},
		{"no header", "\n|-|\n|a|\n", 0, nil},
		{"ends at a rule", "|a|\n|-|\n|b|\n---\n|c|\n", 1, [][]string{{"a"}, {"b"}}},
		{"ends at a heading", "|a|\n|-|\n# b\n", 1, [][]string{{"a"}}},
		{"indented", "   |a|\n   |-|\n", 1, [][]string{{"a"}}},
		{"CRLF", "|a|\r\n|-|\r\n|b|\r\n", 1, [][]string{{"a"}, {"b"}}},
		{"in an item", "- |a|\n  |-|\n", 0, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := Parse([]byte(tc.src))
			tables := d.Tables(Span{0, len(tc.src)})
			if tc.rows == nil {
				same(t, 0, len(tables))
				return
			}
			if len(tables) != 1 {
				t.Fatalf("%d tables", len(tables))
			}
			rows := [][]string{cellsOf(d, tables[0].Header)}
			for _, r := range tables[0].Rows {
				rows = append(rows, cellsOf(d, r))
			}
			same(t, tc.rows, rows)
			same(t, tc.cols, tables[0].Cols)
			same(t, tables[0].Header+1, tables[0].Delimiter)
		})
	}
}

func TestTS20_PipesAndBackticksInCells(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		`| a \| b | c |`:   {`a \| b`, "c"},
		"| `x | y` | z |":  {"`x", "y`", "z"},
		"| `x \\| y` | z":  {"`x \\| y`", "z"},
		`|a|b\|`:           {"a", `b\|`},
		`| a || b |`:       {"a", "", "b"},
		"|":                nil,
		"||":               nil,
		"| \\\\ | `` ` ``": {`\\`, "`` ` ``"},
		"":                 nil,
	} {
		same(t, want, cellsOf(Parse([]byte(line+"\n")), 0))
	}
}

func TestTS21_LongLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("wide 界 | ", 200_000)
	src := "# a\n" + long + "\n- [ ] " + long + "\n# b " + long + "\n"
	d := Parse([]byte(src))
	same(t, 4, len(d.Lines()))
	same(t, 2, len(d.Headings()))
	same(t, 1, len(d.TaskItems(Span{0, len(src)})))
	parseLaws(t, []byte(src))
}

func TestTS22_HundredThousandLines(t *testing.T) {
	t.Parallel()
	session := "### Session 1\n\n**Did:** a\n- b\n- c\n\ntext\n\n**Next:** d\n\n"
	src := []byte(strings.Repeat(session, 10_000))
	d := Parse(src)
	same(t, 100_000, len(d.Lines()))
	same(t, 10_000, len(d.Headings()))
	all := Span{0, len(src)}
	same(t, 20_000, len(d.ListItems(all)))
	fields := d.Fields(all)
	same(t, 20_000, len(fields))
	same(t, "d", strings.TrimSpace(string(fields[19_999].Value.Of(src))))
	same(t, session, string(d.Section(5000).Of(src)))
}

// TestTS22_DeepNesting checks that deep nesting takes time in proportion to the bytes and not to their square. At
// 400,000 bytes a test with quadratic time would not end.
func TestTS22_DeepNesting(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"items on one line":        strings.Repeat("- ", 200_000) + "x\n",
		"quotes on one line":       strings.Repeat("> ", 200_000) + "x\n",
		"both":                     strings.Repeat("* > ", 100_000) + "x\n",
		"blank lines in deep list": strings.Repeat("- ", 100_000) + "x\n" + strings.Repeat("\n", 200_000),
		"blanks in deep list":      strings.Repeat("- ", 100_000) + "x\n" + strings.Repeat(" ", 200_000) + "y\n",
		"lazy lines in deep list":  strings.Repeat("- ", 100_000) + "x\n" + strings.Repeat("y\n", 100_000),
		"many short nests":         strings.Repeat(strings.Repeat("- ", 10)+"x\n", 20_000),
	} {
		d := Parse([]byte(src))
		if got := strings.Count(src, "\n"); got != len(d.Lines()) {
			t.Errorf("%s: %d lines", name, len(d.Lines()))
		}
	}
}

func TestTS23_WideCharacters(t *testing.T) {
	t.Parallel()
	text := "界 👩‍👩‍👧 e\u0301 שלום 🇩🇪"
	src := "# " + text + "\n- [x] " + text + "\n**" + text + ":** " + text + "\n"
	d := Parse([]byte(src))
	all := Span{0, len(src)}
	same(t, []string{"1 " + text}, headings(src))
	same(t, text, string(d.TaskItems(all)[0].Text.Of(d.Bytes())))
	same(t, text, d.Fields(all)[0].Label)
}

func TestTS25_ConflictMarkers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		line      int
	}{
		{"both", "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", 2},
		{"CRLF", "<<<<<<< ours\r\n>>>>>>> theirs\r\n", 1},
		{"only the first", "<<<<<<< ours\nb\n", 0},
		{"only the last", ">>>>>>> theirs\n", 0},
		{"wrong order", ">>>>>>> theirs\n<<<<<<< ours\n", 0},
		{"in a fence", "```\n<<<<<<< ours\n>>>>>>> theirs\n```\n", 0},
		{"one in a fence", "```\n<<<<<<< ours\n```\n>>>>>>> theirs\n", 0},
		{"not at the start of the line", " <<<<<<< ours\n >>>>>>> theirs\n", 0},
		{"eight signs", "<<<<<<<< ours\n>>>>>>>> theirs\n", 0},
		{"in a comment", "<!--\n<<<<<<< ours\n-->\n>>>>>>> theirs\n", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, bad := Unsafe([]byte(tc.src))
			same(t, tc.line > 0, bad)
			if bad && (p.Code != "conflict_markers" || p.Line != tc.line || p.Text == "") {
				t.Errorf("%+v", p)
			}
		})
	}
}

func TestTS39_Fields(t *testing.T) {
	t.Parallel()
	type field struct{ label, value string }
	for _, tc := range []struct {
		name, src string
		want      []field
	}{
		{
			"variants", "**Did:** a\n__Issues:__ b\n**Next**: c\n__State__: d\n",
			[]field{{"Did", " a\n"}, {"Issues", " b\n"}, {"Next", " c\n"}, {"State", " d\n"}},
		},
		{"with a list and blank lines", "**Did:**\n- a\n- b\n\n**Next:** c\n", []field{{"Did", "\n- a\n- b\n\n"}, {"Next", " c\n"}}},
		{"directly below a list", "**Did:**\n- a\n**Next:** c", []field{{"Did", "\n- a\n"}, {"Next", " c"}}},
		{"repeated and empty", "**Did:**\n**Did:** a\n", []field{{"Did", "\n"}, {"Did", " a\n"}}},
		{"ends at a heading of any rank", "**Did:** a\n#### b\nc\n", []field{{"Did", " a\n"}}},
		{"fence in the value", "**Did:** a\n```\n**Next:** no\n```\n", []field{{"Did", " a\n```\n**Next:** no\n```\n"}}},
		{"blanks inside the label", "** Did : ** a\n", []field{}},
		{"blanks before the closing mark", "**Did: ** a\n", []field{}},
		{
			"in items, quotes, code and comments", "- **a:** b\n- c\n  **d:** e\n\n> **f:** g\n\n    **h:** i\n\n<!--\n**j:** k\n-->\n",
			[]field{},
		},
		{"no colon, no text", "**Did** a\n**:** b\n****\n**Did:*\n", []field{}},
		{"an empty bullet below", "**Did:**\n-\n", []field{{"Did", "\n-\n"}}},
		{"a rule below", "**Did:** a\n---\n", []field{{"Did", " a\n---\n"}}},
		{"very long bold text", "**" + strings.Repeat("x", 200) + ":** a\n", []field{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := []field{}
			d := Parse([]byte(tc.src))
			for _, f := range d.Fields(Span{0, len(tc.src)}) {
				got = append(got, field{f.Label, string(f.Value.Of(d.Bytes()))})
			}
			if len(got) != len(tc.want) {
				t.Fatalf("got %q, want %q", got, tc.want)
			}
			for i := range got {
				same(t, tc.want[i].label, got[i].label)
				same(t, tc.want[i].value, got[i].value)
			}
		})
	}
}

func TestItems_WhatBelongsToThem(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		tasks     int
		full      string // of the first item
		last      Class  // of the last line
	}{
		{"text four columns behind the marker", "-    [ ] a\n", 1, "-    [ ] a\n", Item},
		{"code five columns behind the marker", "-     [ ] a\n", 0, "-     [ ] a\n", IndentedCode},
		{"box below an empty marker", "-\n  [ ] a\n", 1, "-\n  [ ] a\n", Text},
		{"box that is not the item's", "-\n[ ] a\n", 0, "-\n", Text},
		{"empty item that has got text goes on", "-\n  a\n\n  b\n", 0, "-\n  a\n\n  b\n", Text},
		{"empty item ends at a blank line", "-\n\n  [ ] a\n", 0, "-\n", Text},
		{"code in an item", "- a\n\n      - [ ] b\n", 0, "- a\n\n      - [ ] b\n", IndentedCode},
		{"number that may not end a paragraph", "a\n2. [ ] b\n", 0, "", Text},
		{"number that may", "a\n1. [ ] b\n", 1, "1. [ ] b\n", Item},
		{"number of ten digits", "1234567890. [ ] a\n", 0, "", Text},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := Parse([]byte(tc.src))
			all := Span{0, len(tc.src)}
			same(t, tc.tasks, len(d.TaskItems(all)))
			full := ""
			if items := d.ListItems(all); len(items) > 0 {
				full = string(items[0].Full.Of(d.Bytes()))
			}
			same(t, tc.full, full)
			same(t, tc.last, d.Lines()[len(d.Lines())-1].Class)
		})
	}
}

func TestTS44_TaskItems(t *testing.T) {
	t.Parallel()
	src := "- [ ] a\n* [x] b [x]\n+ [X] c\n1. [ x] d\n   1) [x ] e\n- [ ]\n\t- [ ] f\n- [] g\n- [y] h\n- [x](i)\n- [x]j\n-\n  [ ] " +
		"k\n> - [ ] l\n"
	d := Parse([]byte(src))
	type task struct {
		Marker, Box, Text string
		Checked, Variant  bool
		Line, Indent      int
	}
	var got []task
	for _, it := range d.TaskItems(Span{0, len(src)}) {
		got = append(got, task{
			it.Marker, string(it.Box.Of(d.Bytes())), string(it.Text.Of(d.Bytes())), it.Checked, it.Variant, it.Line, it.Indent,
		})
	}
	same(t, []task{
		{"-", " ", "a", false, false, 0, 0},
		{"*", "x", "b [x]", true, false, 1, 0},
		{"+", "X", "c", true, false, 2, 0},
		{"1.", " x", "d", true, true, 3, 0},
		{"1)", "x ", "e", true, true, 4, 3},
		{"-", " ", "", false, false, 5, 0},
		{"-", " ", "f", false, false, 6, 4},
		{"-", " ", "k", false, false, 11, 0},
	}, got)
	// Only the items whose line begins within the span.
	same(t, 2, len(d.TaskItems(Span{8, len("- [ ] a\n* [x] b [x]\n+ [X] c\n")})))
}
