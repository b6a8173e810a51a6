package specflow

import (
	"strings"
	"unicode"

	"baton/internal/threeway"
)

// Merge makes one digest of three versions (D40): specifications by their id, queue rows by theirs
// and numbered again, decisions and warnings as ordered sets, prose by lines. Where both sides
// moved a value, it is that of the side which was active last; a person's words from the other side
// stay beside it.
func Merge(base, ours, theirs []byte) threeway.Result {
	return threeway.Merge(threeway.Form{
		Newer: func(a, b []byte) bool { return Parse(a).latest() > Parse(b).latest() },
		Value: mergeValue,
		Fate:  mergeFate,
		Cell:  mergeCell,
		Day:   func(src []byte) string { return Parse(src).latest() },
		Key:   mergeKey,
	}, base, ours, theirs)
}

// mergeValue names the labels that programs write: of two values one is true now.
func mergeValue(label string) bool {
	switch label {
	case "active specification", "status", "next step", "last updated", "last pause", "last paused", "updated",
		"complexity", "mode", "progress":
		return true
	}
	return false
}

// mergeFate distinguishes the words of people from those of programs. What is active, what is next
// and where somebody paused is a hand-off, and so is a status in more than a word.
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

// mergeCell does the same for the cells of a row about one specification.
func mergeCell(column, text string) threeway.Fate {
	switch canonical(column) {
	case colPosition, colSpec, "priority", "complexity", "phase", "mode", "progress", colDepends, colUpdated:
		return threeway.Passes
	case "status", colNext: // programs read them as they are
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

// oneWord reports whether a text is a word or a date as programs write it, and no sentence.
func oneWord(text string) bool {
	return !strings.ContainsAny(strings.Trim(text, " *_"), " \t") || strings.IndexFunc(text, unicode.IsLetter) < 0
}

// mergeKey returns the column with the id where a row stands for one specification. Rows with a
// date are entries of a history, which may name one specification several times.
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

// latest is the last day that the digest names: that of its footer, else of any of its rows and
// lines.
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
