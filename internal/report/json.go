package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"baton/internal/safetext"
)

// EncodeJSON makes JSON that is safe on a terminal: besides what the encoder escapes, also
// every other unsafe character. Lists are never null. Without an indent the answer is one line.
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
		// The encoder's own indenting grows a buffer of unknown size; a long answer spends more
		// time on that than on encoding.
		out.Grow(2 * flat.Len())
		if err := json.Indent(&out, flat.Bytes(), "", indent); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(out.Bytes(), func(c byte) bool { return c >= 0x7f }) {
		return out.Bytes(), nil
	}
	return safetext.EscapeJSON(out.Bytes()), nil
}

// fill replaces nil lists and maps by empty ones, so that a program never has to tell null from [].
// Fields that are left out when empty stay out. What it changes belongs to the copy that is about
// to be printed, or is a list's element whose meaning does not change.
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
