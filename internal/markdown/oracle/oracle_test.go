package oracle

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// compare fails if the two parsers find different things in src.
func compare(t interface {
	Helper()
	Fatalf(string, ...any)
}, src []byte,
) {
	t.Helper()
	src = tame(src)
	if undecided(src) {
		return
	}
	if diff := cmp.Diff(theirs(src), ours(src)); diff != "" {
		t.Fatalf("%q\n(-goldmark +baton)\n%s", src, diff)
	}
}

// tame removes what the two parsers read differently on purpose. The package comment of markdown gives the reasons.
func tame(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	src = bytes.Map(func(r rune) rune {
		switch r {
		case '\r', '\f', '\v', 0:
			return 'x'
		}
		return r
	}, src)
	// Front matter: move it away from the start.
	src = append([]byte("x\n\n"), src...)
	// Link reference definitions, footnotes, and the labels that keep dashes from being an underline.
	for _, s := range []string{"]:", ":**", "**:", ":__", "__:", "[\t]"} {
		src = bytes.ReplaceAll(src, []byte(s), []byte(strings.Repeat("x", len(s))))
	}
	// Boxes that something follows directly, such as links.
	for i := range src {
		if b := src[i:]; len(b) > 3 && b[0] == '[' && b[2] == ']' && b[3] != ' ' && b[3] != '\n' && b[3] != '\t' {
			src[i] = 'x'
		}
	}
	// HTML other than comments.
	for i, c := range src {
		if c == '<' && !bytes.HasPrefix(src[i:], []byte("<!--")) {
			src[i] = 'x'
		}
	}
	// goldmark loses the last byte of an info string at the very end.
	return append(src, '\n')
}

// quirks matches text on which goldmark contradicts itself or CommonMark, so it cannot serve as the reference.
var quirks = []*regexp.Regexp{
	// Whether a delimiter row indented by four columns counts depends on what ends the paragraph.
	regexp.MustCompile(`(?m)^[>\t ]*(    |\t)[ \t]*[|:-][|: \t-]*$`),
	// An escaped pipe at the end of a row is dropped, although it is not an outer pipe.
	regexp.MustCompile(`(?m)\\\|[ \t]*$`),
	// An empty item inside another item continues after a blank line.
	regexp.MustCompile(`(?m)(^|[ \t>])([-+*]|[0-9]{1,9}[.)])[ \t]*\n[ \t>]*$`),
	// goldmark finds no task in an item whose box is in a heading or a table header. Package markdown reads no tables
	// in items.
	regexp.MustCompile(`(?m)\[[ xX]\].*\n[> \t]*[|:-][|: \t-]*$`),
	// An empty item after a tab has the position of the next line.
	regexp.MustCompile(`(?m)^.*\t.*[-+*.)][ \t]*$`),
	// A comment that is indented by a tab of less than four columns does not count.
	regexp.MustCompile(`\t[ \t]*<!--`),
	// After a marker that is not in the first column, goldmark counts the columns of a tab from another place.
	regexp.MustCompile(`(?m)^.+([-+*>]|[0-9][.)])[ \t]*\t`),
	// A setext underline follows a table's delimiter row or its rows directly. goldmark then reads the paragraph before
	// the table as a heading with this underline and also reads the rows as a table, so the underline counts twice.
	regexp.MustCompile(`(?m)^[ \t|:-]*-[ \t|:-]*\r?\n(?:.*\S.*\n)* {0,3}(-+|=+)[ \t]*\r?$`),
}

// undecided reports whether goldmark cannot serve as the reference for src.
func undecided(src []byte) bool {
	for _, q := range quirks {
		if q.Match(src) {
			return true
		}
	}
	return false
}

// pieces are the parts from which test documents are built.
var pieces = []string{
	"a", "b c", "# ", "## h", "#", " ##", "```", "````", "~~~", "```go", "`", "<!--", "-->", "<!-- x -->", "---", "-", "===", "=",
	"***", "_ _ _", "- ", "* ", "+ ", "-", "1. ", "2. ", "10) ", "[ ] ", "[x] ", "[X] t", "> ", ">", "| a | b |", "|---|---|", "| c |",
	"|", ":-:", "---|", `\|`, "\t", "\n\t", " ", "  ", "   ", "    ", "\n", "\n", "\n", "\n\n", "\n  ", "\n    ", "\n> ", "\n- ", "é", "界",
}

func TestOracle_GeneratedDocuments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(t, "parts")
		compare(t, []byte(strings.Join(parts, "")))
	})
}

// TestOracle_ShortDocuments compares many short documents, always the same ones. Small cases find most differences.
func TestOracle_ShortDocuments(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 30_000 {
		var src []byte
		for range 1 + random.IntN(9) {
			src = append(src, pieces[random.IntN(len(pieces))]...)
		}
		compare(t, src)
	}
}

func FuzzOracle(f *testing.F) {
	f.Add([]byte("# a\n\n- [ ] b\n  - [x] c\n\n| a | b |\n|---|:-:|\n| 1 | `x` |\n"))
	f.Add([]byte("a\nb\n===\n\n1. c\n\n   ```go\n   # d\n   ```\n<!-- e\n# f\n-->\n> g\nh\n"))
	f.Add([]byte("- a\n\n\tb\n\n      c\n~~~ d\n````\n~~~~\n    # e\n* * *\n##\tf ##\n"))
	f.Add([]byte("* 0)\n\t*\n00\n- -\n\n    ```\n-\n  [ ] c\n* [X]0\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) <= 4096 {
			compare(t, src)
		}
	})
}
