package folder

import (
	"strings"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/cli/app"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
)

// listed is one entry of a folder on a page: its name, size and age, and what there is to say about
// it.
type listed struct {
	name, size, age, note string
	t                     app.Tone // of the note
}

// listing has the widths of the columns of entries, so that several lists on one page line up.
type listing struct{ name, size, age int }

// Columns on a terminal: those left for the note, and the least and the most that a name gets.
const (
	noteColumns = 26
	nameColumns = 16
	nameWidest  = 60
)

// measure returns the widths for the entries that will be shown. If the width of the terminal is
// unknown, no name is cut: a program may be reading.
func measure(p *app.Page, lists ...[]listed) listing {
	var l listing
	for _, list := range lists {
		for _, e := range list {
			l.name = max(l.name, displaywidth.String(e.name))
			l.size = max(l.size, len(e.size))
			l.age = max(l.age, len(e.age))
		}
	}
	if p.Width == 0 {
		l.name = min(l.name, nameWidest) // longer ones have a line of their own
		return l
	}
	room := p.Width - 2 - 2 - noteColumns
	for _, w := range [...]int{l.size, l.age} {
		if w > 0 {
			room -= w + 2
		}
	}
	l.name = min(l.name, max(room, nameColumns))
	return l
}

// header names the columns, which become at least as wide as their names.
func (l *listing) header(p *app.Page) {
	head := listed{name: "NAME"}
	if l.name = max(l.name, len(head.name)); l.size > 0 {
		head.size = "SIZE"
		l.size = max(l.size, len(head.size))
	}
	if l.age > 0 {
		head.age = "AGE"
		l.age = max(l.age, len(head.age))
	}
	entry(p, *l, head)
}

// list prints entries with an indent. If most is not 0, it stops after that many and says how many
// more there are.
func list(p *app.Page, l listing, entries []listed, most int, more string) {
	for i, e := range entries {
		if most > 0 && i == most && len(entries) > most+1 {
			p.Line(app.Faint, "  "+p.Marks().More+" %s more%s", app.Thousands(len(entries)-most), more)
			return
		}
		entry(p, l, e)
	}
}

// entry puts one line; a note that is too long goes on below itself.
func entry(p *app.Page, l listing, e listed) {
	name := e.name
	if p.Width > 0 {
		name = safetext.Columns(name, l.name)
	}
	columns := 2 + l.name
	gap := l.name - displaywidth.String(name)
	p.Raw.WriteString("  " + name)
	if gap < 0 && e.size+e.age+e.note != "" {
		p.End()
		gap = columns
	}
	for _, field := range [...]struct {
		text  string
		width int
	}{{e.size, l.size}, {e.age, l.age}} {
		if field.width == 0 {
			continue
		}
		columns += 2 + field.width
		gap += 2 + field.width - len(field.text)
		if field.text == "" {
			continue
		}
		p.Raw.WriteString(strings.Repeat(" ", max(gap, 1)))
		p.Paint(app.Faint, field.text)
		gap = 0
	}
	room := 0
	if p.Width > 0 {
		room = max(p.Width-columns-2, 20)
	}
	for i, line := range app.Wrap(safetext.Visible(e.note), room) {
		switch {
		case line == "":
			continue
		case i == 0:
			p.Raw.WriteString(strings.Repeat(" ", max(gap, 0)+2))
		default:
			p.End()
			p.Raw.WriteString(strings.Repeat(" ", columns+2))
		}
		if room > 0 {
			line = safetext.Columns(line, room)
		}
		p.Paint(e.t, line)
	}
	p.End()
}

// sizeOf returns the size of an entry, rounded up; links to folders, pipes and the like have none.
func sizeOf(kind statedir.Kind, size int64) string {
	switch {
	case kind == statedir.Dir:
		return "folder"
	case size > 0:
		return app.Kilobytes(size)
	case kind == statedir.File:
		return "empty"
	}
	return ""
}

// kindWord names what is neither a file nor a folder, which the size tells; link says what is odd
// about a link.
func kindWord(kind statedir.Kind, link string) string {
	switch {
	case kind == statedir.Link && link == "dangling":
		return "link to nothing"
	case kind == statedir.Link && link == "looping":
		return "link to itself"
	case kind == statedir.Link && link == "outside":
		return "link that leads outside"
	case kind == statedir.Link:
		return "link"
	case kind == statedir.Other:
		return "pipe, socket or device"
	}
	return ""
}

// swept returns the entries of a sweep that are in a state, as they stand on its page.
func swept(entries []folder.SweptEntry, state string) []listed {
	var list []listed
	for _, e := range entries {
		if e.State != state {
			continue
		}
		note := kindWord(e.Kind, "")
		if reason := reasonWords(e.Reason); note != "" && reason != "" {
			note += ", " + reason
		} else {
			note += reason
		}
		list = append(
			list, listed{name: filename(e.Name), size: sizeOf(e.Kind, e.Size), note: note, t: app.Faint},
		)
	}
	return list
}

// prose prints a text, wrapped at the terminal's width.
func prose(p *app.Page, text string) {
	for _, line := range app.Wrap(safetext.Visible(text), p.Width) {
		p.Raw.WriteString(line)
		p.End()
	}
}
