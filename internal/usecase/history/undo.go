package history

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/workspace"
)

// Undo takes back the last changes that baton made and that nobody took back yet, in one
// transaction, where nothing was built on them: each file is still what the change made of it.
// Where the digest is below another root than the tasks, the newest changes of both count, and all
// of them must be of one. What the files hold now is kept as versions, and what is undone is itself
// a change in the log. Claims and the counter of ids are not taken back. Errors besides those of
// every write: NotFound no_project or nothing_to_undo; Conflict undo_blocked, or claim_held for the
// task of somebody else (D3); Corrupt revision_lost when the bytes that were replaced are not kept
// any more.
func (p History) Undo(ctx context.Context, r UndoRequest) (UndoResult, error) {
	const op = "undo"
	if r.Count < 0 {
		return UndoResult{}, workspace.InOp(noCount(strconv.Itoa(r.Count)), op)
	}
	roots, done, err := p.logRoots(ctx, op)
	if err != nil {
		return UndoResult{}, err
	}
	defer done()
	at, passed, err := undoRoot(ctx, roots, max(r.Count, 1))
	if err != nil {
		return UndoResult{}, workspace.InOp(err, op)
	}
	out, err := Of(at).undo(ctx, r)
	if err != nil {
		return UndoResult{}, workspace.InOp(err, op)
	}
	if len(roots) > 1 {
		ofRoot(out.Passed, at.Root)
		ofRoot(out.Changes, at.Root)
		out.Passed = append(passed, out.Passed...)
	}
	return out, nil
}

// undo takes back the last changes of this root.
func (p History) undo(ctx context.Context, r UndoRequest) (UndoResult, error) {
	var out UndoResult
	var last *undoing
	plan := func(c *workspace.Change) error {
		u, err := p.planUndo(c, max(r.Count, 1))
		if err != nil {
			return err
		}
		last, out = u, u.result(c.As)
		c.Note(out.Warnings...)
		out.Warnings = nil
		return u.write(c.Tx)
	}
	var findings []report.Finding
	var err error
	if r.DryRun {
		c := p.onlyLooking(ctx)
		err = plan(c)
		findings = append(c.Findings, p.Settings().Warnings()...)
	} else {
		findings, err = p.Update(ctx, plan)
	}
	if err != nil {
		return UndoResult{}, err
	}
	out.Applied = !r.DryRun && len(out.Files) > 0
	out.Warnings = append([]report.Finding{}, findings...)
	if out.Applied && len(out.Files) == 1 {
		out.Redo = p.redo(ctx, last.docs[out.Files[0]].Now)
	}
	return out, nil
}

// UndoCount reads how many changes somebody wants to be taken back. Usage for anything but a number
// from 1 on.
func UndoCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, noCount(text)
	}
	return n, nil
}

func noCount(text string) error {
	return &report.Error{
		Kind: report.Usage, Code: report.CodeUsage,
		Message: safetext.Quote(text) + " is not a number of changes: give 1 or " +
			"more",
		Hint: "`baton undo` undoes the last one, `baton undo 3` the last three; `baton log` lists them",
	}
}

// redo returns the revision of a document as it was before an undo, or "" if it is not kept.
func (p History) redo(ctx context.Context, was store.Document) string {
	list, err := p.Kept.Snapshots(ctx, was.Name)
	if err != nil || !was.Exists {
		return ""
	}
	for _, v := range slices.Backward(list) {
		if v.Size != int64(len(was.Data)) {
			continue
		}
		if data, err := p.Kept.SnapshotData(ctx, v); err == nil && bytes.Equal(data, was.Data) {
			return v.Rev
		}
	}
	return ""
}

// touchesClaims says of a command that it also gave or ended a claim, which is in no document
// of the project.
func touchesClaims(command string) bool {
	return slices.Contains([]string{
		"task claim", "task release", "task complete", "task block", "task reopen", "session start", "session end",
		"task split",
	}, command)
}
