// Package cli is the command line: it parses arguments, calls one method of project and prints what
// that gives. Here are the root command, completion, the commands about the whole project, and what
// is handed over to batond. What all commands share is in app; tasks, digest, folder, safety and
// agents hold one group of commands each.
//
// No rule of baton lives here. A result is printed either as a page for people or, with --json, as
// the result struct itself; an error becomes one sentence and a hint, or one JSON object, and the
// exit code of its kind (D14). Everything comes in through report.Env, so that Main runs inside a
// test.
//
// Invariants: nothing is printed on standard output when a command fails; every text that stems
// from a file is made printable before a person's terminal sees it (TS-24); the command never
// prompts, opens an editor or a pager. `version` and the list of commands are answered before the
// command tree is built, because they must start as quickly as an empty program. Numbers in
// comments are explained in docs/dev/rules.md.
package cli
