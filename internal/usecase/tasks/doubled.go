package tasks

import (
	"context"
	"fmt"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/workspace"
)

// undouble removes sessions from a task that are also in its archive. That happens if somebody
// saves an old version of the file while sessions move (D5), or if a merge brings back what came
// before by a squash merge or a cherry-pick and was archived since: the merge of the task's file
// does not see the archive. The first number of such a session is not above those of the last
// batch, so usually nothing more is read. It looks only at the end of the archive, because the cost
// of a log entry must not depend on its length (D7).
func undouble(
	ctx context.Context, r store.Reader, l *workspace.Loaded, s *task.State, f archive.Facts, c *workspace.Change,
) (*task.State, error) {
	last := task.LastArchived(f.Tail)
	suspect := false
	for _, session := range s.Sessions {
		first := session.FirstNumber()
		suspect = suspect || first > 0 && first <= last
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
	for _, session := range archive.Filed(filed, s) {
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

// How many bytes of an archive `task log` reads, whatever its size (D7). The layout is at its
// beginning, and the newest number at its end. The footer of the last batch is nearly always in the
// nearest part, so usually no other part is read.
const archiveTail = 64 << 10
