package schema

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/frontmatter"
	"baton/internal/jsontext"
)

// maker makes texts that probably match a schema, in the notations that JSON has for one value.
type maker struct{ t *rapid.T }

func (m maker) one(n int) bool { return rapid.IntRange(0, n).Draw(m.t, "one") == 0 }

func (m maker) pick(words ...string) string { return rapid.SampledFrom(words).Draw(m.t, "pick") }

// value returns a text for a schema as Compile reads it.
func (m maker) value(schema any, depth int) string {
	keywords, ok := schema.(frontmatter.Map)
	if !ok || m.one(12) {
		return m.free(depth)
	}
	get := func(key string) any { e, _ := keywords.Get(key); return e.Value }
	if list, ok := get("anyOf").([]any); ok && !m.one(3) {
		return m.value(list[rapid.IntRange(0, len(list)-1).Draw(m.t, "form")], depth-1)
	}
	if list, ok := get("enum").([]any); ok && !m.one(4) {
		return m.written(list[rapid.IntRange(0, len(list)-1).Draw(m.t, "word")])
	}
	if e, ok := keywords.Get("const"); ok && !m.one(4) {
		return m.written(e.Value)
	}
	kind := m.pick(kinds()...)
	if list, ok := get("type").([]any); ok {
		kind = list[0].(string)
	}
	switch kind {
	case "null":
		return "null"
	case "boolean":
		return m.pick("true", "false")
	case "integer":
		return m.pick("0", "-0", "1", "1.0", "2", "2e0", "300e-2", "-1", "1.5", "0.2e1")
	case "number":
		return m.pick("0", "0.0", "-0.50", "5E-1", "1", "1.5", "1.50", "2.5", "25e-1", "-2", "3", "1e+2")
	case "string":
		return m.text(m.pick("", "a", "b", "ab", "aab", "ä", "aä", "aa😀", "a b", "a\nb", "é", "x\x7f", "\u2028"))
	case "array":
		items := make([]string, rapid.IntRange(0, 4).Draw(m.t, "items"))
		for i := range items {
			items[i] = m.value(get("items"), depth-1)
		}
		return "[" + m.blank() + strings.Join(items, ","+m.blank()) + "]"
	}
	var members []string
	properties, _ := get("properties").(frontmatter.Map)
	for _, name := range names {
		if m.one(2) {
			continue
		}
		below := get("additionalProperties")
		if e, ok := properties.Get(name); ok {
			below = e.Value
		}
		member := m.text(name) + m.blank() + ":" + m.blank() + m.value(below, depth-1)
		members = append(members, member)
		if m.one(15) { // the last of two counts
			members = append(members, m.text(name)+":"+m.value(below, depth-1))
		}
	}
	return "{" + strings.Join(members, m.blank()+",") + m.blank() + "}"
}

// names are those of properties.
var names = []string{"a", "b", "c", "", "a/b", "~0", "é", "A"}

func (m maker) blank() string { return m.pick("", "", "", " ", "\n\t", "\r\n") }

// text returns a text with some of its characters escaped.
func (m maker) text(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r >= 0x20 && r < 0x10000 && r != '"' && r != '\\' && !m.one(6) {
			b.WriteRune(r)
		} else if r < 0x10000 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			fmt.Fprintf(&b, `\u%04X\u%04X`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		}
	}
	return `"` + b.String() + `"`
}

// written returns a value of a schema in some notation, now and then changed.
func (m maker) written(value any) string {
	switch v := value.(type) {
	case string:
		return m.text(v)
	case int64:
		n := strconv.FormatInt(v, 10)
		return m.pick(n, n, n+".0", n+"e0", n+".0e+0", n+".5")
	case frontmatter.Number:
		return m.pick(string(v), string(v), "-2.0", "5e-1")
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = m.written(item)
		}
		return "[" + strings.Join(items, m.blank()+",") + "]"
	case frontmatter.Map:
		members := make([]string, len(v))
		for i, e := range v { // the other way round
			members[len(v)-1-i] = m.text(e.Key) + ":" + m.written(e.Value)
		}
		return "{" + strings.Join(members, ","+m.blank()) + "}"
	}
	return encoded(value)
}

// free returns any text.
func (m maker) free(depth int) string {
	if depth <= 0 {
		return m.pick("null", "true", "0", "1.5", `"a"`, "[]", "{}")
	}
	kinds := frontmatter.Map{{Key: "type", Value: []any{m.pick(kinds()...)}}}
	return m.value(kinds, depth-1)
}

// TestF74_TextsForTheirSchemasAsJSONSchemaGo compares texts that nearly match deeper schemas.
func TestF74_TextsForTheirSchemasAsJSONSchemaGo(t *testing.T) {
	matched, checked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		room := MostRoom
		schema := anySchema(t, 3)
		s, fault := Compile(schema, 1, &room)
		if fault != nil {
			t.Fatalf("%+v", fault)
		}
		text := maker{t}.value(schema, 4)
		node, broken := jsontext.Parse([]byte(text), jsontext.Options{})
		if broken != nil {
			t.Fatalf("%s: %s", text, broken.What)
		}
		checked++
		if agree(t, s, text, len(s.Check([]byte(text), node))) {
			matched++
		}
	})
	if matched < checked/4 || matched > checked-checked/10 {
		t.Errorf("%d of %d texts match, so the test says little", matched, checked)
	}
}
