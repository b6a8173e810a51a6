package history

import (
	"bytes"
	"context"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/history"
	"baton/internal/textdiff"
	"baton/internal/workspace"
)

// RestoreVersion restores a version of a document in one transaction, or returns what that would
// change. The replaced bytes are kept as a version, so that another restore can bring them back. It
// fails with the errors of ShowVersion and of every write.
func (p History) RestoreVersion(ctx context.Context, r VersionRestoreRequest) (VersionRestored, error) {
	const op = "snapshot.restore"
	roots, done, err := p.versionRoots(ctx, op)
	if err != nil {
		return VersionRestored{}, workspace.InOp(err, op)
	}
	defer done()
	v, data, err := versionData(ctx, roots, r.Revision)
	if err != nil {
		return VersionRestored{}, workspace.InOp(err, op)
	}
	out := VersionRestored{Version: versionOf(v.Snapshot)}
	compare := func(doc store.Document) {
		out.Diff = ""
		if out.Same = doc.Exists && bytes.Equal(doc.Data, data); !out.Same {
			out.Diff = textdiff.Unified(v.Name, doc.Data, data, doc.Exists, true)
		}
	}
	if !r.Apply {
		doc, err := v.at.Store.Read(ctx, v.Name)
		if err != nil {
			return VersionRestored{}, workspace.InOp(err, op)
		}
		compare(doc)
		out.Warnings = versionWarnings(roots)
		return out, nil
	}
	existed := false
	findings, err := v.at.Update(ctx, func(c *workspace.Change) error {
		doc, err := c.Tx.Read(v.Name)
		if err != nil {
			return err
		}
		compare(doc)
		existed, c.Refills = doc.Exists, true
		gone, err := v.at.KeepRest(ctx, c, op, func() error {
			most, err := v.at.Kept.KeptMode(ctx, v.Name)
			c.Tx.Write(v.Name, data)
			c.Tx.AtMostMode(v.Name, most)
			return err
		})
		c.Note(takenBack(gone)...)
		return err
	})
	if err != nil {
		return VersionRestored{}, workspace.InOp(err, op)
	}
	out.Applied, out.Warnings = !out.Same, append([]report.Finding{}, findings...)
	if out.Applied && existed {
		out.Replaced = Of(v.at).replacedBy(ctx, v.Snapshot)
	}
	return out, nil
}

// replacedBy returns the version before the newest one of a document, or "" if none is kept.
func (p History) replacedBy(ctx context.Context, v history.Snapshot) string {
	list, err := p.Kept.Snapshots(ctx, v.Name)
	if n := len(list); err == nil && n > 1 && list[n-1].Kind == history.SnapshotWrote &&
		list[n-1].Hash != list[n-2].Hash {
		return list[n-2].Rev
	}
	return ""
}
