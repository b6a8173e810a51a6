package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
)

// kind is the type of a parameter in its schema.
type kind string

const (
	text    kind = "string" // a number is taken for its digits: models write ids so
	number  kind = "integer"
	yesNo   kind = "boolean"
	list    kind = "array"   // of texts; one text is a list of one
	numbers kind = "numbers" // an array of integers
)

// param is one parameter of a tool.
type param struct {
	name  string
	kind  kind
	about string
	must  bool
	words []string // the only texts that are taken
	least int      // of a number, below 0 is no limit
	most  int      // of a number, 0 is no limit
}

// schema is the input schema of a tool, in the order of its declaration. It has no words beyond
// those that every client understands: clients hand it on to models of many makers.
func schema(params []param) json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var must []string
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(p.name) + ":{" + p.typed())
		if p.about != "" {
			b.WriteString(`,"description":` + quoted(p.about))
		}
		b.WriteByte('}')
		if p.must {
			must = append(must, quoted(p.name))
		}
	}
	b.WriteByte('}')
	if len(must) > 0 {
		b.WriteString(`,"required":[` + strings.Join(must, ",") + `]`)
	}
	b.WriteString(`,"additionalProperties":false}`)
	return b.Bytes()
}

// typed is the part of a parameter's schema that says what is taken.
func (p param) typed() string {
	out := `"type":` + quoted(string(p.kind))
	switch p.kind {
	case list:
		out += `,"items":{"type":"string"}`
	case numbers:
		out = `"type":"array","items":{"type":"integer"}`
	case number:
		if p.least >= 0 {
			out += `,"minimum":` + strconv.Itoa(p.least)
		}
		if p.most > 0 {
			out += `,"maximum":` + strconv.Itoa(p.most)
		}
	}
	if len(p.words) > 0 {
		words, _ := json.Marshal(p.words)
		out += `,"enum":` + string(words)
	}
	return out
}

func quoted(s string) string {
	data, _ := json.Marshal(s) // a string always has one
	return string(data)
}

// mostText bounds one text of a call, in bytes.
const mostText = 256 << 10

// args are the arguments of a call, checked against its parameters.
type args struct {
	texts   map[string]string
	lists   map[string][]string
	numbers map[string][]int
	yes     map[string]bool
}

func (a args) given(name string) bool {
	_, t := a.texts[name]
	_, l := a.lists[name]
	_, n := a.numbers[name]
	_, y := a.yes[name]
	return t || l || n || y
}

func (a args) number(name string, otherwise int) int {
	if n := a.numbers[name]; len(n) > 0 {
		return n[0]
	}
	return otherwise
}

// parse reads the arguments of a call. Everything wrong with them is Usage arguments_invalid, which
// a model can repair.
func parse(t tool, raw json.RawMessage) (args, error) {
	a := args{map[string]string{}, map[string][]string{}, map[string][]int{}, map[string]bool{}}
	given := map[string]json.RawMessage{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			return a, wrong(t, "the arguments are not a JSON object")
		}
	}
	var faults []string
	for _, p := range t.params {
		value, there := given[p.name]
		delete(given, p.name)
		if !there || string(value) == "null" {
			if p.must {
				faults = append(faults, p.name+" is missing")
			}
			continue
		}
		if err := a.take(p, value); err != nil {
			return a, wrong(t, err.Error())
		}
	}
	// A wrong name often stands beside the one that it was meant for: both are told in one answer.
	for _, name := range slices.Sorted(maps.Keys(given))[:min(len(given), mostUnknown)] {
		faults = append(faults, "there is no parameter "+strconv.Quote(safetext.Runes(name, 40)))
	}
	if len(faults) > 0 {
		return a, wrong(t, strings.Join(faults, "; "))
	}
	return a, nil
}

// mostUnknown is how many unknown names an answer tells.
const mostUnknown = 3

// wrong is a mistake in a call, with what the tool takes as the hint.
func wrong(t tool, message string) error {
	takes := make([]string, len(t.params))
	for i, p := range t.params {
		takes[i] = p.name
		if p.must {
			takes[i] += " (required)"
		}
	}
	hint := t.name + " takes " + strings.Join(takes, ", ")
	if len(takes) == 0 {
		hint = t.name + " takes no parameters"
	}
	return &report.Error{Kind: report.Usage, Code: "arguments_invalid", Message: message, Hint: hint}
}

// take reads one value. What is meant without doubt is taken: digits for a number, a number for an
// id, one text for a list of one.
func (a args) take(p param, raw json.RawMessage) error {
	switch p.kind {
	case text:
		value, ok := textOf(raw)
		switch {
		case !ok:
			return fmt.Errorf("%s has to be a text", p.name)
		case len(value) > mostText:
			return fmt.Errorf("%s has %d bytes, %d are allowed", p.name, len(value), mostText)
		case len(p.words) > 0 && !slices.Contains(p.words, value):
			allowed := strings.Join(p.words, " or ")
			return fmt.Errorf("%s is %q; it has to be %s", p.name, safetext.Runes(value, 40), allowed)
		}
		a.texts[p.name] = value
	case yesNo:
		value, ok := textOf(raw)
		if string(raw) != "true" && string(raw) != "false" && (!ok || value != "true" && value != "false") {
			return fmt.Errorf("%s has to be true or false", p.name)
		}
		a.yes[p.name] = string(raw) == "true" || value == "true"
	case number:
		value, ok := numberOf(raw)
		if !ok || p.least >= 0 && value < p.least || p.most > 0 && value > p.most {
			return fmt.Errorf("%s has to be a whole number%s", p.name, p.bounds())
		}
		a.numbers[p.name] = []int{value}
	case numbers:
		var values []json.RawMessage
		if json.Unmarshal(raw, &values) != nil {
			return fmt.Errorf("%s has to be a list of whole numbers", p.name)
		}
		for _, v := range values {
			n, ok := numberOf(v)
			if !ok {
				return fmt.Errorf("%s has to be a list of whole numbers", p.name)
			}
			a.numbers[p.name] = append(a.numbers[p.name], n)
		}
	case list:
		return a.takeList(p, raw)
	}
	return nil
}

func (a args) takeList(p param, raw json.RawMessage) error {
	values := []json.RawMessage{raw}
	if raw[0] == '[' {
		if err := json.Unmarshal(raw, &values); err != nil {
			return fmt.Errorf("%s has to be a list of texts", p.name)
		}
	}
	size := 0
	out := make([]string, 0, len(values))
	for _, v := range values {
		value, ok := textOf(v)
		if !ok {
			return fmt.Errorf("%s has to be a list of texts", p.name)
		}
		if size += len(value); size > mostText {
			return fmt.Errorf("%s has more than %d bytes", p.name, mostText)
		}
		out = append(out, value)
	}
	a.lists[p.name] = out
	return nil
}

func (p param) bounds() string {
	switch {
	case p.most > 0:
		return fmt.Sprintf(" from %d to %d", p.least, p.most)
	case p.least < 0:
		return ""
	}
	return fmt.Sprintf(", %d or more", p.least)
}

// textOf gives a text, or the digits of a whole number.
func textOf(raw json.RawMessage) (string, bool) {
	var value string
	if json.Unmarshal(raw, &value) == nil && len(raw) > 0 && raw[0] == '"' {
		return value, true
	}
	n, ok := numberOf(raw)
	return strconv.Itoa(n), ok
}

// numberOf gives a whole number, also one that was written as a text.
func numberOf(raw json.RawMessage) (int, bool) {
	n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
	return n, err == nil
}
