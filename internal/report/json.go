package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// EncodeJSON makes JSON that is safe on a terminal: besides what the encoder escapes, also DEL, the C1 controls and the
// marks that turn the direction of writing. They can only stand in strings, where the escape means the same. Lists are
// never null. Without an indent the answer is one line.
func EncodeJSON(value any, indent string) ([]byte, error) {
	holder := reflect.New(reflect.TypeOf(value))
	holder.Elem().Set(reflect.ValueOf(value))
	fill(holder.Elem())
	var flat, out bytes.Buffer
	enc := json.NewEncoder(&flat)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(holder.Interface()); err != nil {
		return nil, err
	}
	if indent == "" {
		out = flat // the answer on one line
	} else {
		// The encoder's own indenting grows a buffer of unknown size; a long answer spends more time on that than on encoding.
		out.Grow(2 * flat.Len())
		if err := json.Indent(&out, flat.Bytes(), "", indent); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(out.Bytes(), func(c byte) bool { return c >= 0x7f }) {
		return out.Bytes(), nil
	}
	var safe strings.Builder
	for _, r := range out.String() {
		if r >= 0x7f && Dangerous(r) {
			fmt.Fprintf(&safe, `\u%04x`, r)
			continue
		}
		safe.WriteRune(r)
	}
	return []byte(safe.String()), nil
}

// fill replaces nil lists and maps by empty ones, so that a program never has to tell null from []. Fields that are
// left out when empty stay out. What it changes belongs to the copy that is about to be printed, or is a list's element
// whose meaning does not change.
func fill(v reflect.Value) {
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		return // JSON already, or none
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem())
		}
	}
}

// Dangerous says whether a terminal might act on the character: C0, DEL and C1 controls, the separators that some
// take for line ends, and what changes the direction of writing for the text around it (a right-to-left script as
// such is left alone).
func Dangerous(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return !utf8.ValidRune(r)
}
