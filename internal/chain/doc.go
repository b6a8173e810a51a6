// Package chain is the graph of tasks: which task waits for which, in what order they can be done,
// what is ready, and where they wait for each other in a circle (5.11.4, 5.12.1; D17).
//
// A graph is built from nodes as they were read; nothing is stored and nothing is changed.
// Everything is linear in nodes and edges and deterministic: ties go by task.CompareIDs, numbers
// before texts, ascending. A dependency without a task, and a circle, are ordinary values:
// questions about them have answers.
//
// The package is pure: no files, clock or environment. Numbers in comments are explained in
// docs/dev/rules.md.
package chain
