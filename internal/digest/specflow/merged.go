package specflow

import "strings"

// mergedStatus is how the note begins that a merge puts below a status that both sides changed.
const mergedStatus = "status (other side"

// mergedLines returns the lines with such notes.
func (d *Doc) mergedLines() []int {
	var out []int
	for i := range d.md.Lines() {
		text := strings.TrimLeft(d.text(i), " \t-*+_")
		if d.prose(i) && len(text) > len(mergedStatus) && strings.EqualFold(text[:len(mergedStatus)], mergedStatus) {
			out = append(out, i)
		}
	}
	return out
}

// DropMerged removes the note about the status of a merge's other side if the status is not the one
// of an earlier version any more (D44).
func (d *Doc) DropMerged(before *Doc) Edited {
	was, _ := before.Get("status")
	now, ok := d.Get("status")
	lines := d.mergedLines()
	if !ok || len(lines) == 0 || Word(was.Text) == Word(now.Text) {
		return d.unchanged()
	}
	e := d.begin()
	for _, i := range lines {
		e.remove(i)
	}
	out, err := e.done()
	if err != nil {
		return d.unchanged()
	}
	return out
}
