package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
)

// cutter shortens long texts and lists of an answer, and says what it left out. The answer keeps
// its shape.
type cutter struct {
	text   int    // bytes of a text that stay
	list   int    // entries of a list that stay
	whole  string // field of the answer that is not cut while the answer is within its bounds
	newest string // list of the answer whose last entries stay

	left []string
	more int // cuts that are not named
}

// mostLeft bounds how many cuts are named.
const mostLeft = 12

// encode makes the JSON of a result, cut as often as it takes to come within mostAnswer. What at
// says of a list is added to it.
func (c *cutter) encode(result reflect.Value, at *page) ([]byte, error) {
	for {
		c.cut(result, "")
		data, err := report.EncodeJSON(result.Interface(), "")
		if err != nil {
			return nil, err
		}
		data = safetext.CleanJSON(joined(withoutNoise(bytes.TrimSpace(data)), c.remarks(at)))
		if len(data) <= mostAnswer || c.text < 32 {
			return data, nil
		}
		c.text, c.list, c.whole = c.text*2/3, max(1, c.list*2/3), ""
	}
}

// withoutNoise returns the JSON of an answer without a rotation of the digest that did not happen:
// 20 fields that say nothing (F-41).
func withoutNoise(object []byte) []byte {
	name := []byte(`"rotation":`)
	at := bytes.Index(object, name)
	if at < 0 {
		return object
	}
	var fields map[string]json.RawMessage
	var done decision.Result
	if json.Unmarshal(object, &fields) != nil || json.Unmarshal(fields["rotation"], &done) != nil ||
		done.Rotated || done.ArchiveSorted || done.OverLimit {
		return object
	}
	// The text of another field may have these words, too: only the field itself is followed by its
	// value.
	span := append(name, fields["rotation"]...)
	if at = bytes.Index(object, span); at < 0 {
		return object
	}
	end := at + len(span)
	if object[end] == ',' {
		end++
	} else if object[at-1] == ',' {
		at--
	}
	return append(object[:at:at], object[end:]...)
}

// remarks returns what stands beside the result: where a list goes on, and what was left out.
func (c *cutter) remarks(at *page) []byte {
	var out struct {
		*page
		Left []string `json:"left_out,omitempty"`
	}
	out.page = at
	out.Left = c.left
	if c.more > 0 {
		out.Left = append(out.Left[:len(out.Left):len(out.Left)], fmt.Sprintf("%d more texts and lists", c.more))
	}
	data, _ := json.Marshal(out) // texts and numbers always have JSON
	return data
}

// joined puts the fields of one JSON object after those of another.
func joined(object, more []byte) []byte {
	switch {
	case string(more) == "{}":
		return object
	case string(object) == "{}":
		return more
	}
	return append(append(object[:len(object)-1:len(object)-1], ','), more[1:]...)
}

// cut shortens a value in place; name is where it is in the answer.
func (c *cutter) cut(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			inner := jsonName(field)
			switch {
			case field.Anonymous:
				c.cut(v.Field(i), name)
			case inner == "" || name == "" && inner == c.whole && inner != "":
			case name == "":
				c.cut(v.Field(i), inner)
			default:
				c.cut(v.Field(i), name+"."+inner)
			}
		}
	case reflect.Slice:
		c.cutList(v, name)
	case reflect.Map:
		c.cutMap(v, name)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			c.cut(v.Elem(), name)
		}
	case reflect.String:
		if s := v.String(); v.CanSet() && len(s) > c.text {
			kept := safetext.FirstBytes(s, c.text)
			c.note(fmt.Sprintf("%s: %d bytes", name, len(s)-len(kept)))
			v.SetString(kept + safetext.Ellipsis)
		}
	}
}

func (c *cutter) cutList(v reflect.Value, name string) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return // JSON already, or bytes
	}
	if over := v.Len() - c.list; over > 0 && v.CanSet() {
		if name == c.newest {
			v.Set(v.Slice(over, v.Len()))
		} else {
			v.Set(v.Slice(0, c.list))
		}
		c.note(fmt.Sprintf("%s: %d more", name, over))
	}
	for i := range v.Len() {
		c.cut(v.Index(i), fmt.Sprintf("%s[%d]", name, i))
	}
}

// cutMap cuts the values of a map; its keys are few and baton's own.
func (c *cutter) cutMap(v reflect.Value, name string) {
	keys := v.MapKeys()
	sorting.By(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		c.cut(value, fmt.Sprintf("%s.%v", name, key))
		v.SetMapIndex(key, value)
	}
}

func (c *cutter) note(what string) {
	if len(c.left) < mostLeft {
		c.left = append(c.left, what)
	} else {
		c.more++
	}
}
