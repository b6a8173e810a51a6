// Package arch has the tests of the floor plan: who may import whom, what the small program links,
// how large files may be, and which words to avoid. They read the source and `go list`, and run
// with every other test.
package arch
