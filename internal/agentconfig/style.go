package agentconfig

import "bytes"

// styleOf returns how a file is formatted: its line end, its indentation, and whether it is on one
// line.
func styleOf(src []byte, root node) style {
	s := style{eol: eolOf(src), unit: "  ", spaced: true}
	if len(root.kids) == 0 {
		return s
	}
	if unit, ok := unitOf(src, root, "", true); ok {
		s.unit = unit
	}
	if bytes.IndexByte(src[root.start:root.end], '\n') < 0 {
		s.inline = true
		s.spaced = spacedIn(src, root)
	}
	return s
}

// eolOf returns the line end of the first line, or "\n" for a text of one line.
func eolOf(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// unitOf finds the first value that is indented deeper than the line of its container, and returns
// the difference. known is false below the first entry of a container that was empty, because
// values there are indented by two steps.
func unitOf(src []byte, n node, outer string, known bool) (string, bool) {
	for i, k := range n.kids {
		inner, own := ownLine(src, k.start)
		if own && known && len(inner) > len(outer) && inner[:len(outer)] == outer {
			return inner[len(outer):], true
		}
		below := own || known && !(i == 0 && (marked(src, n) || wasBlank(src, n)))
		if !own {
			inner = outer
		}
		if unit, ok := unitOf(src, k.value, inner, below); ok {
			return unit, true
		}
	}
	return "", false
}

// ownLine returns the blanks before a position if nothing else precedes it on its line.
func ownLine(src []byte, pos int) (indent string, own bool) {
	start := lineStart(src, pos)
	for i := start; i < pos; i++ {
		if src[i] != ' ' && src[i] != '\t' {
			return "", false
		}
	}
	return string(src[start:pos]), start > 0
}

// lineStart returns the first byte of the line that contains pos.
func lineStart(src []byte, pos int) int { return bytes.LastIndexByte(src[:pos], '\n') + 1 }

// indentAt returns the indentation of the line that contains pos.
func indentAt(src []byte, pos int) string {
	start := lineStart(src, pos)
	if start == 0 && bytes.HasPrefix(src, []byte(bom)) {
		start = min(len(bom), pos)
	}
	end := start
	for end < pos && (src[end] == ' ' || src[end] == '\t') {
		end++
	}
	return string(src[start:end])
}

// spacedIn reports whether a text of one line has blanks after colons and commas. The first one
// decides.
func spacedIn(src []byte, n node) bool {
	k := n.kids[0]
	if n.kind == '{' {
		return k.value.start > k.start && src[k.value.start-1] != ':'
	}
	return len(n.kids) < 2 || n.kids[1].start > k.comma+1
}
