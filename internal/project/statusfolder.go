package project

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/statedir"
)

// folderStatus adds what is in the state folder to a status: how much of what, and the workflow that is running. A project
// without one is fine, and a folder that cannot be looked at is a warning, because the rest is worth showing. Names are
// only classified; what an audit finds besides is not looked for here.
func (p *Project) folderStatus(ctx context.Context, out *StatusResult) error {
	if root, places := p.folderRoot(); root == "" || len(places) == 0 {
		return nil
	}
	at, place, err := p.forFolder(ctx, "status", DirRequest{})
	if err != nil {
		if report.CodeOf(err) != "instance_invalid" {
			return err
		}
		out.Warnings = append(out.Warnings, report.Finding{Code: "instance_invalid", Severity: report.Warning, Text: report.As(err).Error()})
		return nil
	}
	for _, layout := range append([]string{place.Layout}, place.others...) {
		out.Layouts = append(out.Layouts, LayoutView{Role: "folder", Name: layout, Path: folderIn(layout).Dir})
	}
	out.Warnings = append(out.Warnings, place.doubts()...)
	v, err := at.viewFolder(ctx, at.store, place, at.now())
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := report.As(err)
		out.Warnings = append(out.Warnings, report.Finding{Code: report.CodeOf(err), Severity: report.Warning, Path: e.Path, Text: e.Error()})
		return nil
	}
	out.Warnings = slices.Concat(out.Warnings, v.caveats(), v.unread(), v.skewed(), v.ignoredLines())
	out.Folder = v.briefly()
	return nil
}

// briefly makes a status of the folder.
func (v *folderView) briefly() *FolderStatus {
	out := &FolderStatus{Layout: v.place.Layout, Path: v.place.Dir, Exists: v.exists, Counts: map[string]int{"total": len(v.facts.Entries)}}
	for _, bucket := range statedir.Buckets() {
		out.Counts[string(bucket)] = 0
	}
	for _, e := range v.facts.Entries {
		out.Counts[string(v.class(e).Bucket)]++
		out.Bytes += e.Size
	}
	if r := v.facts.Record; r != nil {
		out.Active, out.WorkflowType, out.Task, out.Phase = r.Active(), r.Text("workflow_type"), r.Text("task"), r.Text("phase")
	}
	return out
}
