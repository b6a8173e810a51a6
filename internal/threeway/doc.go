// Package threeway makes one document of three versions: what both sides began with, and what each
// side made of it.
//
// A document is cut into units that tile it: sections, entries of lists and tables, named values,
// lines of prose. Units are aligned by their names, not by their bytes, so that the same entry is
// found again when it was edited or moved. What one side changed is taken; entries that both sides
// added all stay; a value that both sides moved is that of the side that was active last; and lines
// of prose that both sides wrote in one place stand between git's conflict markers.
//
// The result does not depend on which side is called ours, except for the order inside conflict
// markers. Bytes that neither side changed are as they were. What the names mean is for the rooms
// of the documents, which hand a Form in. Numbers in comments are explained in docs/dev/rules.md.
package threeway
