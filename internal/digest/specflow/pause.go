package specflow

import (
	"strings"
	"time"

	"baton/internal/markdown"
)

// Pause writes the bullet Last Pause with the name of a pause, PAUSE-20260131-150405, and a note
// after it (specflow.md 5.15). It stands under Current Position, in form B among the labels; a
// digest with neither gets the section.
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

// pauseUnder writes the bullet into a section that is there: after its last label, else right below
// the heading. There no blank line stands between, so that Resume can tell it from a section that
// Pause made.
func (e *edit) pauseUnder(s section, value string) {
	d := e.d
	if labels := d.labels(s); len(labels) > 0 {
		like := labels[len(labels)-1]
		e.insert(like.line+1, like.write(labelPause, value))
		return
	}
	lines := []string{bulletLabel().write(labelPause, value)}
	if at := s.head + 1; at < s.end && !d.blank(at) { // text, which would become a part of the bullet
		lines = []string{"", lines[0], ""}
	}
	e.insert(s.head+1, lines...)
}

// Resume takes the bullet Last Pause out, every one when there are several, and with it what Pause
// put around it: the section when nothing else stands there, the blank line when two would meet.
// Without one there is nothing to do.
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

// onlyThese reports whether a section Current Position holds nothing but the lines, a blank line
// above them, and gives what goes with it: from the blank line above the heading to the last of
// them. last is -1 when it holds more.
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

// removeLines takes lines out. A document whose last line has no terminator ends without one
// afterwards too (SF-8).
func (e *edit) removeLines(first, last int) {
	all := e.d.md.Lines()
	span := markdown.Span{Start: all[first].Start, End: all[last].Next}
	if last == len(all)-1 && all[last].End == all[last].Next && first > 0 {
		span.Start = all[first-1].End
	}
	e.splices = append(e.splices, markdown.Edit{Span: span})
}
