package search

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"baton/internal/markdown"
)

func TestFoldMakesCaseAlikeAndKeepsEveryPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "",
		"Refresh TOKEN, @[`{":   "refresh token, @[`{",
		"ABCDEFGHIJKLMNOPQRSTU": "abcdefghijklmnopqrstu",
		"Ünï — ÇA, Σίσυφος":     "ünï — ça, σίσυφοσ",
		"ПРИВЕТ 日本 🚀 ok":        "привет 日本 🚀 ok",
		"STRAẞE \u212a":         "straẞe \u212a", // their other case has another number of bytes, so they are not folded
		"bad \xff\xc3 BYTES":    "bad \xff\xc3 bytes",
	} {
		if got := string(Fold(nil, []byte(text))); got != want {
			t.Errorf("Fold(%q) = %q, want %q", text, got, want)
		}
	}
}

// Every byte is folded the same way by the fast path and the slow path, in each position of an eight-byte word.
func TestFoldOfEightBytesIsFoldOfEach(t *testing.T) {
	t.Parallel()
	for c := range 128 {
		for at := range 8 {
			word := []byte("........")
			word[at] = byte(c)
			want := bytes.Clone(word)
			want[at] = foldByte(byte(c))
			if got := Fold(nil, word); !bytes.Equal(got, want) {
				t.Fatalf("Fold(%q) = %q", word, got)
			}
		}
	}
}

func TestParseReadsWordsAndPhrases(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                             nil,
		` "" " " `:                     nil,
		"refresh  Token\n":             {"refresh", "token"},
		`token "Refresh  Flow" expiry`: {"token", "refresh  flow", "expiry"},
		`a"b c"d`:                      {"a", "b c", "d"},
		`open "end of it`:              {"open", "end of it"},
		"Same same SAME":               {"same"},
	} {
		var got []string
		for _, term := range Parse(text).terms {
			got = append(got, string(term))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Parse(%q): %s", text, diff)
		}
	}
	many := Parse(strings.Repeat("x ", 10) + strings.Join(strings.Split(strings.Repeat("abcdefghij", 30), ""), " ") + numbered(100))
	if len(many.terms) != mostTerms || !many.Within(Fold(nil, []byte(strings.Join(strings.Fields(numbered(100)), " ")+"x abcdefghij"))) {
		t.Errorf("%d terms", len(many.terms))
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(" w" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
	}
	return b.String()
}

const page = `---
status: ready
---
# JWT service

Intro about keys.

## Log

Before the sessions.

### Session 1

- rotated keys
- rotated the jwt KEYS again

#### Detail

keys of the session

### Session 2

nothing here

## Notes

jwt notes
`

// said is the content of a hit, for tables.
type said struct {
	Line, Lines, Entry int
	Section            string
}

func find(t *testing.T, text, query string, entries ...string) []said {
	t.Helper()
	doc := markdown.Parse([]byte(text))
	var spans []markdown.Span
	for _, e := range entries {
		start := strings.Index(text, e)
		if start < 0 {
			t.Fatalf("no %q", e)
		}
		spans = append(spans, markdown.Span{Start: start, End: start + len(e)})
	}
	o := NewOutline(doc, spans)
	var out []said
	for _, h := range Parse(query).Find(o, Fold(nil, []byte(text))) {
		out = append(out, said{h.Line, h.Lines, h.Part.Entry, strings.Join(o.Section(h.Part), " / ")})
	}
	return out
}

func TestFindGivesPartsThatHoldAllWords(t *testing.T) {
	t.Parallel()
	session1 := page[strings.Index(page, "### Session 1"):strings.Index(page, "### Session 2")]
	session2 := page[strings.Index(page, "### Session 2"):strings.Index(page, "## Notes")]
	for _, c := range []struct {
		query string
		want  []said
	}{
		{"keys", []said{{6, 1, -1, "JWT service"}, {14, 3, 0, "Log"}}}, // the session counts once, including its sub-heading
		{"jwt rotated", []said{{15, 2, 0, "Log"}}},                     // the line that contains both
		{`"jwt keys"`, []said{{15, 1, 0, "Log"}}},                      // on one line, in any case
		{"service rotated", []said{{14, 2, 0, "Log"}}},                 // one of them is in the title
		// A match in the title alone does not make the parts below it match.
		{"jwt", []said{{4, 1, -1, "JWT service"}, {15, 1, 0, "Log"}, {27, 1, -1, "Notes"}}},
		{"sessions", []said{{10, 1, -1, "Log"}}},       // the section around the entries
		{"notes log", nil},                             // in two parts
		{"session nothing", []said{{21, 2, 1, "Log"}}}, // the first of the lines with the most terms
		{"status ready", []said{{2, 1, -1, ""}}},       // front matter
		{"intro notes", nil},
		{"nowhere", nil},
		{"", nil},
	} {
		if diff := cmp.Diff(c.want, find(t, page, c.query, session1, session2)); diff != "" {
			t.Errorf("%q: %s", c.query, diff)
		}
	}
}

func TestFindWithoutHeadingsAndWithEntriesThatOverlap(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]said{{1, 1, -1, ""}}, find(t, "only a word", "word")); diff != "" {
		t.Error(diff)
	}
	if got := find(t, "", "word"); got != nil {
		t.Errorf("an empty document: %v", got)
	}
	if diff := cmp.Diff([]said{{1, 2, 0, ""}}, find(t, "a word\nb word\n", "word", "a word\nb word\n", "b word\n")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]said{{2, 1, -1, "B word"}}, find(t, "\ufeff# A\n# B word\n", "word")); diff != "" {
		t.Error(diff)
	}
}

func TestExcerptShowsTheWordsAndMarksThem(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é ", 200) + "the Needle in it" + strings.Repeat(" hay", 100)
	for _, c := range []struct{ query, text, want string }{
		{"token refresh", " the Refresh of a refresh TOKEN ", "the [Refresh] of a [refresh] [TOKEN]"},
		{"ab bc", "xabcx", "x[abc]x"},
		{"gone", "nothing", "nothing"},
		{"needle", long, "…" + strings.Repeat(" é", 18) + " the [Needle] in it" + strings.Repeat(" hay", 26) + " …"},
	} {
		text, marks := Parse(c.query).Excerpt(c.text)
		got, done := "", 0
		for _, m := range marks {
			got += text[done:m.Start] + "[" + text[m.Start:m.End] + "]"
			done = m.End
		}
		got += text[done:]
		if c.text == long { // the cut depends on the length and the position
			if !strings.Contains(got, "the [Needle] in") || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") ||
				utf8.RuneCountInString(text) != mostExcerpt || !utf8.ValidString(text) {
				t.Errorf("excerpt %q has %d characters", got, utf8.RuneCountInString(text))
			}
			continue
		}
		if got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

func TestWindowKeepsTheWordOfALongLine(t *testing.T) {
	t.Parallel()
	q := Parse("needle")
	for _, line := range []string{
		strings.Repeat("é", 5000) + "NEEDLE" + strings.Repeat("ü", 5000), "NEEDLE" + strings.Repeat("é", 5000),
		strings.Repeat("日", 5000) + "needle", strings.Repeat("é", 5000),
	} {
		got := q.Window([]byte(line))
		if len(got) > mostRaw || len(got) < mostRaw-8 || !utf8.Valid(got) || strings.Contains(line, "eedle") && !q.Within(Fold(nil, got)) {
			t.Errorf("a window of %d bytes, valid: %v", len(got), utf8.Valid(got))
		}
	}
}

// FuzzFind checks, for any document, that each hit names one of its lines which contains a term, that folding keeps
// every position, and that marks are inside the excerpt.
func FuzzFind(f *testing.F) {
	f.Add(page, "jwt keys", 60, 90)
	f.Add("\ufeffA\r\n=\r\nß ẞ\n", "ß", 0, 3)
	f.Fuzz(func(t *testing.T, text, query string, start, end int) {
		folded := Fold(nil, []byte(text))
		if len(folded) != len(text) || !bytes.Equal(folded, Fold(nil, folded)) {
			t.Fatalf("Fold(%q) = %q", text, folded)
		}
		var spans []markdown.Span
		if start >= 0 && start <= end && end <= len(text) {
			spans = []markdown.Span{{Start: start, End: end}}
		}
		doc := markdown.Parse([]byte(text))
		q := Parse(query)
		last := 0
		for _, h := range q.Find(NewOutline(doc, spans), folded) {
			line := h.Text.Of([]byte(text))
			if h.Line < last || h.Lines < 1 || len(q.marks(Fold(nil, line))) == 0 {
				t.Fatalf("%+v: %q", h, line)
			}
			last = h.Line
			excerpt, marks := q.Excerpt(string(q.Window(line)))
			for _, m := range marks {
				if m.Start < 0 || m.End > len(excerpt) || m.Start >= m.End {
					t.Fatalf("%v in %q", m, excerpt)
				}
			}
		}
	})
}
