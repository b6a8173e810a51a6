// Package gsd reads and edits a digest in the GSD schema: front matter and body of
// .planning/STATE.md, and of baton's own .baton/STATE.md (gsd.md N2 to N6).
//
// A document is its bytes; an edit touches the lines it means and no other. Values keep their
// source text: 4.10 stays 4.10. Text that a person wrote is not replaced unless the caller forces
// it. What is written stays readable for the parser of the original status line, which knows no
// YAML.
package gsd
