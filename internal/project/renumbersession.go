package project

import (
	"context"
	"fmt"
	"slices"

	"baton/internal/report"
	"baton/internal/task"
)

// twiceIn gives the findings of sessions in a task that have the number of another one. archive is what its archive holds.
func twiceIn(l *loaded, archive []byte, fix string) []DoctorFinding {
	fixable := l.Outside == nil && !l.Doc.Outside && unsafeError(l.Name, l.Doc.Data) == nil && unsafeError(l.Archive, archive) == nil
	var out []DoctorFinding
	for _, t := range l.State.Twice(archive) {
		f := DoctorFinding{Fixable: fixable, Command: fix}
		if !fixable {
			f.Command, f.Advice = "", "give one of them another number in an editor"
		}
		f.Finding = report.Finding{
			Code: "session_number_doubled", Severity: report.Severe, Path: l.Name, Line: t.Line,
			Text: fmt.Sprintf("task %s has another session %d", l.ID.Ref(), t.Number),
		}
		if t.Archived {
			f.Path = l.Archive
		}
		out = append(out, f)
	}
	return out
}

// renumberSessions gives sessions of a task that share a number with an earlier one the next free numbers (D40).
func (p *Project) renumberSessions(ctx context.Context, c *change, id task.ID) ([]DoctorFix, error) {
	l, err := p.loadForWrite(ctx, c, id)
	if err != nil {
		return nil, err
	}
	if l.Outside != nil {
		return nil, l.Outside
	}
	doc, err := c.tx.Read(l.Archive)
	if err != nil {
		return nil, err
	}
	if err := unsafeError(l.Archive, doc.Data); err != nil {
		return nil, err
	}
	next, archive, done, err := l.State.RenumberSessions(doc.Data, l.Archive, c.now)
	if err != nil || len(done) == 0 {
		return nil, located(err, l.Name)
	}
	if err := p.writeTask(c, l, next); err != nil {
		return nil, err
	}
	if !slices.Equal(archive, doc.Data) {
		c.tx.Write(l.Archive, archive)
	}
	var out []DoctorFix
	for _, n := range done {
		path := l.Name
		if n.Archived {
			path = l.Archive
		}
		out = append(out, DoctorFix{"session_renumbered", path, fmt.Sprintf("the later session %d of task %s is session %d now", n.From, id.Ref(), n.To)})
	}
	return out, nil
}
