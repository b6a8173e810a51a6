// Package jsontext reads JSON and keeps the position of every value, so that an edit changes only
// the bytes that it has to. It reads strict JSON, or relaxed JSON with comments and trailing
// commas.
//
// Numbers are never converted and strings are decoded on demand: values that nobody asks for stay
// as they are written.
package jsontext
