package markdown

// cursor walks through the blanks of one line and counts columns. Tab stops are four columns apart.
// A tab may be used up in part: then pos still stands on it and col is inside it.
type cursor struct {
	src []byte
	pos int // next byte
	end int // end of the line's text
	col int // column of pos, 0-based
}

// peek returns the columns of blanks from here on and the position of the first byte that is none.
func (c *cursor) peek() (columns, next int) {
	col := c.col
	for next = c.pos; next < c.end; next++ {
		switch c.src[next] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return col - c.col, next
		}
	}
	return col - c.col, next
}

// skip goes over at most n columns of blanks.
func (c *cursor) skip(n int) {
	for n > 0 && c.pos < c.end {
		width := 1
		switch c.src[c.pos] {
		case ' ':
		case '\t':
			width = 4 - c.col%4
		default:
			return
		}
		if width > n {
			c.col += n
			return
		}
		c.pos++
		c.col += width
		n -= width
	}
}

// jump goes over columns of blanks and then over n bytes that are no blanks.
func (c *cursor) jump(columns, next, n int) {
	c.pos = next + n
	c.col += columns + n
}
