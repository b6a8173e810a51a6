// Package jsontext reads JSON and keeps the place of every value, so that an edit changes only the
// bytes that it means. It reads strict JSON, or relaxed JSON with comments and trailing commas.
//
// Numbers are never converted and texts are decoded on demand: what is not asked for stays as it is
// written.
package jsontext
