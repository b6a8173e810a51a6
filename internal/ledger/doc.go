// Package ledger remembers what documents ever held: decisions, sessions, criteria, blockers and
// outputs. If somebody rewrites a document and entries are lost, the ledger knows which, and has
// their bytes.
//
// Documents between which entries move, such as a task file and its archive, are a family. Each
// family has one book, a file that only grows. Each of its lines has its own checksum, so a torn
// line is ignored (D37). Book is the sum of these lines. The package works with bytes and entries
// and knows no format: its callers decide what an entry of a document is. Numbers in comments are
// explained in docs/dev/rules.md.
package ledger
