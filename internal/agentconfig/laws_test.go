package agentconfig

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// after returns the files after a plan.
func after(files Files, edits []Edit) Files {
	out := maps.Clone(files)
	if out == nil {
		out = Files{}
	}
	for _, e := range edits {
		delete(out, e.Name)
		if e.Exists {
			out[e.Name] = e.After
		}
	}
	return out
}

// same compares files byte for byte.
func same(t rapid.TB, what string, got, want Files) {
	t.Helper()
	for name, text := range want {
		if have, there := got[name]; !there || !bytes.Equal(have, text) {
			t.Fatalf("%s: %s is\n%q (there: %v)\nwant\n%q", what, name, have, there, text)
		}
	}
	for name, text := range got {
		if _, there := want[name]; !there {
			t.Fatalf("%s: %s should not be there, and holds\n%q", what, name, text)
		}
	}
}

// laws checks the rules of agents.md 8.3 for files without any entry of baton's. ok is false if the plan refuses.
func laws(t rapid.TB, clients []Client, scope Scope, before Files, opts Options) (Files, bool) {
	t.Helper()
	frozen := Files{}
	for name, text := range before {
		frozen[name] = bytes.Clone(text)
	}
	edits, err := Plan(clients, scope, before, opts)
	same(t, "the plan changed what it was given", before, frozen)
	if err != nil {
		return nil, false
	}
	conflict := false
	for _, e := range edits {
		for _, item := range e.Items {
			conflict = conflict || item.Status == Conflict || item.Status == Foreign
			if item.Status == Modified || item.Status == Outdated {
				t.Fatalf("%s: %s is %s in a file without baton", e.Name, item.Name, item.Status)
			}
		}
	}
	applied := after(before, edits)
	again, err := Plan(clients, scope, applied, opts)
	if err != nil {
		t.Fatalf("the result cannot be read: %v", err)
	}
	same(t, "applied twice", after(applied, again), applied)
	for _, e := range again {
		for _, item := range e.Items {
			if item.Status != OK && !conflict {
				t.Fatalf("%s: %s is %s after the plan\n%s", e.Name, item.Name, item.Status, e.After)
			}
		}
	}
	gone, err := Remove(clients, scope, applied, opts)
	if err != nil {
		t.Fatalf("remove: %v", err)
	}
	same(t, "removed", after(applied, gone), before)
	return applied, true
}

// clean reports whether the files contain nothing of baton's.
func clean(t rapid.TB, clients []Client, scope Scope, files Files) bool {
	t.Helper()
	edits, err := Remove(clients, scope, files, Options{Force: true})
	if err != nil {
		return false
	}
	for _, e := range edits {
		if len(e.Items) > 0 || e.Changed() {
			return false
		}
	}
	return true
}

// jsonText draws a JSON value in varying layouts. Some keys are those at which baton looks.
func jsonText(t *rapid.T, depth int, relaxed bool) string {
	gap := func() string {
		gaps := []string{"", " ", "\n", "\n  ", "\r\n\t", "  "}
		if relaxed {
			gaps = append(gaps, "/* c */", " // c\n", "// d  \r\n ")
		}
		return rapid.SampledFrom(gaps).Draw(t, "gap")
	}
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth > 4 && kind < 4 {
		kind = 4
	}
	switch kind {
	case 0, 1, 2, 3:
		object := kind != 3
		n := rapid.IntRange(0, 3).Draw(t, "n")
		out := "[" + gap()
		if object {
			out = "{" + gap()
		}
		for i := range n {
			if object {
				key := rapid.SampledFrom([]string{
					"hooks", "Stop", "stop", "SessionStart", "mcpServers", "context", "fileName", "version", "a", "\\u0062", "matcher",
					"servers", "statusLine", "permissions", "env",
				}).Draw(t, "key")
				out += `"` + key + `"` + gap() + ":" + gap()
			}
			out += jsonText(t, depth+1, relaxed) + gap()
			if i < n-1 || relaxed && rapid.Bool().Draw(t, "trailing") {
				out += "," + gap()
			}
		}
		if object {
			return out + "}"
		}
		return out + "]"
	case 4:
		return rapid.SampledFrom([]string{`"x"`, `"GEMINI.md"`, `"AGENTS.md"`, `""`, `"é\n"`, `"baton hook"`}).Draw(t, "text")
	default:
		return rapid.SampledFrom([]string{"1", "-2.5e3", "true", "null", "12345678901234567890"}).Draw(t, "literal")
	}
}

// settings draws a whole file: an object with entries at which baton looks.
func settings(t *rapid.T, relaxed bool) []byte {
	head := rapid.SampledFrom([]string{"", "", "", "\n", "\xef\xbb\xbf"}).Draw(t, "head")
	tail := rapid.SampledFrom([]string{"", "\n", "\r\n", "\n\n", " "}).Draw(t, "tail")
	if rapid.IntRange(0, 9).Draw(t, "blank") == 0 {
		return []byte(head + tail)
	}
	body := jsonText(t, 0, relaxed)
	return []byte(head + body + tail)
}

func TestLawsOnRandomJSON(t *testing.T) {
	t.Parallel()
	for _, client := range []Client{Claude, Gemini, Cursor, Kiro, VSCode} {
		t.Run(string(client), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				main := targets(client, Project, false)[0]
				name := main.names[0]
				files := Files{name: settings(t, main.grammar == JSONC)}
				if !clean(t, []Client{client}, Project, files) {
					t.Skip("something of baton's is in it")
				}
				if main.grammar == JSON {
					sameVerdict(t, files[name])
				}
				if Asks(client) && rapid.IntRange(0, 7).Draw(t, "allow") == 0 {
					laws(t, []Client{client}, Project, files, Options{Allow: AllowReading})
				}
				applied, ok := laws(t, []Client{client}, Project, files, Options{})
				if ok && main.grammar == JSON {
					untouched(t, files[name], applied[name])
				}
			})
		})
	}
}

// untouched compares everything that is not baton's, using encoding/json instead of the editors' own reader.
func untouched(t rapid.TB, before, after []byte) {
	t.Helper()
	read := func(text []byte) any {
		var v any
		text = bytes.TrimPrefix(text, []byte(bom))
		if len(bytes.TrimSpace(text)) == 0 {
			return nil
		}
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("not JSON: %v\n%s", err, text)
		}
		return strip(v)
	}
	if x, y := read(before), read(after); !reflect.DeepEqual(x, y) && (x != nil || len(y.(map[string]any)) > 0) {
		t.Fatalf("before\n%s\nafter\n%s", before, after)
	}
}

// strip removes everything that mentions baton, versions, and containers that are then empty.
func strip(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, item := range v {
			if name == "baton" || name == "version" {
				continue
			}
			if item = strip(item); item != nil {
				out[name] = item
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		var out []any
		for _, item := range v {
			text, _ := json.Marshal(item)
			if item = strip(item); item != nil && !bytes.Contains(text, []byte("baton hook --agent")) {
				out = append(out, item)
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case nil:
		return "null"
	}
	return v
}
