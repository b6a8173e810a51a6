// Package arch has tests of the architecture: who may import whom, what the small program links,
// how large files may be, and which words to avoid. They read the source and `go list`.
package arch
