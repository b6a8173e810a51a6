// Package frontmatter reads and edits YAML without re-printing it. It handles the block between the
// rules at the start of a Markdown file, and small configuration files.
//
// The YAML library serves two purposes only: to locate values, and to check a result. An edit
// replaces the bytes of one value and parses the result. It is refused unless the new value is
// there and every other value is unchanged. Comments, blank lines, quoting, aligned columns and
// line ends of everything else therefore stay byte for byte.
//
// The package refuses rather than guesses. It reads block scalars, block lists, anchors, aliases
// and tags but does not replace them. It is the only package that imports the YAML library.
package frontmatter
