// Package digest has what the dialects of a project digest have in common: its size, its limits,
// and the list of its largest sections. Its subpackages are decision (rows, rotation, archives),
// gsd and specflow (the two families of documents), and phases (progress according to a roadmap and
// phase folders).
//
// It reads no files and knows no paths. Numbers in comments are explained in docs/dev/rules.md.
package digest
