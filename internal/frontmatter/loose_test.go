package frontmatter

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

func TestN2_TheLooseRuleOfGSD(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src, body string
		opened, closed  bool
	}{
		{"closed by the mark", "---\na: 1\n---\ntext\n", "a: 1\n", true, true},
		{"closed by a line that begins with it", "---\na: 1\n--- end ---\ntext\n", "a: 1\n", true, true},
		{"closed by a longer rule", "---\na: 1\n-----\ntext\n", "a: 1\n", true, true},
		{"behind a byte-order mark, CRLF", "\ufeff---\r\na: 1\r\n---\r\n", "a: 1\r\n", true, true},
		{"blank lines and headings inside", "---\n\n## a\n---\n", "\n## a\n", true, true},
		{"no line end behind it", "---\na: 1\n---", "a: 1\n", true, true},
		{"an empty block is none (GSD-74)", "---\n---\ntext\n", "", true, false},
		{"the search goes on behind it (GSD-74)", "---\n---\na: 1\n---\n", "---\na: 1\n", true, true},
		{"never closed", "---\na: 1\n", "", true, false},
		{"an indented mark closes nothing", "---\na: 1\n ---\n", "", true, false},
		{"blanks behind the first mark", "--- \na: 1\n---\n", "", false, false},
		{"not on the first line", "\n---\na: 1\n---\n", "", false, false},
		{"only the mark", "---", "", true, false},
		{"nothing", "", "", false, false},
	} {
		b, opened, closed := Loose([]byte(tc.src))
		if opened != tc.opened || closed != tc.closed || string(b.Body.Of([]byte(tc.src))) != tc.body {
			t.Errorf("%s: opened %t, closed %t, %q", tc.name, opened, closed, b.Body.Of([]byte(tc.src)))
		}
	}
}

// The original programs find the block with an expression like this one.
func TestN2_TheLooseRuleIsThatOfTheOriginals(t *testing.T) {
	t.Parallel()
	original := regexp.MustCompile(`^(?:\x{feff})?---\r?\n((?s).*?)\n---`)
	lines := rapid.SampledFrom([]string{"---", "----", "--- x", " ---", "--", "a: 1", "", "# a", "\ufeff---"})
	rapid.Check(t, func(t *rapid.T) {
		src := ""
		for _, line := range rapid.SliceOfN(lines, 0, 8).Draw(t, "lines") {
			src += line + rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		}
		src = src[:len(src)-min(len(src), rapid.IntRange(0, 2).Draw(t, "cut"))]
		b, _, closed := Loose([]byte(src))
		m := original.FindStringSubmatchIndex(src)
		if closed != (m != nil) {
			t.Fatalf("%q: closed %t, the original %v", src, closed, m)
		}
		if closed && (b.Body.End != m[3]+1 || b.Body.Start != m[2]) {
			t.Fatalf("%q: %v, the original %v", src, b.Body, m)
		}
	})
}

// Reading a beginning of a file continues at the line up to which nothing closed the block (D23).
func TestD23_TheLooseRuleReadsOn(t *testing.T) {
	t.Parallel()
	src := []byte("---\n---\na: 1\nb: 2\n---\nc: 3\n---\n")
	for _, tc := range [][2]int{{0, 18}, {4, 18}, {8, 18}, {13, 18}, {18, 18}, {22, 27}, {27, 27}} {
		if end, _, ok := LooseEnd(src, tc[0]); !ok || end != tc[1] {
			t.Errorf("from %d: %d %t", tc[0], end, ok)
		}
	}
	if _, _, ok := LooseEnd(src, len(src)); ok {
		t.Error("a line behind the end")
	}
}
