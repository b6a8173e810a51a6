package task

import (
	"strings"

	"baton/internal/markdown"
)

// PlaceBlock returns the edit that adds a block of lines to the end of a section's content. text
// has LF line ends and no final one. A placeholder is replaced. gap forces a blank line before the
// block, even after a bullet that the block could follow directly.
func (s *State) PlaceBlock(section Section, text string, gap bool) markdown.Edit {
	at := ContentEnd(s.doc, section.Body)
	holder, replace := s.placeholderIn(section)
	if !replace {
		return s.blockEdit(section, markdown.Span{Start: at, End: at}, text, true, gap)
	}
	span := markdown.Span{Start: holder.Start, End: max(at, holder.End)}
	// A comment after the placeholder stays before the block; otherwise it would become part of it.
	if kept := strings.Trim(string(s.Bytes()[holder.End:span.End]), "\r\n"); kept != "" {
		text = string(markdown.Fold(kept, "\n")) + "\n\n" + text
	}
	return s.blockEdit(section, span, text, false, gap)
}

// placeBullet returns the edit that inserts an entry of style D: after the last one, else after the
// summary, else before the log's first H3. Below another heading it would not be read as an entry.
func (s *State) placeBullet(section Section, text string) markdown.Edit {
	at := -1
	for _, session := range s.Sessions {
		if session.Style == StyleD && session.Span.Start >= section.Body.Start && session.Span.End <= section.Body.End {
			at = session.Span.End
		}
	}
	if at < 0 && s.Summary != nil && s.Summary.Span.Start >= section.Body.Start &&
		s.Summary.Span.End <= section.Body.End {
		at = s.Summary.Span.End
	}
	if at < 0 {
		for _, h := range HeadingsIn(s.doc, section.Body) {
			if h.Level == 3 {
				at = TrimEnd(s.doc, section.Body.Start, h.Span.Start)
				break
			}
		}
	}
	if at < 0 {
		return s.PlaceBlock(section, text, false)
	}
	return s.blockEdit(section, markdown.Span{Start: at, End: at}, text, true, false)
}

// blockEdit replaces a span of whole lines with a block of lines. open adds a blank line before the
// block if one is needed; gap adds it in any case.
func (s *State) blockEdit(section Section, span markdown.Span, text string, open, gap bool) markdown.Edit {
	eol := s.doc.EOL(max(span.Start, section.Heading.Start+1))
	var b strings.Builder
	if open {
		s.openGap(&b, span.Start, section, eol, gap || !s.afterBullet(span.Start))
	}
	b.Write(markdown.Fold(text, eol))
	if span.End < len(s.Bytes()) || s.EndsWithEOL() {
		b.WriteString(eol)
	}
	// Keep a blank line after the block: a rule or heading directly after it would change it or
	// become part of it.
	if s.TextAt(span.End) {
		b.WriteString(eol)
	}
	return markdown.Edit{Span: span, Text: []byte(b.String())}
}

// TextAt reports whether a line that is not blank begins at pos.
func (s *State) TextAt(pos int) bool {
	lines := s.doc.Lines()
	return pos < len(s.Bytes()) && lines[s.doc.LineAt(pos)].Class != markdown.Blank
}

// openGap ends the line above and writes the blank line before a block.
func (s *State) openGap(b *strings.Builder, at int, section Section, eol string, gap bool) {
	if at > 0 && s.Bytes()[at-1] != '\n' {
		b.WriteString(eol)
	}
	if gap || at == section.Heading.End {
		b.WriteString(eol)
	}
}

// afterBullet reports whether the line above pos is part of a list.
func (s *State) afterBullet(pos int) bool {
	if pos == 0 {
		return false
	}
	line := s.doc.Lines()[s.doc.LineAt(pos-1)]
	return line.Class == markdown.Item || line.Depth > 0
}

// EndsWithEOL reports whether the file's last line has a line end. A file without one is kept that
// way (TS-8).
func (s *State) EndsWithEOL() bool {
	src := s.Bytes()
	return len(src) == 0 || src[len(src)-1] == '\n'
}

// placeholderIn returns the lines of a section's placeholder if the section contains nothing else
// (5.10).
func (s *State) placeholderIn(section Section) (markdown.Span, bool) {
	text, span := soleText(s.doc, markdown.Span{Start: section.Body.Start, End: ContentEnd(s.doc, section.Body)})
	return span, isPlaceholder(section.Kind, text)
}

// Placeholder returns the placeholder of a section that contains nothing else.
func (s *State) Placeholder(k Kind) (text string, ok bool) {
	section, found := s.Find(k)
	if !found {
		return "", false
	}
	span, ok := s.placeholderIn(section)
	return strings.TrimSpace(string(span.Of(s.Bytes()))), ok
}

// soleText returns the text of a span without blank lines and comments, and the lines from the
// first to the last line of that text.
func soleText(doc *markdown.Document, within markdown.Span) (string, markdown.Span) {
	var parts []string
	span := markdown.Span{Start: within.End, End: within.Start}
	lines := doc.Lines()
	for i := doc.LineAt(within.Start); i < len(lines) && lines[i].Start < within.End; i++ {
		line := lines[i]
		if line.Start < within.Start || line.Class == markdown.Blank || line.Class == markdown.Comment {
			continue
		}
		parts = append(parts, strings.TrimSpace(string(doc.Text(i))))
		span.Start, span.End = min(span.Start, line.Start), line.Next
	}
	return strings.Join(parts, "\n"), span
}

// isPlaceholder reports whether the text means "nothing yet" in a section of this kind (5.10).
func isPlaceholder(k Kind, text string) bool {
	switch text {
	case "(No sessions yet)", "(Agent will append entries here)":
		return k == ProgressLog
	case "(To be completed)", "(Finalized when complete)", "(Agent will finalize when task is complete)",
		"(Agent fills when task is complete)", "(Small fix - minimal output needed)":
		return k == ChainOutput
	case "(Only if this task depends on other tasks)":
		return k == ChainInputs
	}
	return false
}
