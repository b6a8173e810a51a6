package specflow

import (
	"slices"
	"strings"
	"unicode"

	"baton/internal/threeway"
)

// Merge merges three versions of a digest (D40): specifications by id; queue rows by id, which are
// then numbered again; decisions and warnings as ordered sets; prose line by line. If both sides
// changed a value, that of the side that was active last is used, and text that a person wrote on
// the other side is kept next to it. A status of one specification that both sides changed follows
// its order (D44).
func Merge(base, ours, theirs []byte) threeway.Result {
	one := activeID(ours) == activeID(theirs)
	return threeway.Merge(threeway.Form{
		Newer: func(a, b []byte) bool { return Parse(a).latest() > Parse(b).latest() },
		Value: mergeValue,
		Fate:  mergeFate,
		Cell:  mergeCell,
		Day:   func(src []byte) string { return Parse(src).latest() },
		Key:   mergeKey,
		Further: func(cell bool, a, b string) (n int, ok bool) {
			if !cell && !one {
				return 0, false
			}
			return further(a, b)
		},
	}, base, ours, theirs)
}

// activeID returns the id of the only active specification, folded, or "".
func activeID(src []byte) string {
	v, _ := Parse(src).Get("active")
	return strings.ToLower(idOf(v.Text))
}

// further compares two statuses by the life of a specification. It can be blocked or archived at
// any time, so these have no place in the order. ok is false if a text is no status, or if both are
// the same one.
func further(a, b string) (n int, ok bool) {
	x, y := Word(a), Word(b)
	if x == y || !slices.Contains(Statuses(), x) || !slices.Contains(Statuses(), y) {
		return 0, false
	}
	for _, word := range [...]string{x, y} {
		if word == "blocked" || word == "archived" {
			return 0, true
		}
	}
	return slices.Index(Statuses(), x) - slices.Index(Statuses(), y), true
}

// mergeValue reports whether a label is written by programs. Of two values, only one is true now.
func mergeValue(label string) bool {
	switch label {
	case "active specification", "status", "next step", "last updated", "last pause", "last paused", "updated",
		"complexity", "mode", "progress":
		return true
	}
	return false
}

// mergeFate distinguishes text by people from values by programs. The active specification, the
// next step and a pause are a hand-off, and so is a status of more than one word.
func mergeFate(label, text string, front bool) threeway.Fate {
	switch label {
	case "active specification", "next step", "last pause", "last paused":
	case "status", "complexity", "mode", "progress", "last updated", "updated":
		if oneWord(text) {
			return threeway.Passes
		}
	default:
		if !front {
			return threeway.Passes
		}
	}
	switch strings.ToLower(text) {
	case "", "-", "–", "—", "none", "idle":
		return threeway.Passes
	}
	return threeway.Kept
}

// mergeCell is mergeFate for the cells of a specification's row.
func mergeCell(column, text string) threeway.Fate {
	switch canonical(column) {
	case colPosition, colSpec, "priority", "complexity", "phase", "mode", "progress", colDepends, colUpdated:
		return threeway.Passes
	case "status", colNext: // programs read these values, so they must stay unchanged
		if oneWord(text) {
			return threeway.Passes
		}
		return threeway.Reported
	}
	if strings.Trim(text, "-–— ") == "" {
		return threeway.Passes
	}
	return threeway.Kept
}

// oneWord reports whether a text is a word or a date as programs write it, not a sentence.
func oneWord(text string) bool {
	return !strings.ContainsAny(strings.Trim(text, " *_"), " \t") || strings.IndexFunc(text, unicode.IsLetter) < 0
}

// mergeKey returns the column with the id if each row is about one specification. Rows with a date
// are entries of a history, which may name a specification several times.
func mergeKey(columns []string) int {
	at := -1
	for i, name := range columns {
		switch canonical(name) {
		case colDate, colReason:
			return -1
		case colSpec:
			at = i
		}
		if at < 0 && name == "id" {
			at = i
		}
	}
	return at
}

// latest returns the latest date in the digest.
func (d *Doc) latest() string {
	last := ""
	for i := range d.md.Lines() {
		text := d.text(i)
		for k := 0; k+10 <= len(text); k++ {
			if day := text[k : k+10]; text[k] == '2' && day[4] == '-' && day[7] == '-' && day > last {
				last = day
			}
		}
	}
	return last
}
