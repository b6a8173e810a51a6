package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"baton/internal/frontmatter"
	"baton/internal/jsontext"
)

// mostFlaws is how many flaws of one text are reported.
const mostFlaws = 20

// mostEffort bounds a check to a few seconds: a small schema and a small text can take hours
// together (F-74). A value counts as 10, and each character times the size of the pattern.
const mostEffort = 500_000_000

// Flaw is a part of a text that does not match the schema.
type Flaw struct {
	Reason  Reason
	Pointer string        // JSON pointer of the value; "" is the whole text
	At      jsontext.Node // the value
	What    string        // what is wrong, as the end of a sentence that begins with the pointer
	Allowed []string      // the texts that are allowed, if they are a list of texts
}

// Reason is the sort of a flaw.
type Reason int

// The reasons.
const (
	NotAllowed Reason = iota // the value is not allowed
	WrongType                // the value has the wrong type
	Missing                  // a required property is missing
)

// Check returns the first flaws of a text, in the order of the schema. The text must have been read
// with all its levels. If a check would take too long, the last flaw says so.
func (s *Schema) Check(src []byte, text jsontext.Node) []Flaw {
	left := mostEffort
	c := checker{src: src, most: mostFlaws, left: &left}
	c.value(s, text)
	if left < 0 {
		c.most++
		c.add(NotAllowed, text, "is not checked to its end, because text and schema are too large together")
	}
	return c.flaws
}

// checker is the state of a check.
type checker struct {
	src   []byte
	path  []string
	flaws []Flaw
	most  int
	left  *int // of the effort
}

// spend reports whether there is enough effort left for a step, and takes it.
func (c *checker) spend(effort int) bool {
	*c.left -= effort
	return *c.left >= 0
}

// add records a flaw.
func (c *checker) add(reason Reason, at jsontext.Node, what string, allowed ...string) {
	if len(c.flaws) < c.most {
		c.flaws = append(c.flaws, Flaw{reason, c.pointer(), at, what, allowed})
	}
}

// pointer returns the JSON pointer of the present value.
func (c *checker) pointer() string {
	var b strings.Builder
	for _, step := range c.path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
	}
	return b.String()
}

// matches reports whether a value matches a schema.
func (c *checker) matches(s *Schema, n jsontext.Node) bool {
	try := checker{src: c.src, most: 1, left: c.left}
	try.value(s, n)
	return len(try.flaws) == 0
}

// below checks a value inside the present one.
func (c *checker) below(step string, s *Schema, n jsontext.Node) {
	c.path = append(c.path, step)
	c.value(s, n)
	c.path = c.path[:len(c.path)-1]
}

func (c *checker) value(s *Schema, n jsontext.Node) {
	switch {
	case len(c.flaws) >= c.most, !c.spend(10 * (1 + len(s.required) + len(n.Members))):
		return
	case s.never:
		c.add(NotAllowed, n, "is not allowed")
		return
	case s.types != nil && !slices.ContainsFunc(s.types, func(t string) bool { return c.is(n, t) }):
		c.add(WrongType, n, "is not of the type "+strings.Join(s.types, " or "))
		return // its other flaws follow from this one
	}
	c.listed(s, n)
	switch n.Kind {
	case '0':
		c.number(s, n)
	case '"':
		c.text(s, n)
	case '[':
		c.list(s, n)
	case '{':
		c.object(s, n)
	}
	if s.anyOf != nil && !slices.ContainsFunc(s.anyOf, func(one *Schema) bool { return c.matches(one, n) }) {
		c.add(NotAllowed, n, "matches none of the "+strconv.Itoa(len(s.anyOf))+" forms of anyOf")
	}
}

// is reports whether a value is of a type. Integers are numbers without a fraction, also 1.0.
func (c *checker) is(n jsontext.Node, kind string) bool {
	switch n.Kind {
	case '{':
		return kind == "object"
	case '[':
		return kind == "array"
	case '"':
		return kind == "string"
	case 't', 'f':
		return kind == "boolean"
	case 'n':
		return kind == "null"
	}
	return kind == "number" || kind == "integer" && c.decimal(n).whole()
}

func (c *checker) decimal(n jsontext.Node) number { return readNumber(string(n.Span.Of(c.src))) }

// listed checks enum and const.
func (c *checker) listed(s *Schema, n jsontext.Node) {
	for _, values := range [...][]any{s.enum, s.consts} {
		if values == nil || !c.spend(len(values)*(1+n.Span.Len())) ||
			slices.ContainsFunc(values, func(v any) bool { return c.equal(v, n) }) {
			continue
		}
		words := make([]string, len(values))
		for i, v := range values {
			word, ok := v.(string)
			if !ok {
				word = encoded(v)
			}
			words[i] = word
		}
		c.add(NotAllowed, n, "is not allowed", words...)
	}
}

// equal reports whether a value of the schema and one of the text are equal. Numbers are compared
// by their value, and members in any order.
func (c *checker) equal(want any, n jsontext.Node) bool {
	switch v := want.(type) {
	case nil:
		return n.Kind == 'n'
	case bool:
		return v && n.Kind == 't' || !v && n.Kind == 'f'
	case string:
		return n.Kind == '"' && n.ValidText(c.src) == v
	case []any:
		if n.Kind != '[' || len(n.Items) != len(v) {
			return false
		}
		for i := range v {
			if !c.equal(v[i], n.Items[i]) {
				return false
			}
		}
		return true
	case frontmatter.Map:
		members := membersOf(n)
		if n.Kind != '{' || len(members) != len(v) {
			return false
		}
		for _, e := range v {
			if at, ok := members[e.Key]; !ok || !c.equal(e.Value, n.Members[at].Value) {
				return false
			}
		}
		return true
	}
	number, ok := numberOf(want)
	return ok && n.Kind == '0' && c.decimal(n).compare(number) == 0
}

// membersOf returns where each member is. Of several with one name, the last one counts.
func membersOf(n jsontext.Node) map[string]int {
	members := make(map[string]int, len(n.Members))
	for i, m := range n.Members {
		members[m.Name] = i
	}
	return members
}

func (c *checker) number(s *Schema, n jsontext.Node) {
	if s.minimum != nil && c.decimal(n).compare(*s.minimum) < 0 {
		c.add(NotAllowed, n, "is below the minimum, "+s.keyword("minimum"))
	}
	if s.maximum != nil && c.decimal(n).compare(*s.maximum) > 0 {
		c.add(NotAllowed, n, "is above the maximum, "+s.keyword("maximum"))
	}
}

// keyword returns the value of a keyword as written in JSON.
func (s *Schema) keyword(name string) string {
	m, _ := s.source.(frontmatter.Map)
	e, _ := m.Get(name)
	return encoded(e.Value)
}

func (c *checker) text(s *Schema, n jsontext.Node) {
	if s.minLength < 0 && s.maxLength < 0 && s.pattern == nil {
		return
	}
	text := n.ValidText(c.src)
	c.size(n, utf8.RuneCountInString(text), s.minLength, s.maxLength, "characters")
	if s.pattern != nil && c.spend(s.weight*len(text)) && !s.pattern.MatchString(text) {
		c.add(NotAllowed, n, "does not match the pattern "+s.pattern.String())
	}
}

// size checks a length.
func (c *checker) size(n jsontext.Node, size, least, most int, what string) {
	switch {
	case size < least:
		c.add(NotAllowed, n, "has fewer than "+strconv.Itoa(least)+" "+what)
	case most >= 0 && size > most:
		c.add(NotAllowed, n, "has more than "+strconv.Itoa(most)+" "+what)
	}
}

func (c *checker) list(s *Schema, n jsontext.Node) {
	c.size(n, len(n.Items), s.minItems, s.maxItems, "items")
	for i := range n.Items {
		if s.items != nil {
			c.below(strconv.Itoa(i), s.items, n.Items[i])
		}
	}
}

func (c *checker) object(s *Schema, n jsontext.Node) {
	if s.required == nil && s.properties == nil && s.additional == nil {
		return
	}
	members := membersOf(n)
	for _, name := range s.required {
		if _, ok := members[name]; !ok {
			c.path = append(c.path, name)
			c.add(Missing, n, "is missing")
			c.path = c.path[:len(c.path)-1]
		}
	}
	for i, m := range n.Members {
		if members[m.Name] != i {
			continue
		}
		if one := s.properties[m.Name]; one != nil {
			c.below(m.Name, one, m.Value)
		} else if s.additional != nil {
			c.below(m.Name, s.additional, m.Value)
		}
	}
}
