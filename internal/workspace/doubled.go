package workspace

import (
	"bytes"
	"context"
	"fmt"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/archive"
)

// Undouble takes sessions out of a task's state that are in its archive already with the same
// bytes: what is left when somebody saved an old version of the file while sessions moved (D5).
// Only a live session whose number is not above those of the last batch can be one, so that nothing
// more is read in the ordinary case. The summary is then rebuilt, because it may not know of
// them.
func Undouble(
	ctx context.Context, r store.Reader, l *Loaded, s *task.State, f archive.Facts, c *Change,
) (*task.State, error) {
	last := task.LastArchived(f.Tail)
	suspect := false
	for _, session := range s.Sessions {
		suspect = suspect || session.Number > 0 && session.Number <= last
	}
	if !suspect {
		return s, nil
	}
	end, err := r.Tail(ctx, l.Archive, ArchiveTail)
	if err != nil {
		return s, err
	}
	var edits []markdown.Edit
	for _, session := range s.Sessions {
		if session.Number > 0 && InArchive(end.Data, session.Span.Of(s.Bytes())) {
			edits = append(edits, markdown.Edit{Span: session.Span.WithBlanks(s.Bytes())})
			c.Note(report.Finding{
				Code: "session_doubled", Severity: report.Info, Path: l.Name,
				Text: fmt.Sprintf(
					"session %d is already in %s and was removed from %s", session.Number, l.Archive, l.Name,
				),
			})
		}
	}
	if len(edits) == 0 {
		return s, nil
	}
	next, err := s.Splice(edits...)
	if err != nil {
		return s, Located(err, l.Name)
	}
	whole, err := r.Read(ctx, l.Archive)
	if err != nil {
		return s, err
	}
	if next, err = archive.RebuildSummary(next, whole.Data, l.Archive, c.Now); err != nil {
		return s, Located(err, l.Archive)
	}
	return next, nil
}

// InArchive looks for a session as it is in an archive: whole lines, the heading with one sign
// less, or as it is in archives that keep it (5.14.1).
func InArchive(filed, session []byte) bool {
	session = bytes.TrimRight(session, "\r\n")
	sign := bytes.IndexByte(session, '#')
	if sign < 0 {
		return false
	}
	shorter := append(append([]byte{}, session[:sign]...), session[sign+1:]...)
	for _, text := range [...][]byte{shorter, session} {
		for from := 0; ; {
			at := bytes.Index(filed[from:], text)
			if at < 0 {
				break
			}
			at += from
			end := at + len(text)
			begins := at == 0 || filed[at-1] == '\n'
			if begins && (end == len(filed) || filed[end] == '\n' || filed[end] == '\r') {
				return true
			}
			from = at + 1
		}
	}
	return false
}

// How much of an archive a log reads, whatever the archive holds (D7): its layout is in the
// head, the newest number in the tail. The last batch's footer is nearly always in the nearest
// part, which is read alone then.
const (
	ArchiveTail = 64 << 10
)
