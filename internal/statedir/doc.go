// Package statedir is the contract of a governed state folder: which names may stand there, who writes them, which
// statuses they carry, what each sweep moves, and how the record of the current workflow is read, written and stamped.
//
// It is a pure room: names, times and bytes come in, plans and texts go out. One declaration in this package is the source
// of every list; nothing else in the program names a file of the folder. Numbers like SD-12 and 5.8.3 are explained in
// docs/dev/rules.md.
package statedir
