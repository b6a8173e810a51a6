// Package frontmatter reads and edits YAML without re-printing it: the block between the rules at
// the start of a Markdown file, and small configuration files.
//
// The YAML library is used for two things only: to find where values stand, and to check a result.
// An edit locates the bytes of one value, replaces them, and parses what came out; unless the new
// value is there and every other value is as it was, the edit is refused. So comments, blank lines,
// quoting, aligned columns and line ends of everything else stay byte for byte.
//
// The package refuses rather than guesses: block scalars, block lists, anchors, aliases and tags
// are read, but not replaced. It is the only room that imports the YAML library.
package frontmatter
