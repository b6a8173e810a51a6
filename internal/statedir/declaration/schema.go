package declaration

import (
	"bytes"
	"encoding/json"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
)

// schema is what the contract asks of a JSON file. Checks and published schemas are both made from
// it, so that they cannot disagree (SD-D2).
type schema struct {
	name   string
	title  string
	strict bool // a sidecar: a text that is no object is a fault of its own (5.5)
	fields []schemaField
}

// schemaField is a field that the contract knows. Others are allowed and never looked at.
type schemaField struct {
	name     string
	about    string   // for anyone who reads the schema
	allowed  []string // closed list of texts; nil: any value, null included
	required bool     // else it is recommended
}

// schemaOf returns the schema for a name, false for a name without one.
func (c *Contract) schemaOf(name string) (schema, bool) {
	for _, s := range c.Sidecars() {
		if s.JSON == name {
			return sidecarSchema(s), true
		}
	}
	for _, in := range declaredInputs() {
		if in.name == name {
			return in.schema(), true
		}
	}
	return schema{}, false
}

// NearestSchema returns the name with a schema that was probably meant, "" for none: the sidecar of
// a Markdown file, a name without its ending, or one that is nearly the same.
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

// Schemas returns the names that have a schema: sidecars, then inputs.
func (c *Contract) Schemas() []string {
	names := []string{}
	for _, s := range c.Sidecars() {
		names = append(names, s.JSON)
	}
	for _, in := range declaredInputs() {
		names = append(names, in.name)
	}
	return names
}

// sidecarSchema asks for the three words of a sidecar. A project may leave a list out; then the
// field is not asked for.
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

// required names the fields that must be there.
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

// Schema returns the JSON Schema (2020-12) of a sidecar or an input, indented, without a final line
// feed, and false for a name without one. Its properties are in the order of the contract, so the
// same contract gives the same bytes.
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
	text := `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":` + jsonString(s.name) +
		`,"description":` + jsonString(s.title) + `,"type":"object","properties":{` + strings.Join(members, ",") +
		`},"required":[` + strings.Join(required, ",") + `],"additionalProperties":true}`
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return nil, false // every part is JSON, so this does not happen
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

// jsonString writes a text as JSON as it reads, without escapes for HTML.
func jsonString(text string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) != nil {
		return `""` // a text can always be written
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// SidecarFor returns the pair of a Markdown file.
func (c *Contract) SidecarFor(markdown string) (statedir.Sidecar, bool) {
	for _, s := range c.Sidecars() {
		if s.Markdown == markdown {
			return s, true
		}
	}
	return statedir.Sidecar{}, false
}
