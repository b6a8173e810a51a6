package declaration

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"baton/internal/report"
	"baton/internal/statedir"
)

// schemaFacts is what the format description says about a schema.
type schemaFacts struct {
	Required    []string            `json:"required"`
	Recommended []string            `json:"recommended"`
	Enums       map[string][]string `json:"enums"`
	Properties  []string            `json:"properties"`
}

func TestSchemasAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/schema-facts.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]schemaFacts
	if err := json.Unmarshal(src, &want); err != nil {
		t.Fatal(err)
	}
	c := Declared()
	if names := slices.Sorted(slices.Values(c.Schemas())); !slices.Equal(names, slices.Sorted(maps.Keys(want))) {
		t.Errorf("schemas of %q", names)
	}
	for name, facts := range want {
		s, ok := c.schemaOf(name)
		if !ok {
			t.Errorf("no schema for %s", name)
			continue
		}
		enums, properties, recommended := map[string][]string{}, []string{}, []string{}
		for _, f := range s.fields {
			properties = append(properties, f.name)
			if f.allowed != nil {
				enums[f.name] = f.allowed
			}
			if !f.required {
				recommended = append(recommended, f.name)
			}
		}
		if diff := cmp.Diff(facts, schemaFacts{s.required(), recommended, enums, properties}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSchemaIsPublishedAsJSON(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, name := range c.Schemas() {
		src, ok := c.Schema(name)
		again, _ := Declared().Schema(name)
		if !ok || string(src) != string(again) {
			t.Fatalf("%s: %v, or not the same twice", name, ok)
		}
		var published struct {
			Schema     string `json:"$schema"`
			Title      string `json:"title"`
			Type       string `json:"type"`
			Additional bool   `json:"additionalProperties"`
			Required   []string
			Properties map[string]struct {
				Description string
				Enum        []string
			}
		}
		if err := json.Unmarshal(src, &published); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, src)
		}
		if published.Schema != "https://json-schema.org/draft/2020-12/schema" || published.Title != name || published.Type != "object" ||
			!published.Additional {
			t.Errorf("%s: %s", name, src)
		}
		s, _ := c.schemaOf(name)
		if len(published.Properties) != len(s.fields) || !slices.Equal(published.Required, s.required()) {
			t.Errorf("%s: %s", name, src)
		}
		for _, f := range s.fields {
			if p := published.Properties[f.name]; p.Description == "" || !slices.Equal(p.Enum, f.allowed) {
				t.Errorf("%s: property %s: %+v", name, f.name, p)
			}
		}
	}
	if text, _ := c.Schema("review.json"); !strings.HasPrefix(string(text), "{\n  \"$schema\": ") || strings.HasSuffix(string(text), "\n") {
		t.Errorf("not indented, or with a line feed at the end:\n%s", text)
	}
	for _, name := range []string{"preflight-brief.json", "review.md", "", "nothing.json"} {
		if _, ok := c.Schema(name); ok {
			t.Errorf("%q has a schema", name)
		}
	}
}

// judge compiles the published schema of a name with a JSON Schema library.
func judge(t testing.TB, c *Contract, name string) *jsonschema.Resolved {
	t.Helper()
	src, ok := c.Schema(name)
	if !ok {
		t.Fatalf("no schema for %s", name)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(src, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// agreeing compares the program's result with that of the library. The library cannot check texts that are not JSON.
func agreeing(t fataler, c *Contract, by *jsonschema.Resolved, name string, src []byte) {
	t.Helper()
	var value any
	if json.Unmarshal(src, &value) != nil {
		return
	}
	err := by.Validate(value)
	if n := errorsIn(c.CheckSidecar(name, src)); (n > 0) != (err != nil) {
		t.Fatalf("%s: %d errors, and by the schema: %v\n%s", name, n, err, src)
	}
}

// fataler is the common part of tests, fuzz targets and properties.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

func TestD40_ChecksAgreeWithThePublishedSchemas(t *testing.T) {
	t.Parallel()
	c := Declared()
	texts := []string{
		"null", "[]", "{}", "1", `"x"`, "true", `{"criteria":null}`, `{"criteria":[]}`, `{"task":1,"phase":2,"paused_at":3}`,
		`{"task":1,"phase":2}`, `{"status":"DONE","status":"x","verdict":"PASS","agent":"tester"}`,
		`{"status":"x","status":"DONE","verdict":"PASS","agent":"programmer"}`,
	}
	for _, s := range c.Sidecars() {
		for _, status := range append(s.Status, "DONE", "done", "") {
			for _, verdict := range append(s.Verdict, "PASS", "ok") {
				for _, agent := range append(s.Agent, "tester", "me") {
					texts = append(texts, `{"status":`+jsonString(status)+`,"verdict":`+jsonString(verdict)+`,"agent":`+jsonString(agent)+
						`,"more":{}}`)
				}
			}
		}
	}
	for _, name := range c.Schemas() {
		by := judge(t, c, name)
		for _, src := range texts {
			agreeing(t, c, by, name, []byte(src))
		}
	}
}

func TestD40_ChecksAgreeOnAnySidecar(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, s := range c.Sidecars() {
		by := judge(t, c, s.JSON)
		rapid.Check(t, func(t *rapid.T) { agreeing(t, c, by, s.JSON, drawSidecar(t, s)) })
	}
}

// A project's sidecar has a schema like the built-in ones.
func TestSDD22_SidecarsOfAProject(t *testing.T) {
	t.Parallel()
	c, err := Declared().Extend("contract.yaml", []byte(`version: 1
sidecars:
  - {markdown: perf-report.md, json: perf-report.json, status: [DONE, "A<B"], verdict: [PASS, FAIL], agent: [perf]}
`))
	if err != nil {
		t.Fatal(err)
	}
	by := judge(t, c, "perf-report.json")
	for src, want := range map[string]int{
		`{"status":"A<B","verdict":"PASS","agent":"perf"}`: 0,
		`{"status":"DONE","verdict":"PASS"}`:               1,
		`{"status":"BLOCKED","verdict":"x","agent":"y"}`:   3,
	} {
		agreeing(t, c, by, "perf-report.json", []byte(src))
		if got := errorsIn(c.CheckSidecar("perf-report.json", []byte(src))); got != want {
			t.Errorf("%s: %d errors, want %d", src, got, want)
		}
	}
	if _, ok := Declared().Schema("perf-report.json"); ok {
		t.Error("the program's own contract has the sidecar of a project")
	}
}

func FuzzSidecar(f *testing.F) {
	f.Add([]byte(`{"status":"DONE","verdict":"APPROVED","agent":"code-reviewer"}`))
	f.Add([]byte(`{"status":"DONE","status":null,"a\u0062":[1e9,-0.5E+1,"\ud800"]}`))
	f.Add([]byte("\uFEFF{}"))
	f.Add([]byte("{\"a\":1,}\n[[[[{{"))
	f.Add([]byte(strings.Repeat("[", 10_001)))
	c := Declared()
	by := judge(f, c, "review.json")
	f.Fuzz(func(t *testing.T, src []byte) {
		found := c.CheckSidecar("review.json", src)
		broken := slices.ContainsFunc(found, func(p statedir.Problem) bool {
			return p.Reason == report.CodeInvalidJSON || p.Reason == report.CodeByteOrderMark
		})
		if broken == json.Valid(src) {
			t.Fatalf("%q: broken %v, %+v", src, broken, found)
		}
		for _, p := range found {
			if p.Line < 0 || p.Line > strings.Count(string(src), "\n")+1 || p.File != "review.json" ||
				strings.ContainsAny(p.Message, "\x00\x1b\n\r") {
				t.Fatalf("%q: %+v", src, p)
			}
		}
		agreeing(t, c, by, "review.json", src)
	})
}

func TestNearestSchema(t *testing.T) {
	t.Parallel()
	c := Declared()
	for name, want := range map[string]string{
		"review": "review.json", "review.md": "review.json", "Review.JSON": "review.json", "impl_summary": "impl-summary.json",
		"handoff": "handoff.json", "acceptance-criteria": "acceptance-criteria.json", "verificaton.json": "verification.json",
		"plan.md": "", "": "", "qqqqqqqqqqq": "",
	} {
		if got := c.NearestSchema(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
