// Package arch has tests of the architecture: who may import whom, what the small program links,
// how large files may be, which words to avoid, and what becomes of the codes in the register. They
// read the source and `go list`.
package arch
