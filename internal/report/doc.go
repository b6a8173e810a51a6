// Package report is at the very bottom of the house: the error type with its kinds and the one table from kind to
// exit code, the findings that operations return beside their results, and the environment as values.
//
// It imports nothing of baton's and touches no file, clock or environment itself. Numbers in comments are explained in
// docs/rules.md.
package report
