package jsontext

import (
	"bytes"
	"strings"
	"testing"
)

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a": [1, {"b": null}], "c": "\u00e9"}`), "c", "7")
	f.Add([]byte("{ // x\n\"a\": 1,\n}"), "b", `"y"`)
	f.Add([]byte("{}"), "", "{}")
	f.Fuzz(func(t *testing.T, src []byte, key, value string) {
		if _, err := Relaxed([]byte(value)); err != nil || strings.Contains(value, "/") {
			return
		}
		out, ok := Set(src, key, value, "\n")
		if !ok {
			return
		}
		node, err := Relaxed(out)
		if err != nil {
			t.Fatalf("%q is no JSON: %s", out, err.What)
		}
		var name string
		if first, err := Relaxed([]byte(Quote(key))); err == nil {
			name, _ = first.Text([]byte(Quote(key)))
		}
		member, found := node.Member(name)
		if name == key && (!found || !same(member.Value, out, value)) {
			t.Fatalf("%q does not hold %q: %q", out, key, value)
		}
		if again, _ := Set(out, key, value, "\n"); name == key && !bytes.Equal(again, out) {
			t.Fatalf("a second time changes it:\n%q\n%q", out, again)
		}
	})
}
