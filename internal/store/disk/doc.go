// Package disk is all that the store knows of the operating system: the seam to the file system
// (FS, and OS behind it), kernel locks, processes, full disks, and errors in the words that a
// person reads.
//
// Every file of the store is reached through FS, which tests replace: package crashfs has one in
// memory that fails and crashes at any operation. OS follows no link in the last element of a path
// and never waits for a pipe or a lock.
//
// The package knows no documents, no transactions and no formats.
package disk
