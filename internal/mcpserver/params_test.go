package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"baton/internal/report"
)

// Whatever a model sends is taken as it is meant, or refused with what the tool takes; nothing else happens.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	one := tool{name: "one", params: []param{
		{name: "id", kind: text, must: true},
		{name: "how", kind: text, words: []string{"a", "b"}},
		{name: "n", kind: number, least: 1, most: 9},
		{name: "ok", kind: yesNo},
		{name: "did", kind: list},
		{name: "lines", kind: numbers},
		{name: "any", kind: number, least: -1},
	}}
	for _, c := range []struct{ raw, wrong string }{
		{`{"id":"x"}`, ""},
		{`{"id":7,"n":"3","ok":"true","did":"a","lines":[1,-1]}`, ""},
		{`{"id":"x","how":null,"n":null}`, ""},
		{`{"id":"x","any":-70}`, ""},
		{`{"id":"x","any":"many"}`, "any has to be a whole number"},
		{``, "id is missing"},
		{`null`, "id is missing"},
		{`{}`, "id is missing"},
		{`{"id":null}`, "id is missing"},
		{`{"ID":"x"}`, `id is missing; there is no parameter "ID"`},
		{`{"idd":1}`, `id is missing; there is no parameter "idd"`},
		{`{"id":1,"b":1,"c":1,"d":1,"a":1}`, `there is no parameter "a"; there is no parameter "b"; there is no parameter "c"`},
		{`[]`, "not a JSON object"},
		{`"id"`, "not a JSON object"},
		{`{"id":{"$ne":1}}`, "id has to be a text"},
		{`{"id":["x"]}`, "id has to be a text"},
		{`{"id":1.5}`, "id has to be a text"},
		{`{"id":true}`, "id has to be a text"},
		{`{"id":"` + strings.Repeat("x", mostText+1) + `"}`, "bytes"},
		{`{"id":"x","how":"c"}`, "how is"},
		{`{"id":"x","n":0}`, "from 1 to 9"},
		{`{"id":"x","n":1e3}`, "from 1 to 9"},
		{`{"id":"x","n":99999999999999999999}`, "from 1 to 9"},
		{`{"id":"x","ok":1}`, "true or false"},
		{`{"id":"x","did":[["a"]]}`, "list of texts"},
		{`{"id":"x","did":{"0":"a"}}`, "list of texts"},
		{`{"id":"x","did":["` + strings.Repeat("x", mostText) + `","y"]}`, "bytes"},
		{`{"id":"x","lines":["a"]}`, "whole numbers"},
		{`{"id":"x","z":1,"__proto__":{},"force":true}`, `no parameter "__proto__"`},
	} {
		_, err := parse(one, json.RawMessage(c.raw))
		switch {
		case c.wrong == "" && err != nil:
			t.Errorf("%.60s: %v", c.raw, err)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%.60s: %v, want %q", c.raw, err, c.wrong)
		case c.wrong != "" && (report.KindOf(err) != report.Usage || !strings.Contains(report.As(err).Hint, "id (required), how")):
			t.Errorf("%.60s: %+v", c.raw, err)
		}
	}
	a, err := parse(one, json.RawMessage(`{"id":7,"n":"3","ok":"true","did":"a","lines":[1,-1]}`))
	if err != nil || a.texts["id"] != "7" || a.number("n", 0) != 3 || !a.yes["ok"] || len(a.lists["did"]) != 1 ||
		len(a.numbers["lines"]) != 2 {
		t.Errorf("%+v %v", a, err)
	}
}

// Schemas are JSON in the order of the declaration.
func TestSchemas(t *testing.T) {
	t.Parallel()
	got := string(schema([]param{{
		name: "id", kind: text, about: `an "id"`, must: true,
	}, {name: "n", kind: number, least: 1, most: 5}, {name: "l", kind: list}, {name: "f", kind: number, least: -1}}))
	want := `{"type":"object","properties":{"id":{"type":"string","description":"an \"id\""},"n":{"type":"integer","minimum":1,` +
		`"maximum":5},` +
		`"l":{"type":"array","items":{"type":"string"}},"f":{"type":"integer"}},"required":["id"],"additionalProperties":false}`
	if got != want {
		t.Errorf("%s", got)
	}
	for _, tool := range tools(Options{AllTools: true}) {
		if !json.Valid(schema(tool.params)) || !json.Valid(shapeOf(tool)) {
			t.Errorf("%s: %s %s", tool.name, schema(tool.params), shapeOf(tool))
		}
	}
}

func FuzzParse(f *testing.F) {
	all := tools(Options{AllTools: true})
	f.Add(0, `{"id":"1","did":["a"],"limit":3}`)
	f.Add(3, `{"id":{"a":[]},"response_format":"concise"}`)
	f.Fuzz(func(t *testing.T, n int, raw string) {
		if !json.Valid([]byte(raw)) {
			return // the protocol lets nothing else through
		}
		if _, err := parse(all[uint(n)%uint(len(all))], json.RawMessage(raw)); err != nil && report.KindOf(err) != report.Usage {
			t.Errorf("%s: %v", raw, err)
		}
	})
}
