package task

import (
	"strings"

	"baton/internal/markdown"
)

// PlaceBlock makes the edit that puts a block of lines (LF, no final line end) at the end of a
// section's content. A placeholder is replaced. gap asks for a blank line before the block even
// where the section's last line is a bullet that the block could follow directly.
func (s *State) PlaceBlock(section Section, text string, gap bool) markdown.Edit {
	at := ContentEnd(s.doc, section.Body)
	holder, replace := s.placeholderIn(section)
	if !replace {
		return s.blockEdit(section, markdown.Span{Start: at, End: at}, text, true, gap)
	}
	span := markdown.Span{Start: holder.Start, End: max(at, holder.End)}
	// A comment after the placeholder stays in front of the block, or it would become a part of it.
	if kept := strings.Trim(string(s.Bytes()[holder.End:span.End]), "\r\n"); kept != "" {
		text = string(markdown.Fold(kept, "\n")) + "\n\n" + text
	}
	return s.blockEdit(section, span, text, false, gap)
}

// placeBullet makes the edit that puts an entry of style D after the last one, else after the
// summary, else before the first H3 of the log: below another heading it would not be read as an
// entry.
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

// blockEdit writes a block of lines in place of a span of whole lines. open asks for the blank line
// before it where one is needed, gap for one in any case.
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
	// What follows keeps its distance: a rule or heading right after the block would change it or
	// join it.
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

// openGap ends the line above and writes the blank line that stands before a block.
func (s *State) openGap(b *strings.Builder, at int, section Section, eol string, gap bool) {
	if at > 0 && s.Bytes()[at-1] != '\n' {
		b.WriteString(eol)
	}
	if gap || at == section.Heading.End {
		b.WriteString(eol)
	}
}

// afterBullet reports whether the line above pos belongs to a list.
func (s *State) afterBullet(pos int) bool {
	if pos == 0 {
		return false
	}
	line := s.doc.Lines()[s.doc.LineAt(pos-1)]
	return line.Class == markdown.Item || line.Depth > 0
}

// EndsWithEOL reports whether the file's last line is ended; a file without final line end stays so
// (TS-8).
func (s *State) EndsWithEOL() bool {
	src := s.Bytes()
	return len(src) == 0 || src[len(src)-1] == '\n'
}

// placeholderIn returns the lines of a section's placeholder when that is all the section says
// (5.10).
func (s *State) placeholderIn(section Section) (markdown.Span, bool) {
	text, span := soleText(s.doc, markdown.Span{Start: section.Body.Start, End: ContentEnd(s.doc, section.Body)})
	return span, isPlaceholder(section.Kind, text)
}

// soleText returns the text of a span without blank lines and comments, and the lines it is in:
// the lines from the first to the last of it.
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

// isPlaceholder knows the words that stand for "nothing yet" in a section (5.10).
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
