package app

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/report"
	"baton/internal/safetext"
)

// Tone is the colour or weight of a piece of text.
type Tone string

// The tones, as the parameters of the terminal's colour sequence.
const (
	Plain  Tone = ""
	Strong Tone = "1"
	Faint  Tone = "2"
	Good   Tone = "32"
	Warn   Tone = "33"
	Bad    Tone = "31"
	Accent Tone = "36"
)

// Page is an answer for people while it is written. Every text goes through Add, which makes it
// harmless; colour sequences come from nowhere else.
type Page struct {
	Raw     bytes.Buffer
	color   bool
	marks   *Marks // once they were asked for
	Width   int    // columns of the terminal; 0 = do not wrap
	Env     report.Env
	Layout  string           // that the command line chose, for the hints
	Dir     string           // where the command line said to start, for the hints
	Remarks []report.Finding // printed on standard error, before the hints at the end of the page
	hints   [2]int           // where the last run of hints begins and ends
}

// Page returns an empty page for the terminal, or the pipe, that the command writes to.
func (d *App) Page() *Page {
	return &Page{color: d.color(), Width: d.width(), Env: d.Env, Layout: d.Layout, Dir: d.Dir}
}

// Part returns an empty page like this one, for a part that may be left out.
func (p *Page) Part() *Page {
	return &Page{color: p.color, Width: p.Width, Env: p.Env, Layout: p.Layout, Dir: p.Dir}
}

// Bytes returns what was put on the page so far.
func (p *Page) Bytes() []byte { return p.Raw.Bytes() }

// Add puts a piece on the current line.
func (p *Page) Add(t Tone, text string) *Page {
	p.Paint(t, safetext.Visible(text))
	return p
}

// Paint writes a text that is harmless already.
func (p *Page) Paint(t Tone, text string) {
	if !p.color || t == Plain || text == "" {
		p.Raw.WriteString(text)
		return
	}
	p.Raw.WriteString("\x1b[" + string(t) + "m" + text + "\x1b[0m")
}

// End finishes the current line. If it is wider than the terminal, it is wrapped at words, and what
// follows is indented by two columns more.
func (p *Page) End() {
	if p.Width > 0 {
		from := bytes.LastIndexByte(p.Raw.Bytes(), '\n') + 1
		if line := string(p.Raw.Bytes()[from:]); len(line) > p.Width {
			p.Raw.Truncate(from)
			p.Raw.WriteString(strings.Join(hanging(line, p.Width, "  "), "\n"))
		}
	}
	p.Raw.WriteByte('\n')
}

// Line puts a whole line.
func (p *Page) Line(t Tone, format string, args ...any) {
	p.Add(t, fmt.Sprintf(format, args...)).End()
}

// columns returns the width of a text on a terminal. The sequences that switch colours have none.
func columns(text string) int {
	for {
		before, rest, coloured := strings.Cut(text, "\x1b[")
		_, after, ends := strings.Cut(rest, "m")
		if !coloured || !ends {
			return displaywidth.String(text)
		}
		text = before + after
	}
}

// hanging wraps a line at words. Below its first part, more stands before each further one, besides
// its own indent.
func hanging(line string, width int, more string) []string {
	if width <= 0 || columns(line) <= width {
		return []string{line}
	}
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	room := width - len(indent) - len(more)
	if room < 20 {
		return []string{line}
	}
	var out []string
	for i, part := range Wrap(text, room) {
		if i > 0 {
			part = more + part
		}
		out = append(out, indent+part)
	}
	return out
}

// Heading puts a title with an empty line above it.
func (p *Page) Heading(format string, args ...any) {
	if p.Raw.Len() > 0 {
		p.End()
	}
	p.Line(Strong, format, args...)
}

// Hint says which commands may come next, wrapped at the terminal's width. Three spaces separate
// them; if they do not fit on one line, each has its own.
func (p *Page) Hint(format string, args ...any) {
	text := safetext.Visible(fmt.Sprintf(format, args...))
	parts := []string{text}
	if p.Width > 0 && displaywidth.String(text) > p.Width {
		parts = strings.Split(text, "   ")
	}
	if p.hints[1] != p.Raw.Len() {
		p.hints[0] = p.Raw.Len()
	}
	for _, part := range parts {
		p.lines(Faint, wrapWords(part, p.Width, true))
	}
	p.hints[1] = p.Raw.Len()
}

// HintsAre ends the page with hints that another page wrote.
func (p *Page) HintsAre(hints []byte) {
	p.hints[0] = p.Raw.Len()
	p.Raw.Write(hints)
	p.hints[1] = p.Raw.Len()
}

// Parts returns the page without the hints at its end, and these hints.
func (p *Page) Parts() (body, hints []byte) {
	if all := p.Bytes(); p.hints[1] == len(all) {
		return all[:p.hints[0]], all[p.hints[0]:]
	}
	return p.Bytes(), nil
}

// Wrapped puts a whole line, wrapped at the terminal's width.
func (p *Page) Wrapped(t Tone, text string) { p.lines(t, Wrap(safetext.Visible(text), p.Width)) }

func (p *Page) lines(t Tone, lines []string) {
	for _, line := range lines {
		p.Paint(t, line)
		p.End()
	}
}

// Block writes a text of several lines with an indent. If most is not 0, it stops after that many
// lines.
func (p *Page) Block(indent, text string, most int) {
	lines := strings.Split(strings.Trim(safetext.VisibleLines(text), "\n"), "\n")
	for i, line := range lines {
		if most > 0 && i == most && len(lines) > most+1 {
			p.Line(Faint, "%s(%d more lines)", indent, len(lines)-most)
			return
		}
		p.Raw.WriteString(strings.Join(hanging(strings.TrimRight(indent+line, " \t\r"), p.Width, ""), "\n"))
		p.End()
	}
}

// Verbatim writes a text with an indent and wraps none of its lines, so that a person can copy it.
func (p *Page) Verbatim(indent, text string) {
	for line := range strings.SplitSeq(strings.Trim(safetext.VisibleLines(text), "\n"), "\n") {
		p.Raw.WriteString(strings.TrimRight(indent+line, " \t\r"))
		p.End()
	}
}

// Diff writes a unified difference with an indent, each line in the colour of its first character.
func (p *Page) Diff(indent, text string) {
	for line := range strings.SplitSeq(strings.Trim(safetext.VisibleLines(text), "\n"), "\n") {
		t := Plain
		switch {
		case strings.HasPrefix(line, "+"):
			t = Good
		case strings.HasPrefix(line, "-"):
			t = Bad
		case strings.HasPrefix(line, "@"):
			t = Accent
		}
		p.Paint(t, strings.TrimRight(indent+line, " \t\r"))
		p.End()
	}
}

// Item writes a text after a mark, wrapped at the terminal's width, with further lines under the
// first.
func (p *Page) Item(indent string, t Tone, mark, text string) {
	lead := indent + mark + " "
	room := 0
	if p.Width > 0 {
		room = max(p.Width-displaywidth.String(lead), 20)
	}
	p.Add(Plain, indent).Add(t, mark).Add(Plain, " ")
	for i, line := range Wrap(safetext.Visible(text), room) {
		if i > 0 {
			p.Raw.WriteString(strings.Repeat(" ", displaywidth.String(lead)))
		}
		p.Raw.WriteString(line)
		p.End()
	}
}

// Rest puts the last part of a line behind what it has so far, after two spaces. If it does not fit
// there, it goes below, wrapped, with an indent.
func (p *Page) Rest(t Tone, indent, before, text string) {
	text = safetext.Visible(text)
	if p.Width == 0 || displaywidth.String(safetext.Visible(before)+"  "+text) <= p.Width {
		p.Paint(t, "  "+text)
		p.End()
		return
	}
	p.End()
	for _, line := range Wrap(text, max(p.Width-displaywidth.String(indent), 20)) {
		p.Add(Faint, indent).Paint(t, line)
		p.End()
	}
}

// Below puts a text under a line, wrapped, each of its lines with the indent.
func (p *Page) Below(t Tone, indent, text string) {
	room := 0
	if p.Width > 0 {
		room = max(p.Width-displaywidth.String(indent), 20)
	}
	for _, line := range Wrap(safetext.Visible(text), room) {
		p.Paint(t, indent+line)
		p.End()
	}
}

// Wrap breaks a line at spaces so that each part fits into room columns; a longer word stays whole.
// A command in backquotes is one word if it fits on a line. 0 = no limit.
func Wrap(text string, room int) []string { return wrapWords(text, room, false) }

// wrapWords is Wrap for a text in which commands may also follow a colon or "then", without quotes.
func wrapWords(text string, room int, hint bool) []string {
	if room <= 0 || columns(text) <= room {
		return []string{text}
	}
	var lines []string
	line, used := "", 0
	put := func(gap int, word string) {
		size := columns(word)
		if used > 0 && used+gap+size > room {
			lines = append(lines, line)
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+strings.Repeat(" ", gap), used+gap
		}
		line, used = line+word, used+size
	}
	words, gaps := wordsOf(text)
	for len(words) > 0 {
		n := commandLength(words, hint && (strings.HasSuffix(line, ":") || strings.HasSuffix(line, " then")))
		whole := strings.Join(words[:n], " ")
		if n > 1 && columns(whole) <= room {
			put(gaps[0], whole)
		} else {
			for i, word := range words[:n] {
				put(gaps[i], word)
			}
		}
		words, gaps = words[n:], gaps[n:]
	}
	return append(lines, line)
}

// wordsOf returns the words of a text, and how many spaces are in front of each. Two spaces
// separate parts of a line, so they stay unless the line ends there.
func wordsOf(text string) (words []string, gaps []int) {
	words = strings.Fields(text)
	gaps = make([]int, len(words))
	for i, word := range words {
		at := strings.Index(text, word)
		gaps[i] = 1
		if strings.Trim(text[:at], " ") == "" {
			gaps[i] = max(1, at)
		}
		text = text[at+len(word):]
	}
	return words, gaps
}

// commandLength returns how many of the words are one command; 1 if they begin with none. named is
// true if the words before say that a command follows, which then ends at a comma.
func commandLength(words []string, named bool) int {
	end := "`"
	switch {
	case named && (words[0] == "baton" || words[0] == "git"):
		end = ","
	case strings.Count(words[0], end) != 1:
		return 1
	}
	for i, word := range words[1:] {
		if end == "`" && strings.Contains(word, end) || end == "," && strings.HasSuffix(word, end) {
			return i + 2
		}
	}
	if end == "," {
		return len(words)
	}
	return 1
}
