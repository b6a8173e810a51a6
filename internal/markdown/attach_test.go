package markdown

import (
	"bytes"
	"testing"
)

func TestReattach(t *testing.T) {
	t.Parallel()
	const head = "| a | b |\n|---|---|\n"
	for name, tt := range map[string]struct{ in, out string }{
		"one row":           {head + "| 1 | 2 |\n\n| 3 | 4 |\n", head + "| 1 | 2 |\n| 3 | 4 |\n"},
		"several stretches": {head + "\n\n| 1 | 2 |\n| 3 | 4 |\n\n \n| 5 | 6 |", head + "| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |"},
		"CRLF":              {"| a |\r\n|---|\r\n\r\n| 1 |\r\n", "| a |\r\n|---|\r\n| 1 |\r\n"},
		"two tables": {
			head + "\n| 1 | 2 |\n\ntext\n\n" + head + "\n| 3 | 4 |\n", head + "| 1 | 2 |\n\ntext\n\n" + head + "| 3 | 4 |\n",
		},
		"a table below":      {head + "| 1 | 2 |\n\n" + head + "| 3 | 4 |\n", ""},
		"other cells":        {head + "| 1 | 2 |\n\n| 3 | 4 | 5 |\n", ""},
		"text between":       {head + "| 1 | 2 |\n\ntext\n\n| 3 | 4 |\n", ""},
		"no outer pipes":     {head + "| 1 | 2 |\n\n3 | 4\n", ""},
		"in a list":          {head + "| 1 | 2 |\n\n- | 3 | 4 |\n", ""},
		"in a fence":         {"```\n" + head + "| 1 | 2 |\n\n| 3 | 4 |\n```\n", ""},
		"in a comment":       {"<!--\n" + head + "\n| 3 | 4 |\n-->\n", ""},
		"blank lines behind": {head + "| 1 | 2 |\n\n\n", ""},
		"in order":           {head + "| 1 | 2 |\n", ""},
	} {
		want := tt.out
		if want == "" {
			want = tt.in
		}
		if got := string(Reattach([]byte(tt.in))); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// FuzzReattach checks that only blank lines disappear, that every row stays a row, and that a second call changes
// nothing.
func FuzzReattach(f *testing.F) {
	f.Add([]byte("| a | b |\n|---|---|\n\n| 1 | 2 |\n\n| 3 | 4 |\n"))
	f.Add([]byte("| a |\n|---|\n\n| b |\n|---|\n\r\n| c |\r\n```\n\n| d |\n"))
	f.Add([]byte("\xef\xbb\xbf| a |\n| - |\n \t\n| b |"))
	f.Fuzz(func(t *testing.T, src []byte) {
		out := Reattach(src)
		content := func(text []byte) []byte {
			var kept []byte
			for line := range bytes.Lines(text) {
				if len(bytes.TrimSpace(line)) > 0 {
					kept = append(kept, line...)
				}
			}
			return kept
		}
		if !bytes.Equal(content(src), content(out)) {
			t.Fatalf("%q became %q", src, out)
		}
		if again := Reattach(out); !bytes.Equal(again, out) {
			t.Fatalf("%q, a second time %q", out, again)
		}
		rows := func(text []byte) int {
			n := 0
			for _, l := range Parse(text).Lines() {
				if l.Class == TableRow {
					n++
				}
			}
			return n
		}
		if rows(out) < rows(src) {
			t.Fatalf("%q has fewer rows than %q", out, src)
		}
	})
}
