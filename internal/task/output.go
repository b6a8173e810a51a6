package task

import (
	"maps"
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Parts lists the parts of a chain output in the order in which they are written (5.9).
func Parts() []Part {
	return []Part{PartSummary, PartFiles, PartAPI, PartConfiguration, PartNotes}
}

// partHeading is the name under which the dialect writes a part.
func (d Dialect) partHeading(p Part) string {
	switch p {
	case PartFiles:
		if d.V1() {
			return "### Files Created/Modified"
		}
		return "### Files Created"
	case PartAPI:
		return "### API Contract"
	case PartConfiguration:
		return "### Configuration Required"
	case PartNotes:
		if d.V1() {
			return "### Integration Notes for Downstream Tasks"
		}
		return "### Integration Notes"
	}
	return "### Summary"
}

// SetOutput writes the chain output: the whole section when whole is not empty, else the parts in set, each in
// place of the one that stands there or at its place in the order. A placeholder is replaced (5.10). Headings in
// the given texts are written deep enough not to end the section, or the part. Kind Usage: part_unknown,
// output_empty for a blank text, text_invalid, unclosed_fence with the line in the text; Violation unclosed_fence
// when the section lies behind one.
func (s *State) SetOutput(set map[Part]string, whole string) (*State, error) {
	if err := checkOutput(set, whole); err != nil {
		return nil, err
	}
	next, section, err := s.EnsureSection(ChainOutput)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(whole) != "" {
		return next.replaceOutput(section, next.behindComments(section, wholeOutput(whole)))
	}
	if next.Output.State != OutputWritten {
		var blocks []string
		for _, part := range Parts() {
			if text, ok := set[part]; ok {
				blocks = append(blocks, next.Dialect.partHeading(part)+"\n"+contain(text, 4))
			}
		}
		return next.replaceOutput(section, next.behindComments(section, strings.Join(blocks, "\n\n")))
	}
	for _, part := range Parts() {
		if text, ok := set[part]; ok {
			if next, err = next.setPart(part, contain(text, 4)); err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

// checkOutput looks at what was given before anything is written.
func checkOutput(set map[Part]string, whole string) error {
	if len(set) == 0 && strings.TrimSpace(whole) == "" {
		return usage("task.output", "output_empty", 0, "no text was given for the chain output", "give the text of a part or of the whole section")
	}
	if len(set) > 0 && strings.TrimSpace(whole) != "" {
		return usage("task.output", "value_invalid", 0, "the whole chain output and single parts of it cannot be set together", "use one of the two")
	}
	if err := checkOutputText("chain output", whole); err != nil {
		return err
	}
	for _, part := range slices.Sorted(maps.Keys(set)) {
		if !slices.Contains(Parts(), part) {
			return usage("task.output", "part_unknown", 0, "the chain output has no part "+string(part),
				"the parts are summary, files, api, configuration and notes")
		}
		if strings.TrimSpace(set[part]) == "" {
			return usage("task.output", "output_empty", 0, "the text given for "+string(part)+" is empty", "")
		}
		if err := checkOutputText(string(part), set[part]); err != nil {
			return err
		}
	}
	return nil
}

// checkOutputText refuses a text that would swallow what stands behind it.
func checkOutputText(name, text string) error {
	if problem, bad := badText([]byte(text)); bad {
		return usage("task.output", "text_invalid", 0, "the text given for the "+name+" "+problem, "give UTF-8 text")
	}
	if line, _, open := openBlock(string(markdown.Fold(text, "\n"))); open {
		return usage("task.output", "unclosed_fence", line, "line "+itoa(line)+" of the text given for the "+name+
			" opens a code fence or comment that is never closed", "close it")
	}
	return nil
}

// wholeOutput makes a text fit to be the section: its own section heading goes, parts are H3, all other headings of
// the first two ranks are written below that.
func wholeOutput(text string) string {
	first := true
	text = flattenHeadings(text, func(level int, name string) string {
		_, bare := cutNumber(name)
		isSection := first && level <= 2 && kindOf(cutParenthetical(bare)) == ChainOutput
		first = false
		_, known := partOf(name)
		switch {
		case isSection:
			return ""
		case level <= 2 && known:
			level = 3
		case level <= 2:
			level = 4
		}
		return strings.TrimRight(strings.Repeat("#", level)+" "+name, " ")
	})
	return strings.Trim(text, "\n")
}

// behindComments puts the comments of a section that says nothing yet before its first text: only the placeholder
// is replaced (5.10). Where an output stands already, comments are a part of it.
func (s *State) behindComments(section Section, text string) string {
	if s.Output.State == OutputWritten {
		return text
	}
	var kept []string
	lines := s.doc.Lines()
	for i := s.doc.LineAt(section.Body.Start); i < len(lines) && lines[i].Start < section.Body.End; i++ {
		if lines[i].Start >= section.Body.Start && lines[i].Class == markdown.Comment {
			kept = append(kept, string(s.doc.Text(i)))
		}
	}
	if len(kept) == 0 {
		return text
	}
	return strings.Join(kept, "\n") + "\n\n" + text
}

// replaceOutput puts text in place of what the section says.
func (s *State) replaceOutput(section Section, text string) (*State, error) {
	at := section.Body.Start
	span := markdown.Span{Start: at, End: max(at, contentEnd(s.doc, section.Body))}
	eol := s.doc.EOL(max(at, 1))
	var b strings.Builder
	if at > 0 && s.Bytes()[at-1] != '\n' {
		b.WriteString(eol)
	}
	b.WriteString(eol)
	b.Write(markdown.Fold(text, eol))
	if span.End < len(s.Bytes()) || s.endsWithEOL() {
		b.WriteString(eol)
	}
	if s.textAt(span.End) {
		b.WriteString(eol)
	}
	return s.checkedOutput(markdown.Edit{Span: span, Text: []byte(b.String())})
}

// setPart replaces one part of a written output, or adds it before the first part that comes after it.
func (s *State) setPart(part Part, text string) (*State, error) {
	section, _ := s.Find(ChainOutput)
	if span, ok := s.Output.Spans[part]; ok {
		eol := s.doc.EOL(max(span.Start, 1))
		end := trimEnd(s.doc, span.Start, span.End)
		out := markdown.Fold(text, eol)
		if end < len(s.Bytes()) || s.endsWithEOL() {
			out = append(out, eol...)
		}
		if s.textAt(end) {
			out = append(out, eol...)
		}
		if !s.hasPartHeading(span) {
			out = append([]byte(eol), out...) // the section's own text begins behind its heading
		}
		return s.checkedOutput(markdown.Edit{Span: markdown.Span{Start: span.Start, End: end}, Text: out})
	}
	block := s.Dialect.partHeading(part) + "\n" + text
	for _, later := range Parts()[slices.Index(Parts(), part)+1:] {
		span, ok := s.Output.Spans[later]
		if !ok || !s.hasPartHeading(span) {
			continue
		}
		at := s.doc.Lines()[s.doc.LineAt(span.Start-1)].Start
		eol := s.doc.EOL(at)
		return s.checkedOutput(markdown.Edit{
			Span: markdown.Span{Start: at, End: at}, Text: append(markdown.Fold(block, eol), eol+eol...),
		})
	}
	return s.checkedOutput(s.placeBlock(section, block, true))
}

// hasPartHeading says whether a part stands under a heading of its own, not at the section's beginning.
func (s *State) hasPartHeading(span markdown.Span) bool {
	section, ok := s.Find(ChainOutput)
	return !ok || span.Start > section.Body.Start
}

// checkedOutput makes the edit and makes sure that the file still has the same sections and sessions.
func (s *State) checkedOutput(edit markdown.Edit) (*State, error) {
	next, err := s.Splice(edit)
	if err != nil {
		return nil, err
	}
	if len(next.Sections) != len(s.Sections) || len(next.Sessions) != len(s.Sessions) || len(next.Inputs) != len(s.Inputs) {
		return nil, &report.Error{
			Op: "task.output", Kind: report.Violation, Code: "output_unplaceable", Path: StateName(s.ID),
			Message: "the text cannot be written into " + StateName(s.ID) + " without changing the sections around it",
			Hint:    "take headings and fences out of the text",
		}
	}
	return next, nil
}
