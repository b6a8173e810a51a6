// Package threeway merges three versions of a document: the common base, and what each side made of
// it.
//
// A document is cut into units that cover it completely: sections, entries of lists and tables,
// named values, lines of prose. Units are aligned by their keys, not by their bytes, so that an
// entry is recognised after it was edited or moved. A change by one side is taken. Entries that
// both sides added all stay. If both sides changed a value, the value of the side that was active
// last is used. If both sides wrote different prose in one place, it is put between git's conflict
// markers.
//
// The result does not depend on which side is called ours, except for the order inside conflict
// markers. Bytes that neither side changed stay the same. The meaning of names is defined by the
// packages of the documents, which pass in a Form. Numbers in comments are explained in
// docs/dev/rules.md.
package threeway
