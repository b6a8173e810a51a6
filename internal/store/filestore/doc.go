// Package filestore keeps documents safely as plain files below a root. A kernel lock admits one
// writer at a time, a temporary file and a rename replace one file, a journal commits several at
// once, and recovery repairs what a crash left (architecture "The store"; D1, D2, D5, D8, D10, D11,
// D36).
//
// Invariants:
//   - Opening and reading create, lock and touch nothing.
//   - A change that Update acknowledged survives a power cut. Any other change is there as a whole
//     or not at all.
//   - Bytes that somebody else wrote are never overwritten unseen. They are found before or after
//     the rename and put back, and the transaction runs again on them.
//   - Commits hold the lock files of other programs in addition to the kernel lock if they change
//     those programs' documents (D35). No lock is held during the wait for another.
//   - An entry that a transaction relocates is in exactly one place at every moment that a later
//     writer can see. It is renamed after all documents are durable, never over a name that is
//     taken, and never opened. Entries are copied only to another file system (SD-D9).
//   - All disk access goes through the seam FS, which tests replace; so do kernel locks.
//
// Replacing a file breaks hard links to it: its other names keep the old bytes. Modes are kept,
// owners are kept if the system allows it, and symbolic links always are.
//
// The package does not know formats, does not run git, and does not support writers on different
// machines. Numbers in comments are explained in docs/dev/rules.md.
package filestore
