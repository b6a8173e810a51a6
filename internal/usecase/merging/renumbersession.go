package merging

import (
	"context"
	"fmt"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/renumber"
	"baton/internal/workspace"
)

// TwiceIn returns findings for sessions of a task that share a number. archive is the content of
// its archive; first says when the ledger saw a session first.
func TwiceIn(
	l *workspace.Loaded, archive []byte, first func(text string) time.Time, fix string,
) []workspace.DoctorFinding {
	fixable := l.Outside == nil && !l.Doc.Outside && workspace.UnsafeError(l.Name, l.Doc.Data) == nil &&
		workspace.UnsafeError(l.Archive, archive) == nil
	var out []workspace.DoctorFinding
	for _, t := range renumber.FindTwice(l.State, archive, renumber.Ledger{First: first}) {
		f := workspace.DoctorFinding{Fixable: fixable, Command: fix}
		if !fixable {
			f.Command, f.Advice = "", report.CodeSessionNumberDoubled.Remedy(nil)
		}
		f.Finding = report.CodeSessionNumberDoubled.Finding(l.Name, t.Line,
			fmt.Sprintf("task %s has another session %d", l.ID.Ref(), t.Number)).As(report.Severe)
		if t.Archived {
			f.Path = l.Archive
		}
		out = append(out, f)
	}
	return out
}

// RenumberSessions gives sessions of a task that share a number with an earlier one the next free
// numbers (D40).
func (p Merging) RenumberSessions(ctx context.Context, c *workspace.Change, id task.ID) ([]workspace.DoctorFix, error) {
	l, err := p.LoadForWrite(ctx, c, id)
	if err != nil {
		return nil, err
	}
	if l.Outside != nil {
		return nil, l.Outside
	}
	doc, err := c.Tx.Read(l.Archive)
	if err != nil {
		return nil, err
	}
	if err := workspace.UnsafeError(l.Archive, doc.Data); err != nil {
		return nil, err
	}
	next, archive, done, err := renumber.Sessions(l.State, doc.Data, l.Archive, c.Now, renumber.Ledger{
		Highest: p.KnownSessions(ctx, l), First: p.FirstSeen(ctx, l.Name),
	})
	if err != nil || len(done) == 0 {
		return nil, workspace.Located(err, l.Name)
	}
	if err := p.WriteTask(c, l, next); err != nil {
		return nil, err
	}
	if !slices.Equal(archive, doc.Data) {
		c.Tx.Write(l.Archive, archive)
	}
	var out []workspace.DoctorFix
	for _, n := range done {
		path := l.Name
		if n.Archived {
			path = l.Archive
		}
		out = append(out, workspace.DoctorFix{
			Code: report.CodeSessionRenumbered, Path: path,
			Text: fmt.Sprintf("the later "+
				"session %d of task %s is now session %d", n.From, id.Ref(), n.To),
		})
	}
	return out, nil
}
