package frontmatter

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSet(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, body, key string
		value           any
		want            string
	}{
		{"plain", "a: 1\nb: old # why\nc: 3\n", "b", "new", "a: 1\nb: new # why\nc: 3\n"},
		{"plain to quoted", "b: old  # why\n", "b", "x: y", "b: \"x: y\"  # why\n"},
		{"string that looks like a number", "b: old\n", "b", "4.10", "b: \"4.10\"\n"},
		{"string that looks like a truth value", "b: old\n", "b", "true", "b: \"true\"\n"},
		{"date", "b: 2026-01-02 # c\n", "b", "2026-02-03", "b: 2026-02-03 # c\n"},
		{"double quotes stay", "b:   \"a \\\" # \"  # c\n", "b", "d\\e\n", "b:   \"d\\\\e\\n\"  # c\n"},
		{"single quotes stay", "b: 'it''s' # c\n", "b", "they're", "b: 'they''re' # c\n"},
		{"number", "n: 4.10\n", "n", 5, "n: 5\n"},
		{"float", "n: 1\n", "n", 2.0, "n: 2.0\n"},
		{"bool", "n: no\n", "n", true, "n: true\n"},
		{"null", "n: x\n", "n", nil, "n: null\n"},
		{"empty value", "n:\nm: 1\n", "n", "v", "n: v\nm: 1\n"},
		{"empty value with a comment", "n:   # c\n", "n", int64(3), "n: 3   # c\n"},
		{"flow list", "l: [ a, 'b]', # c ]\n  d ]\nm: 1\n", "l", []string{"x", "y z"}, "l: [x, y z]\nm: 1\n"},
		{"in a flow mapping", "m: {a: 1, b: 2}\n", "m", []string{}, "m: []\n"},
		{"nested", "p:\n  # note\n  a: 1\n\n  b: 2\nq: 3\n", "p.b", 9, "p:\n  # note\n  a: 1\n\n  b: 9\nq: 3\n"},
		{"nested, new", "p:\n  a: 1\n\n# about q\nq: 3\n", "p.b", "x", "p:\n  a: 1\n  b: x\n\n# about q\nq: 3\n"},
		{"new", "a: 1\n", "b", "x", "a: 1\nb: x\n"},
		{"new with parent", "a: 1\n", "p.b", 2, "a: 1\np:\n  b: 2\n"},
		{"new in an indented block", "  a: 1\n", "b", "x", "  a: 1\n  b: x\n"},
		{"new behind a block scalar", "a: |\n  text\n  more\n", "b", "x", "a: |\n  text\n  more\nb: x\n"},
		{"wide characters before", "\"é界\": 'ü' # ß\nb: '界' # ß\n", "b", "é", "\"é界\": 'ü' # ß\nb: 'é' # ß\n"},
		{"CRLF", "a: 1\r\nb: 2\r\n", "c", "x", "a: 1\r\nb: 2\r\nc: x\r\n"},
		{"already there", "a:   'x'   # c\n", "a", "x", "a:   'x'   # c\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			eol := "\n"
			if strings.Contains(tc.body, "\r") {
				eol = "\r\n"
			}
			wrap := func(body string) string { return "---" + eol + body + "---" + eol + "text: 1" }
			got, err := Set([]byte(wrap(tc.body)), tc.key, tc.value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wrap(tc.want), string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSet_Refuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src, key string
		value          any
		kind           report.Kind
		code           report.Code
	}{
		{"no block", "text\n", "a", "x", report.Violation, "no_front_matter"},
		{"broken", "---\na: b: c\n---\n", "a", "x", report.Corrupt, "frontmatter_invalid"},
		{"a list", "---\n- a\n---\n", "a", "x", report.Violation, "frontmatter_refused"},
		{"one flow mapping", "---\n{a: 1}\n---\n", "a", "x", report.Violation, "frontmatter_refused"},
		{"block scalar", "---\na: |\n  x\n---\n", "a", "x", report.Violation, "frontmatter_refused"},
		{"block list", "---\na:\n- x\n---\n", "a", "x", report.Violation, "frontmatter_refused"},
		{"anchor", "---\na: &b x\nc: *b\n---\n", "a", "y", report.Violation, "frontmatter_refused"},
		{"alias", "---\na: &b x\nc: *b\n---\n", "c", "y", report.Violation, "frontmatter_refused"},
		{"tag", "---\na: !!str 1\n---\n", "a", "y", report.Violation, "frontmatter_refused"},
		{"twice", "---\na: 1\na: 2\n---\n", "a", "y", report.Violation, "frontmatter_refused"},
		{"plain text over two lines", "---\na: x\n  y\n---\n", "a", "z", report.Violation, "frontmatter_refused"},
		{"below a scalar", "---\na: x\n---\n", "a.b", "z", report.Violation, "frontmatter_refused"},
		{"not UTF-8", "---\na: x\n---\n", "a", "\xff", report.Violation, "frontmatter_refused"},
		{"a type that YAML has no word for", "---\na: x\n---\n", "a", struct{}{}, report.Violation, "frontmatter_refused"},
		{"empty key", "---\na: x\n---\n", "", "y", report.Violation, "frontmatter_refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			out, err := Set([]byte(tc.src), tc.key, tc.value)
			e := report.As(err)
			if e == nil || e.Kind != tc.kind || e.Code != tc.code || e.Message == "" || e.Hint == "" {
				t.Fatalf("got %+v", e)
			}
			if string(out) != tc.src {
				t.Errorf("refused, yet changed to %q", out)
			}
		})
	}
}

// law checks what holds for every input. After an error nothing has changed. Otherwise the key has its value, every
// other value is unchanged, and only one region inside the block changed.
func law(t interface {
	Helper()
	Fatalf(string, ...any)
}, src []byte, key string, value any,
) {
	t.Helper()
	out, err := Set(src, key, value)
	if err != nil {
		if !bytes.Equal(out, src) {
			t.Fatalf("refused %q in %q, yet gave %q", key, src, out)
		}
		return
	}
	before, ok1 := Find(src)
	after, ok2 := Find(out)
	if !ok1 || !ok2 {
		t.Fatalf("block lost: %q to %q", src, out)
	}
	if !bytes.Equal(src[before.Span.End:], out[after.Span.End:]) {
		t.Fatalf("the text behind the block changed: %q to %q", src, out)
	}
	was, err1 := values(before.Body.Of(src))
	is, err2 := values(after.Body.Of(out))
	if err1 != nil || err2 != nil {
		t.Fatalf("not readable: %v, %v: %q to %q", err1, err2, src, out)
	}
	if diff := cmp.Diff(flat(was, "", key), flat(is, "", key)); diff != "" {
		t.Fatalf("%q to %q: other values changed\n%s", src, out, diff)
	}
	again, err := Set(out, key, value)
	if err != nil || !bytes.Equal(again, out) {
		t.Fatalf("setting %q again changed %q to %q (%v)", key, out, again, err)
	}
}

// values reads a block in which a key may be repeated.
func values(body []byte) (Map, error) {
	root, err := parse(body, 0, "")
	if err != nil || root == nil {
		return nil, err
	}
	return (&reader{budget: maxAliased}).mapping(root, "", 0), nil
}

// flat lists all values by path, except the value at key and the parents that Set added for it.
func flat(m Map, path, key string) []string {
	var out []string
	for _, e := range m {
		p := strings.TrimPrefix(path+"."+e.Key, ".")
		if p == key || strings.HasPrefix(key, p+".") && len(flatValue(e, p, key)) == 0 {
			continue
		}
		out = append(out, flatValue(e, p, key)...)
	}
	return out
}

func flatValue(e Entry, path, key string) []string {
	if sub, ok := e.Value.(Map); ok && len(sub) > 0 {
		return flat(sub, path, key)
	}
	return []string{path + "=" + show(e.Value)}
}

// show writes a value without line numbers, because an insertion changes them.
func show(value any) string {
	var b strings.Builder
	switch v := value.(type) {
	case Map:
		for _, e := range v {
			b.WriteString(e.Key + ": " + show(e.Value) + ", ")
		}
		return "{" + b.String() + "}"
	case []any:
		for _, e := range v {
			b.WriteString(show(e) + ", ")
		}
		return "[" + b.String() + "]"
	}
	return fmt.Sprintf("%#v", value)
}

var lines = []string{
	"a: 1", "b: 'x'", "c: \"y\" # z", "d:", "# note", "", "e: [1, 2]", "f:", "  g: 1", "  h: 'i' # j", "l:", "- m", "  - n",
	"o: |", "  text", "", "p: {q: 1}", "r: plain text # s", "é: 界", "'u v': w", "  # deep", "x: 2026-01-02", "y: ~",
}

func TestSet_Laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		body := rapid.SliceOfN(rapid.SampledFrom(lines), 1, 12).Draw(t, "body")
		src := "---" + eol + strings.Join(body, eol) + eol + "---" + eol + rapid.SampledFrom([]string{"", "text", "---\na: 1\n---\n"}).Draw(
			t, "rest")
		key := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f.g", "f.h", "f.new", "new", "new.er", "r", "é", "u v", "y"}).Draw(t,
			"key")
		value := rapid.OneOf(
			rapid.Map(rapid.String(), func(s string) any { return s }),
			rapid.Map(rapid.SampledFrom([]string{"", "yes", "1", "a b", "null", "- x", "x: y", "x #y", "é", "---", "'", "\""}),
				func(s string) any { return s }),
			rapid.Map(rapid.Int64(), func(i int64) any { return i }),
			rapid.Map(rapid.Bool(), func(b bool) any { return b }),
			rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b, c", "1"}), 0, 3), func(l []string) any { return l }),
			rapid.Just[any](nil),
		).Draw(t, "value")
		law(t, []byte(src), key, value)
	})
}

func FuzzSet(f *testing.F) {
	f.Add("---\na: 1\nb: 'x' # c\n---\ntext\n", "b", "new value")
	f.Add("---\np:\n  a: \"x\"\n\nq: [1, {b: c}]\n---\n", "p.z", "# no comment")
	f.Add("\xef\xbb\xbf---\r\né: 界\r\nl:\r\n- 1\r\n---\r\n", "é", "\u2028")
	f.Fuzz(func(t *testing.T, src, key, value string) { law(t, []byte(src), key, value) })
}
