// Package decision is the engine for decisions of a digest and their archive: it finds the rows,
// decides which way the list runs, adds a row at its newest end, and moves the oldest ones to the
// archive when the digest is over its limits (specflow.md 5.4, 5.5.4, 5.7, 5.8; gsd.md N8).
//
// Invariants:
//   - rows move as raw bytes; no other line of the digest changes, and nothing in an archive is
//     reordered or removed unless its sorting is asked for;
//   - after a rotation every row is exactly once in digest and archive together;
//   - rotating the result of a rotation changes nothing.
//
// It does not read files, keep locks or write: Rotate and Add give new bytes and the moves that a
// transaction declares.
package decision
