// Package selftest runs the real program on a real disk and counts what survived.
//
// It creates a temporary project with one task, and lets several writer processes change that task
// and its archive at the same time. It kills running processes at random. Then it checks that every
// acknowledged change is there exactly once: read through the program, and found as plain bytes in
// the files. A second part claims all tasks of a queue with several processes, and checks that no
// task was handed out twice. In a third part (net*.go), an editor damages documents while processes
// write to them and are killed. Every acknowledged entry must be in a document or be offered by
// "baton lost", and be there once after a restore. Ledger, log and versions must answer at any
// moment.
//
// A change is acknowledged if its process ended with exit status 0. A change whose process was
// killed may be there once or not at all; a change that was refused must not be there.
//
// Invariants:
//   - Nothing outside the temporary folder is written; the folder is removed unless something was
//     wrong.
//   - Only processes that were started here are killed, through their own handles.
//   - The checkers (verify.go, netverify.go) take bytes and a history and know no process, so that
//     tests can pass them files in which an entry was lost or doubled.
//
// The package shares no code with the packages that it tests: it knows the command line, the
// documented JSON and the names of files, as any other program does. It does not simulate power
// cuts, because the page cache survives a killed process. docs/dev/rules.md explains the numbers in
// comments.
package selftest
