// Package agentconfig knows what `baton init` puts into the settings of coding agents, and how:
// bytes of a file in, bytes out.
//
// The clients, their files and the entries in them are data (clients.go). Four editors put entries
// in and take them out again: strict JSON, JSON with comments and trailing commas, one table of a
// TOML file, and a fenced block of Markdown. None of them prints a document: they splice, so that
// order, indentation, comments, line ends and unknown keys of everything else stay byte for byte,
// and after each edit the result is parsed and compared (agents.md 8.2).
//
// Removal is exact: Remove leaves a file that Plan changed as it was before, byte for byte. Baton
// keeps no record for that and writes no marker key. The white space tells who made a container:
//
//   - one that baton made begins with a line end or, in a file of one line, with nothing between
//     its bracket and the first entry;
//   - one that was there and empty gets its first entry on the bracket's line after one blank, and
//     stays when the entry goes;
//   - one in a file that was blank begins with two blanks after its bracket.
//
// The other editors have similar signs, described at their code.
//
// The content of an entry decides whether it is baton's: a hook by its command `baton hook
// --agent`, a server by its name baton and a command that starts baton or batond, a block by its
// fence, a generated file by its header with the hash of the rest. An entry that somebody edited is
// reported and kept.
//
// Numbers in comments are explained in docs/dev/rules.md.
package agentconfig
