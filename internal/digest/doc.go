// Package digest holds what the dialects of a project digest have in common: its size, its limits,
// and the report of the sections that fill it. The inner rooms hold the rest: decision (rows,
// rotation, archives), gsd and specflow (the two families of documents), phases (what a roadmap and
// a folder of phases say about progress).
//
// It reads no files and knows no paths. Numbers in comments are explained in docs/dev/rules.md.
package digest
