package specflow

import (
	"strings"
	"time"

	"baton/internal/markdown"
)

// Pause writes the bullet Last Pause with the name of a pause, PAUSE-20260131-150405, and a note
// after it (specflow.md 5.15). The bullet is in Current Position, or in form B among the labels. If
// neither exists, Pause adds the section.
func (d *Doc) Pause(now time.Time, note string) (Edited, error) {
	value := "PAUSE-" + now.Format("20060102-150405")
	if note = fold(note); note != "" {
		value += " " + dash + " " + note
	}
	e := d.begin()
	if l, ok := d.findField(labelPause); ok {
		e.setLabel(l, value)
		e.note("last_pause", l.raw, value)
		return e.done()
	}
	e.note("last_pause", "", value)
	if s, ok := d.first(position); ok {
		e.pauseUnder(s, value)
		return e.done()
	}
	if p, _ := d.active(); p.form == "B" {
		like, at := p.like(d)
		lines := []string{like.write(labelPause, value)}
		if !p.hasStatus && !p.hasNext {
			lines = append([]string{""}, lines...)
		}
		e.insert(at, lines...)
		return e.done()
	}
	e.append("Current Position", bulletLabel().write(labelPause, value))
	return e.done()
}

// LastPause returns the value of the bullet Last Pause, or "".
func (d *Doc) LastPause() string {
	l, _ := d.findField(labelPause)
	return l.raw
}

// pauseUnder writes the bullet into an existing section: after its last label, or else directly
// below the heading. Without a blank line there, Resume can distinguish it from a section that
// Pause added.
func (e *edit) pauseUnder(s section, value string) {
	d := e.d
	if labels := d.labels(s); len(labels) > 0 {
		like := labels[len(labels)-1]
		e.insert(like.line+1, like.write(labelPause, value))
		return
	}
	lines := []string{bulletLabel().write(labelPause, value)}
	if at := s.head + 1; at < s.end && !d.blank(at) { // text follows, which would become part of the bullet
		lines = []string{"", lines[0], ""}
	}
	e.insert(s.head+1, lines...)
}

// Resume removes all Last Pause bullets and everything that Pause added around them: the section if
// it is otherwise empty, and a blank line where two would meet. Without such a bullet nothing
// changes.
func (d *Doc) Resume() (Edited, error) {
	e := d.begin()
	for _, s := range d.sections {
		if s.kind != position && s.kind != activeOne {
			continue
		}
		lines := map[int]bool{}
		for _, l := range d.labels(s) {
			if strings.EqualFold(l.name, labelPause) {
				lines[l.line] = true
				e.changed = append(e.changed, Change{"last_pause", l.raw, ""})
			}
		}
		if len(lines) == 0 {
			continue
		}
		if first, last := d.onlyThese(s, lines); last >= 0 {
			e.removeLines(first, last)
			continue
		}
		for i := s.head + 2; i < s.end; i++ {
			if lines[i] && d.blank(i-1) && (i+1 >= s.end || d.blank(i+1)) {
				lines[i-1] = true
			}
		}
		for first := s.head + 1; first < s.end; first++ {
			last := first
			for lines[last] {
				last++
			}
			if last > first {
				e.removeLines(first, last-1)
				first = last
			}
		}
	}
	return e.done()
}

// onlyThese returns what to remove if a section Current Position contains only the given lines and
// a blank line above them: from the blank line above the heading to the last of them. last is -1 if
// it contains more.
func (d *Doc) onlyThese(s section, lines map[int]bool) (first, last int) {
	if last = -1; s.kind != position || lines[s.head+1] {
		return 0, -1
	}
	for i := s.head + 1; i < s.end; i++ {
		switch {
		case lines[i]:
			last = i
		case !d.blank(i):
			return 0, -1
		}
	}
	if first = s.head; first > 0 && d.blank(first-1) {
		first--
	}
	return first, last
}

// removeLines removes lines. A document without a final line end still has none afterwards (SF-8).
func (e *edit) removeLines(first, last int) {
	all := e.d.md.Lines()
	span := markdown.Span{Start: all[first].Start, End: all[last].Next}
	if last == len(all)-1 && all[last].End == all[last].Next && first > 0 {
		span.Start = all[first-1].End
	}
	e.splices = append(e.splices, markdown.Edit{Span: span})
}
