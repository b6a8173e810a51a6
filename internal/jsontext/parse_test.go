package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseKeepsPlaces(t *testing.T) {
	t.Parallel()
	const src = "// note\n{\"a\" : 1, \"b\": [true, \"x\\u00e4\",], /* c */ \"a\": {\"d\": null} // end\n}"
	n, fault := Parse([]byte(src), Options{Relaxed: true})
	if fault != nil {
		t.Fatal(fault)
	}
	of := func(n Node) string { return string(n.Span.Of([]byte(src))) }
	if n.Kind != '{' || len(n.Members) != 3 || !n.Comments || !n.LineComment {
		t.Fatalf("%+v", n)
	}
	a, _ := n.Member("a")
	if of(a.Value) != `{"d": null}` || a.Value.Comma != -1 || string(a.Key.Of([]byte(src))) != `"a"` {
		t.Errorf("the last of two members: %+v", a)
	}
	if one := n.Members[0].Value; of(one) != "1" || src[one.Comma] != ',' || one.Kind != '0' {
		t.Errorf("%+v", one)
	}
	if number, ok := n.Members[0].Value.Number([]byte(src)); !ok || number != 1 {
		t.Errorf("%d %v", number, ok)
	}
	b, _ := n.Member("b")
	if text, ok := b.Value.Items[1].Text([]byte(src)); len(b.Value.Items) != 2 || !ok || text != "xä" || b.Value.Items[1].Comma < 0 {
		t.Errorf("%+v", b)
	}
	if _, ok := n.Member("c"); ok {
		t.Error("a member that is not there")
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]Fault{
		"":              {0, "the text ends where a value is expected"},
		"{":             {1, "the text ends where a key in double quotes is expected"},
		`{"a":1`:        {6, `the text ends where a comma or a closing "}" is expected`},
		`{"a":1,}`:      {7, `there is a comma before the closing "}"`},
		`[1 2]`:         {3, `a comma or a closing "]" is missing`},
		`[,]`:           {1, "a value is missing"},
		`{"a" 1}`:       {5, "a colon is missing"},
		`{a:1}`:         {1, "a key in double quotes is missing"},
		`"a`:            {0, "a string is not closed"},
		"\"a\n\"":       {2, "a string contains a line end or another control character; write it as an escape"},
		`"\x"`:          {1, "a string contains an escape that JSON does not define"},
		`01`:            {0, "not a valid JSON number"},
		`[1] 2`:         {4, "there is text after the end of the value"},
		"// a\n1":       {0, "JSON has no comments"},
		"[[[[1]]]]":     {3, "values are nested too deeply"},
		"[{\"a\":[1}]]": {8, `a comma or a closing "]" is missing`},
	} {
		n, fault := Parse([]byte(src), Options{Depth: 3})
		if fault == nil || *fault != want {
			t.Errorf("%s: %+v %+v, want %+v", src, n, fault, want)
		}
	}
	if _, fault := Parse([]byte("{} /* x"), Options{Relaxed: true}); fault == nil || fault.Pos != 3 {
		t.Errorf("an open comment: %+v", fault)
	}
}

func TestShallow(t *testing.T) {
	t.Parallel()
	src := []byte("\xef\xbb\xbf{\"a\": {\"b\": [1, {}]}}")
	n, fault := Parse(src, Options{From: 3, Shallow: true})
	if fault != nil || len(n.Members) != 1 || n.Members[0].Value.Members != nil {
		t.Errorf("%+v %+v", n, fault)
	}
	if Empty(src, Options{From: 3}) || !Empty([]byte(" /* a */\n"), Options{Relaxed: true}) || Empty([]byte("/"), Options{Relaxed: true}) {
		t.Error("what is empty")
	}
}

// FuzzParse checks that Parse accepts exactly what encoding/json accepts, and that all positions are inside the text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e3,"x\u00e4"],"b":null}`, "[true,]", "{\"a\"// x\n:1}", "\"\\ud800\"", "[1}", " "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		n, fault := Parse([]byte(src), Options{Depth: 10_000})
		if valid := json.Valid([]byte(src)); valid != (fault == nil) {
			t.Fatalf("%q: valid %v, and %+v", src, valid, fault)
		}
		if fault != nil {
			if fault.Pos < 0 || fault.Pos > len(src) {
				t.Fatalf("%q: %+v", src, fault)
			}
			if relaxed, fault := Parse([]byte(src), Options{Relaxed: true}); fault == nil {
				check(t, relaxed, src)
			}
			return
		}
		check(t, n, src)
		if again, fault := Parse([]byte(src), Options{Relaxed: true, Depth: 10_000}); fault != nil || again.Span != n.Span {
			t.Fatalf("%q: relaxed %+v %+v", src, again, fault)
		}
	})
}

// check compares every value with the text at its position.
func check(t *testing.T, n Node, src string) {
	t.Helper()
	raw := string(n.Span.Of([]byte(src)))
	if n.Kind == '"' {
		var want string
		got := n.ValidText([]byte(src))
		if err := json.Unmarshal([]byte(raw), &want); err != nil || got != want || !utf8.ValidString(got) {
			t.Fatalf("%s: %q, want %q (%v)", raw, got, want, err)
		}
	}
	if n.Comma >= 0 && src[n.Comma] != ',' {
		t.Fatalf("%s: no comma at %d", src, n.Comma)
	}
	for _, m := range n.Members {
		if !strings.HasPrefix(src[m.Key.Start:], `"`) {
			t.Fatalf("%s: no key at %d", src, m.Key.Start)
		}
		check(t, m.Value, src)
	}
	for _, item := range n.Items {
		check(t, item, src)
	}
}
