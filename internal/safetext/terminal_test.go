package safetext

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTS24_TextFromFilesIsMadeHarmless(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, in, want string }{
		{"plain", "JWT service", "JWT service"},
		{"colour", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"window title", "\x1b]0;title\x07", "␛]0;title␇"},
		{"bell, null, backspace", "a\a\x00\bb", "a␇␀␈b"},
		{"delete", "a\x7fb", "a␡b"},
		{"C1 sequence", "a\u009b31mb", "a<U+009B>31mb"},
		{"carriage return hides a line", "bad\rgood", "bad␍good"},
		{"turned direction", "a\u202eb\u2066c", "a<U+202E>b<U+2066>c"},
		{"line separator", "a\u2028b", "a<U+2028>b"},
		{"newline and tab", "a\nb\tc", "a b c"},
		{"not UTF-8", "a\xffb", "a\ufffdb"},
		{"raw C1 byte", "a\x9bb", "a\ufffdb"},
		{"right to left script", "שלום", "שלום"},
		{"emoji with joiner", "👩‍💻", "👩‍💻"},
		{"combining mark", "e\u0301", "e\u0301"},
	}
	for _, c := range cases {
		if got := Visible(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := VisibleLines("a\r\nb\tc\x1b\r"); got != "a\nb\tc␛␍" {
		t.Errorf("several lines: %q", got)
	}
}

func TestTS24_NothingDangerousIsLeft(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		for _, got := range []string{Visible(text), strings.NewReplacer("\n", "", "\t", "").Replace(VisibleLines(text))} {
			if !utf8.ValidString(got) || strings.ContainsFunc(got, Unsafe) {
				t.Fatalf("%q became %q", text, got)
			}
		}
	})
}
