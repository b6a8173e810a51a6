// Package search finds words in Markdown documents: which part of a document holds them, on which
// line, and a piece of that line to show. There is no index: a document is folded once, its bytes
// are searched, and only what holds every word is looked at more closely.
//
// Bytes and spans come in, hits go out. The package reads no file and knows no format but the
// headings that package markdown finds: what counts as one entry, a session or a decision, is
// handed in.
package search
