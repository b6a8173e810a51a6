// Package crashfs is a file system in memory for the tests of filestore. It can fail at any
// operation, and it can crash: what was not synced is then lost, kept or torn, at random.
//
// Its model is the weakest that POSIX allows, weaker than any disk in use:
//   - The bytes of a file are durable after File.Sync. Before that, a crash may leave any leading
//     part of what was written, with or without NUL bytes after it, or nothing.
//   - The names in a folder are durable after SyncDir of that folder. Before that, each change of
//     names may or may not have happened, in any combination. A rename or an exchange within one
//     folder is one change.
//   - A rename from one folder to another is also one change. It is durable after SyncDir of either
//     folder, but not before earlier changes of the same names. Without that order, a file system
//     could lose any entry that moves.
//   - A new folder survives a crash only if the folder above it was synced.
//
// It has no permissions and no owners. Locks last until they are released or the file system
// crashes.
package crashfs
