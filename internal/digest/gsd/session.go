package gsd

import (
	"slices"
	"time"

	"baton/internal/safetext"
)

// EndSession records that a session ended: when, where it stopped, and the file from which the next
// session continues (N9). Empty arguments leave their values unchanged; an empty Resume file
// becomes None. Missing labels are added to the session's section, and a missing section at the end
// of the text.
func (d *Doc) EndSession(stoppedAt, resumeFile string, now time.Time) (Edited, error) {
	e := d.edit(now)
	stoppedAt, resumeFile = safetext.JoinLines(stoppedAt), safetext.JoinLines(resumeFile)
	moment := "Last session"
	if i := d.sessionSection(); i >= 0 {
		if _, ok := d.find(d.titles[i].full, moment, true); !ok {
			if _, ok := d.find(d.titles[i].full, "Last Date", true); ok {
				moment = "Last Date"
			}
		}
	}
	if resumeFile == "" && writtenResume(d.session().ResumeFile) {
		resumeFile = "None"
	}
	e.sessionLines([]line{{moment, stamp(now), nil}, {"Stopped at", stoppedAt, nil}, {"Resume file", resumeFile, nil}})
	if stoppedAt != "" && d.sheet != nil {
		e.key("stopped_at", stoppedAt)
	}
	return e.finish()
}

// sessionLines writes labelled lines of the session's section.
func (e *editor) sessionLines(lines []line) {
	lines = slices.DeleteFunc(lines, func(l line) bool { return l.value == "" })
	i := e.d.sessionSection()
	if i < 0 {
		text := []string{"## Session Continuity", ""}
		for _, l := range lines {
			text = append(text, l.label+": "+l.value)
		}
		e.insertSection(len(e.d.src), text)
	}
	for _, l := range lines {
		switch {
		case i < 0:
			e.readBack((*Doc).sessionSpan, l.label, l.value)
			e.changedField(l.label, "", l.value)
		case e.set((*Doc).sessionSpan, l.label, l.value):
		default:
			e.sessionLabel(l)
		}
	}
}

// sessionLabel adds a label after the last one of the section and in its form, or else directly
// below the heading and in bold, as GSD does (GSD-V4).
func (e *editor) sessionLabel(l line) {
	if e.err != nil {
		return
	}
	within := e.d.sessionSpan()
	var last field
	found := false
	for _, name := range []string{"Last session", "Last Date", "Stopped at", "Resume file"} {
		if f, ok := e.d.find(within, name, true); ok && (!found || f.line > last.line) {
			last, found = f, true
		}
	}
	if found {
		e.insertAfter(last, l.label, l.value)
	} else {
		e.insertBelow(e.d.titles[e.d.sessionSection()], []string{"**" + l.label + ":** " + l.value})
	}
	e.readBack((*Doc).sessionSpan, l.label, l.value)
	e.changedField(l.label, "", l.value)
}
