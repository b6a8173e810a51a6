// Package decision manages the decisions of a digest and their archive. It finds the rows,
// determines the order of the list, adds a row at its newest end, and moves the oldest rows to the
// archive if the digest is over its limits (specflow.md 5.4, 5.5.4, 5.7, 5.8; gsd.md N8).
//
// Invariants:
//   - rows move as raw bytes; no other line of the digest changes, and nothing in an archive is
//     reordered or removed unless sorting is requested;
//   - after a rotation every row is exactly once in digest and archive together;
//   - rotating the result of a rotation changes nothing.
//
// It reads and writes no files and takes no locks. Rotate and Add return new bytes and the moves
// that a transaction declares.
package decision
