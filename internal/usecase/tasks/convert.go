package tasks

import (
	"context"

	"baton/internal/textdiff"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/convert"
	"baton/internal/workspace"
)

// Convert converts a task's file to another dialect; without Apply it only shows what would change
// (D40). "v1" writes v1c. It fails with Usage dialect_unknown, and with Violation opaque_section if
// a part of the file is not understood.
func (p Tasks) Convert(ctx context.Context, r ConvertRequest) (ConvertResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return ConvertResult{}, err
	}
	to, err := task.ParseDialect(r.To)
	if err != nil {
		return ConvertResult{}, err
	}
	if !r.Apply {
		l, err := p.LoadTask(ctx, p.Store, id)
		if err != nil {
			return ConvertResult{}, err
		}
		out, _, err := p.converted(l, to)
		return out, err
	}
	var out ConvertResult
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		var next *task.State
		if out, next, err = p.converted(l, to); err != nil {
			return err
		}
		if string(next.Bytes()) == string(l.State.Bytes()) {
			return nil
		}
		out.Applied = true
		return p.WriteTask(c, l, next)
	})
	if err != nil {
		return ConvertResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// converted plans a conversion. A file in the requested dialect stays as it is.
func (p Tasks) converted(l *workspace.Loaded, to task.Dialect) (ConvertResult, *task.State, error) {
	out := ConvertResult{Task: l.State.ID, From: string(l.State.Dialect), To: string(to), Warnings: []report.Finding{}}
	next, err := convert.To(l.State, to, p.Now())
	if err != nil {
		return out, nil, workspace.Located(err, l.Name)
	}
	out.Diff = textdiff.Marked(string(l.State.Bytes()), string(next.Bytes()))
	out.Warnings = append(out.Warnings, next.Findings...)
	return out, next, nil
}
