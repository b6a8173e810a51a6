// Package report is at the very bottom of the house: the error type with its kinds and the one
// table from kind to exit code, the findings that operations return beside their results, the one
// register of the codes of both (severity, meaning, remedy), the environment as values, and how far
// a misspelt word is from the one that an error proposes.
//
// It imports nothing of baton's and touches no file, clock or environment itself. Numbers in
// comments are explained in docs/dev/rules.md.
package report
