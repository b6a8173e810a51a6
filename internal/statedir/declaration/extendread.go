package declaration

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"baton/internal/frontmatter"
	"baton/internal/report"
	"baton/internal/statedir"
)

// mostNumber is a number of days that certainly fits into nanoseconds in an int64.
const mostNumber = 100000

// keys refuses unknown keys and suggests the one that was probably meant.
func (x *extension) keys(m frontmatter.Map, known ...string) {
	for _, e := range m {
		near, least := "", 3
		for _, k := range known {
			if n := report.Letters(strings.ToLower(e.Key), k, 2); n < least {
				near, least = k, n
			}
		}
		hint := "known keys are " + strings.Join(known, ", ")
		if near != "" {
			hint = "did you mean " + near + "? " + hint
		}
		if least > 0 || e.Key != near {
			x.refuse(e.Line, statedir.Say("the key %s is unknown", e.Key), hint)
		}
	}
}

// mapping returns a value that must be a mapping. A missing value is an empty mapping.
func (x *extension) mapping(value any, line int, what string) frontmatter.Map {
	m, ok := value.(frontmatter.Map)
	if !ok && value != nil {
		x.refuse(line, what+" does not consist of keys and values", "see the example in docs/contract.md")
	}
	return m
}

// mappings returns the items of a list of mappings.
func (x *extension) mappings(e frontmatter.Entry) []frontmatter.Map {
	list, ok := e.Value.([]any)
	if !ok && e.Value != nil {
		x.refuse(e.Line, e.Key+" is not a list", "begin each entry with a dash; see the example in docs/contract.md")
	}
	maps := make([]frontmatter.Map, 0, len(list))
	for _, item := range list {
		m, isMap := item.(frontmatter.Map)
		if !isMap {
			x.refuse(e.Line, "an entry of "+e.Key+" does not consist of keys and values",
				"see the example in docs/contract.md")
			return nil
		}
		maps = append(maps, m)
	}
	return maps
}

// text returns a required text and its line.
func (x *extension) text(m frontmatter.Map, line int, key string) (string, int) {
	e, ok := m.Get(key)
	if !ok {
		if len(m) > 0 {
			line = m[0].Line
		}
		x.refuse(line, "an entry has no "+key, "every entry needs one")
		return "", line
	}
	s, isText := e.Value.(string)
	if !isText {
		x.refuse(e.Line, e.Key+" is not a text", "put it in quotes")
	}
	return s, e.Line
}

// optional returns an optional text.
func (x *extension) optional(m frontmatter.Map, key string) string {
	e, ok := m.Get(key)
	if !ok || e.Value == nil {
		return ""
	}
	s, isText := e.Value.(string)
	if !isText {
		x.refuse(e.Line, key+" is not a text", "put it in quotes")
	}
	return s
}

// flag returns true or false. A missing key means false.
func (x *extension) flag(m frontmatter.Map, key string) bool {
	e, ok := m.Get(key)
	if !ok {
		return false
	}
	b, isBool := e.Value.(bool)
	if !isBool {
		x.refuse(e.Line, key+" is neither true nor false", "write "+key+": true")
	}
	return b
}

func has(m frontmatter.Map, key string) bool {
	_, ok := m.Get(key)
	return ok
}

// number returns a whole number of at least least. ok is false if the key is missing.
func (x *extension) number(m frontmatter.Map, key string, least int64) (int, bool) {
	e, ok := m.Get(key)
	if !ok {
		return 0, false
	}
	n, isInt := e.Value.(int64)
	if !isInt || n < least || n > mostNumber {
		x.refuse(e.Line, fmt.Sprintf("%s is not a whole number from %d to %d", key, least, mostNumber),
			fmt.Sprintf("write %s: %d", key, max(least, 1)))
		return 0, false
	}
	return int(n), true
}

// words returns a list of texts. A single text counts as a list of one.
func (x *extension) words(m frontmatter.Map, key string) []string {
	e, ok := m.Get(key)
	if !ok {
		return nil
	}
	return x.list(e)
}

func (x *extension) list(e frontmatter.Entry) []string {
	switch v := e.Value.(type) {
	case nil:
		return nil
	case string:
		return []string{v}
	case []any:
		words := make([]string, 0, len(v))
		for _, item := range v {
			s, isText := item.(string)
			if !isText {
				x.refuse(e.Line, e.Key+" contains something that is not a text", "put it in quotes")
				return nil
			}
			words = append(words, s)
		}
		return words
	}
	x.refuse(e.Line, e.Key+" is not a list of texts", "write "+e.Key+": [ONE, TWO]")
	return nil
}

// oneWord refuses words that no status line or field can contain, and empty lists.
func (x *extension) oneWord(e frontmatter.Entry, words []string) {
	if len(words) == 0 {
		x.refuse(e.Line, e.Key+" is empty", "name the words that are allowed, or leave the key out")
	}
	seen := make(map[string]bool, len(words))
	for _, w := range words {
		switch {
		case w == "" || strings.ContainsFunc(w, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r)
		}):
			x.refuse(x.lineOf(e.Line, w), statedir.Say("%s is not one word", w),
				"use letters, digits and underlines: IN_REVIEW")
		case seen[w]:
			x.refuse(x.lineOf(e.Line, w), statedir.Say("%s occurs a second time", w), "remove one of the two")
		}
		seen[w] = true
	}
}

// lineOf returns the first line at or after from that contains an item, or from if there is none.
// The lines of list items are not known otherwise.
func (x *extension) lineOf(from int, item string) int {
	line := 1
	for rest := x.src; item != "" && len(rest) > 0; line++ {
		text, after, _ := bytes.Cut(rest, []byte("\n"))
		if line >= from && bytes.Contains(text, []byte(item)) {
			return line
		}
		rest = after
	}
	return from
}

// meant returns a hint that starts with the name that was probably meant, if there is one.
func (x *extension) meant(name, hint string) string {
	if near := x.c.Nearest(name); near != "" {
		return "did you mean " + near + "? " + hint
	}
	return hint
}
