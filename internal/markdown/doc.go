// Package markdown finds the structure of a Markdown document without ever re-printing it.
//
// A Document is its bytes plus spans. Parsing is total: every input, valid Markdown or not, gives a
// Document whose lines tile the input. An edit is a splice of bytes; what an edit does not name
// does not change, line endings, byte-order mark, tabs and a missing final newline included.
//
// The scanner is CommonMark's block algorithm: containers (list items and block quotes) around
// leaves (headings, fences, comments, indented code, tables, text). It knows bold field labels and
// task items besides. It differs from CommonMark on purpose in five places:
//
//   - raw HTML other than comments hides nothing: a heading between <details> and </details> is a
//     heading;
//   - link reference definitions are text;
//   - a table inside a list item is text;
//   - a line of dashes under a paragraph that holds a field label ("**Next:** ...") is a rule, not
//     the underline of a heading, because people separate sections that way;
//   - a block of front matter at the very start is a block of its own, in which there is no
//     structure.
//
// It does not render, reads no inline markup except labels, boxes and table cells, and does not
// know what sections mean. Only LF and CRLF end a line (TS-3). Numbers in comments are explained in
// docs/dev/rules.md.
package markdown
