// Package agentconfig defines what `baton init` writes into the settings of coding agents, and
// edits these files: it takes the bytes of a file and returns the new bytes.
//
// The clients, their files and the entries in them are data (clients.go). Four editors add and
// remove entries: for strict JSON, for JSON with comments and trailing commas, for one table of a
// TOML file, and for a fenced block of Markdown. They splice and never print a whole document, so
// order, indentation, comments, line ends and unknown keys of everything else stay byte for byte.
// After each edit the result is parsed and compared (agents.md 8.2).
//
// Removal is exact: Remove restores a file that Plan changed byte for byte. baton keeps no record
// for that and writes no marker key. White space shows who created a container:
//
//   - a container that baton created begins with a line end or, in a file of one line, has nothing
//     between its bracket and the first entry;
//   - an existing empty container gets its first entry on the bracket's line after one blank, and
//     stays when the entry is removed;
//   - a container in a file that was blank begins with two blanks after its bracket.
//
// The other editors use similar signs, which are described in their code.
//
// The content of an entry decides whether it is baton's: a hook by its command `baton hook
// --agent`, a server by its name baton and a command that starts baton or batond, a block by its
// fence, a generated file by its header with the hash of the rest. An entry that somebody edited is
// reported and kept.
//
// Numbers in comments are explained in docs/dev/rules.md.
package agentconfig
