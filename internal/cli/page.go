package cli

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/report"
)

// tone is what a piece of text is, as far as colour goes.
type tone string

// The tones, as the parameters of the terminal's colour sequence.
const (
	plain  tone = ""
	strong tone = "1"
	faint  tone = "2"
	good   tone = "32"
	warn   tone = "33"
	bad    tone = "31"
	accent tone = "36"
)

// page is an answer for people in the making. Every text goes through add, which makes it harmless; colour
// sequences come from nowhere else.
type page struct {
	b       strings.Builder
	color   bool
	width   int // columns of the terminal; 0 = do not wrap
	env     report.Env
	layout  string           // that the command line chose, for the hints
	dir     string           // where the command line said to start, for the hints
	remarks []report.Finding // printed on standard error afterwards
}

func (d *door) page() *page {
	return &page{color: d.color(), width: d.width(), env: d.env, layout: d.layout, dir: d.dir}
}

func (p *page) bytes() []byte { return []byte(p.b.String()) }

// add puts a piece on the current line.
func (p *page) add(t tone, text string) *page {
	p.paint(t, harmless(text))
	return p
}

// paint writes a text that is harmless already.
func (p *page) paint(t tone, text string) {
	if !p.color || t == plain || text == "" {
		p.b.WriteString(text)
		return
	}
	p.b.WriteString("\x1b[" + string(t) + "m" + text + "\x1b[0m")
}

// end finishes the current line.
func (p *page) end() { p.b.WriteByte('\n') }

// line puts a whole line.
func (p *page) line(t tone, format string, args ...any) {
	p.add(t, fmt.Sprintf(format, args...)).end()
}

// heading puts a title with an empty line above it.
func (p *page) heading(format string, args ...any) {
	if p.b.Len() > 0 {
		p.end()
	}
	p.line(strong, format, args...)
}

// hint says which command may come next.
func (p *page) hint(format string, args ...any) {
	p.line(faint, format, args...)
}

// block puts a text of several lines below an indent, at most most lines of it (0 = all).
func (p *page) block(indent, text string, most int) {
	lines := strings.Split(strings.Trim(harmlessLines(text), "\n"), "\n")
	for i, line := range lines {
		if most > 0 && i == most && len(lines) > most+1 {
			p.line(faint, "%s(%d more lines)", indent, len(lines)-most)
			return
		}
		p.b.WriteString(strings.TrimRight(indent+line, " \t\r"))
		p.end()
	}
}

// item puts a marked text that is wrapped at the terminal's width, its further lines standing under the first.
func (p *page) item(indent string, t tone, mark, text string) {
	lead := indent + mark + " "
	room := 0
	if p.width > 0 {
		room = max(p.width-displaywidth.String(lead), 20)
	}
	p.add(plain, indent).add(t, mark).add(plain, " ")
	for i, line := range wrap(harmless(text), room) {
		if i > 0 {
			p.b.WriteString(strings.Repeat(" ", displaywidth.String(lead)))
		}
		p.b.WriteString(line)
		p.end()
	}
}

// wrap breaks a line at blanks so that each part fits into room columns; a longer word stays whole. 0 = no limit.
func wrap(text string, room int) []string {
	if room <= 0 || displaywidth.String(text) <= room {
		return []string{text}
	}
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(text) {
		size := displaywidth.String(word)
		if used > 0 && used+1+size > room {
			lines = append(lines, line)
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+size
	}
	return append(lines, line)
}

// cut shortens a text to a number of columns, never inside what a reader sees as one character.
func cut(text string, columns int) string {
	return displaywidth.TruncateString(text, columns, "…")
}
