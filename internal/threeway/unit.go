package threeway

import "strings"

// kind decides what happens to a unit that both sides changed.
type kind uint8

const (
	prose kind = iota // a person's line; if both sides changed it, it conflicts
	entry             // member of an ordered set
	value             // a labelled line; the side that was active last wins
	part              // has its own lines and units below them
)

// unit is a piece of a document. Its bytes are text, lead, below and gap, in this order. The note
// of an old number comes inside text, where the heading ends.
type unit struct {
	key    string // unique among its neighbours
	kind   kind
	text   string // its own lines with their line ends
	lead   string // blank lines after them
	below  []unit
	gap    string // blank lines after everything
	group  string // "item" or "row": units of one group need no blank line between them, and rows must not have one
	last   bool   // no neighbour of the same group follows
	stamp  string // date and time by which it is ordered, as written
	footer bool   // the footer of an archive's batch
	digits string // the number of a session as written
	number int    // of a session that a merge may renumber; 0 for others
	moved  bool   // a side gave the session another number than the base has
	was    string // note of a session's old number, which text does not contain
	places bool   // a row whose first cell is its position in the table
	merge  Combine
	field  string   // label of a value, or path of a key
	front  bool     // the field is a key of the front matter
	note   string   // label of the value whose unused version this is
	column []string // of a row: the names of its cells
	plain  bool     // a line of a paragraph; directly below an item it would be part of that item
}

// whole returns the unit's bytes without the gap and without the note of its old number.
func (u *unit) whole() string {
	if len(u.below) == 0 && u.lead == "" {
		return u.text
	}
	var b strings.Builder
	b.WriteString(u.text)
	u.writeBelow(&b)
	return b.String()
}

// write writes the unit's bytes without the gap.
func (u *unit) write(b *strings.Builder) {
	if u.was == "" {
		b.WriteString(u.text)
	} else {
		end := headingEnd(u.text)
		b.WriteString(u.text[:end])
		b.WriteString(u.was)
		b.WriteString(u.text[end:])
	}
	u.writeBelow(b)
}

// headingEnd returns where the text of a heading ends on its first line.
func headingEnd(lines string) int {
	const blanks = " \t"
	line, _, _ := strings.Cut(lines, "\n")
	line = strings.TrimRight(line, blanks)
	if open := strings.TrimRight(line, "#"); strings.TrimRight(open, blanks) != open {
		line = strings.TrimRight(open, blanks)
	}
	return len(line)
}

// cutNote takes the note of an old number out of the text.
func (u *unit) cutNote(note string) {
	at := strings.LastIndex(u.text, note)
	if note == "" || at < 0 {
		return
	}
	if text := u.text[:at] + u.text[at+len(note):]; headingEnd(text) == at {
		u.text, u.was = text, note
	}
}

func (u *unit) writeBelow(b *strings.Builder) {
	b.WriteString(u.lead)
	for i := range u.below {
		u.below[i].write(b)
		b.WriteString(u.below[i].gap)
	}
}

// meaning returns the text by which versions of a unit are compared. The position of a row is not
// part of it.
func (u *unit) meaning() string {
	if u.places {
		if _, rest, ok := cutPlace(u.text); ok {
			return rest
		}
	}
	return u.whole()
}

// cutPlace separates the number in the first cell from the rest of a row.
func cutPlace(row string) (place, rest string, ok bool) {
	first := cellsOf(row)[0]
	cell := row[first.Start:first.End]
	place = cell[:len(cell)-len(strings.TrimLeft(cell, "0123456789"))]
	return place, row[:first.Start] + row[first.Start+len(place):], place != ""
}

// stampIn returns the first date in a text, with the time of day if one follows.
func stampIn(text string) string {
	for i := 0; i+10 <= len(text); i++ {
		if !shaped(text[i:i+10], "0000-00-00") || i > 0 && digit(text[i-1]) {
			continue
		}
		if i+16 <= len(text) && (text[i+10] == ' ' || text[i+10] == 'T') && shaped(text[i+11:i+16], "00:00") {
			return text[i:i+10] + " " + text[i+11:i+16]
		}
		return text[i : i+10]
	}
	return ""
}

// shaped reports whether a text has a form in which 0 stands for any digit.
func shaped(text, form string) bool {
	for i := range len(form) {
		if form[i] == '0' && !digit(text[i]) || form[i] != '0' && text[i] != form[i] {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
