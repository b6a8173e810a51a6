// Package markdown finds the structure of a Markdown document without ever re-printing it.
//
// A Document is its bytes plus spans. Parsing is total: for every input, valid Markdown or not, it
// returns a Document whose lines cover the input without gaps. An edit is a splice of bytes: it
// changes the bytes that it names and nothing else. Line endings, byte-order mark, tabs and a
// missing final newline stay as they are.
//
// The scanner is CommonMark's block algorithm: containers (list items and block quotes) around
// leaves (headings, fences, comments, indented code, tables, text). In addition it recognises bold
// field labels and task items. It differs from CommonMark on purpose in five places:
//
//   - raw HTML other than comments hides nothing: a heading between <details> and </details> is a
//     heading;
//   - link reference definitions are text;
//   - a table inside a list item is text;
//   - a line of dashes under a paragraph that holds a field label ("**Next:** ...") is a rule, not
//     the underline of a heading, because people separate sections that way;
//   - front matter at the very start is one block, whose content has no structure.
//
// The package renders nothing, knows nothing about the meaning of sections, and reads no inline
// markup except labels, boxes and table cells. Only LF and CRLF end a line (TS-3). Numbers in
// comments are explained in docs/dev/rules.md.
package markdown
