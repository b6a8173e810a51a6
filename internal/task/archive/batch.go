package archive

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
)

// batch collects what is appended to the archive at one time: sessions, history lines, footer
// (5.14.1).
type batch struct {
	id      task.ID
	src     []byte // the task file
	out     bytes.Buffer
	eol     string
	service bool // sessions stay H3 under "## Full Session History"
	moves   []Move
}

// newBatch starts a batch: with the title in a new archive, otherwise after a blank line. Line ends
// and layout follow the existing archive (TS-1).
func newBatch(s *task.State, a Facts) *batch {
	b := &batch{id: s.ID, src: s.Bytes(), eol: s.Document().EOL(len(s.Bytes())), service: serviceLayout(a.Head)}
	if !a.Exists || a.Size == 0 {
		b.out.WriteString(Title(s.ID) + b.eol + b.eol)
		return b
	}
	if len(a.Tail) > 0 {
		b.eol = markdown.Parse(a.Tail).EOL(len(a.Tail))
	}
	b.out.WriteString(archiveGap(a.Tail, b.eol))
	return b
}

// Title returns the first line of a new archive, without a line end (5.1).
func Title(id task.ID) string { return "# Task " + id.Ref() + " Archive - Full Session History" }

// archiveGap returns what must be written between an archive and an addition to it: a missing line
// end and one blank line.
func archiveGap(tail []byte, eol string) string {
	switch {
	case len(tail) == 0:
		return ""
	case tail[len(tail)-1] != '\n':
		return eol + eol
	case bytes.HasSuffix(tail, []byte("\n\n")) || bytes.HasSuffix(tail, []byte("\n\r\n")):
		return ""
	}
	return eol
}

// serviceLayout reports whether the archive has its sessions as H3 below one H2.
func serviceLayout(head []byte) bool {
	doc := markdown.Parse(head)
	for _, h := range doc.Headings() {
		if h.Level == 2 {
			return strings.EqualFold(safetext.OneLine(string(h.Text.Of(head))), "full session history")
		}
	}
	return false
}

// session adds one session. Its heading loses one "#"; all other bytes stay. A bullet of style D
// gets a heading, so that it has a number in the archive.
func (b *batch) session(session task.Session, number int) {
	lost := session.Span.Of(b.src)
	var gained []byte
	switch {
	case session.Style == task.StyleD:
		mark := "##"
		if b.service {
			mark = "###"
		}
		gained = append(gained, mark+" Session "+strconv.Itoa(number)...)
		if session.Stamp != "" {
			gained = append(gained, " - "+session.Stamp...)
		}
		gained = append(append(gained, b.eol...), lost...)
	case b.service:
		gained = slices.Clone(lost)
	default:
		at := bytes.IndexByte(lost, '#')
		gained = append(append(gained, lost[:max(at, 0)]...), lost[at+1:]...)
	}
	b.moves = append(b.moves, Move{Lost: lost, Gained: gained})
	b.out.Write(gained)
	if !bytes.HasSuffix(gained, []byte{'\n'}) {
		b.out.WriteString(b.eol)
	}
	b.out.WriteString(b.eol)
}

// history adds the git history lines that moved.
func (b *batch) history(lines []historyLine) {
	if len(lines) == 0 {
		return
	}
	b.out.WriteString("## Git History" + b.eol + b.eol)
	for _, line := range lines {
		text := line.span.Of(b.src)
		b.moves = append(b.moves, Move{Lost: text, Gained: text})
		b.out.Write(text)
		if !bytes.HasSuffix(text, []byte{'\n'}) {
			b.out.WriteString(b.eol)
		}
	}
	b.out.WriteString(b.eol)
}

// footer ends the batch.
func (b *batch) footer(now time.Time, reason string, numbers []int) {
	b.out.WriteString("---" + b.eol)
	b.out.WriteString("Archived on: " + task.FormatStamp(now, now.Location()) + b.eol)
	b.out.WriteString("Reason: " + safetext.OneLine(reason) + b.eol)
	b.out.WriteString("Sessions archived: " + task.WriteRanges(numbers) + b.eol)
}

// archived is one session of an archive with its original text.
type archived struct {
	number int
	text   []byte
}

// readArchived returns the sessions of an archive in file order, with the bytes that they had in
// the task file.
func readArchived(src []byte) []archived {
	var all []archived
	doc := markdown.Parse(src)
	for _, session := range task.ParseArchive(src).Sessions {
		text := session.Span.Of(src)
		line := doc.Lines()[doc.LineAt(session.Span.Start)]
		body := src[line.Next:max(line.Next, session.Span.End)]
		switch {
		case task.IsLogBullet(body):
			text = body
		case bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("## ")):
			at := bytes.IndexByte(text, '#')
			text = slices.Concat(text[:at], []byte("#"), text[at:])
		}
		all = append(all, archived{session.Number, text})
	}
	return all
}
