// Package arch holds the tests that keep the house in order: who may import whom, what the small
// program links, and how large a file may grow. They read the source and `go list`, and run with
// every other test.
package arch
