package threeway

// Combine merges two versions that both differ from base; base is "" if both sides added the text.
// recent is the version of the side that was active last. If ok is false, the unit is merged like
// any other.
type Combine func(base, recent, other string) (text string, ok bool)

// Form describes the meaning of names in a document. The zero value is plain Markdown.
type Form struct {
	// Union keeps everything that any version contains, even if the other side removed it. It is
	// for files that only grow.
	Union bool
	// Lines means that the document is a list of lines, each an entry, and not Markdown. It is for
	// JSON Lines.
	Lines bool
	// Text means that the document is prose, line by line, and not Markdown.
	Text bool
	// Newer reports whether the first of two versions was active last. If it is nil, the version
	// with the later last_updated counts.
	Newer func(a, b []byte) bool
	// Section returns the key of a section for its heading, or "" to use the heading itself.
	Section func(level int, heading string) string
	// Session reads the heading of a numbered session. digits is the number as written.
	Session func(heading string) (digits string, number int, stamp string, ok bool)
	// Note returns the note that the heading of a session gets at its end when a merge changes its
	// number, and CutNote finds it again. Both may be nil. The note is not part of the session's
	// text.
	Note    func(digits string) string
	CutNote func(heading string) (rest, note string)
	// Reserved returns the highest number of a session that a version no longer contains.
	Reserved func(src []byte) int
	// Value reports whether a line with this label (folded) contains a value and not a sentence by
	// a person.
	Value func(label string) bool
	// Fate returns what happens to the value of a label if the other side's value is used. If it is
	// nil, the fate is Passes. If front is set, label is a key of the front matter, with its
	// parents and dots before it; otherwise it is a folded label.
	Fate func(label, text string, front bool) Fate
	// Cell is Fate for a cell in a column. The column's name is folded.
	Cell func(column, text string) Fate
	// Further compares two statuses that both sides changed, in the cells of a column or in the
	// values of a label named "status". n is positive if the first is further along, and negative
	// if the second is. If n is 0, the side that was active last counts, or else ours. ok is false
	// if the texts are not compared as statuses. Further may be nil.
	Further func(cell bool, a, b string) (n int, ok bool)
	// Day returns the day when a version was last worked on, for the note that keeps its text. It
	// may be nil and may return "".
	Day func(src []byte) string
	// Key returns the index of the column that identifies rows, or -1 to compare whole rows. Names
	// are folded.
	Key func(columns []string) int
	// Parts merges the content of sections as a whole, by section key. Fences does so for fences,
	// by info string.
	Parts  map[string]Combine
	Fences map[string]Combine
}

// Result is a merged document.
type Result struct {
	Text       []byte
	Conflicts  int          // places with conflict markers
	Renumbered []Renumbered // sessions with a new number, in document order
	Asides     []Aside      // values that both sides wrote and that are not in their fields
}

// Renumbered is a session whose number another session has.
type Renumbered struct {
	From int `json:"from"`
	To   int `json:"to"`
}
