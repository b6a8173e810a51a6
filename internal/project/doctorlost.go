package project

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"baton/internal/report"
	"baton/internal/store/filestore"
)

// ofLosses compares documents with the version that baton wrote last, and names decisions, sessions, criteria and blockers
// that are nowhere now. A document that is as it was committed is left alone: what another branch lacks is not lost (D9), and
// who commits a removal means it.
func (d *doctor) ofLosses(ctx context.Context) error {
	for _, p := range []*Project{d.p, d.other} {
		if p == nil {
			continue
		}
		list, err := p.store.Snapshots(ctx, "")
		if err != nil {
			if err := d.fault(ctx, err, runtimeDir+"/snapshots"); err != nil {
				return err
			}
			continue
		}
		last := map[string]filestore.Snapshot{}
		for _, v := range list {
			if !v.Outside && docKind(v.Name) != "" {
				last[v.Name] = v
			}
		}
		for _, name := range slices.Sorted(maps.Keys(last)) {
			if err := d.ofLoss(ctx, p, last[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *doctor) ofLoss(ctx context.Context, p *Project, v filestore.Snapshot) error {
	doc, err := p.store.Read(ctx, v.Name)
	if err != nil {
		return ctx.Err() // the look at the document itself tells of it
	}
	was, err := p.store.SnapshotData(ctx, v)
	if err != nil || bytes.Equal(was, doc.Data) {
		return ctx.Err()
	}
	titles, _ := p.config().value("decisions.titles").([]string)
	kind := docKind(v.Name)
	lost := docLost(docEntries(kind, was, titles...), docEntries(kind, doc.Data, titles...), p.docArchives(ctx, v.Name)...)
	if len(lost) == 0 {
		return nil
	}
	if changed, err := p.git.Changed(ctx, v.Name); err == nil && !changed {
		return nil
	}
	d.add(report.Finding{
		Code: "entries_lost", Severity: report.Warning, Path: v.Name,
		Text: "gone since baton wrote it last, and in no archive: " + lossNames(lost, mostLossNames),
	}, remedy{advice: "`" + d.command("snapshot diff "+v.Rev, "") + "` shows what it had, `" + d.command("snapshot restore "+v.Rev+" --apply", "") + "` brings all of it back"})
	return nil
}
