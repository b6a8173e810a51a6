package tasks

import (
	"context"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/convert"
	"baton/internal/textdiff"
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
		out, _, err := p.converted(ctx, p.Store, l, to)
		return out, err
	}
	var out ConvertResult
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		var next *task.State
		if out, next, err = p.converted(ctx, c.Reader, l, to); err != nil {
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

// converted plans a conversion. A file in the requested dialect stays as it is. The metadata of any
// other one names its archive (F-68).
func (p Tasks) converted(
	ctx context.Context, r store.Reader, l *workspace.Loaded, to task.Dialect,
) (ConvertResult, *task.State, error) {
	out := ConvertResult{Task: l.State.ID, From: string(l.State.Dialect), To: string(to), Warnings: []report.Finding{}}
	next, err := convert.To(l.State, to, p.Now())
	if err != nil {
		return out, nil, workspace.Located(err, l.Name)
	}
	if l.State.Dialect != to && l.Outside == nil && l.Archive != "" {
		doc, err := r.Read(ctx, l.Archive)
		if err != nil {
			return out, nil, err
		}
		if _, there := archive.Count(l.State, doc.Data); there > 0 {
			next = next.Reconcile(task.Reconciliation{
				Now: p.Now(), Archived: there, HasArchive: true, ArchivePath: l.Archive, Converted: true,
			})
		}
	}
	out.Diff = textdiff.Marked(string(l.State.Bytes()), string(next.Bytes()))
	out.Warnings = append(out.Warnings, next.Findings...)
	return out, next, nil
}
