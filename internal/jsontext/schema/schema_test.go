package schema

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"baton/internal/frontmatter"
	"baton/internal/jsontext"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"
)

// compiled reads a schema from YAML.
func compiled(t testing.TB, text string) (*Schema, *Fault) {
	t.Helper()
	m, err := frontmatter.ParseYAMLExact([]byte("schema: " + text + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, _ := m.Get("schema")
	room := MostRoom
	return Compile(e.Value, e.Line, &room)
}

// flaws checks a JSON text.
func flaws(t testing.TB, s *Schema, text string) []Flaw {
	t.Helper()
	node, fault := jsontext.Parse([]byte(text), jsontext.Options{})
	if fault != nil {
		t.Fatalf("%s: %s", text, fault.What)
	}
	return s.Check([]byte(text), node)
}

// agree compares the answer about a text with that of jsonschema-go.
func agree(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *Schema, text string, found int,
) bool {
	t.Helper()
	var theirs jsonschema.Schema
	if err := json.Unmarshal([]byte(s.JSON()), &theirs); err != nil {
		t.Fatalf("%s: %v", s.JSON(), err)
	}
	resolved, err := theirs.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", s.JSON(), err)
	}
	var instance any
	if err := json.Unmarshal([]byte(text), &instance); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	err = resolved.Validate(instance)
	if (err == nil) != (found == 0) {
		t.Fatalf("schema %s\ntext   %s\nfound %d flaws, jsonschema-go says %v", s.JSON(), text, found, err)
	}
	return err == nil
}

func TestF74_EveryKeywordAsJSONSchemaGo(t *testing.T) {
	for _, c := range []struct{ schema, good, bad string }{
		{`{type: string}`, `"a"`, `1 null {} [] true`},
		{`{type: integer}`, `1 1.0 1e2 -0 100e-2`, `1.5 "1" 1e-2`},
		{`{type: number}`, `1 1.5`, `"1" null`},
		{`{type: null}`, `null`, `0 false`},
		{`{type: [boolean, null]}`, `true null`, `0 "true"`},
		{`{type: array}`, `[]`, `{}`},
		{`{type: object}`, `{}`, `[]`},
		{`{enum: [a, 1, null, [1, {b: 2}]]}`, `"a" 1 1.0 null [1,{"b":2}]`, `"b" 2 [1] [1,{"b":3}] [1,{"b":2,"c":1}]`},
		{`{const: {a: 1, b: 2}}`, `{"b":2,"a":1}`, `{"a":1} {"a":1,"b":2,"c":3} []`},
		{`{const: false}`, `false`, `true null 0`},
		{`{required: [a, b]}`, `{"a":1,"b":2,"c":3} [] 1`, `{} {"a":1}`},
		{`{properties: {a: {type: string}, b: false}}`, `{} {"a":"x","c":1} 1`, `{"a":1} {"b":1}`},
		{`{properties: {a: true}, additionalProperties: false}`, `{} {"a":1}`, `{"b":1} {"a":1,"b":1}`},
		{`{additionalProperties: {type: integer}}`, `{} {"a":1}`, `{"a":"x"}`},
		{`{items: {type: integer}}`, `[] [1,2] {}`, `[1,"a"]`},
		{`{pattern: "^a+$"}`, `"a" "aa" 1`, `"b" "ab" ""`},
		{`{pattern: b}`, `"abc"`, `"ac"`},
		{`{minimum: 1, maximum: 2.5}`, `1 2.5 1.0 "x"`, `0.999 2.51 -1 1e9`},
		{`{minLength: 2, maxLength: 3}`, `"ab" "äöü" 1 "😀😀"`, `"a" "abcd" ""`},
		{`{minItems: 1, maxItems: 2}`, `[1] [1,2] "x"`, `[] [1,2,3]`},
		{`{anyOf: [{type: string}, {minimum: 5}]}`, `"a" 5 null`, `4`},
		{`true`, `1`, ``},
		{`false`, ``, `1`},
		{`{}`, `1 null`, ``},
	} {
		s, fault := compiled(t, c.schema)
		if fault != nil {
			t.Fatalf("%s: %+v", c.schema, fault)
		}
		for i, texts := range [...]string{c.good, c.bad} {
			for _, text := range strings.Fields(texts) {
				found := flaws(t, s, text)
				if (len(found) == 0) != (i == 0) {
					t.Errorf("%s, %s: %v", c.schema, text, found)
				}
				agree(t, s, text, len(found))
			}
		}
	}
}

func TestF74_NumbersAreExact(t *testing.T) {
	s, _ := compiled(t, `{const: 9007199254740993, maximum: 9007199254740993}`)
	for text, good := range map[string]bool{
		"9007199254740993": true, "9007199254740992": false, "9007199254740993.0": true, "9007199254740994": false,
		"900719925474099300e-2": true, "9.007199254740993e15": true, "1e999999999999": false, "-1e-999999999999": false,
	} {
		if got := len(flaws(t, s, text)) == 0; got != good {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestF74_NumbersAreAsWritten: a number that a float would change is neither rounded nor taken for a text.
func TestF74_NumbersAreAsWritten(t *testing.T) {
	for schema, texts := range map[string][2]string{
		`{enum: [18446744073709551616]}`:     {"18446744073709551616 18446744073709551616.0", `18446744073709551615 "1"`},
		`{const: 0.1000000000000000000001}`:  {"0.1000000000000000000001", "0.1"},
		`{const: "18446744073709551616"}`:    {`"18446744073709551616"`, "18446744073709551616"},
		`{maximum: 9007199254740993.5}`:      {"9007199254740993.5", "9007199254740993.6 9007199254740994"},
		`{minimum: .5}`:                      {"0.5 1", "0.4999"},
		`{enum: [1e400, 0x10]}`:              {"1e400 10e399 16", "1e401 17"},
		`{minimum: 99999999999999999999999}`: {"99999999999999999999999 1e23", "99999999999999999999998"},
	} {
		s, fault := compiled(t, schema)
		if fault != nil {
			t.Fatalf("%s: %+v", schema, fault)
		}
		if !json.Valid([]byte(s.JSON())) {
			t.Errorf("%s: %s is no JSON", schema, s.JSON())
		}
		for i, list := range texts {
			for _, text := range strings.Fields(list) {
				if found := flaws(t, s, text); (len(found) == 0) != (i == 0) {
					t.Errorf("%s, %s: %v", schema, text, found)
				}
			}
		}
	}
}

func TestF74_OtherKeywordsAreRefusedWithTheirLine(t *testing.T) {
	for text, line := range map[string]int{
		"{format: date}": 1, "\n  $ref: x": 2, "\n  properties:\n    a:\n      oneOf: []": 4, "\n  type: text": 2,
		"\n  items:\n    pattern: (": 3, "\n  anyOf:\n    - type: string\n    - not: {}": 4, "[]": 1, "x": 1,
		"\n  minimum: a": 2, "\n  minLength: -1": 2, "\n  maxItems: 1.5": 2, "\n  required: [1]": 2, "\n  enum: []": 2,
		"\n  anyOf: []": 2, "\n  properties: [a]": 2, "\n  type: []": 2, "\n  title: x": 2, "\n  enum:": 2,
		"\n  enum: [.inf]": 2, "\n  const: {a: [-.Inf]}": 2, "\n  properties:\n    <<: {a: {type: string}}": 3,
		"\n  additionalProperties: 1": 2, "\n  maximum: .inf": 2, "\n  pattern: '(?=a)'": 2,
	} {
		if _, fault := compiled(t, text); fault == nil || fault.Line != line || fault.What == "" || fault.Hint == "" {
			t.Errorf("%q: %+v", text, fault)
		}
	}
}

func TestF74_FlawsNameWhereAndWhat(t *testing.T) {
	s, _ := compiled(t, `{type: object, required: [who], properties: {ok: {type: boolean}, l: {items: {enum: [a, b]}}}}`)
	text := `{"ok": "yes", "l": ["a", "c"], "l/~": 1}`
	got := ""
	for _, f := range flaws(t, s, text) {
		got += f.Pointer + " " + string(f.At.Span.Of([]byte(text))) + " " + f.What + " " + strings.Join(f.Allowed, "|") + "\n"
	}
	want := "/who " + text + " is missing \n/ok \"yes\" is not of the type boolean \n/l/1 \"c\" is not allowed a|b\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// anyValue draws a JSON value with few different parts, so that schemas often match.
func anyValue(t *rapid.T, depth int) any {
	switch kind := rapid.IntRange(0, 6+depth).Draw(t, "kind"); kind {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return int64(rapid.IntRange(-2, 3).Draw(t, "int"))
	case 3:
		return halves(t)
	case 4, 5, 6:
		return rapid.SampledFrom([]string{"", "a", "b", "ab", "ä", "aa😀"}).Draw(t, "text")
	case 7:
		list := make([]any, rapid.IntRange(0, 3).Draw(t, "items"))
		for i := range list {
			list[i] = anyValue(t, depth-1)
		}
		return list
	}
	var m frontmatter.Map
	for _, name := range []string{"a", "b", "c"} {
		if rapid.Bool().Draw(t, name) {
			m = append(m, frontmatter.Entry{Key: name, Value: anyValue(t, depth-1)})
		}
	}
	return m
}

func halves(t *rapid.T) frontmatter.Number {
	return frontmatter.Number(rapid.SampledFrom([]string{"-2", "-0.5", "0", "0.0", "5e-1", "1.0", "15e-1", "2", "2.50", "0.3e1"}).
		Draw(t, "halves"))
}

func anySchema(t *rapid.T, depth int) any {
	if rapid.IntRange(0, 9).Draw(t, "boolean") == 0 {
		return rapid.Bool().Draw(t, "allowed")
	}
	var m frontmatter.Map
	list := func(draw func() any) []any {
		out := make([]any, rapid.IntRange(1, 3).Draw(t, "list"))
		for i := range out {
			out[i] = draw()
		}
		return out
	}
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		key := rapid.SampledFrom(Keywords()).Draw(t, "keyword")
		var value any
		switch key {
		case "type":
			value = list(func() any { return rapid.SampledFrom(kinds()).Draw(t, "type") })
		case "enum":
			value = list(func() any { return anyValue(t, 2) })
		case "const":
			value = anyValue(t, 2)
		case "required":
			value = list(func() any { return rapid.SampledFrom(names).Draw(t, "name") })
		case "pattern":
			value = rapid.SampledFrom([]string{"a", "^a", "b$", "^(a|ä)+$", "", "^[^b]*$", `\s`, `^\p{L}+$`, "(?i)^AB?"}).Draw(t, "pattern")
		case "minimum", "maximum":
			value = halves(t)
		case "minLength", "maxLength", "minItems", "maxItems":
			value = int64(rapid.IntRange(0, 3).Draw(t, "size"))
		case "anyOf":
			if depth == 0 {
				continue
			}
			value = list(func() any { return anySchema(t, depth-1) })
		case "properties":
			if depth == 0 {
				continue
			}
			var m frontmatter.Map
			for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 3, rapid.ID[string]).Draw(t, "names") {
				m = append(m, frontmatter.Entry{Key: name, Value: anySchema(t, depth-1)})
			}
			value = m
		default:
			if depth == 0 {
				continue
			}
			value = anySchema(t, depth-1)
		}
		if _, twice := m.Get(key); !twice {
			m = append(m, frontmatter.Entry{Key: key, Line: 1, Value: value})
		}
	}
	return m
}

func TestF74_RandomSchemasAsJSONSchemaGo(t *testing.T) {
	matched, checked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		room := MostRoom
		s, fault := Compile(anySchema(t, 2), 1, &room)
		if fault != nil {
			t.Fatalf("%+v", fault)
		}
		text := encoded(anyValue(t, 3))
		node, broken := jsontext.Parse([]byte(text), jsontext.Options{})
		if broken != nil {
			t.Fatalf("%s: %s", text, broken.What)
		}
		checked++
		if agree(t, s, text, len(s.Check([]byte(text), node))) {
			matched++
		}
	})
	if matched < checked/10 || matched > checked-checked/10 {
		t.Errorf("%d of %d texts match, so the test says little", matched, checked)
	}
}

func TestF74_ThePageListsTheKeywords(t *testing.T) {
	page, err := os.ReadFile("../../../docs/your-own-folder.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "A schema has these keywords")
	list, _, _ = strings.Cut(list, "Any other keyword")
	got := strings.Fields(strings.NewReplacer("`", "", ",", "").Replace(list[strings.Index(list, "`"):]))
	if strings.Join(got, " ") != strings.Join(Keywords(), " ") {
		t.Errorf("%q, want %q", got, Keywords())
	}
}

// TestF74_ACheckEnds: what would take hours ends with a flaw that says so.
func TestF74_ACheckEnds(t *testing.T) {
	t.Parallel()
	s, fault := compiled(t, `{pattern: "`+strings.Repeat(".{1000}", 20)+`"}`)
	if fault != nil {
		t.Fatal(fault)
	}
	found := flaws(t, s, `"`+strings.Repeat("x", 1<<20)+`"`)
	if len(found) != 1 || !strings.Contains(found[0].What, "not checked to its end") {
		t.Errorf("%+v", found)
	}
}
