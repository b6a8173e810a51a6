package loss

import (
	"strings"

	"baton/internal/ledger"
	"baton/internal/ledger/kept"
	"baton/internal/markdown"
	"baton/internal/task"
	"baton/internal/workspace"
)

// extended replaces sessions of a document by lost ones that are the same with more items: an
// editor may have saved the text from before the last log (D53). Beside the short one, the restored
// one would be a second session of that number.
func (p Loss) extended(name string, now []byte, known []ledger.Entry, back map[string]bool) []byte {
	if workspace.DocKind(name) != workspace.DocTask {
		return now
	}
	for i := range known {
		lost := &known[i]
		if lost.Kind != ledger.Session || !back[lost.Key] {
			continue
		}
		for _, s := range task.Hold(now).Sessions {
			raw := string(s.Span.Of(now))
			if s.Number != lost.Number || !kept.Extends(raw, lost.Raw) {
				continue
			}
			end := s.Span.Start + len(strings.TrimRight(raw, "\r\n"))
			eol := markdown.Parse(now).EOL(s.Span.Start)
			text := markdown.Fold(strings.TrimRight(lost.Raw, "\r\n"), eol)
			edit := markdown.Edit{Span: markdown.Span{Start: s.Span.Start, End: end}, Text: text}
			if next, err := markdown.Apply(now, edit); err == nil {
				now = next
			}
			break
		}
	}
	return now
}
