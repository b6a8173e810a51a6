package check

import (
	"strings"
	"testing"
)

func TestSD58_MarkdownStatuses(t *testing.T) {
	t.Parallel()
	blank := func(n int) string { return strings.Repeat("\n", n) }
	for name, test := range map[string]struct {
		src  string
		word string
		line int
	}{
		"inline":                       {"# Research\n\n## Status: DONE\n", "DONE", 3},
		"first word only":              {"## Status: DONE and more", "DONE", 1},
		"any case, blanks":             {"   ##   sTaTuS \t :   DONE  \n", "DONE", 1},
		"no blank behind the colon":    {"## Status:DONE", "DONE", 1},
		"wide blanks":                  {"\u00a0##\u2003Status\u00a0:\u3000DONE\u00a0x", "DONE", 1},
		"next line is no blank":        {"## Status: DONE\u0085x", "DONE\u0085x", 1},
		"value case counts":            {"## Status: done", "done", 1},
		"on line 100":                  {blank(99) + "## Status: DONE", "DONE", 100},
		"on line 101":                  {blank(100) + "## Status: DONE", "", 0},
		"heading on 99, word on 100":   {blank(98) + "## Status\nDONE", "DONE", 100},
		"heading on 100, word on 101":  {blank(99) + "## Status\nDONE", "", 0},
		"below":                        {"## Status\n\nDONE\n", "DONE", 3},
		"fourth line below":            {"## Status\n\n\n\nDONE\n", "DONE", 5},
		"fifth line below":             {"## Status\n\n\n\n\nDONE\n", "", 0},
		"headings below are passed":    {"## Status\n### now\nBLOCKED because\n", "BLOCKED", 3},
		"with a list mark":             {"## Status\n- DONE\n", "-", 2},
		"heading with a list mark":     {"- ## Status: DONE\n", "", 0},
		"two headings":                 {"## Status: BLOCKED\n## Status: DONE\n", "BLOCKED", 1},
		"a bare one decides nothing":   {"## Status\n\n\n\n\n## Status: DONE\n", "DONE", 6},
		"in a fence":                   {"```\n## Status: DONE\n```\n", "", 0},
		"behind a fence":               {"```\n## Status: DONE\n```\n## Status: BLOCKED", "BLOCKED", 4},
		"in a fence of tildes":         {"~~~~ md\n## Status: DONE\n~~~\n```\n~~~~~\n## Status: X", "X", 6},
		"in a fence in a list":         {"- an example:\n  ```\n  ## Status: DONE\n  ```\n", "", 0},
		"a span is no fence":           {"```x``` y\n## Status: DONE", "DONE", 2},
		"in a fence that stays open":   {"```\n## Status: DONE\n", "", 0},
		"CRLF":                         {"# x\r\n\r\n## Status: DONE\r\n", "DONE", 3},
		"CRLF below":                   {"## Status\r\n\r\nDONE\r\n", "DONE", 3},
		"byte-order mark":              {"\uFEFF## Status: DONE\n", "DONE", 1},
		"other levels":                 {"# Status: A\n### Status: B\n#### Status\nC\n", "", 0},
		"no heading without a blank":   {"##Status: DONE", "", 0},
		"longer words":                 {"## Statuses: DONE\n## Status report: DONE\n", "", 0},
		"colon without a word":         {"## Status:\nDONE\n", "", 0},
		"empty":                        {"", "", 0},
		"a word of bytes":              {"## Status: \xff\x00", "\xff\x00", 1},
		"a single carriage return":     {"x\r## Status: DONE", "", 0},
		"heading as the last line":     {"## Status", "", 0},
		"letters that fold to status":  {"## \u017ftatus: DONE", "", 0},
		"blank before the colon below": {"## Status :\nDONE", "", 0},
	} {
		word, line := markdownStatus([]byte(test.src))
		if word != test.word || line != test.line {
			t.Errorf("%s: %q on line %d, want %q on line %d", name, word, line, test.word, test.line)
		}
	}
}

func FuzzMarkdownStatus(f *testing.F) {
	f.Add([]byte("## Status: DONE"))
	f.Add([]byte("## Status\n\n# x\nDONE\n"))
	f.Add([]byte("```\n## status : x\n~~~\n```\n## Status\xff"))
	f.Add([]byte("\uFEFF## Status\r\n\r\nDONE"))
	f.Fuzz(func(t *testing.T, src []byte) {
		word, line := markdownStatus(src)
		if (word == "") != (line == 0) || line < 0 || line > statusLines {
			t.Fatalf("%q: word %q on line %d", src, word, line)
		}
		if line == 0 {
			return
		}
		if text := strings.Split(string(src), "\n")[line-1]; !strings.Contains(text, word) {
			t.Fatalf("%q: line %d does not hold %q", src, line, word)
		}
		if again, at := markdownStatus(append(src[:len(src):len(src)], "\n## Status: LATER"...)); again != word || at != line {
			t.Fatalf("%q: a later heading changed %q on %d to %q on %d", src, word, line, again, at)
		}
	})
}
