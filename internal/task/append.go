package task

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Append adds one session to the progress log (5.8): in the style of the last session that is more than prose, at
// the end of the section, before blank lines and a "---" that closes it (TS-47), one blank line before it. A
// placeholder goes. stamp is written as it is, so it must already be in the zone of the reader (TS-D8). Bullets of
// style D have no number. Commits go to the git history where the file has one or its dialect does.
//
// Kind Usage code entry_empty or text_invalid; Violation code unclosed_fence when the log lies behind an unclosed
// fence, entry_unplaceable when no way of writing keeps the file's structure.
func (s *State) Append(number int, stamp time.Time, e Entry) (*State, error) {
	if e.Empty() {
		return nil, errEmptyEntry()
	}
	e = e.tidy()
	if err := checkEntryText(e); err != nil {
		return nil, err
	}
	base, err := s.appendTarget(e)
	if err != nil {
		return nil, err
	}
	for i, attempt := range [...]Entry{e, e.guarded()} {
		next, err := base.appendOnce(number, stamp, attempt)
		if err != nil {
			return nil, err
		}
		if next.keepsStructure(base, attempt) && (i > 0 || next.saysSame(attempt)) {
			return next, nil
		}
	}
	return nil, &report.Error{
		Op: "task.log", Kind: report.Violation, Code: "entry_unplaceable", Path: StateName(s.ID),
		Message: "the entry cannot be added to " + StateName(s.ID) + " without changing the meaning of what stands there",
		Hint:    "look at the end of the progress log: something there is left open",
	}
}

// appendTarget makes sure that the sections exist that the entry is written to.
func (s *State) appendTarget(e Entry) (*State, error) {
	next, _, err := s.EnsureSection(ProgressLog)
	if err != nil || len(e.Commits) == 0 || !s.hasHistory() {
		return next, err
	}
	next, _, err = next.EnsureSection(GitHistory)
	return next, err
}

// hasHistory says whether commits go to a git history section (5.8).
func (s *State) hasHistory() bool {
	_, found := s.Find(GitHistory)
	return found || s.Dialect == V1B || s.Dialect == V1C
}

// appendOnce writes the entry; whether the result is sound is the caller's to check.
func (s *State) appendOnce(number int, stamp time.Time, e Entry) (*State, error) {
	section, _ := s.FindLast(ProgressLog)
	text := entryLines(s.style(), number, stamp, e, !s.hasHistory())
	edits := []markdown.Edit{s.placeBlock(section, text, s.style() != StyleD)}
	if s.hasHistory() {
		if edit, ok := s.historyEdit(e.Commits); ok {
			edits = append(edits, edit)
		}
	}
	return s.Splice(edits...)
}

// style is the style of the last session that is not prose only, else that of the dialect (5.4).
func (s *State) style() Style {
	for _, session := range slices.Backward(s.Sessions) {
		if session.Style != StyleE && session.Style != 0 {
			return session.Style
		}
	}
	switch {
	case s.Dialect == Bare:
		return StyleD
	case s.Dialect.V1():
		return StyleA
	}
	return StyleC
}

// placeBlock makes the edit that puts a block of lines (LF, no final line end) at the end of a section's content.
// A placeholder is replaced. gap asks for a blank line before the block even where the section's last line is a
// bullet that the block could follow directly.
func (s *State) placeBlock(section Section, text string, gap bool) markdown.Edit {
	at := contentEnd(s.doc, section.Body)
	span := markdown.Span{Start: at, End: at}
	holder, replace := s.placeholderIn(section)
	if replace {
		span = holder
	}
	eol := s.doc.EOL(max(span.Start, section.Heading.Start+1))
	var b strings.Builder
	if !replace {
		s.openGap(&b, span.Start, section, eol, gap || !s.afterBullet(span.Start))
	}
	b.Write(markdown.Fold(text, eol))
	if span.End < len(s.Bytes()) || s.endsWithEOL() {
		b.WriteString(eol)
	}
	// What follows keeps its distance: a rule or heading right behind the block would change it or join it.
	if rest := s.Bytes()[span.End:]; len(rest) > 0 && rest[0] != '\n' && !bytes.HasPrefix(rest, []byte("\r\n")) {
		b.WriteString(eol)
	}
	return markdown.Edit{Span: span, Text: []byte(b.String())}
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

// afterBullet says whether the line above pos belongs to a list.
func (s *State) afterBullet(pos int) bool {
	if pos == 0 {
		return false
	}
	line := s.doc.Lines()[s.doc.LineAt(pos-1)]
	return line.Class == markdown.Item || line.Depth > 0
}

// endsWithEOL says whether the file's last line is ended; a file without final line end stays so (TS-8).
func (s *State) endsWithEOL() bool {
	src := s.Bytes()
	return len(src) == 0 || src[len(src)-1] == '\n'
}

// placeholderIn gives the lines of a section's placeholder when that is all the section says (5.10).
func (s *State) placeholderIn(section Section) (markdown.Span, bool) {
	text, span := soleText(s.doc, markdown.Span{Start: section.Body.Start, End: contentEnd(s.doc, section.Body)})
	return span, isPlaceholder(section.Kind, text)
}

// soleText gives the text of a span without blank lines and comments, and the lines it stands in: the lines from
// the first to the last of it.
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
