// Package disk is everything that the store knows about the operating system: the seam to the file
// system (the interface FS and its implementation OS), kernel locks, processes, full disks, and
// error messages for people.
//
// The store reaches every file through FS, which tests replace: crashfs is a file system in memory
// that fails or crashes at any operation. OS follows no link in the last element of a path, and
// never waits for a pipe or a lock.
//
// The package knows nothing about documents, transactions and formats.
package disk
