package jsontext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAt(t *testing.T) {
	t.Parallel()
	src := []byte(`{"a": {"b": [1, {"c": "x"}, null]}, "a.b": 2, "d": []}`)
	root, fault := Parse(src, Options{})
	if fault != nil {
		t.Fatal(fault)
	}
	for path, want := range map[string]string{
		"a.b[0]": "1", "a.b[1].c": `"x"`, "a.b[-1]": "null", "a.b[-3]": "1", "a.b[3]": "-", "a.b[-4]": "-", "a.c": "-", "d[0]": "-",
		"a.b[x]": "-", "a.b[0": "-", "a.b[0].c": "-", "d": "[]", "": string(src), ".": "-",
	} {
		got := "-"
		if at, ok := root.At(path); ok {
			got = string(at.Span.Of(src))
		}
		if got != want {
			t.Errorf("%q is %s, want %s", path, got, want)
		}
	}
}

func TestSetAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, keys, value, want string }{
		{
			"a value in an object", "{\n  \"git\": {\n    \"mode\": \"a\", // why\n    \"x\": 1\n  }\n}\n", "git.mode", `"b"`,
			"{\n  \"git\": {\n    \"mode\": \"b\", // why\n    \"x\": 1\n  }\n}\n",
		},
		{
			"a new key in an object", "{\n  \"git\": {\n    \"x\": 1\n  },\n  \"y\": 2\n}\n", "git.z", "true",
			"{\n  \"git\": {\n    \"x\": 1,\n    \"z\": true\n  },\n  \"y\": 2\n}\n",
		},
		{
			"a new object", "{\n  \"y\": 2\n}\n", "git.deep.z", "3",
			"{\n  \"y\": 2,\n  \"git\": {\n    \"deep\": {\n      \"z\": 3\n    }\n  }\n}\n",
		},
		{"null is no object yet", "{\"git\": null}", "git.z", "3", `{"git": {"z": 3}}`},
		{
			"carriage returns stay", "{\r\n  \"y\": {\r\n    \"a\": 1\r\n  }\r\n}\r\n", "y.b", "2",
			"{\r\n  \"y\": {\r\n    \"a\": 1,\r\n    \"b\": 2\r\n  }\r\n}\r\n",
		},
		{"an equal value", "{\"a\": {\"b\": 1.0}}", "a.b", "1.0", "{\"a\": {\"b\": 1.0}}"},
		{"a text in the way", "{\"git\": \"x\"}", "git.z", "3", "refused"},
		{"no object", "[1]", "a", "3", "refused"},
	} {
		out, ok := SetAt([]byte(c.src), strings.Split(c.keys, "."), c.value, "\n")
		if !ok {
			out = []byte("refused")
		}
		if diff := cmp.Diff(c.want, string(out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestDeleteAt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"an object that is there twice", `{"a": {"b": 1}, "c": 1, "a": {"b": 2, "d": 3}}`, `{"a": {}, "c": 1, "a": {"d": 3}}`},
		{"what is no object stays", `{"a": {"b": 1}, "a": 2}`, `{"a": {}, "a": 2}`},
		{"absent", `{"a": {"d": 1}}`, `{"a": {"d": 1}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, ok := DeleteAt([]byte(test.in), []string{"a", "b"})
			if !ok || string(got) != test.want {
				t.Errorf("ok %v\n%s\nwant\n%s", ok, got, test.want)
			}
		})
	}
}
