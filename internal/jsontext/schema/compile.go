package schema

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"baton/internal/frontmatter"
)

// Schema is a compiled schema. It does not change.
type Schema struct {
	source any // as written, for JSON

	never      bool // the schema false, which nothing matches
	types      []string
	enum       []any // from enum, or the one value of const
	consts     []any
	required   []string
	properties map[string]*Schema
	additional *Schema // nil allows everything
	items      *Schema
	pattern    *regexp.Regexp
	weight     int // of the pattern
	anyOf      []*Schema

	minimum, maximum     *number
	minLength, maxLength int // -1 if there is none
	minItems, maxItems   int
}

// Fault says where a schema is invalid, and why.
type Fault struct {
	Line int // 1-based, in the file that has the schema
	What string
	Hint string
}

// Keywords returns all keywords that a schema may have.
func Keywords() []string {
	return []string{
		"type", "enum", "const", "required", "properties", "additionalProperties", "items", "pattern", "minimum",
		"maximum", "minLength", "maxLength", "minItems", "maxItems", "anyOf",
	}
}

// kinds returns the words for type.
func kinds() []string {
	return []string{"object", "array", "string", "number", "integer", "boolean", "null"}
}

// Compile reads a schema: a mapping, true or false. line is the line of the schema's own key. Its
// expressions take from room.
func Compile(value any, line int, room *Room) (*Schema, *Fault) {
	c := compiler{room: room}
	s := c.schema(value, line)
	if c.fault != nil {
		return nil, c.fault
	}
	return s, nil
}

// compiler is the state of reading a schema. Reading ends at the first fault.
type compiler struct {
	fault *Fault
	room  *Room
}

func (c *compiler) refuse(line int, what, hint string) {
	if c.fault == nil {
		c.fault = &Fault{line, what, hint}
	}
}

func (c *compiler) schema(value any, line int) *Schema {
	s := &Schema{source: value, minLength: -1, maxLength: -1, minItems: -1, maxItems: -1}
	if allowed, ok := value.(bool); ok {
		s.never = !allowed
		return s
	}
	m, ok := value.(frontmatter.Map)
	if !ok {
		c.refuse(line, "a schema is neither keywords with values, nor true or false", "for example {type: string}")
	}
	for _, e := range m {
		if c.fault != nil {
			break
		}
		c.keyword(s, e)
	}
	return s
}

// keyword reads one keyword.
func (c *compiler) keyword(s *Schema, e frontmatter.Entry) {
	switch e.Key {
	case "type":
		s.types = c.types(e)
	case "enum":
		s.enum = c.list(e)
		c.inJSON(e, e.Value)
		if len(s.enum) == 0 {
			c.refuse(e.Line, "enum is empty, so that no value matches", "name the values that are allowed")
		}
	case "const":
		s.consts = []any{e.Value}
		c.inJSON(e, e.Value)
	case "required":
		s.required = c.texts(e)
	case "properties":
		s.properties = c.properties(e)
	case "additionalProperties":
		s.additional = c.schema(e.Value, e.Line)
	case "items":
		s.items = c.schema(e.Value, e.Line)
	case "pattern":
		before := *c.room
		s.pattern = c.pattern(e)
		s.weight = int(before - *c.room)
	case "minimum":
		s.minimum = c.number(e)
	case "maximum":
		s.maximum = c.number(e)
	case "minLength":
		s.minLength = c.count(e)
	case "maxLength":
		s.maxLength = c.count(e)
	case "minItems":
		s.minItems = c.count(e)
	case "maxItems":
		s.maxItems = c.count(e)
	case "anyOf":
		for _, item := range c.list(e) {
			line := e.Line
			if m, ok := item.(frontmatter.Map); ok && len(m) > 0 {
				line = m[0].Line
			}
			s.anyOf = append(s.anyOf, c.schema(item, line))
		}
		if len(s.anyOf) == 0 {
			c.refuse(e.Line, "anyOf has no schemas", "list at least one")
		}
	default:
		c.refuse(e.Line, "the keyword "+strconv.Quote(e.Key)+" is not supported in a schema",
			"the keywords are "+strings.Join(Keywords(), ", "))
	}
}

func (c *compiler) types(e frontmatter.Entry) []string {
	words := []any{e.Value}
	if _, one := e.Value.(string); !one && e.Value != nil {
		words = c.list(e)
	}
	out := make([]string, 0, len(words))
	for _, w := range words {
		text, _ := w.(string)
		if w == nil { // YAML reads the word null as null
			text = "null"
		}
		if !slices.Contains(kinds(), text) {
			c.refuse(e.Line, "type names something that is not a type", "the types are "+strings.Join(kinds(), ", "))
			return nil
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		c.refuse(e.Line, "type is empty", "the types are "+strings.Join(kinds(), ", "))
	}
	return out
}

func (c *compiler) list(e frontmatter.Entry) []any {
	list, ok := e.Value.([]any)
	if !ok {
		c.refuse(e.Line, e.Key+" is not a list", "write "+e.Key+": [ONE, TWO]")
	}
	return list
}

// inJSON refuses a value with a number that no JSON text can have, such as .inf.
func (c *compiler) inJSON(e frontmatter.Entry, value any) {
	switch v := value.(type) {
	case frontmatter.Number:
		if _, ok := numberOf(v); !ok {
			c.refuse(e.Line, e.Key+" contains a number that JSON does not have",
				"write it with digits, such as 0.5 or 1e3")
		}
	case []any:
		for _, item := range v {
			c.inJSON(e, item)
		}
	case frontmatter.Map:
		for _, m := range v {
			c.inJSON(e, m.Value)
		}
	}
}

func (c *compiler) texts(e frontmatter.Entry) []string {
	list := c.list(e)
	out := make([]string, 0, len(list))
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			c.refuse(e.Line, e.Key+" contains something that is not a text", "put it in quotes")
		}
		out = append(out, text)
	}
	return out
}

func (c *compiler) properties(e frontmatter.Entry) map[string]*Schema {
	m, ok := e.Value.(frontmatter.Map)
	if !ok {
		c.refuse(e.Line, "properties does not consist of names and schemas", "for example {verdict: {type: string}}")
	}
	out := make(map[string]*Schema, len(m))
	for _, p := range m {
		if p.Key == "<<" {
			c.refuse(p.Line, "properties cannot be merged with <<", "write them out")
		}
		out[p.Key] = c.schema(p.Value, p.Line)
	}
	return out
}

func (c *compiler) pattern(e frontmatter.Entry) *regexp.Regexp {
	text, ok := e.Value.(string)
	if !c.room.Take(text) {
		c.refuse(e.Line, TooLarge, TooLargeHint)
		return nil
	}
	re, err := regexp.Compile(text)
	if !ok || err != nil {
		c.refuse(e.Line, "pattern is not a regular expression of RE2",
			"see https://github.com/google/re2/wiki/Syntax; lookaround and back-references are not part of it")
		return nil
	}
	return re
}

func (c *compiler) number(e frontmatter.Entry) *number {
	if n, ok := numberOf(e.Value); ok {
		return &n
	}
	c.refuse(e.Line, e.Key+" is not a number", "write "+e.Key+": 1")
	return nil
}

// most is the highest limit of a length; no text and no list is longer.
const most = math.MaxInt32

func (c *compiler) count(e frontmatter.Entry) int {
	n, ok := e.Value.(int64)
	if !ok || n < 0 || n > most {
		c.refuse(e.Line, e.Key+" is not a whole number of 0 or more", "write "+e.Key+": 1")
	}
	return int(n)
}
