package specflow

import (
	"strings"
	"time"
)

// Pause writes the bullet Last Pause with the name of a pause, PAUSE-20260131-150405, and a note behind it (specflow.md
// 5.15). It stands under Current Position, in form B among the labels; a digest with neither gets the section.
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
		like, at := bulletLabel(), s.head+1
		lines := []string{""}
		if labels := d.labels(s); len(labels) > 0 {
			like, lines = labels[len(labels)-1], nil
			at = like.line + 1
		}
		e.insert(at, append(lines, like.write(labelPause, value))...)
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

// Resume takes the bullet Last Pause out, every one when there are several. Without one there is nothing to do.
func (d *Doc) Resume() (Edited, error) {
	e := d.begin()
	for _, s := range d.sections {
		if s.kind != position && s.kind != activeOne {
			continue
		}
		for _, l := range d.labels(s) {
			if strings.EqualFold(l.name, labelPause) {
				e.remove(l.line)
				e.changed = append(e.changed, Change{"last_pause", l.raw, ""})
			}
		}
	}
	return e.done()
}
