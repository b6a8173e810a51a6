// Package task reads and edits the file of a task, task-<id>-state.md, and its archive.
//
// It parses bytes into a State; an edit takes a State and returns a new one. Parsing never fails:
// text that cannot be understood stays in the file unchanged and is reported in State.Findings.
// Edits are splices: they change only the bytes that they mean to change, in every dialect, and a
// file is always written in its own dialect.
//
// The package is pure: no files, clock or environment. The rules are those of the format
// description in docs/format.md. Numbers such as 5.14.2, TS-46 and D7 in comments name the rule
// behind a line of code and are explained in docs/dev/rules.md.
package task
