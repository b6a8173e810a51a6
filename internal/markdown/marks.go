package markdown

import "bytes"

// atxLevel returns the number of signs of the ATX heading that begins the line, or 0 if there is
// none.
func atxLevel(line []byte) int {
	n := run(line, '#')
	if n > 6 || n < len(line) && !blank(line[n]) {
		return 0
	}
	return n
}

// run counts how often c is repeated at the start of line.
func run(line []byte, c byte) int {
	n := 0
	for n < len(line) && line[n] == c {
		n++
	}
	return n
}

// fenceRun returns the length of the opening fence that begins the line, or 0 if there is none.
// Backticks followed by another backtick on the line are a code span, not a fence.
func fenceRun(line []byte) int {
	n := run(line, line[0])
	if n < 3 || line[0] == '`' && bytes.IndexByte(line[n:], '`') >= 0 {
		return 0
	}
	return n
}

// closesFence reports whether line, without its indentation, closes a fence of n marks.
func closesFence(line []byte, mark byte, n int) bool {
	k := run(line, mark)
	return k >= n && allBlank(line[k:])
}

// allBlank reports whether line holds only blanks.
func allBlank(line []byte) bool {
	for _, c := range line {
		if !blank(c) {
			return false
		}
	}
	return true
}

// isRule reports whether line is a thematic break: three or more equal marks with only blanks
// between them. obstacle is the position of the first other byte, or 0 if there is none.
func isRule(line []byte) (ok bool, obstacle int) {
	mark := line[0]
	if mark != '-' && mark != '_' && mark != '*' {
		return false, 0
	}
	n := 0
	for i, c := range line {
		switch {
		case c == mark:
			n++
		case !blank(c):
			return false, i
		}
	}
	return n >= 3, 0
}

// setextUnderline reports whether line is a run of equal signs or dashes, followed by blanks only.
func setextUnderline(line []byte) bool {
	return allBlank(line[run(line, line[0]):])
}

// isComment reports whether line begins with an HTML comment.
func isComment(line []byte) bool { return bytes.HasPrefix(line, []byte("<!--")) }

// closesComment reports whether the line contains the end of a comment. The mark may share its
// dashes with the opening, as in CommonMark.
func closesComment(line []byte) bool { return bytes.Contains(line, []byte("-->")) }

// isTag reports whether line begins with an HTML tag, declaration or instruction. An address in
// angle brackets does not count.
func isTag(line []byte) bool {
	k := 1
	if k < len(line) && line[k] == '/' {
		k++
	}
	if k >= len(line) {
		return false
	}
	if k == 1 && (line[k] == '?' || line[k] == '!') {
		return true
	}
	if !letter(line[k]) {
		return false
	}
	for k < len(line) && (letter(line[k]) || digit(line[k]) || line[k] == '-') {
		k++
	}
	return k == len(line) || blank(line[k]) || line[k] == '>' || line[k] == '/'
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// markerSize returns the length of the list marker that begins the line, or 0 if there is none. one
// reports whether a list with this marker may interrupt a paragraph: only bullets and the number
// one may.
func markerSize(line []byte) (size int, one bool) {
	switch c := line[0]; {
	case c == '-' || c == '+' || c == '*':
		size, one = 1, true
	case digit(c):
		number := 0
		for size < len(line) && size < 10 && digit(line[size]) {
			number = number*10 + int(line[size]-'0')
			size++
		}
		if size > 9 || size == len(line) || line[size] != '.' && line[size] != ')' {
			return 0, false
		}
		size++
		one = number == 1
	default:
		return 0, false
	}
	if size < len(line) && !blank(line[size]) {
		return 0, false
	}
	return size, one
}
