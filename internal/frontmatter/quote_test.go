package frontmatter

import (
	"slices"
	"testing"
)

func TestQuoteRepairsValuesThatYAMLRejects(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in, out string
		keys    []string
	}{
		"colon": {
			"a: 1\ntitle: the pier: second bay\nb: 2\n", "a: 1\ntitle: \"the pier: second bay\"\nb: 2\n", []string{"title"},
		},
		"with a comment":  {"title: pier: two # yes\n", "title: \"pier: two\" # yes\n", []string{"title"}},
		"CRLF":            {"title: pier: two\r\nb: x\r\n", "title: \"pier: two\"\r\nb: x\r\n", []string{"title"}},
		"nested":          {"p:\n  q: pier: two\n  r: 1\n", "p:\n  q: \"pier: two\"\n  r: 1\n", []string{"p.q"}},
		"two":             {"a: x: y\nb: z: w\n", "a: \"x: y\"\nb: \"z: w\"\n", []string{"a", "b"}},
		"quotes inside":   {`a: he said: "go"` + "\n", `a: 'he said: "go"'` + "\n", []string{"a"}},
		"quotes in front": {`a: "go": he said` + "\n", `a: '"go": he said'` + "\n", []string{"a"}},
		"a mark":          {"a: @home\nb: 1\n", "a: \"@home\"\nb: 1\n", []string{"a"}},
		"no end of line":  {"a: x: y", "a: \"x: y\"", []string{"a"}},
		// There is nothing to repair, or quotes alone cannot repair it.
		"a block mark":                       {"a: |0\nb: 1\n", "a: \"|0\"\nb: 1\n", []string{"a"}},
		"below a key that lines do not show": {"$:\n 0: |0", "$:\n 0: |0", nil},
		"half a list":                        {"a: [Phase 1]: tar\n", "a: [Phase 1]: tar\n", nil},
		"in order":                           {"a: 'x: y'\n", "a: 'x: y'\n", nil},
		"twice":                              {"a: 1\na: 2\n", "a: 1\na: 2\n", nil},
		"a tab":                              {"a: x: y\n\tb: 1\n", "a: x: y\n\tb: 1\n", nil},
		"open quotes":                        {"a: x: y\nb: [1, 2\n", "a: x: y\nb: [1, 2\n", nil},
		"several lines":                      {"a: x: y\n  more\n", "a: x: y\n  more\n", nil},
		"words, no keys":                     {"so: it: is\nand then words\n", "so: it: is\nand then words\n", nil},
		"empty":                              {"", "", nil},
	} {
		s := OpenSheet([]byte(tt.in), "\n")
		next, keys := s.Quote()
		if string(next.Bytes()) != tt.out || !slices.Equal(keys, tt.keys) {
			t.Errorf("%s: %q %v", name, next.Bytes(), keys)
		}
		if len(keys) > 0 && next.Err() != nil {
			t.Errorf("%s: still no YAML: %v", name, next.Err())
		}
		if again, keys := next.Quote(); len(keys) > 0 || string(again.Bytes()) != tt.out {
			t.Errorf("%s: a second time: %q %v", name, again.Bytes(), keys)
		}
	}
}

// FuzzQuote checks that the result is valid YAML with the values of the lines, or that nothing changed.
func FuzzQuote(f *testing.F) {
	for _, seed := range []string{
		"a: x: y\n", "a: [x]: y\nb:\n  c: 'd': e\n", "a: |\n  b: c: d\n", "- a: b: c\n", "a: x # y: z\r\nb: \"q\": r",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s := OpenSheet(body, "\n")
		next, keys := s.Quote()
		if len(keys) == 0 {
			if string(next.Bytes()) != string(body) {
				t.Fatalf("%q changed to %q without a key", body, next.Bytes())
			}
			return
		}
		if next.Err() != nil {
			t.Fatalf("%q became %q: %v", body, next.Bytes(), next.Err())
		}
		for _, key := range keys {
			was, _ := s.At(key)
			is, there := next.At(key)
			if !there || is.Text != was.Text {
				t.Fatalf("%q: %s was %q and is %q", body, key, was.Text, is.Text)
			}
		}
	})
}
