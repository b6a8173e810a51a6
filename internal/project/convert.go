package project

import (
	"context"

	"baton/internal/report"
	"baton/internal/task"
)

// Convert writes a task's file in another dialect; without Apply it only shows what would change (D40).
// "v1" writes v1c. Usage dialect_unknown; Violation opaque_section when a part of the file is not understood.
func (p *Project) Convert(ctx context.Context, r ConvertRequest) (ConvertResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return ConvertResult{}, err
	}
	to, err := task.ParseDialect(r.To)
	if err != nil {
		return ConvertResult{}, err
	}
	if !r.Apply {
		l, err := p.loadTask(ctx, p.store, id)
		if err != nil {
			return ConvertResult{}, err
		}
		out, _, err := p.converted(l, to)
		return out, err
	}
	var out ConvertResult
	notes, err := p.guarded(ctx, id, func(c *change) error {
		l, err := p.loadForWrite(ctx, c, id)
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
		return p.writeTask(c, l, next)
	})
	if err != nil {
		return ConvertResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// converted plans a conversion; a file that is in the dialect already stays as it is.
func (p *Project) converted(l *loaded, to task.Dialect) (ConvertResult, *task.State, error) {
	out := ConvertResult{Task: l.State.ID, From: string(l.State.Dialect), To: string(to), Warnings: []report.Finding{}}
	next, err := l.State.Convert(to, p.now())
	if err != nil {
		return out, nil, located(err, l.Name)
	}
	out.Diff = task.Diff(string(l.State.Bytes()), string(next.Bytes()))
	out.Warnings = append(out.Warnings, next.Findings...)
	return out, next, nil
}
