package declaration

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	jsonschema "baton/internal/jsontext/schema"
	"baton/internal/report"
	"baton/internal/statedir"
)

// schema is what the contract requires of a JSON file. Checks and published schemas are both
// derived from it, so they cannot disagree (SD-D2).
type schema struct {
	name   string
	title  string
	strict bool // a sidecar: a text that is not an object is an error of its own (5.5)
	fields []schemaField
	own    *jsonschema.Schema // of a project, or nil
}

// schemaField is a field that the contract knows. Other fields are allowed and never checked.
type schemaField struct {
	name     string
	about    string   // for readers of the schema
	allowed  []string // complete list of texts; nil allows any value, including null
	required bool     // otherwise it is recommended
}

// schemaOf returns the schema for a name, if there is one.
func (c *Contract) schemaOf(name string) (schema, bool) {
	for _, s := range c.Sidecars() {
		if s.JSON == name {
			out := sidecarSchema(s)
			out.own = c.own[name]
			return out, true
		}
	}
	for _, in := range c.inputs {
		if in.name == name {
			s := in.schema()
			s.own = c.own[name]
			return s, true
		}
	}
	own := c.own[name]
	return schema{name: name, own: own}, own != nil
}

// NearestSchema returns the name with a schema that was probably meant, or "": the sidecar of a
// Markdown file, a name without its extension, or a similar name.
func (c *Contract) NearestSchema(name string) string {
	if s, ok := c.SidecarFor(name); ok {
		return s.JSON
	}
	fixed := repair(name)
	for _, known := range c.Schemas() {
		stem := strings.TrimSuffix(known, ".json")
		if fixed == known || fixed == stem || fixed == stem+".md" {
			return known
		}
	}
	best, least := "", len(fixed)/3+1
	for _, known := range c.Schemas() {
		if n := report.Letters(strings.TrimSuffix(fixed, ".json"), strings.TrimSuffix(known, ".json"),
			least-1); n < least {
			best, least = known, n
		}
	}
	return best
}

// Schemas returns the names that have a schema, first sidecars, then inputs.
func (c *Contract) Schemas() []string {
	names := []string{}
	for _, s := range c.Sidecars() {
		names = append(names, s.JSON)
	}
	for _, in := range c.inputs {
		names = append(names, in.name)
	}
	for _, name := range c.ownSchemas() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// sidecarSchema requires the three words of a sidecar. If a project leaves out a list, that field
// is not required.
func sidecarSchema(s statedir.Sidecar) schema {
	out := schema{name: s.JSON, title: "What " + s.Markdown + " says, for programs", strict: true}
	for _, f := range []schemaField{
		{name: "status", about: "How the work ended", allowed: s.Status},
		{name: "verdict", about: "What the work found", allowed: s.Verdict},
		{name: "agent", about: "Who wrote the file", allowed: s.Agent},
	} {
		if len(f.allowed) > 0 {
			f.required = true
			out.fields = append(out.fields, f)
		}
	}
	return out
}

func (in input) schema() schema {
	out := schema{name: in.name, title: in.title}
	for _, name := range in.required {
		out.fields = append(out.fields, schemaField{
			name: name, about: "Required; null counts as a value", required: true,
		})
	}
	for _, name := range in.recommended {
		out.fields = append(out.fields, schemaField{name: name, about: "Recommended"})
	}
	return out
}

// required returns the names of the required fields.
func (s schema) required() []string {
	names := []string{}
	for _, f := range s.fields {
		if f.required {
			names = append(names, f.name)
		}
	}
	return names
}

// has reports whether the schema knows a field.
func (s schema) has(name string) bool {
	for _, f := range s.fields {
		if f.name == name {
			return true
		}
	}
	return false
}

// Schema returns the JSON Schema (2020-12) of a sidecar or an input, if there is one. It is
// indented and has no final line feed. Its properties are in the order of the contract, so the same
// contract always gives the same bytes.
func (c *Contract) Schema(name string) ([]byte, bool) {
	s, ok := c.schemaOf(name)
	if !ok {
		return nil, false
	}
	required := make([]string, 0, len(s.fields))
	for _, field := range s.required() {
		required = append(required, jsonString(field))
	}
	members := make([]string, 0, len(s.fields))
	for _, f := range s.fields {
		members = append(members, jsonString(f.name)+":"+f.property())
	}
	text := `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":` + jsonString(s.name)
	if len(s.fields) > 0 || s.own == nil {
		text += `,"description":` + jsonString(s.title) + `,"type":"object","properties":{` +
			strings.Join(members, ",") + `},"required":[` + strings.Join(required, ",") +
			`],"additionalProperties":true`
	}
	if s.own != nil {
		text += `,"allOf":[` + s.own.JSON() + `]`
	}
	text += "}"
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return nil, false // impossible, because every part is valid JSON
	}
	return out.Bytes(), true
}

// property returns the schema of one field.
func (f schemaField) property() string {
	text := `{"description":` + jsonString(f.about)
	if f.allowed != nil {
		words := make([]string, len(f.allowed))
		for i, word := range f.allowed {
			words[i] = jsonString(word)
		}
		text += `,"enum":[` + strings.Join(words, ",") + `]`
	}
	return text + "}"
}

// jsonString returns a text as JSON, without escapes for HTML.
func jsonString(text string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) != nil {
		return `""` // impossible: every text can be encoded
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// SidecarFor returns the pair to which a Markdown file belongs.
func (c *Contract) SidecarFor(markdown string) (statedir.Sidecar, bool) {
	for _, s := range c.Sidecars() {
		if s.Markdown == markdown {
			return s, true
		}
	}
	return statedir.Sidecar{}, false
}
