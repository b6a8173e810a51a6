package tasks

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/workspace"
)

// undouble removes sessions from a task that are also in its archive with the same bytes. That
// happens if somebody saves an old version of the file while sessions move (D5). Such a session's
// number is not above those of the last batch, so usually nothing more is read. It looks only at
// the end of the archive, because the cost of a log entry must not depend on its length (D7).
func undouble(
	ctx context.Context, r store.Reader, l *workspace.Loaded, s *task.State, f archive.Facts, c *workspace.Change,
) (*task.State, error) {
	last := task.LastArchived(f.Tail)
	suspect := false
	for _, session := range s.Sessions {
		suspect = suspect || session.Number > 0 && session.Number <= last
	}
	if !suspect {
		return s, nil
	}
	end, err := r.Tail(ctx, l.Archive, archiveTail)
	if err != nil {
		return s, err
	}
	return withoutFiled(ctx, r, l, s, end.Data, c)
}

// withoutFiled removes the sessions from a task that are in filed, which is its archive or the end
// of it. Then it rebuilds the summary, because that may lack these sessions.
func withoutFiled(
	ctx context.Context, r store.Reader, l *workspace.Loaded, s *task.State, filed []byte, c *workspace.Change,
) (*task.State, error) {
	var edits []markdown.Edit
	for _, session := range Filed(filed, s) {
		edits = append(edits, markdown.Edit{Span: session.Span.WithBlanks(s.Bytes())})
		c.Note(report.CodeSessionDoubled.Finding(l.Name, 0,
			fmt.Sprintf("session %d is already in %s and was removed from %s", session.Number, l.Archive, l.Name)))
	}
	if len(edits) == 0 {
		return s, nil
	}
	next, err := s.Splice(edits...)
	if err != nil {
		return s, workspace.Located(err, l.Name)
	}
	whole, err := r.Read(ctx, l.Archive)
	if err != nil {
		return s, err
	}
	rebuilt, err := archive.RebuildSummary(next, whole.Data, l.Archive, c.Now)
	if report.CodeOf(err) == report.CodeArchiveGone { // the summary is all that is left of some sessions
		return next, nil
	}
	return rebuilt, workspace.Located(err, l.Archive)
}

// UndoubleIn removes sessions from a task that are also in its archive, within a change, and
// returns how many. It reads the whole archive, as the doctor does.
func (p Tasks) UndoubleIn(ctx context.Context, c *workspace.Change, id task.ID) (*workspace.Loaded, int, error) {
	l, err := p.loadArchived(ctx, c, id)
	if err != nil {
		return l, 0, err
	}
	filed, err := c.Tx.Read(l.Archive)
	if err != nil {
		return l, 0, err
	}
	next, err := withoutFiled(ctx, c.Reader, l, l.State, filed.Data, c)
	if err != nil {
		return l, 0, err
	}
	n := len(l.State.Sessions) - len(next.Sessions)
	if n == 0 {
		return l, 0, nil
	}
	return l, n, p.WriteTask(c, l, next)
}

// Filed returns the sessions of a task that an archive has, too: with the same bytes, or with the
// same text below the number that they had at first. A squash merge or a cherry-pick brings back
// sessions that were archived since, and the merge gives them new numbers.
func Filed(filed []byte, s *task.State) []task.Session {
	var out []task.Session
	var known map[string]bool
	for _, session := range s.Sessions {
		if session.Number == 0 {
			continue
		}
		if InArchive(filed, session.Span.Of(s.Bytes())) {
			out = append(out, session)
			continue
		}
		if known == nil {
			known = map[string]bool{}
			for _, of := range task.ParseArchive(filed).Sessions {
				if text, ok := origin(filed, of); ok {
					known[text] = true
				}
			}
		}
		if text, ok := origin(s.Bytes(), session); ok && known[text] {
			out = append(out, session)
		}
	}
	return out
}

// origin returns the first number of a session, its time and its text. ok is false for a session
// without these, which could be any.
func origin(src []byte, s task.Session) (text string, ok bool) {
	_, below, _ := bytes.Cut(s.Span.Of(src), []byte("\n"))
	below = bytes.TrimSpace(bytes.ReplaceAll(below, []byte("\r\n"), []byte("\n")))
	if s.Number == 0 || !s.HasTime || len(below) == 0 {
		return "", false
	}
	return cmp.Or(s.Note, task.Note(s.Label)) + "\x00" + s.Stamp + "\x00" + string(below), true
}

// InArchive reports whether an archive holds a session as whole lines: with one # less in its
// heading, or unchanged in archives that keep it (5.14.1).
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

// How many bytes of an archive `task log` reads, whatever its size (D7). The layout is at its
// beginning, and the newest number at its end. The footer of the last batch is nearly always in the
// nearest part, so usually no other part is read.
const archiveTail = 64 << 10
