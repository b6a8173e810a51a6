package folder

import (
	"context"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/record"
	"baton/internal/store"
	"baton/internal/workspace"
)

// DirHistory lists the snapshots in the archive of the state folder, newest first (5.9). It fails
// with the errors of ForFolder, with Violation archive_invalid, and with Refused if a folder cannot
// be listed.
func (p Folder) DirHistory(ctx context.Context, r DirHistoryRequest) (DirHistory, error) {
	const op = "dir.history"
	at, place, err := p.ForFolder(ctx, op, r.DirRequest)
	if err != nil {
		return DirHistory{}, err
	}
	out, err := Of(at).historyOf(ctx, place, r.Limit)
	if err != nil {
		return DirHistory{}, workspace.InOp(err, op)
	}
	out.Warnings = append(append([]report.Finding{}, Of(at).folderFindings(place)...), out.Warnings...)
	others, err := Of(at).siblings(ctx, op, r.DirRequest, place)
	if err != nil {
		return DirHistory{}, err
	}
	for _, other := range others {
		one, err := Of(at).historyOf(ctx, other, r.Limit)
		if err != nil {
			out.Warnings = append(out.Warnings, other.Unseen(err))
			continue
		}
		one.Warnings = append(append([]report.Finding{}, other.Doubts()...), one.Warnings...)
		out.Others = append(out.Others, one)
	}
	return out, ctx.Err()
}

// historyOf returns the history of one folder.
func (p Folder) historyOf(ctx context.Context, place workspace.FolderPlace, limit int) (DirHistory, error) {
	v, err := p.ViewFolder(ctx, p.Store, place, p.Now())
	if err != nil {
		return DirHistory{}, err
	}
	a, err := v.openArchive(ctx, p.Store)
	if err != nil {
		return DirHistory{}, err
	}
	out := DirHistory{Layout: place.Layout, Folder: place.Dir, Snapshots: []SnapshotView{}}
	newest := cleanup.NewestFirst(a.snapshots)
	if limit > 0 {
		newest = newest[:min(limit, len(newest))]
	}
	for _, s := range newest {
		view, findings := a.view(ctx, p.Store, s)
		out.Snapshots = append(out.Snapshots, view)
		out.Warnings = append(out.Warnings, findings...)
	}
	out.Warnings = slices.Concat(v.Caveats(), a.oddities(), out.Warnings, v.unfinished(ctx, p.Store, a),
		v.beyondRing(ctx, p.Store, a))
	return out, nil
}

// view describes one snapshot from its manifest. The record in the snapshot overrides what the
// manifest says about the workflow. A snapshot without a manifest counts as complete (5.9).
func (a *FolderArchive) view(ctx context.Context, r store.Reader, s cleanup.Snapshot) (SnapshotView, []report.Finding) {
	view := SnapshotView{Name: s.Name, Kind: s.Sweep, Moment: s.Moment.UTC().Format(record.MomentForm), Complete: true}
	var findings []report.Finding
	doubt := func(err error, name string) {
		findings = append(findings, report.CodeOf(err).Finding(name, 0, report.As(err).Error()).As(report.Warning))
	}
	m, err := a.readManifest(ctx, r, s.Name)
	if err != nil {
		doubt(err, a.manifest(s.Name))
	}
	if m != nil {
		view.Manifest, view.Complete, view.Kind = true, m.Complete, m.Kind
		view.WorkflowID, view.WorkflowType, view.Task, view.Phase = m.WorkflowID, m.WorkflowType, m.Task, m.Phase
	}
	found, err := r.Scan(ctx, a.dir(s.Name))
	if err != nil {
		doubt(err, a.dir(s.Name))
	} else {
		view.Entries = len(found.Items) // all of these can be restored, whatever the manifest says
		findings = append(findings, a.differs(s.Name, m, found.Items)...)
	}
	name := a.dir(s.Name) + "/" + record.FileName
	doc, err := r.Read(ctx, name)
	switch {
	case report.CodeOf(err) == report.CodeIsDirectory: // a folder with the record's name
	case err != nil:
		doubt(err, name)
	case doc.Exists:
		rec := record.Read(doc.Data)
		view.WorkflowID, view.WorkflowType = rec.Text("workflow_id"), rec.Text("workflow_type")
		view.Task, view.Phase, view.Status = rec.Text("task"), rec.Text("phase"), rec.Text("status")
	}
	return view, findings
}

// differs warns if the entries in a snapshot differ from its manifest, because somebody added or
// removed some by hand. During a sweep or a restore the manifest is not final, so nothing is
// compared.
func (a *FolderArchive) differs(snapshot string, m *cleanup.Manifest, items []store.Item) []report.Finding {
	if m == nil || !m.Complete {
		return nil
	}
	here := make(map[string]bool, len(items))
	for _, item := range items {
		here[item.Name] = true
	}
	missing := 0
	for _, e := range m.Entries {
		if !InSnapshot(e.State) {
			continue
		}
		if name := e.RawName(); here[name] {
			delete(here, name)
		} else {
			missing++
		}
	}
	var parts []string
	if missing > 0 {
		parts = append(parts, "lacks "+Entries(missing)+" that its manifest lists")
	}
	if len(here) > 0 {
		parts = append(parts, "contains "+Entries(len(here))+" that its manifest does not list")
	}
	if len(parts) == 0 {
		return nil
	}
	return []report.Finding{report.CodeSnapshotDiffers.Finding(a.dir(snapshot), 0,
		"the snapshot "+snapshot+" "+strings.Join(parts, " and ")+"; a restore brings back what is there")}
}

// Entries returns a number of entries in words.
func Entries(n int) string {
	return safetext.CountOf(n, "entry", "entries")
}

// InSnapshot reports whether an entry with this state in a manifest is in the snapshot.
func InSnapshot(state string) bool {
	return state == cleanup.StateMoved || state == cleanup.StateTaken
}
