// Package crashfs is a file system in memory for the tests of filestore. It can fail at any
// operation, and it can crash: what was not synced is then lost, kept, or torn, at random.
//
// The model is the weakest that the rules of POSIX allow, weaker than any disk in use:
//   - The bytes of a file are durable after File.Sync; until then any beginning of what was
//     written may be there, also followed by NUL bytes, also nothing.
//   - The names in a folder are durable after SyncDir of that folder. Until then each change of
//     names happened or did not, in any combination; a rename or an exchange within one folder is
//     one change.
//   - A rename from one folder to another is one change as well, durable after SyncDir of either,
//     and not before what was changed earlier about the same names. A file system without that
//     could lose any entry that anybody moves.
//   - A new folder is there after a crash only when the folder above it was synced.
//
// It has no permissions and no owners, and locks last until they are released or the file system
// crashes.
package crashfs
