package specflow

import (
	"strings"

	"baton/internal/markdown"
)

// Doc is a digest with its structure. It is immutable; an edit returns new bytes.
type Doc struct {
	src      []byte
	md       *markdown.Document
	sections []section
	foot     int // line on which the footer begins, or the number of lines
}

// kind is the purpose of a section.
type kind uint8

const (
	other      kind = iota
	position        // Current Position: form A, and other bullets
	activeOne       // Active Specification: form B
	activeMany      // Active Specifications: form C
	queue
	decisions
	warnings
	execution
	patterns
)

// section is an H2 heading and everything below it, including subheadings (5.5.1).
type section struct {
	kind  kind
	title string
	head  int // line of the heading
	end   int // line after the last one; the document's footer is not part of any section
}

// Parse reads a digest. It accepts any text; without any structure, the digest has no sections.
func Parse(src []byte) *Doc {
	d := &Doc{src: src, md: markdown.Parse(src)}
	lines := d.md.Lines()
	d.foot = d.footer()
	open := -1
	for _, h := range d.md.Headings() {
		if lines[h.Line].Class != markdown.ATX || h.Level > 2 {
			continue
		}
		if open >= 0 {
			d.sections[open].end = h.Line
			open = -1
		}
		if h.Level == 2 {
			title := string(h.Text.Of(src))
			d.sections = append(d.sections, section{kind: kindOf(title), title: title, head: h.Line})
			open = len(d.sections) - 1
		}
	}
	if open >= 0 {
		d.sections[open].end = len(lines)
		if d.foot > d.sections[open].head {
			d.sections[open].end = d.foot
		}
	}
	return d
}

// kindOf returns the purpose of a section according to its title.
func kindOf(title string) kind {
	switch strings.ToLower(strings.TrimSpace(title)) {
	case "current position":
		return position
	case "active specification":
		return activeOne
	case "active specifications":
		return activeMany
	case "queue":
		return queue
	case "decisions", "recent decisions":
		return decisions
	case "warnings":
		return warnings
	case "execution status":
		return execution
	case "project patterns":
		return patterns
	}
	return other
}

// first returns the first section of a kind.
func (d *Doc) first(k kind) (section, bool) {
	for _, s := range d.sections {
		if s.kind == k {
			return s, true
		}
	}
	return section{}, false
}

// text returns line i as a string, without its line end.
func (d *Doc) text(i int) string { return string(d.md.Text(i)) }

// class returns the class of line i.
func (d *Doc) class(i int) markdown.Class { return d.md.Lines()[i].Class }

// prose reports whether line i is part of the document's text: not blank, and not in a fence,
// comment, quote or code.
func (d *Doc) prose(i int) bool {
	switch d.class(i) {
	case markdown.Text, markdown.Item, markdown.HTML, markdown.SetextText,
		markdown.TableHeader, markdown.TableDelimiter, markdown.TableRow:
		return true
	}
	return false
}

// blank reports whether line i is blank, outside fences and comments.
func (d *Doc) blank(i int) bool { return d.class(i) == markdown.Blank }

// footer returns the line on which the footer begins, or the number of lines if there is none. The
// footer is a rule followed only by lines in italics, or such lines without a rule if they contain
// the date of the last update.
func (d *Doc) footer() int {
	n := len(d.md.Lines())
	at, stamped := n, false
	for i := n - 1; i >= 0; i-- {
		switch {
		case d.blank(i):
		case d.prose(i) && italic(d.text(i)):
			at = i
			stamped = stamped || isStamp(d.text(i))
		case d.class(i) == markdown.Rule, d.class(i) == markdown.SetextUnderline && stamped:
			return i
		default:
			if stamped {
				return at
			}
			return n
		}
	}
	return n
}

// italic reports whether a whole line is in italics.
func italic(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) < 3 || line[0] != '*' && line[0] != '_' || line[1] == line[0] {
		return false
	}
	return line[len(line)-1] == line[0]
}

// isStamp reports whether a line is the footer's italic "Last updated" (5.6.5).
func isStamp(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '*' && line[0] != '_' {
		return false
	}
	const words = "last updated"
	line = line[1:]
	return len(line) >= len(words) && strings.EqualFold(line[:len(words)], words)
}
