// Package chain is the graph of tasks: which task waits for which, in what order they can be done,
// which are ready, and which wait for each other in a cycle (5.11.4, 5.12.1; D17).
//
// A graph is built from nodes that were read before. Nothing is stored and nothing changes. All
// functions are deterministic and linear in nodes and edges. Ties are decided by task.CompareIDs:
// numbers before texts, ascending. Dependencies without a task, and cycles, are ordinary data, not
// errors.
//
// The package is pure: no files, clock or environment. Numbers in comments are explained in
// docs/dev/rules.md.
package chain
