// Package ledger remembers what documents ever held: decisions, sessions, criteria, blockers and
// outputs. A document that is rewritten from outside may lose some; the ledger tells which, and has
// their bytes.
//
// Documents that entries move between, such as a task file and its archive, are a family, and each
// family has one book: lines that only grow, each with a checksum of its own, so that a torn one
// counts for nothing (D37). Book is what they say when they are read one after the other. The
// package sees bytes and entries and knows no format: what is an entry of a document is for those
// who hand them in. Numbers in comments are explained in docs/dev/rules.md.
package ledger
