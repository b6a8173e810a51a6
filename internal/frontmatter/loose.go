package frontmatter

import (
	"bytes"

	"baton/internal/markdown"
)

// Mark is the line that opens a block. Nothing may follow it on that line, not even blanks.
const Mark = "---"

// LooseEnd returns the start of the line that closes a block by the loose rule, and the start of
// the line after it. That is the first line from pos on that begins with the mark, whatever follows
// it, but never one of the first two lines of the file, because an empty block is not front matter
// (gsd.md N2, GSD-74). pos is the start of a line.
//
// Find is stricter, because a rule between two sections must not hide the text between them. The
// loose rule is for files that GSD's own programs read. They close a block there, so with another
// rule baton would see other keys and another body than they do.
func LooseEnd(src []byte, pos int) (end, after int, ok bool) {
	third := 0
	for range 2 {
		n := bytes.IndexByte(src[third:], '\n')
		if n < 0 {
			return 0, 0, false
		}
		third += n + 1
	}
	from := max(pos, third)
	if from > len(src) {
		return 0, 0, false
	}
	n := bytes.Index(src[from-1:], []byte("\n"+Mark))
	if n < 0 {
		return 0, 0, false
	}
	_, after = markdown.LineAt(src, from+n)
	return from + n, after, true
}

// Loose returns the block that the loose rule finds at the very first byte of src, or after its
// byte-order mark. opened reports whether a block begins there, closed whether it also ends.
func Loose(src []byte) (b Block, opened, closed bool) {
	start := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	line, next := markdown.LineAt(src, start)
	if string(line) != Mark {
		return Block{}, false, false
	}
	end, after, ok := LooseEnd(src, next)
	if !ok {
		return Block{}, true, false
	}
	return Block{markdown.Span{Start: start, End: after}, markdown.Span{Start: next, End: end}}, true, true
}
