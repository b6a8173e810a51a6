// Package gsd reads and edits a digest in the GSD schema: front matter and body of
// .planning/STATE.md, and of baton's own .baton/STATE.md (gsd.md N2 to N6).
//
// A document is its bytes, and an edit touches only the lines that it is about. Values keep their
// source text: 4.10 stays 4.10. Text that a person wrote is replaced only if the caller forces it.
// The result stays readable for the parser of the original status line, which knows no YAML.
package gsd
