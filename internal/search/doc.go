// Package search finds words in Markdown documents. It returns the parts of a document that contain
// them, the line, and an excerpt of that line. There is no index: a document is folded once, its
// bytes are searched, and only documents that contain every word are examined further.
//
// The package reads no files. The only structure it knows is the headings that package markdown
// finds; the caller passes in the entries, such as sessions or decisions.
package search
