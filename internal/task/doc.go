// Package task understands the one living file of a task, task-<id>-state.md, and its archive.
//
// Bytes go in, a State comes out; an edit takes a State and gives a new one. Parsing never fails:
// what cannot be understood stays in the file as it is and is named in State.Findings. Edits are
// splices: no byte changes that an edit does not mean to change, in any dialect, and a file is
// always written in the dialect it is in.
//
// The package is pure: no files, clock or environment. The rules are those of the format
// description in docs/format.md; numbers such as 5.14.2, TS-46 and D7 in comments name the rule
// that a line of code keeps, and are explained in docs/dev/rules.md.
package task
