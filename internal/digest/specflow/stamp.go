package specflow

import (
	"strings"
	"time"

	"baton/internal/markdown"
)

// Stamp replaces the first date of the italic "Last updated" footer, or the template's [date], with
// the day of now in now's zone. The rest of the line stays. Without such a line nothing is added
// (specflow.md 5.6.5).
func (d *Doc) Stamp(now time.Time) Edited {
	today := now.Format(time.DateOnly)
	for i := len(d.md.Lines()) - 1; i >= 0; i-- {
		if !d.prose(i) || d.class(i) == markdown.Item || !isStamp(d.text(i)) {
			continue
		}
		line := d.text(i)
		start, end := findDate(line)
		if start < 0 {
			return d.unchanged()
		}
		e := d.begin()
		from := d.md.Lines()[i].Start
		e.replace(markdown.Span{Start: from + start, End: from + end}, today)
		e.note("last_updated", line[start:end], today)
		out, err := e.done()
		if err != nil { // the line follows an unclosed fence, so it is not a footer
			return d.unchanged()
		}
		return out
	}
	return d.unchanged()
}

// findDate returns the place of the first date in the form 2026-01-31, or of [date]. start is -1 if
// there is neither.
func findDate(text string) (start, end int) {
	const placeholder = "[date]"
	for i := range text {
		if len(text)-i >= len(placeholder) && strings.EqualFold(text[i:i+len(placeholder)], placeholder) {
			return i, i + len(placeholder)
		}
		if isDate(text[i:]) {
			return i, i + len(time.DateOnly)
		}
	}
	return -1, -1
}

// isDate reports whether a text begins with a valid date.
func isDate(text string) bool {
	if len(text) < len(time.DateOnly) || !digit(text[0]) {
		return false
	}
	_, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	return err == nil
}
