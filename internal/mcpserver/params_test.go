package mcpserver

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/usecase/find"
)

// Whatever a model sends is taken as it is meant, or refused with what the tool takes; nothing else happens.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	type request struct {
		ID    string   `json:"id" required:"true"`
		How   string   `json:"how" enum:"a,b"`
		N     int      `json:"n" minimum:"1" maximum:"9"`
		OK    *bool    `json:"ok"`
		Did   []string `json:"did,omitempty"`
		Lines []int    `json:"lines"`
		Any   int      `json:"any"`
		Force bool     // not offered
	}
	one := tool{name: "one", action: action{asks: reflect.TypeFor[request]()}}.withParams()
	for _, c := range []struct{ raw, wrong string }{
		{`{"id":"x"}`, ""},
		{`{"id":7,"n":"3","ok":"true","did":"a","lines":[1,-1]}`, ""},
		{`{"id":"x","how":null,"n":null}`, ""},
		{`{"id":"x","any":-70}`, ""},
		{`{"id":"x","any":"many"}`, "any must be a whole number"},
		{``, "id is missing"},
		{`null`, "id is missing"},
		{`{}`, "id is missing"},
		{`{"id":null}`, "id is missing"},
		{`{"ID":"x"}`, `id is missing; there is no parameter "ID"`},
		{`{"idd":1}`, `id is missing; there is no parameter "idd"`},
		{`{"id":1,"b":1,"c":1,"d":1,"a":1}`, `there is no parameter "a"; there is no parameter "b"; there is no parameter "c"`},
		{`[]`, "not a JSON object"},
		{`"id"`, "not a JSON object"},
		{`{"id":{"$ne":1}}`, "id must be a text"},
		{`{"id":["x"]}`, "id must be a text"},
		{`{"id":1.5}`, "id must be a text"},
		{`{"id":true}`, "id must be a text"},
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
		_, _, err := parse(one, json.RawMessage(c.raw))
		switch {
		case c.wrong == "" && err != nil:
			t.Errorf("%.60s: %v", c.raw, err)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%.60s: %v, want %q", c.raw, err, c.wrong)
		case c.wrong != "" && (report.KindOf(err) != report.Usage || !strings.Contains(report.As(err).Hint, "id (required), how")):
			t.Errorf("%.60s: %+v", c.raw, err)
		}
	}
	got, _, err := parse(one, json.RawMessage(`{"id":7,"n":"3","ok":"true","did":"a","lines":[1,-1]}`))
	yes := true
	want := request{ID: "7", N: 3, OK: &yes, Did: []string{"a"}, Lines: []int{1, -1}}
	if diff := cmp.Diff(want, got.Interface()); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// Schemas are JSON in the order of the declaration.
func TestSchemas(t *testing.T) {
	t.Parallel()
	type request struct {
		ID string   `json:"id" doc:"an \"id\"" required:"true"`
		N  int      `json:"n" minimum:"1" maximum:"5"`
		L  []string `json:"l"`
		F  int      `json:"f"`
	}
	got := string(schema(paramsOf(reflect.TypeFor[request]())))
	want := `{"type":"object","properties":{"id":{"type":"string","description":"an \"id\""},"n":{"type":"integer","minimum":1,` +
		`"maximum":5},` +
		`"l":{"type":"array","items":{"type":"string"}},"f":{"type":"integer"}},"required":["id"]}`
	if got != want {
		t.Errorf("%s", got)
	}
	for _, tool := range tools(Options{AllTools: true}) {
		if !json.Valid(schema(tool.params)) || !json.Valid(shapeOf(tool)) {
			t.Errorf("%s: %s %s", tool.name, schema(tool.params), shapeOf(tool))
		}
		for _, p := range tool.params {
			if fault := faultOf(p); fault != "" {
				t.Errorf("%s: %s %s", tool.name, p.name, fault)
			}
			for _, tag := range []string{p.least, p.most} {
				if n, err := strconv.Atoi(tag); tag != "" && (err != nil || n != limit(tag)) {
					t.Errorf("%s: the limit %q of %s is no number", tool.name, tag, p.name)
				}
			}
		}
	}
}

// faultOf says what the schema of a parameter promises that no call is checked for.
func faultOf(p param) string {
	kind := p.shape.Kind()
	if kind == reflect.Slice {
		kind = p.shape.Elem().Kind()
	}
	switch {
	case kind != reflect.String && kind != reflect.Int && (kind != reflect.Bool || p.shape.Kind() == reflect.Slice):
		return "has a type that no call can set"
	case len(p.words) > 0 && p.shape.Kind() != reflect.String:
		return "has the tag enum, which only a text may have"
	case p.least+p.most != "" && p.shape.Kind() != reflect.Int:
		return "has a limit, which only a number may have"
	}
	return ""
}

// A tag that no call is checked for is found, and a type that no call can set.
func TestTagsWithoutEffectAreFound(t *testing.T) {
	t.Parallel()
	type request struct {
		Words  []string       `json:"words" enum:"a,b"`
		Lines  []int          `json:"lines" minimum:"1"`
		How    string         `json:"how" maximum:"3"`
		Yes    []bool         `json:"yes"`
		Fields map[string]any `json:"fields"`
		Size   int64          `json:"size"`
	}
	for _, p := range paramsOf(reflect.TypeFor[request]()) {
		if faultOf(p) == "" {
			t.Errorf("%s passes", p.name)
		}
	}
	one := tool{name: "one", action: action{asks: reflect.TypeFor[request]()}}.withParams()
	if _, _, err := parse(one, json.RawMessage(`{"size":1}`)); err == nil || !strings.Contains(err.Error(), "int64") {
		t.Errorf("a type that no call can set: %v", err)
	}
}

// What the tags say is what the use cases take.
func TestTagsAgreeWithTheUseCases(t *testing.T) {
	t.Parallel()
	takes := map[string][]string{}
	for _, tool := range tools(Options{AllTools: true}) {
		for _, p := range tool.params {
			takes[tool.name+"."+p.name] = append(p.words, p.most)
		}
	}
	for name, want := range map[string][]string{
		"search.in":         append(find.SearchScopes(), ""),
		"state_next.action": {phases.Discuss, phases.Plan, phases.Execute, phases.Verify, "none", ""},
		"task_list.limit":   {strconv.Itoa(mostPage)},
	} {
		if diff := cmp.Diff(want, takes[name]); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
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
		if _, _, err := parse(all[uint(n)%uint(len(all))], json.RawMessage(raw)); err != nil && report.KindOf(err) != report.Usage {
			t.Errorf("%s: %v", raw, err)
		}
	})
}
