package tasks

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/edit"
	"baton/internal/workspace"
)

// Text returns the bytes of a task's file. It fails with NotFound task_unknown.
func (p Tasks) Text(ctx context.Context, word string) ([]byte, error) {
	id, err := task.ParseID(word)
	if err != nil {
		return nil, err
	}
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		return nil, err
	}
	return l.Doc.Data, nil
}

// Rewrite replaces a task's file by what a person made of it in an editor. before is the text that
// they began with. Criteria that are gone go to the archive. It fails with Conflict
// changed_under_us if the file is no longer the same, with Violation key_protected for a change
// that only commands make, with Violation repair_would_lose if a session or an output is gone, with
// Violation unclosed_fence, dependency_cycle or NotFound dependency_missing, and with Corrupt for a
// text that no file may contain.
func (p Tasks) Rewrite(ctx context.Context, word string, before, after []byte) (EditResult, error) {
	id, err := task.ParseID(word)
	if err != nil {
		return EditResult{}, err
	}
	var out EditResult
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		out = EditResult{Task: id, Changed: []string{}, Warnings: []report.Finding{}}
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		out.Title, out.Path = l.State.Title, l.Name
		if !bytes.Equal(l.Doc.Data, before) {
			return &report.Error{
				Op: "task.edit", Kind: report.Conflict, Code: report.CodeChangedUnderUs, Path: l.Name,
				Message: l.Name + " was changed while the editor was open",
				Hint:    "run the command again, and make the change in the newer text",
			}
		}
		if bytes.Equal(after, before) {
			return nil
		}
		next := l.State.WithBytes(after)
		if err := p.checkRewritten(ctx, l, next); err != nil {
			return err
		}
		out.Title, out.Changed = next.Title, append(out.Changed, "text")
		gone := edit.Gone(l.State, next)
		for range gone {
			out.Removed, out.Archive = append(out.Removed, "criterion"), l.Archive
		}
		return p.Keep(ctx, c, "task.edit", func() error {
			return p.writeEdit(ctx, c, l, edit.Result{State: next, Removed: gone}, "removed in an editor")
		})
	})
	if err != nil {
		return EditResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// checkRewritten refuses a text that cannot replace a task's file.
func (p Tasks) checkRewritten(ctx context.Context, l *workspace.Loaded, next *task.State) error {
	if err := workspace.UnsafeError(l.Name, next.Bytes()); err != nil {
		return err
	}
	if line, what, open := next.Unclosed(); open {
		return workspace.Located(next.UnclosedError(line, what), l.Name)
	}
	if key := task.HandEdit(l.State, next); key != "" && !task.Editable(key) {
		return &report.Error{
			Op: "task.edit", Kind: report.Violation, Code: report.CodeKeyProtected, Path: l.Name,
			Message: "the text changes " + key + ", which only baton's commands change",
			Hint:    "leave it as it was; `baton help task` lists the commands",
		}
	}
	var added []task.ID
	for _, id := range next.Meta.Dependencies {
		if !slices.Contains(l.State.Meta.Dependencies, id) {
			added = append(added, id)
		}
	}
	return p.rechained(ctx, l, next, added)
}
