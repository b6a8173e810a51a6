// Package oracle contains tests only. They read the same bytes with package markdown and with
// goldmark, a complete CommonMark parser, and fail if the two find different headings, fences, list
// items, boxes, tables or cells. It is a separate package so that neither program links goldmark.
package oracle
