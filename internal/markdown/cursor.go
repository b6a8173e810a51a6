package markdown

// cursor walks over the blanks of one line and counts columns. Tab stops are four columns apart. If
// only part of a tab has been skipped, pos is still at the tab and col is inside it.
type cursor struct {
	src []byte
	pos int // next byte
	end int // end of the line's text
	col int // column of pos, 0-based
}

// peek returns the width of the blanks from here on, and the position of the first non-blank byte.
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

// skip skips at most n columns of blanks.
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

// jump skips some columns of blanks and then n non-blank bytes.
func (c *cursor) jump(columns, next, n int) {
	c.pos = next + n
	c.col += columns + n
}
