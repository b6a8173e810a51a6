package phases

import (
	"strings"

	"baton/internal/markdown"
)

// outline is the part of a roadmap that matters here: headings, bullets about phases and folded
// blocks, line by line.
type outline struct {
	lines    int
	headings []heading
	mentions []mention
	folds    []fold
	folded   []bool   // whether a line is in a <details> block
	struck   []strike // retired phases
}

// heading is a heading outside fences, with its level.
type heading struct {
	line, level int
	text        string
	phase       bool // begins with the word Phase
}

// mention is a line that names a phase: a heading "Phase 3: name" of level 2 to 4, or a bullet.
type mention struct {
	line    int
	id      string
	name    string
	heading bool
	strong  bool // a heading or a bold bullet, which makes a phase part of the roadmap
	checked bool
}

// fold is a plain <details> block. <details open> is visible and hides nothing (1.2, step 1).
type fold struct {
	from, to int // first and last line
	summary  string
}

// strike is a line on which a phase is struck out.
type strike struct {
	line int
	key  string
}

func outlineOf(src []byte) *outline {
	d := markdown.Parse(src)
	lines := d.Lines()
	o := &outline{lines: len(lines), folded: make([]bool, len(lines))}
	for _, h := range d.Headings() {
		text := strings.TrimSpace(d.View(h.Text))
		o.headings = append(o.headings, heading{
			line: h.Line, level: h.Level, text: text, phase: wordAhead(text, "phase"),
		})
		if id, name, ok := phaseHeading(text); ok && h.Level >= 2 && h.Level <= 4 {
			o.mentions = append(o.mentions, mention{line: h.Line, id: id, name: name, heading: true, strong: true})
		}
		o.strike(h.Line, text)
	}
	for i, l := range lines {
		if l.Class != markdown.Item {
			continue
		}
		text := d.View(markdown.Span{Start: l.Start, End: l.End})
		if m, ok := phaseBullet(text); ok {
			m.line = i
			o.mentions = append(o.mentions, m)
		}
		o.strike(i, text)
	}
	o.fold(d, lines)
	return o
}

// fold finds the <details> blocks.
func (o *outline) fold(d *markdown.Document, lines []markdown.Line) {
	open := -1
	for i, l := range lines {
		if l.Class == markdown.FenceBody {
			continue
		}
		text := d.View(markdown.Span{Start: l.Start, End: l.End})
		if strings.IndexByte(text, '<') < 0 {
			continue
		}
		text = strings.ToLower(text)
		at := 0
		if open < 0 {
			if at = strings.Index(text, "<details>"); at < 0 {
				continue
			}
			open = i
			o.folds = append(o.folds, fold{from: i, to: -1})
		}
		block := &o.folds[len(o.folds)-1]
		if s := strings.Index(text[at:], "<summary>"); s >= 0 && block.summary == "" {
			block.summary, _, _ = strings.Cut(text[at+s+len("<summary>"):], "</summary>")
			if strings.TrimSpace(block.summary) == "" && i+1 < len(lines) {
				block.summary = strings.ToLower(string(d.Text(i + 1)))
			}
		}
		if strings.Contains(text[at:], "</details>") {
			block.to, open = i, -1
		}
	}
	if open >= 0 { // never closed, so it hides nothing
		o.folds = o.folds[:len(o.folds)-1]
	}
	for _, f := range o.folds {
		for i := f.from; i <= f.to; i++ {
			o.folded[i] = true
		}
	}
}

// strike records the phases that a line strikes out. ~~Phase 04~~ retires a phase; text after it
// does not matter (GSD-29).
func (o *outline) strike(line int, text string) {
	for {
		_, rest, found := strings.Cut(text, "~~")
		if !found {
			return
		}
		span, after, closed := strings.Cut(rest, "~~")
		if !closed {
			return
		}
		text = after
		span = strings.TrimLeft(span, "*_ ")
		if !wordAhead(span, "phase") {
			continue
		}
		if id, _ := token(strings.TrimLeft(span[len("phase"):], " \t")); hasDigit(id) {
			o.struck = append(o.struck, strike{line, key(strings.TrimRight(id, ".-"))})
		}
	}
}
