// Package oracle holds tests only: they read the same bytes with the scanner of package markdown
// and with goldmark, a complete CommonMark parser, and fail where the two see different headings,
// fences, list items, boxes, tables or cells. It is a package of its own so that goldmark reaches
// neither program.
package oracle
