// Package selftest runs the real program against a real disk and counts what survived.
//
// It makes a temporary project with one task, lets several writer processes change that task and
// its archive at the same time, kills running processes at random, and then looks whether every
// acknowledged change is there exactly once: read back through the program, and found as plain
// bytes in the files. A second part drains a queue of tasks with several processes and looks
// whether one task was ever handed out twice. In a third one (net*.go) an editor damages documents
// while processes write to them and are killed: every acknowledged entry must be in a document or
// be offered by "baton lost", be there once when it is put back, and ledger, log and versions must
// answer at any moment.
//
// A change is acknowledged when its process ended with exit status 0. A change whose process was
// killed may be there once or not at all; a change that was refused must not be there.
//
// Invariants:
//   - Nothing outside the temporary folder is written; the folder is removed unless something was
//     wrong.
//   - Only processes that were started here are killed, through the handle of their start.
//   - The checkers (verify.go, netverify.go) take bytes and a history and know no process, so that
//     tests can hand it files in which
//     an entry was lost or doubled.
//
// The package does not share code with the rooms that it tests: it knows the command line, the
// documented JSON and the names of files, as any other program does. It does not simulate power
// cuts; a killed process keeps the page cache. Numbers in comments are explained in
// docs/dev/rules.md.
package selftest
