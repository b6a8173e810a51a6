package safetext

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestUnsafe(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]rune{
		"NUL": 0, "escape": 0x1b, "delete": 0x7f, "CSI of C1": 0x9b, "soft hyphen": 0xad, "grapheme joiner": 0x34f, "Arabic mark": 0x61c,
		"Hangul filler": 0x115f, "vowel separator": 0x180e, "zero-width space": 0x200b, "left-to-right mark": 0x200e,
		"line separator": 0x2028, "override": 0x202e, "word joiner": 0x2060, "invisible times": 0x2062,
		"isolate": 0x2066, "deprecated": 0x206a,
		"filler": 0x3164, "private": 0xe000, "byte-order mark": 0xfeff, "annotation": 0xfff9, "musical": 0x1d173, "language tag": 0xe0001,
		"tag a": 0xe0061, "unassigned tag": 0xe0fff, "private plane": 0x10fffd, "surrogate": 0xd800, "too large": 0x110000,
	} {
		if !Unsafe(r) {
			t.Errorf("%s, %U, is safe", name, r)
		}
	}
	for _, r := range "aZ~ éßאبन漢字🙂\u0601\u200d\ufe0f\U000e0100\ufffd\u00a0" {
		if Unsafe(r) {
			t.Errorf("%U is unsafe", r)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, clean, visible string }{
		"plain":         {"a b~", "a b~", "a b~"},
		"colours":       {"a\x1b[31mb\x1b[0m", "ab", "a␛[31mb␛[0m"},
		"a title":       {"\x1b]0;pwned\x07x", "x", "␛]0;pwned␇x"},
		"lines":         {"a\nb\tc", "a\nb\tc", "a b c"},
		"CRLF":          {"a\r\nb", "a\nb", "a␍ b"},
		"separators":    {"a\u2028b\u0085c", "a\nb\nc", "a<U+2028>b<U+0085>c"},
		"not UTF-8":     {"a\xffb", "a\ufffdb", "a\ufffdb"},
		"tags":          {"A \U000e0061\U000e0062\u200bB", "A B", "A <U+E0061><U+E0062><U+200B>B"},
		"family":        {"👩\u200d👧", "👩\u200d👧", "👩\u200d👧"},
		"heart on fire": {"❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"},
		"keycap":        {"1\ufe0f\u20e3", "1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		"Persian":       {"می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"},
		"joiners":       {"a\u200db\u200c", "ab", "a<U+200D>b<U+200C>"},
		"many joiners":  {"न\u200d\u200c\u200dx", "न\u200dx", "न\u200d<U+200C><U+200D>x"},
		"selectors":     {"🙂\U000e0101\U000e0102\U000e0103", "🙂\U000e0101", "🙂\U000e0101<U+E0102><U+E0103>"},
		"at the start":  {"\ufe0fx", "x", "<U+FE0F>x"},
	} {
		if got := Clean(tt.in); got != tt.clean {
			t.Errorf("%s: clean %q, want %q", name, got, tt.clean)
		}
		if got := Visible(tt.in); got != tt.visible {
			t.Errorf("%s: visible %q, want %q", name, got, tt.visible)
		}
	}
	if got := VisibleLines("a\r\nb\tc\rd"); got != "a\nb\tc␍d" {
		t.Errorf("lines: %q", got)
	}
	if got := Line(" a\u200b\r\n\tb  c "); got != "a b c" {
		t.Errorf("one line: %q", got)
	}
}

// TestCleanIsClean checks that the results contain nothing unsafe for any text, and that a second call changes nothing.
func TestCleanIsClean(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"\x1b[1", "\x1b]", "\u200d", "\u200b", "\U000e0061", "\ufe0f", "🙂", "\xff", "\n", "\u2028", `\u200b`, `\`, `"`, "\ufffd",
		}))).Draw(t, "parts")
		text := strings.Join(parts, "")
		for name, form := range map[string]func(string) string{"clean": Clean, "visible": Visible, "lines": VisibleLines, "line": Line} {
			got := form(text)
			if !utf8.ValidString(got) {
				t.Fatalf("%s of %q: not UTF-8: %q", name, text, got)
			}
			if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && r != '\t' && Unsafe(r) }); i >= 0 {
				t.Fatalf("%s of %q: unsafe: %q", name, text, got)
			}
			if again := form(got); again != got {
				t.Fatalf("%s of %q: %q, and again %q", name, text, got, again)
			}
		}
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var same, clean string
		escaped := EscapeJSON(slices.Clone(data))
		if err := json.Unmarshal(escaped, &same); err != nil || same != strings.ToValidUTF8(text, "") && same != validUTF8(text) {
			t.Fatalf("%q: escaped %s: %q %v", text, escaped, same, err)
		}
		if strings.ContainsFunc(string(escaped), Unsafe) {
			t.Fatalf("%q: escaped, and unsafe: %s", text, escaped)
		}
		left := CleanJSON(data)
		if err := json.Unmarshal(left, &clean); err != nil {
			t.Fatalf("%q: cleaned %s: %v", text, left, err)
		}
		if strings.ContainsFunc(clean, func(r rune) bool { return !strings.ContainsRune("\n\r\t", r) && Unsafe(r) }) {
			t.Fatalf("%q: cleaned, and unsafe: %q", text, clean)
		}
	})
}

// validUTF8 replaces every byte that is not valid UTF-8, one by one, as encoding/json does.
func validUTF8(text string) string { return string([]rune(text)) }

func TestJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		`"a"`:                           {`"a"`, `"a"`},
		"\"A \U000e0061\u200bB\"":       {`"A \udb40\udc61\u200bB"`, `"A B"`},
		`"A \udb40\udc61\u200bB"`:       {`"A \udb40\udc61\u200bB"`, `"A B"`},
		`"\\u200b \n\t\u001b[1m\u00e4"`: {`"\\u200b \n\t\u001b[1m\u00e4"`, `"\\u200b \n\t[1m\u00e4"`},
		"{\n\t\"a\": \"\x7f\"\n}":       {"{\n\t\"a\": \"\\u007f\"\n}", "{\n\t\"a\": \"\"\n}"},
		`"\ud800x"`:                     {`"\ud800x"`, `"x"`},
	} {
		if got := string(EscapeJSON([]byte(in))); got != want[0] {
			t.Errorf("escape %s: %s, want %s", in, got, want[0])
		}
		if got := string(CleanJSON([]byte(in))); got != want[1] {
			t.Errorf("clean %s: %s, want %s", in, got, want[1])
		}
	}
}

// Every percentage has one bar, which is full only at 100 %.
func TestF61i_Bar(t *testing.T) {
	t.Parallel()
	for percent, want := range map[int]string{
		-5: "----------", 0: "----------", 9: "----------", 10: "#---------", 78: "#######---", 99: "#########-", 100: "##########",
		140: "##########",
	} {
		if got := Bar(percent, "#", "-"); got != want {
			t.Errorf("%d: %s, want %s", percent, got, want)
		}
	}
	for want, share := range map[int][2]int{0: {0, 3}, 33: {1, 3}, 67: {2, 3}, 13: {1, 8}, 100: {0, 0}, 150: {3, 2}} {
		if got := Percent(share[0], share[1]); got != want {
			t.Errorf("%d of %d: %d, want %d", share[0], share[1], got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	family := "👩\u200d👧\u200d👦"
	for name, got := range map[string][2]string{
		"columns":        {Columns("漢字漢字", 5), "漢字…"},
		"columns, fits":  {Columns("漢字", 4), "漢字"},
		"columns, blank": {Columns("ab cdef", 4), "ab …"},
		"plain tail":     {ColumnsWith("abcdefgh", 6, "..."), "abc..."},
		"ends":           {Ends(".devt/state/.archive/a.json", 13), ".dev…e/a.json"},
		"ends, wide":     {Ends("漢字/漢字.md", 8), "漢字….md"},
		"ends, fits":     {Ends("漢字", 4), "漢字"},
		"runes":          {Runes("äbcdef", 4), "äbc…"},
		"runes, fits":    {Runes("äbcd", 4), "äbcd"},
		"a grapheme":     {Runes("ab"+family+"cd", 5), "ab…"},
		"one grapheme":   {Runes(family+"cd", 4), "👩\u200d👧…"},
		"whole":          {WholeRunes("ab"+family, 4), "ab"},
		"first":          {FirstRunes("äbc", 2), "äb"},
		"bytes":          {Bytes("aäb", 2), "a…"},
		"bytes, fits":    {Bytes("aäb", 4), "aäb"},
		"first bytes":    {FirstBytes("aäb", 2), "a"},
		"no characters":  {FirstBytes("\x80\x80\x80\x80\x80\x80", 5), "\x80"},
		"hash":           {ShortHash("0123456789"), "0123456"},
		"stored hash":    {StoredHash("0123456789abcdef"), "0123456789ab"},
		"half a hash":    {ShortHash("012"), "012"},
		"one":            {Count(1, "task"), "1 task"},
		"many":           {Count(3, "task"), "3 tasks"},
		"none":           {CountOf(0, "entry", "entries"), "0 entries"},
		"quoted":         {Quote("a\x1b[1mb\u200b"), `"ab"`},
		"noun":           {Noun(1, "is", "are") + Noun(2, "is", "are"), "isare"},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %q, want %q", name, got[0], got[1])
		}
	}
}
