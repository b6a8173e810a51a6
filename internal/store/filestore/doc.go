// Package filestore keeps documents as plain files below a root, safely: one writer at a time
// through a kernel lock, replacement by temporary file and rename, several files at once through
// a journal, and recovery of what a crash left (architecture "The store"; D1, D2, D5, D8, D10,
// D11, D36).
//
// Invariants:
//   - Opening and reading create, lock and touch nothing.
//   - What Update acknowledged survives a power cut; what it did not acknowledge is wholly there
//     or wholly absent.
//   - Bytes that somebody else wrote are never overwritten unseen: they are found before or after
//     the rename, put back, and the transaction runs again on them.
//   - Lock files of other programs are held beside the kernel lock by commits that change their
//     documents (D35); no lock is held while another one is waited for.
//   - Entries that a transaction relocates are in exactly one place at every moment that a later
//     writer can see: they are renamed after all documents are durable, never over a name that is
//     taken, and never opened; only to another file system they are copied (SD-D9).
//   - All disk access goes through the seam FS, which tests replace; kernel locks too.
//
// Replacing a file breaks hard links to it: the other names keep the old bytes. Modes are kept,
// owners where the system lets us, symbolic links always.
//
// The package does not know formats, does not run git, and does not support writers on different
// machines. Numbers in comments are explained in docs/dev/rules.md.
package filestore
