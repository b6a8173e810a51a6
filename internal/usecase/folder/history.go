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

// DirHistory lists the snapshots in the archive of the state folder, the newest first (5.9). The
// errors of forFolder; Violation archive_invalid; Refused for what cannot be listed.
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
		v.beyondRings(ctx, p.Store, a))
	return out, nil
}

// view describes one snapshot: what its manifest says of the workflow, and over that what the
// record in it says. A snapshot without a manifest is complete as it is (5.9).
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
		view.Manifest, view.Complete = true, m.Complete
		view.WorkflowID, view.WorkflowType, view.Task, view.Phase = m.WorkflowID, m.WorkflowType, m.Task, m.Phase
	}
	found, err := r.Scan(ctx, a.dir(s.Name))
	if err != nil {
		doubt(err, a.dir(s.Name))
	} else {
		view.Entries = len(found.Items) // what lies there can be brought back, whatever the manifest says
		findings = append(findings, a.differs(s.Name, m, found.Items)...)
	}
	name := a.dir(s.Name) + "/" + record.FileName
	doc, err := r.Read(ctx, name)
	switch {
	case report.CodeOf(err) == report.CodeIsDirectory: // a folder that only has the name
	case err != nil:
		doubt(err, name)
	case doc.Exists:
		rec := record.Read(doc.Data)
		view.WorkflowID, view.WorkflowType = rec.Text("workflow_id"), rec.Text("workflow_type")
		view.Task, view.Phase, view.Status = rec.Text("task"), rec.Text("phase"), rec.Text("status")
	}
	return view, findings
}

// differs warns when other entries lie in a snapshot than its manifest says: somebody took some
// away by hand, or put some there. While a sweep or a restore is under way the manifest does not
// say yet.
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
		parts = append(parts, "without "+Entries(missing)+" that its manifest has")
	}
	if len(here) > 0 {
		parts = append(parts, "with "+Entries(len(here))+" that its manifest does not have")
	}
	if len(parts) == 0 {
		return nil
	}
	return []report.Finding{report.CodeSnapshotDiffers.Finding(a.dir(snapshot), 0,
		"the snapshot "+snapshot+" is "+strings.Join(parts, " and ")+"; a restore brings back what is there")}
}

// Entries counts entries in words.
func Entries(n int) string {
	return safetext.CountOf(n, "entry", "entries")
}

// InSnapshot reports the state of an entry in a manifest whether the entry lies in the snapshot.
func InSnapshot(state string) bool {
	return state == cleanup.StateMoved || state == cleanup.StateTaken
}
