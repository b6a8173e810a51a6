package history

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/workspace"
)

// Undo reverts the last changes that baton made and that were not undone yet, in one transaction.
// It requires that nothing was built on them: each file must still be as the change left it. If the
// digest is below another root than the tasks, the newest changes of both count, and all of them
// must belong to one root. The present content of the files is kept as versions, and the undo
// itself is a change in the log. Claims and the counter of ids are not reverted. In addition to the
// errors of every write, Undo fails with NotFound no_project or nothing_to_undo, with Conflict
// undo_blocked, with Conflict claim_held for a task of somebody else (D3), and with Corrupt
// revision_lost if the previous bytes are no longer kept.
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
	out, err := Of(at).undo(ctx, op, r)
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

// undo reverts the last changes below this root.
func (p History) undo(ctx context.Context, op string, r UndoRequest) (UndoResult, error) {
	var out UndoResult
	var last *undoing
	plan := func(c *workspace.Change) error {
		c.Refills = true
		u, err := p.planUndo(c, max(r.Count, 1))
		if err != nil {
			return err
		}
		last, out = u, u.result(c.As)
		c.Note(out.Warnings...)
		out.Warnings = nil
		gone, err := p.KeepRest(ctx, c, op, func() error { return u.write(c.Tx) })
		c.Note(takenBack(gone)...)
		return err
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

// takenBack names the entries that came with what is taken back, and are gone with it (D44).
func takenBack(gone []ledger.Entry) []report.Finding {
	if len(gone) == 0 {
		return nil
	}
	var names []string
	for _, e := range gone[:min(len(gone), mostTakenBack)] {
		names = append(names, string(e.Kind)+" "+safetext.Quote(e.Label))
	}
	text := safetext.CountOf(len(gone), "entry", "entries") + " came with this and went with it: " +
		strings.Join(names, ", ")
	if more := len(gone) - len(names); more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return []report.Finding{report.CodeEntriesTakenBack.Finding("", 0, text+"; kept versions have them")}
}

// mostTakenBack is how many entries an answer names.
const mostTakenBack = 5

// UndoCount reads the number of changes to undo. It fails with Usage for anything but a number from
// 1 up.
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
		Message: safetext.Quote(text) + " is not a number of changes; give 1 or " +
			"more",
		Hint: "`baton undo` undoes the last one, `baton undo 3` the last three; `baton log` lists them",
	}
}

// redo returns the revision of a document before an undo, or "" if it is not kept.
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

// touchesClaims reports whether a command also starts or ends a claim. Claims are in no document of
// the project.
func touchesClaims(command string) bool {
	return slices.Contains([]string{
		"task claim", "task release", "task complete", "task block", "task reopen", "session start", "session end",
		"task split",
	}, command)
}
