package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// param is one parameter of a tool: a field of its request. The field's type says what is taken,
// its tags say the rest: json the name, doc the description, required, enum, minimum and maximum. A
// field without the tag json is not offered.
type param struct {
	name  string
	about string
	must  bool
	words []string // the only texts that are taken
	least string   // of a number, "" is no limit
	most  string   // of a number, "" is no limit
	shape reflect.Type
	field []int // its place in the request

	shared bool // a field of shared instead
	hidden bool // taken, but not declared
}

// paramsOf returns the parameters in the order of the fields of a request, those of embedded
// structs among them.
func paramsOf(request reflect.Type) []param {
	var out []param
	for _, field := range reflect.VisibleFields(request) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		p := param{
			name: name, about: field.Tag.Get("doc"), must: field.Tag.Get("required") == "true",
			least: field.Tag.Get("minimum"), most: field.Tag.Get("maximum"), shape: field.Type, field: field.Index,
		}
		if words := field.Tag.Get("enum"); words != "" {
			p.words = strings.Split(words, ",")
		}
		if p.shape.Kind() == reflect.Pointer {
			p.shape = p.shape.Elem()
		}
		out = append(out, p)
	}
	return out
}

// schema returns the input schema of a tool, in the order of its declaration. It uses only words
// that every client understands: clients pass it on to models of many makers. It does not say that
// other names are refused, because every session pays for these words (D52); the refusal says it.
func schema(params []param) json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var must []string
	for _, p := range params {
		if p.hidden {
			continue
		}
		if !bytes.HasSuffix(b.Bytes(), []byte("{")) {
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
	b.WriteByte('}')
	return b.Bytes()
}

// typed returns the part of a parameter's schema that says what is taken.
func (p param) typed() string {
	out := strings.TrimSuffix(strings.TrimPrefix(typeOf(p.shape), "{"), "}")
	if p.shape.Kind() == reflect.Slice {
		out += `,"items":` + typeOf(p.shape.Elem())
	}
	if p.least != "" {
		out += `,"minimum":` + p.least
	}
	if p.most != "" {
		out += `,"maximum":` + p.most
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

// mostText bounds one text of a call, or all texts of one list, in bytes.
const mostText = 256 << 10

// parse reads the arguments of a call into its request. Everything wrong with them is Usage
// arguments_invalid, which a model can repair.
func parse(t tool, raw json.RawMessage) (request reflect.Value, common shared, err error) {
	given := map[string]json.RawMessage{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			return request, common, wrong(t, "the arguments are not a JSON object")
		}
	}
	request = reflect.New(t.asks).Elem()
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
		to := request
		if p.shared {
			to = reflect.ValueOf(&common).Elem()
		}
		if err := p.take(value, to.FieldByIndex(p.field)); err != nil {
			return request, common, wrong(t, err.Error())
		}
	}
	// A wrong name often comes with a missing one that it was meant for: one answer names both.
	for _, name := range slices.Sorted(maps.Keys(given))[:min(len(given), mostUnknown)] {
		fault := "there is no parameter " + strconv.Quote(safetext.Runes(name, 40))
		if near := nearest(name, namesOf(t.params)); len(near) > 0 {
			fault += " (did you mean " + strings.Join(near, ", ") + "?)"
		}
		faults = append(faults, fault)
	}
	if len(faults) > 0 {
		return request, common, wrong(t, strings.Join(faults, "; "))
	}
	return request, common, nil
}

// namesOf returns the names of parameters that are declared.
func namesOf(params []param) []string {
	names := []string{}
	for _, p := range params {
		if !p.hidden {
			names = append(names, p.name)
		}
	}
	return names
}

// nearest returns the names for which a word may be a slip. A short word is near to everything.
func nearest(word string, names []string) []string {
	if len(word) < 4 {
		return nil
	}
	known := make([]task.ID, len(names))
	for i, name := range names {
		known[i] = task.ID(name)
	}
	return task.Nearest(word, known)
}

// mostUnknown is how many unknown names an answer lists.
const mostUnknown = 3

// wrong returns the error for a mistake in a call. Its hint names what the tool takes.
func wrong(t tool, message string) error {
	var takes []string
	for _, p := range t.params {
		switch {
		case p.must:
			takes = append(takes, p.name+" (required)")
		case !p.hidden:
			takes = append(takes, p.name)
		}
	}
	hint := t.name + " takes " + strings.Join(takes, ", ")
	if len(takes) == 0 {
		hint = t.name + " takes no parameters"
	}
	return &report.Error{Kind: report.Usage, Code: report.CodeArgumentsInvalid, Message: message, Hint: hint}
}

// take reads one value into its field. It accepts what has only one meaning: digits for a number, a
// number for an id, one value for a list of one.
func (p param) take(raw json.RawMessage, to reflect.Value) error {
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(p.shape))
		to = to.Elem()
	}
	switch to.Kind() {
	case reflect.Bool:
		value := strings.Trim(string(raw), `"`)
		if value != "true" && value != "false" {
			return fmt.Errorf("%s must be true or false", p.name)
		}
		to.SetBool(value == "true")
	case reflect.Int:
		n, ok := numberOf(raw)
		if !ok || p.least != "" && n < limit(p.least) || p.most != "" && n > limit(p.most) {
			return fmt.Errorf("%s must be a whole number%s", p.name, p.bounds())
		}
		to.SetInt(int64(n))
	case reflect.Slice:
		return p.takeList(raw, to)
	case reflect.String:
		value, ok := textOf(raw)
		switch {
		case !ok:
			return fmt.Errorf("%s must be a text", p.name)
		case len(value) > mostText:
			return fmt.Errorf("%s has %d bytes, %d are allowed", p.name, len(value), mostText)
		case len(p.words) > 0 && !slices.Contains(p.words, value):
			allowed := strings.Join(p.words, " or ")
			return fmt.Errorf("%s is %q; it must be %s", p.name, safetext.Runes(value, 40), allowed)
		}
		to.SetString(value)
	default: // a test reads every type
		return fmt.Errorf("%s cannot be set: baton does not read a %s", p.name, to.Type())
	}
	return nil
}

func (p param) takeList(raw json.RawMessage, to reflect.Value) error {
	values := []json.RawMessage{raw}
	if raw[0] == '[' {
		_ = json.Unmarshal(raw, &values) // it is valid JSON
	}
	list := reflect.MakeSlice(p.shape, len(values), len(values))
	size := 0
	for i, value := range values {
		item := list.Index(i)
		if (param{shape: item.Type()}).take(value, item) != nil {
			what := "texts"
			if item.Kind() == reflect.Int {
				what = "whole numbers"
			}
			return fmt.Errorf("%s must be a list of %s", p.name, what)
		}
		if size += len(value); size > mostText {
			return fmt.Errorf("%s has more than %d bytes", p.name, mostText)
		}
	}
	to.Set(list)
	return nil
}

// bounds returns the words for what a number may be.
func (p param) bounds() string {
	switch {
	case p.most != "":
		return " from " + p.least + " to " + p.most
	case p.least != "":
		return ", " + p.least + " or more"
	}
	return ""
}

// limit returns the number of a tag.
func limit(tag string) int {
	n, _ := strconv.Atoi(tag) // a test reads every tag
	return n
}

// textOf returns a text, or the digits of a whole number, and reports whether there is either.
func textOf(raw json.RawMessage) (string, bool) {
	var value string
	if raw[0] == '"' && json.Unmarshal(raw, &value) == nil {
		return value, true
	}
	n, ok := numberOf(raw)
	return strconv.Itoa(n), ok
}

// numberOf returns a whole number, also one that was written as a text.
func numberOf(raw json.RawMessage) (int, bool) {
	n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
	return n, err == nil
}
