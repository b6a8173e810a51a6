// Package statusline builds one line from what an agent says on standard input and from the
// project's documents (gsd.md N10 and 1.10, specflow.md 5.14, D23, D24). It never fails: values
// that cannot be read are left out.
//
// The package reads no files; the caller passes in the beginnings of documents.
package statusline
