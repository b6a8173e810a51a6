package inputs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/task"
)

// Parts lists the parts of a chain output in the order in which they are written (5.9).
func Parts() []task.Part {
	return []task.Part{task.PartSummary, task.PartFiles, task.PartAPI, task.PartConfiguration, task.PartNotes}
}

// partHeading returns the dialect's heading for a part.
func partHeading(d task.Dialect, p task.Part) string {
	switch p {
	case task.PartFiles:
		if d.V1() {
			return "### Files Created/Modified"
		}
		return "### Files Created"
	case task.PartAPI:
		return "### API Contract"
	case task.PartConfiguration:
		return "### Configuration Required"
	case task.PartNotes:
		if d.V1() {
			return "### Integration Notes for Downstream Tasks"
		}
		return "### Integration Notes"
	}
	return "### Summary"
}

// SetOutput writes the chain output: the whole section if whole is not empty, otherwise the parts
// in set. A part replaces the existing one or is inserted in its place in the order. A placeholder
// is replaced (5.10). Headings in the texts are lowered so that they end neither the section nor
// the part. Errors: Usage part_unknown, output_empty for a blank text, text_invalid, unclosed_fence
// with the line in the text; Violation unclosed_fence if the section is after an unclosed fence.
func SetOutput(s *task.State, set map[task.Part]string, whole string) (*task.State, error) {
	if err := checkOutput(set, whole); err != nil {
		return nil, err
	}
	next, section, err := s.EnsureSection(task.ChainOutput)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(whole) != "" {
		return replaceOutput(next, section, behindComments(next, section, wholeOutput(whole)))
	}
	if next.Output.State != task.OutputWritten {
		var blocks []string
		for _, part := range Parts() {
			if text, ok := set[part]; ok {
				blocks = append(blocks, partHeading(next.Dialect, part)+"\n"+markdown.Contain(text, 4))
			}
		}
		return replaceOutput(next, section, behindComments(next, section, strings.Join(blocks, "\n\n")))
	}
	for _, part := range Parts() {
		if text, ok := set[part]; ok {
			if next, err = setPart(next, part, markdown.Contain(text, 4)); err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

// checkOutput checks the arguments before anything is written.
func checkOutput(set map[task.Part]string, whole string) error {
	if len(set) == 0 && strings.TrimSpace(whole) == "" {
		return task.UsageError("task.output", report.CodeOutputEmpty, 0, "no text was given for the chain output",
			"give the text of a part or of the whole section")
	}
	if len(set) > 0 && strings.TrimSpace(whole) != "" {
		return task.UsageError("task.output", report.CodeValueInvalid, 0,
			"the whole chain output and single parts of it cannot be set together", "use one of the two")
	}
	if err := checkOutputText("chain output", whole); err != nil {
		return err
	}
	for _, part := range slices.Sorted(maps.Keys(set)) {
		if !slices.Contains(Parts(), part) {
			return task.UsageError("task.output", report.CodePartUnknown, 0, "the chain output has no part "+
				string(part),
				"the parts are summary, files, api, configuration and notes")
		}
		if strings.TrimSpace(set[part]) == "" {
			return task.UsageError("task.output", report.CodeOutputEmpty, 0, "the text for "+string(part)+
				" is empty", "")
		}
		if err := checkOutputText(string(part), set[part]); err != nil {
			return err
		}
	}
	return nil
}

// checkOutputText refuses a text that would swallow whatever follows it.
func checkOutputText(name, text string) error {
	if problem, bad := task.BadText([]byte(text)); bad {
		return task.UsageError("task.output", report.CodeTextInvalid, 0, "the text for the "+name+" "+problem,
			"give UTF-8 text")
	}
	if line, _, open := markdown.OpenBlock(string(markdown.Fold(text, "\n"))); open {
		return task.UsageError("task.output", report.CodeUnclosedFence, line,
			"line "+strconv.Itoa(line)+" of the text for the "+name+
				" opens a code fence or comment that is never closed", "close it")
	}
	return nil
}

// wholeOutput prepares a text to be the content of the section. The section's own heading is
// removed, parts become H3, and all other headings of the first two levels are lowered below them.
func wholeOutput(text string) string {
	first := true
	text = markdown.FlattenHeadings(text, func(level int, name string) string {
		_, bare := task.CutNumber(name)
		isSection := first && level <= 2 && task.KindOf(task.CutParenthetical(bare)) == task.ChainOutput
		first = false
		_, known := task.PartOf(name)
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

// behindComments moves the comments of an empty section before the new text, because only the
// placeholder may be replaced (5.10). Comments in an output that is already written are part of it.
func behindComments(s *task.State, section task.Section, text string) string {
	if s.Output.State == task.OutputWritten {
		return text
	}
	var kept []string
	lines := s.Document().Lines()
	for i := s.Document().LineAt(section.Body.Start); i < len(lines) && lines[i].Start < section.Body.End; i++ {
		if lines[i].Start >= section.Body.Start && lines[i].Class == markdown.Comment {
			kept = append(kept, string(s.Document().Text(i)))
		}
	}
	if len(kept) == 0 {
		return text
	}
	return strings.Join(kept, "\n") + "\n\n" + text
}

// replaceOutput replaces the section's content with text.
func replaceOutput(s *task.State, section task.Section, text string) (*task.State, error) {
	at := section.Body.Start
	span := markdown.Span{Start: at, End: max(at, task.ContentEnd(s.Document(), section.Body))}
	eol := s.Document().EOL(max(at, 1))
	var b strings.Builder
	if at > 0 && s.Bytes()[at-1] != '\n' {
		b.WriteString(eol)
	}
	b.WriteString(eol)
	b.Write(markdown.Fold(text, eol))
	if span.End < len(s.Bytes()) || s.EndsWithEOL() {
		b.WriteString(eol)
	}
	if s.TextAt(span.End) {
		b.WriteString(eol)
	}
	return checkedOutput(s, markdown.Edit{Span: span, Text: []byte(b.String())})
}

// setPart replaces one part of a written output, or inserts it before the first part that follows
// in the order.
func setPart(s *task.State, part task.Part, text string) (*task.State, error) {
	section, _ := s.Find(task.ChainOutput)
	if span, ok := s.Output.Spans[part]; ok {
		eol := s.Document().EOL(max(span.Start, 1))
		end := task.TrimEnd(s.Document(), span.Start, span.End)
		out := markdown.Fold(text, eol)
		if end < len(s.Bytes()) || s.EndsWithEOL() {
			out = append(out, eol...)
		}
		if s.TextAt(end) {
			out = append(out, eol...)
		}
		if !hasPartHeading(s, span) {
			out = append([]byte(eol), out...) // text directly below the section's heading needs a blank line before it
		}
		return checkedOutput(s, markdown.Edit{Span: markdown.Span{Start: span.Start, End: end}, Text: out})
	}
	block := partHeading(s.Dialect, part) + "\n" + text
	for _, later := range Parts()[slices.Index(Parts(), part)+1:] {
		span, ok := s.Output.Spans[later]
		if !ok || !hasPartHeading(s, span) {
			continue
		}
		at := s.Document().Lines()[s.Document().LineAt(span.Start-1)].Start
		eol := s.Document().EOL(at)
		return checkedOutput(s, markdown.Edit{
			Span: markdown.Span{Start: at, End: at}, Text: append(markdown.Fold(block, eol), eol+eol...),
		})
	}
	return checkedOutput(s, s.PlaceBlock(section, block, true))
}

// hasPartHeading reports whether a part has its own heading. Without one, it is the text at the
// start of the section.
func hasPartHeading(s *task.State, span markdown.Span) bool {
	section, ok := s.Find(task.ChainOutput)
	return !ok || span.Start > section.Body.Start
}

// checkedOutput makes the edit and checks that the file still has the same sections and sessions.
func checkedOutput(s *task.State, edit markdown.Edit) (*task.State, error) {
	next, err := s.Splice(edit)
	if err != nil {
		return nil, err
	}
	if len(next.Sections) != len(s.Sections) || len(next.Sessions) != len(s.Sessions) ||
		len(next.Inputs) != len(s.Inputs) {
		return nil, &report.Error{
			Op: "task.output", Kind: report.Violation, Code: report.CodeOutputUnplaceable, Path: task.StateName(s.ID),
			Message: "the text cannot be written into " + task.StateName(s.ID) +
				" without changing the sections around it",
			Hint: "take headings and fences out of the text",
		}
	}
	return next, nil
}
