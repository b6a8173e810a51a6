package pick

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/task"
)

// NextSteps returns the next steps that a task's sessions left, those of the newest session that
// has some. If a later session has none, from is the number of the one that has them, otherwise 0.
func NextSteps(s *task.State) (steps []string, from int) {
	last := len(s.Sessions) - 1
	for i := last; i >= 0; i-- {
		if one := s.Sessions[i]; len(one.Next) > 0 {
			if i < last {
				from = one.Number
			}
			return one.Next, from
		}
	}
	return nil, 0
}

// Unread reports whether a task file has text that baton shows nowhere but as part of the file: in
// a section that it does not know, or in the progress log outside sessions (F-65).
func Unread(s *task.State) bool {
	for _, section := range s.Sections {
		switch section.Kind {
		case task.Unknown:
			if says(s, section.Body) {
				return true
			}
		case task.ProgressLog:
			if looseText(s, section.Body) {
				return true
			}
		}
	}
	return false
}

// looseText reports whether a progress log has text that belongs to no session and no summary.
func looseText(s *task.State, log markdown.Span) bool {
	at := log.Start
	for _, entry := range s.Sessions {
		if entry.Span.Start < log.Start || entry.Span.Start >= log.End {
			continue
		}
		if says(s, markdown.Span{Start: at, End: entry.Span.Start}) {
			return true
		}
		at = entry.Span.End
	}
	return says(s, markdown.Span{Start: at, End: log.End})
}

// says reports whether a span has text other than the summary, placeholders, comments and rules.
func says(s *task.State, within markdown.Span) bool {
	doc := s.Document()
	for _, line := range doc.Lines() {
		if line.Start < within.Start || line.Start >= within.End {
			continue
		}
		if s.Summary != nil && line.Start >= s.Summary.Span.Start && line.Start < s.Summary.Span.End {
			continue
		}
		switch line.Class {
		case markdown.Blank, markdown.Comment, markdown.Rule:
			continue
		}
		if !task.SaysNothing(strings.TrimSpace(doc.View(markdown.Span{Start: line.Start, End: line.End}))) {
			return true
		}
	}
	return false
}
