package renumber

import (
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Names reports whether the file refers to a task in a place that programs read: as a dependency,
// parent, part or input, or as the task during which this one was found.
func Names(s *task.State, id task.ID) bool {
	_, received := s.Meta.Inputs[id]
	_, has := s.InputOf(id)
	return received || has || s.Meta.Parent == id || s.Meta.From == id || slices.Contains(s.Meta.Dependencies, id) ||
		slices.Contains(s.Meta.Children, id)
}

// Redirect changes every reference from one task to another: dependencies, parent, parts, where a
// task was found, and inputs with their hashes and links. Texts that people wrote stay. Errors:
// Violation unclosed_fence.
func Redirect(s *task.State, from, to task.ID) (*task.State, error) {
	src := s.Bytes()
	edits := s.RedirectMeta(from, to)
	for _, in := range s.Inputs {
		if in.Task != from {
			continue
		}
		line := s.Document().Lines()[s.Document().LineAt(in.Span.Start)]
		edits = append(edits, markdown.Edit{
			Span: refAfterTask(src, markdown.Span{Start: line.Start, End: line.End}), Text: []byte(to.Ref()),
		})
		body := markdown.Span{Start: line.Next, End: max(line.Next, in.Span.End)}
		edits = append(edits, replacedIn(src, body, task.StateName(from)+")", task.StateName(to)+")")...)
	}
	next, err := s.Splice(edits...)
	if err != nil {
		return nil, err
	}
	// The hash of an input covers its link, so it is computed again. An input that somebody edited
	// keeps its hash and so still counts as edited.
	was, had := s.InputOf(from)
	now, has := next.InputOf(to)
	received, known := next.Meta.Inputs[to]
	if had && has && known && received.Hash == was.Hash && now.Hash != was.Hash {
		if kept, ok := next.RememberInput(to, task.InputReceived{Hash: now.Hash, Session: received.Session}); ok {
			next = kept
		}
	}
	return next, nil
}

// RedirectArchive changes the source of the replaced inputs in an archive (D12).
func RedirectArchive(src []byte, from, to task.ID) []byte {
	doc := markdown.Parse(src)
	var edits []markdown.Edit
	for _, h := range doc.Headings() {
		rest, found := strings.CutPrefix("## "+safetext.OneLine(string(h.Text.Of(src))), task.ReplacedHeading(from))
		if h.Level == 2 && found && strings.HasPrefix(rest, " (until session ") {
			edits = append(edits, markdown.Edit{Span: refAfterTask(src, h.Text), Text: []byte(to.Ref())})
		}
	}
	if out, err := markdown.Apply(src, edits...); err == nil {
		return out
	}
	return src
}
