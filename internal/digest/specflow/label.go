package specflow

import (
	"strings"

	"baton/internal/markdown"
)

// label is a bold label at the start of a line, with or without a bullet, and its value on the same
// line.
type label struct {
	line   int
	name   string
	prefix string        // text before the label: blanks and bullet
	inside bool          // the colon is inside the bold marks
	mark   string        // ** or __
	value  markdown.Span // trimmed
	raw    string        // value as written
}

// labels returns the labels of a section: bullets of its outermost list, and lines of its text.
func (d *Doc) labels(s section) []label {
	var out []label
	for i := s.head + 1; i < s.end; i++ {
		ln := d.md.Lines()[i]
		switch {
		case ln.Class == markdown.Item && ln.Depth == 1:
		case (ln.Class == markdown.Text || ln.Class == markdown.SetextText) && ln.Depth == 0:
		default:
			continue
		}
		if l, ok := parseLabel(d.text(i)); ok {
			l.line = i
			l.value.Start += ln.Start
			l.value.End += ln.Start
			out = append(out, l)
		}
	}
	return out
}

// parseLabel reads a label at the start of a line. Positions are relative to the line.
func parseLabel(line string) (l label, ok bool) {
	pos := 0
	for pos < len(line) && line[pos] == ' ' {
		pos++
	}
	if pos+1 < len(line) && strings.IndexByte("-*+", line[pos]) >= 0 && blankByte(line[pos+1]) {
		for pos++; pos < len(line) && blankByte(line[pos]); {
			pos++
		}
	}
	rest := line[pos:]
	if len(rest) < 5 || rest[:2] != "**" && rest[:2] != "__" {
		return l, false
	}
	l.prefix, l.mark = line[:pos], rest[:2]
	n := strings.Index(rest[2:], l.mark)
	if n <= 0 {
		return l, false
	}
	name, end := rest[2:2+n], pos+n+4
	switch {
	case strings.HasSuffix(name, ":"):
		l.inside = true
		name = name[:len(name)-1]
	case end < len(line) && line[end] == ':':
		end++
	default:
		return l, false
	}
	if l.name = strings.TrimSpace(name); l.name == "" {
		return l, false
	}
	c := markdown.CellOf(line, end, len(line))
	if c.Start == c.End {
		c.Start, c.End = end, end // a value that is added here needs a blank before it
	}
	l.value, l.raw = markdown.Span{Start: c.Start, End: c.End}, line[c.Start:c.End]
	return l, true
}

// write returns a line of the same form with another name and value.
func (l label) write(name, value string) string {
	text := l.prefix + l.mark + name
	if l.inside {
		text += ":" + l.mark
	} else {
		text += l.mark + ":"
	}
	if value == "" {
		return text
	}
	return text + " " + value
}

// findLabel returns the first label with one of the names.
func findLabel(labels []label, names ...string) (label, bool) {
	for _, l := range labels {
		for _, name := range names {
			if strings.EqualFold(l.name, name) {
				return l, true
			}
		}
	}
	return label{}, false
}
