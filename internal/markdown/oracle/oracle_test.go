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

// compare fails when the two parsers see different things in src.
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

// tame takes out what the two read differently on purpose; package markdown's comment says why.
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
	// Front matter: not at the start.
	src = append([]byte("x\n\n"), src...)
	// Link reference definitions and footnotes; labels, which keep dashes from being an underline.
	for _, s := range []string{"]:", ":**", "**:", ":__", "__:", "[\t]"} {
		src = bytes.ReplaceAll(src, []byte(s), []byte(strings.Repeat("x", len(s))))
	}
	// Boxes with something directly behind them, such as links.
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
	// At the very end goldmark loses the last byte of an info string.
	return append(src, '\n')
}

// The shapes on which goldmark contradicts itself or CommonMark, so that it cannot be the judge.
var quirks = []*regexp.Regexp{
	// A delimiter row indented by four columns is one or not, depending on what ends the paragraph.
	regexp.MustCompile(`(?m)^[>\t ]*(    |\t)[ \t]*[|:-][|: \t-]*$`),
	// An escaped pipe at the end of a row is dropped although it is no outer pipe.
	regexp.MustCompile(`(?m)\\\|[ \t]*$`),
	// An item with nothing in it goes on after a blank line when it is in another item.
	regexp.MustCompile(`(?m)(^|[ \t>])([-+*]|[0-9]{1,9}[.)])[ \t]*\n[ \t>]*$`),
	// A box in the header of a table, or in a heading, in an item: no task for goldmark; package
	// markdown knows no tables in items.
	regexp.MustCompile(`(?m)\[[ xX]\].*\n[> \t]*[|:-][|: \t-]*$`),
	// The position of an empty item behind a tab is that of the next line.
	regexp.MustCompile(`(?m)^.*\t.*[-+*.)][ \t]*$`),
	// A comment indented by a tab that is less than four columns wide is no comment.
	regexp.MustCompile(`\t[ \t]*<!--`),
	// A tab behind a marker that is not in the first column: goldmark counts its columns
	// from elsewhere.
	regexp.MustCompile(`(?m)^.+([-+*>]|[0-9][.)])[ \t]*\t`),
	// A table with a setext underline right below its delimiter row or its rows: goldmark takes the
	// paragraph before the header for a heading of that underline and the rows for a table, so that
	// the underline counts twice.
	regexp.MustCompile(`(?m)^[ \t|:-]*-[ \t|:-]*\r?\n(?:.*\S.*\n)* {0,3}(-+|=+)[ \t]*\r?$`),
}

// undecided reports whether src has a shape on which goldmark is no judge.
func undecided(src []byte) bool {
	for _, q := range quirks {
		if q.Match(src) {
			return true
		}
	}
	return false
}

// pieces are what documents under test are made of.
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

// The same with many short documents, always the same ones: small cases find most differences.
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
