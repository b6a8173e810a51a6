package jsontext

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestSetJSON(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, key, value, want string }{
		{"value in place", "{\n  \"a\": 1,\n  \"b\":  2\n}", "a", "7", "{\n  \"a\": 7,\n  \"b\":  2\n}"},
		{"equal value with other spacing", `{"a": [1,  2]}`, "a", "[1, 2]", `{"a": [1,  2]}`},
		{"equal number written otherwise", `{"a": 42.0}`, "a", "42", `{"a": 42.0}`},
		{"large integers are compared by digits", `{"a": 9007199254740993}`, "a", "9007199254740992", `{"a": 9007199254740992}`},
		{"last of duplicate keys", `{"a": 1, "a": 2}`, "a", "3", `{"a": 1, "a": 3}`},
		{"new key in the text's indentation", "{\n\t\"a\": 1\n}", "b", "2", "{\n\t\"a\": 1,\n\t\"b\": 2\n}"},
		{"new key with the text's colon", "{\n  \"a\" : 1\n}", "b", "2", "{\n  \"a\" : 1,\n  \"b\" : 2\n}"},
		{"new key on one line", `{ "a": 1 }`, "b", "2", `{ "a": 1, "b": 2 }`},
		{"trailing comma stays", "{\n  \"a\": 1,\n}", "b", "2", "{\n  \"a\": 1,\n  \"b\": 2,\n}"},
		{"comment stays with its key", "{\n  \"a\": 1 // one\n}", "b", "2", "{\n  \"a\": 1, // one\n  \"b\": 2\n}"},
		{"comment behind a trailing comma", "{\n  \"a\": 1, /* one */\n}", "b", "2", "{\n  \"a\": 1, /* one */\n  \"b\": 2,\n}"},
		{"empty object", "{}", "b", "2", `{"b": 2}`},
		{"empty object over two lines", "{\n}", "b", "2", "{\n  \"b\": 2\n}"},
		{"empty object with a comment", "{ // none\n}", "b", "2", "{ // none\n  \"b\": 2\n}"},
		{"CRLF", "{\r\n  \"a\": 1\r\n}", "b", "2", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}"},
		{"escaped key", `{"\u0061": 1}`, "a", "2", `{"\u0061": 2}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, ok := Set([]byte(test.in), test.key, test.value, "\n")
			if !ok || string(got) != test.want {
				t.Errorf("ok %v\n%s\nwant\n%s", ok, got, test.want)
			}
			again, ok := Set(got, test.key, test.value, "\n")
			if !ok || string(again) != string(got) {
				t.Errorf("a second time: ok %v\n%s", ok, again)
			}
		})
	}
}

func TestDeleteJSON(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, key, want string }{
		{"whole line", "{\n  \"a\": 1,\n  \"b\": 2\n}", "a", "{\n  \"b\": 2\n}"},
		{"last key takes the comma before it", "{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "{\n  \"a\": 1\n}"},
		{"last key with trailing comma", "{\n  \"a\": 1,\n  \"b\": 2,\n}", "b", "{\n  \"a\": 1,\n}"},
		{"on one line", `{"a": 1, "b": 2}`, "a", `{"b": 2}`},
		{"only key", `{"a": 1}`, "a", `{}`},
		{"both of a pair", `{"a": 1, "b": 2, "a": 3}`, "a", `{"b": 2}`},
		{"absent", `{"a": 1}`, "z", `{"a": 1}`},
		{"comment stays", "{\n  \"a\": 1, // why\n  \"b\": 2\n}", "a", "{\n  // why\n  \"b\": 2\n}"},
		{"CRLF", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}", "a", "{\r\n  \"b\": 2\r\n}"},
		{
			"comments within the member stay",
			"{\n  \"a\": { // one\n    \"x\": \"// no\", /* two */\n    // three\n  },\n  \"b\": 2\n}", "a",
			"{\n  // one\n  /* two */\n  // three\n  \"b\": 2\n}",
		},
		{
			"and those of the last one", "{\n  \"b\": 2,\n  \"a\": // why\n    1\n}", "a", "{\n  \"b\": 2\n  // why\n}",
		},
		{"on one line, a comment ends with it", "{\"a\": // why\n1, \"b\": 2}", "a", "{// why\n \"b\": 2}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, ok := Delete([]byte(test.in), test.key)
			if !ok || string(got) != test.want {
				t.Errorf("ok %v\n%q\nwant\n%q", ok, got, test.want)
			}
		})
	}
}

func TestTS35_WhatIsNoJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "{", "}", `{"a"}`, `{"a": }`, `{"a": 1 "b": 2}`, `{a: 1}`, `{"a": 1} x`, `{"a": tru}`, `{"a": 01}`,
		`{"a": "x`, "{\"a\": \"x\ny\"}", `{"a": "\q"}`, `{"a": /* }`, `{,}`, `[1 2]`, `{"a": 1,, "b": 2}`, `{"a": 'x'}`,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if _, err := Relaxed([]byte(text)); err == nil {
				t.Error("taken as JSON")
			}
		})
	}
	deep := make([]byte, 100000)
	for i := range deep {
		deep[i] = '['
	}
	if _, err := Relaxed(deep); err == nil {
		t.Error("endless nesting taken as JSON")
	}
}

// TestJSONLaws checks that strict JSON is always read, that a key has the value to which it was set, and that no other
// key changes.
func TestJSONLaws(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(
		rapid.Map(rapid.Int(), func(n int) any { return n }),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.SliceOfN(rapid.Int(), 0, 3), func(l []int) any { return l }),
		rapid.Just[any](nil),
	)
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.MapOfN(rapid.String(), value, 0, 6).Draw(t, "object")
		var text []byte
		if rapid.Bool().Draw(t, "indented") {
			text, _ = json.MarshalIndent(before, "", "  ")
		} else {
			text, _ = json.Marshal(before)
		}
		key := rapid.String().Draw(t, "key")
		set, _ := json.Marshal(value.Draw(t, "value"))
		out, ok := Set(text, key, string(set), "\n")
		if !ok {
			t.Fatalf("refused: %s", text)
		}
		var want, got map[string]any
		if json.Unmarshal(text, &want) != nil || json.Unmarshal(out, &got) != nil {
			t.Fatalf("not JSON: %s", out)
		}
		var plain any
		_ = json.Unmarshal(set, &plain)
		var name string // the name as JSON writes it if it is not UTF-8
		_ = json.Unmarshal([]byte(Quote(key)), &name)
		want[name] = plain
		a, _ := json.Marshal(want)
		b, _ := json.Marshal(got)
		if string(a) != string(b) {
			t.Fatalf("got %s, want %s", b, a)
		}
		gone, ok := Delete(out, name)
		delete(want, name)
		got = nil
		if !ok || json.Unmarshal(gone, &got) != nil {
			t.Fatalf("not JSON after deleting: %s", gone)
		}
		a, _ = json.Marshal(want)
		b, _ = json.Marshal(got)
		if string(a) != string(b) {
			t.Fatalf("after deleting %s, want %s", b, a)
		}
	})
}
