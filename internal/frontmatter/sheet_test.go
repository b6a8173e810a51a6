package frontmatter

import (
	"strings"
	"testing"

	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func revise(t *testing.T, body string, changes ...Change) string {
	t.Helper()
	s, err := OpenSheet([]byte(body), "\n").Revise(changes...)
	if err != nil {
		t.Fatalf("%q: %v", body, err)
	}
	return string(s.Bytes())
}

func TestReviseReplacesValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, old string
		value     any
		want      string
	}{
		{"plain", "k: a\nx: 1\n", "b", "k: b\nx: 1\n"},
		{"blanks and comment", "k:   a   # c\n", "b", "k:   b   # c\n"},
		{"double quotes", "k: \"a\" # c\n", "b: c", "k: \"b: c\" # c\n"},
		{"single quotes", "k: 'a'\n", "it's", "k: 'it''s'\n"},
		{"quotes where YAML needs them", "k: a\n", "b: c", "k: \"b: c\"\n"},
		{"escapes are avoided", "k: \"a\"\n", `say "b"`, "k: 'say \"b\"'\n"},
		{"a number stays plain", "k: 4\n", "4.10", "k: 4.10\n"},
		{"from null", "k: null\n", "4.10", "k: \"4.10\"\n"},
		{"from nothing", "k:\nx: 1\n", "b", "k: b\nx: 1\n"},
		{"from nothing, comment", "k: # c\n", "b", "k: b # c\n"},
		{"to null", "k: \"a\" # c\n", nil, "k: null # c\n"},
		{"null stays as written", "k: ~\n", nil, "k: ~\n"},
		{"a number", "k: 1 # c\n", 2, "k: 2 # c\n"},
		{"a quoted number", "k: \"1\"\n", 2, "k: \"2\"\n"},
		{"CRLF", "k: a\r\nx: 1\r\n", "b", "k: b\r\nx: 1\r\n"},
		{"no end of line", "k: a", "b", "k: b"},
		{"indented keys", "  k: a\n  x: 1\n", "b", "  k: b\n  x: 1\n"},
		{"block list", "k: # why\n  - a # one\n\n  # two\n  - b\nx: 1\n", []string{"c"}, "k: [c] # why\n  # one\n\n  # two\nx: 1\n"},
		{"list at the margin", "k:\n- a\n- b\nx: 1\n", []string{"4.5", "b"}, "k: [\"4.5\", b]\nx: 1\n"},
		{"flow list over lines", "k: [a, # one\n  b\n]\nx: 1\n", []string{"c"}, "k: [c] # one\nx: 1\n"},
		{"folded text", "k: >\n  a\n  # b\n\nx: 1\n", "c", "k: c\n\nx: 1\n"},
		{"text over lines", "k: a\n  b\nx: 1\n", "c", "k: c\nx: 1\n"},
		{"a list that is there", "k:\n- a\n", []string{"a"}, "k:\n- a\n"},
	} {
		if got := revise(t, c.old, Change{Path: "k", Value: c.value}); got != c.want {
			t.Errorf("%s: %s", c.name, cmp.Diff(c.want, got))
		}
	}
}

func TestReviseAddsKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, old string
		change    Change
		want      string
	}{
		{"at the end, comments stay last", "a: 1\n# end\n", Change{Path: "k", Value: "b"}, "a: 1\nk: b\n# end\n"},
		{"behind another", "a: 1\nb: 2\n", Change{Path: "k", Value: "c", After: []string{"z", "a"}}, "a: 1\nk: c\nb: 2\n"},
		{"behind a list", "a:\n- 1\n- 2\nb: 2\n", Change{Path: "k", Value: "c", After: []string{"a"}}, "a:\n- 1\n- 2\nk: c\nb: 2\n"},
		{
			"behind a mapping", "a:\n  x: 1\n  # c\n  y: 2\nb: 2\n",
			Change{Path: "k", Value: "c", After: []string{"a"}},
			"a:\n  x: 1\n  # c\n  y: 2\nk: c\nb: 2\n",
		},
		{"in quotes", "a: 1\n", Change{Path: "k", Value: "c", Quote: true}, "a: 1\nk: \"c\"\n"},
		{"null adds nothing", "a: 1\n", Change{Path: "k"}, "a: 1\n"},
		{"below another", "p:\n    x: 1\nb: 2\n", Change{Path: "p.k", Value: 3, After: []string{"p.x"}}, "p:\n    x: 1\n    k: 3\nb: 2\n"},
		{"first below another", "p:\n  # c\n  x: 1\n", Change{Path: "p.k", Value: 3}, "p:\n  k: 3\n  # c\n  x: 1\n"},
		{"below null", "p: null # c\nb: 2\n", Change{Path: "p.k", Value: 3}, "p: # c\n  k: 3\nb: 2\n"},
		{"below nothing", "p:\nb: 2\n", Change{Path: "p.k", Value: 3}, "p:\n  k: 3\nb: 2\n"},
		{"with its parent", "a: 1\r\n", Change{Path: "p.k", Value: 3}, "a: 1\r\np:\r\n  k: 3\r\n"},
		{"to an empty block", "", Change{Path: "k", Value: "b"}, "k: b\n"},
		{"to comments", "# c\n", Change{Path: "k", Value: "b"}, "# c\nk: b\n"},
	} {
		if got := revise(t, c.old, c.change); got != c.want {
			t.Errorf("%s: %s", c.name, cmp.Diff(c.want, got))
		}
	}
}

func TestReviseRefuses(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a mapping": "k:\n  x: 1\n", "a flow mapping": "k: {x: 1}\n", "an anchor": "k: &a b\nx: *a\n", "a tag": "k: !!str b\n",
		"in braces": "{k: a}\n",
	} {
		s, err := OpenSheet([]byte(body), "\n").Revise(Change{Path: "k", Value: "c"})
		if report.KindOf(err) != report.Violation || string(s.Bytes()) != body {
			t.Errorf("%s: %v %q", name, err, s.Bytes())
		}
	}
	if _, err := OpenSheet([]byte("p: 65\n"), "\n").Revise(Change{Path: "p.k", Value: 1}); report.KindOf(err) != report.Violation {
		t.Errorf("below a number: %v", err)
	}
}

// TestSheetOfBrokenYAML: a block that YAML rejects is read line by line, and only keys that can be located change
// (GSD-58).
func TestSheetOfBrokenYAML(t *testing.T) {
	t.Parallel()
	body := "a: b: c\nk: 'x' # y\nl: [1, \"2\"]\nm:\n- 3\nn: null\np:\n  q: 4.10\nk: \"last\"\nopen: \"x\n"
	s := OpenSheet([]byte(body), "\n")
	if s.Err() == nil {
		t.Fatal("YAML takes it")
	}
	for path, want := range map[string]string{"a": "b: c", "k": "last", "p.q": "4.10", "open": "\"x", "n": ""} {
		if e, ok := s.At(path); !ok || e.Text != want && !Null(e) {
			t.Errorf("%s: %+v", path, e)
		}
	}
	for path, want := range map[string][]string{"l": {"1", "2"}, "m": {"3"}} {
		if items, ok := s.Items(path); !ok || !cmp.Equal(items, want) {
			t.Errorf("%s: %q", path, items)
		}
	}
	got := revise(t, body, Change{Path: "k", Value: "new"}, Change{Path: "p.q", Value: 5},
		Change{Path: "p.r", Value: 6, After: []string{"p.q"}}, Change{Path: "z", Value: "end"})
	want := strings.NewReplacer("k: \"last\"", "k: \"new\"", "q: 4.10\n", "q: 5\n  r: 6\n", "open: \"x\n",
		"open: \"x\nz: end\n").Replace(body)
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
	if got = revise(t, "a: b: c\nk: 1\n", Change{Path: "a", Value: "d"}); got != "a: d\nk: 1\n" {
		t.Errorf("the bad line itself: %q", got)
	}
}

func TestSourceAndFound(t *testing.T) {
	t.Parallel()
	s := OpenSheet([]byte("a: 'x' # c\nb:\n  - 1\np:\n  q: 2\nf: {g: 1}\n"), "\n")
	if s.Source("a") != "'x'" || s.Source("b") != "" || s.Source("p.q") != "2" || s.Source("z") != "" {
		t.Errorf("%q %q", s.Source("a"), s.Source("b"))
	}
	for path, want := range map[string]int{"a": 1, "p.q": 5, "f.g": 0, "z": 0} {
		if line, ok := s.found(path); line != want || ok != (want > 0) {
			t.Errorf("%s: %d %v", path, line, ok)
		}
	}
}

func TestReviseKeepsEverythingElse(t *testing.T) {
	t.Parallel()
	lines := []string{
		"a: 1", "b: 'x: y'", "k: old", "k:", "  - i", "- j", "# c", "", "p:", "  q: 1", "  # d", "bad: a: b", "t: |", "  text", "l: [1,",
		"  2]", "\"w x\": 3",
	}
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 12).Draw(t, "lines"), "\n") + "\n"
		path := rapid.SampledFrom([]string{"k", "p.q", "p.z", "new", "a"}).Draw(t, "path")
		var value any = rapid.String().Draw(t, "value")
		if rapid.Bool().Draw(t, "list") {
			value = rapid.SliceOfN(rapid.StringMatching(`[a-z0-9.: #'"-]{1,8}`), 1, 4).Draw(t, "items")
		}
		s, err := OpenSheet([]byte(body), "\n").Revise(Change{Path: path, Value: value})
		if err != nil {
			if string(s.Bytes()) != body {
				t.Fatalf("an error changed the block: %v", err)
			}
			return
		}
		again, err := s.Revise(Change{Path: path, Value: value})
		if err != nil || again != s {
			t.Fatalf("a second time: %v", err)
		}
		for _, comment := range []string{"# c\n", "# d\n"} {
			if strings.Count(body, comment) > strings.Count(string(s.Bytes()), comment) && !strings.Contains(body, "t: |") {
				t.Fatalf("a comment is gone:\n%s---->\n%s", body, s.Bytes())
			}
		}
	})
}

func FuzzSheet(f *testing.F) {
	for _, body := range []string{
		"a: 1\n", "k: &a [*a]\n", "k: |\n x\n\ty: 1\n", "k: \"\nx: '\n", "? a\n: b\n", "k: {a: [}\n", "a: b: c\r\n- x\n  y: 2\n",
	} {
		f.Add([]byte(body), "v")
	}
	f.Fuzz(func(t *testing.T, body []byte, value string) {
		for _, path := range []string{"k", "p.q"} {
			s, err := OpenSheet(body, "\n").Revise(Change{Path: path, Value: value})
			if err != nil && string(s.Bytes()) != string(body) {
				t.Error("an error changed the block")
			}
		}
	})
}
