// Package agentconfig knows what `baton init` puts into the settings of coding agents, and how:
// bytes of a file in, bytes out.
//
// The clients, their files and the entries in them are data (clients.go). Four editors put entries
// in and take them out again: strict JSON, JSON with comments and trailing commas, one table of a
// TOML file, and a fenced block of Markdown. None of them prints a document: they splice, so that
// order, indentation, comments, line ends and unknown keys of everything else stay byte for byte,
// and after each edit the result is parsed and compared (agents.md 8.2).
//
// Taking out is exact: what Remove leaves of a file that Plan has changed is the file as it was,
// byte for byte. No record is kept for that and no marker key is written. A container that baton
// makes begins with a line end, or, in a file of one line, with nothing between its bracket and the
// first entry; one that was there, empty, gets its first entry on the bracket's line behind one
// blank, and stays when the entry goes; what was put into a blank file begins with two. The other
// editors have signs of the same kind, which stand at their code.
//
// Whose an entry is follows from its content alone: a hook is baton's when its command says `baton
// hook --agent`, a server when it is called baton and starts baton or batond, a block by its fence,
// a generated file by its header with the hash of the rest. An entry that somebody edited is
// reported and kept.
//
// Numbers in comments are explained in docs/dev/rules.md.
package agentconfig
