// Package statusline makes one line out of what an agent says on standard input and what the
// project's documents say (gsd.md N10 and 1.10, specflow.md 5.14, D23, D24). It never fails: what
// cannot be read is left out.
//
// It reads nothing itself; the caller hands over the beginnings of documents.
package statusline
