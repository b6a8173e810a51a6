package threeway

// Combine makes one text of two versions that both differ from base; base is "" where both sides
// added it. recent is the version of the side that was active last. ok is false when it cannot:
// then the unit is merged like any other.
type Combine func(base, recent, other string) (text string, ok bool)

// Form describes what the names in a document mean. The zero value is plain Markdown.
type Form struct {
	// Union: nothing that was in a version is left out, also when the other side took it out. For
	// files that only grow.
	Union bool
	// Lines: the document is no Markdown but a list of lines that are entries. For JSON Lines.
	Lines bool
	// Text: the document is no Markdown but prose, line by line.
	Text bool
	// Newer says that the first of two versions was active last; nil takes the one with the later
	// last_updated.
	Newer func(a, b []byte) bool
	// Section returns the name of a section from its heading; "" takes the heading itself.
	Section func(level int, heading string) string
	// Session reads the heading of a numbered session. digits is the number as it is written.
	Session func(heading string) (digits string, number int, stamp string, ok bool)
	// Reserved is the highest number that a version gave to sessions which are not in it any more.
	Reserved func(src []byte) int
	// Value says that a line with this label, folded, holds a value and not a person's sentence.
	Value func(label string) bool
	// Fate says what becomes of what a side wrote after a label, where the other side's words stand
	// there; nil lets all pass. front says that the label is a key of the front matter, those below
	// others after their names and a dot; else it is folded.
	Fate func(label, text string, front bool) Fate
	// Cell says the same of a cell in a column, folded.
	Cell func(column, text string) Fate
	// Day returns the day when a version was last worked on, for the note that keeps its words; ""
	// or nil for none.
	Day func(src []byte) string
	// Key returns the index of the column by which rows are told apart, -1 for the whole row. Names
	// are folded.
	Key func(columns []string) int
	// Parts merges what is under a section's name as a whole, fences those of one info string.
	Parts  map[string]Combine
	Fences map[string]Combine
}

// Result is a merged document.
type Result struct {
	Text       []byte
	Conflicts  int          // places with conflict markers
	Renumbered []Renumbered // sessions that got another number, in the order of the document
	Asides     []Aside      // what both sides wrote and is not in its field
}

// Renumbered is a session that had the number of another one.
type Renumbered struct {
	From int `json:"from"`
	To   int `json:"to"`
}
