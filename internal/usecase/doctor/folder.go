package doctor

import (
	"context"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// ofFolders examines every state folder of the nearest root that has one.
func (d *doctor) ofFolders(ctx context.Context) error {
	_, places := d.p.FolderRoot()
	err := d.eachFolder(ctx, func(at *workspace.Workspace, layout string) error {
		return d.ofFolder(ctx, at, layout)
	})
	if err != nil {
		return err
	}
	if len(places) > 1 && d.p.O.Layout == "" && d.p.Settings().Text("layout.folder") == "" {
		d.warn(report.CodeLayoutAmbiguous, places[0].Dir, "this project has the state folders "+places[0].Dir+" and "+
			places[1].Dir+", "+
			"and no setting says which one you mean",
			advice(report.CodeLayoutAmbiguous, report.Parts{"key": "layout.folder", "config": config.Name}))
	}
	return nil
}

// eachFolder opens every state folder of the nearest root that has one. layout is "" if there is
// only one.
func (d *doctor) eachFolder(ctx context.Context, look func(at *workspace.Workspace, layout string) error) error {
	_, places := d.p.FolderRoot()
	for _, place := range places {
		layout := ""
		if len(places) > 1 {
			layout = place.Layout
		}
		o := d.p.O
		o.Layout = place.Layout
		at, err := workspace.Open(ctx, o)
		if err == nil {
			err = look(at, layout)
			_ = at.Close() // what it wrote is durable already
		}
		if err != nil {
			if err := d.fault(ctx, err, place.Dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// tidyFolders repairs the names of snapshots in the state folders.
func (d *doctor) tidyFolders(ctx context.Context, dry bool) ([]workspace.DoctorFix, error) {
	var fixes []workspace.DoctorFix
	err := d.eachFolder(ctx, func(at *workspace.Workspace, _ string) error {
		done, err := folder.Of(at).TidyArchive(ctx, dry)
		fixes = append(fixes, done...)
		return err
	})
	return fixes, err
}

func (d *doctor) ofFolder(ctx context.Context, at *workspace.Workspace, layout string) error {
	valid, err := folder.Of(at).DirValidate(ctx, folder.DirValidateRequest{})
	if err != nil {
		return err
	}
	audit, err := folder.Of(at).DirAudit(ctx, folder.DirRequest{})
	if err != nil {
		return err
	}
	for _, problems := range [...][]statedir.Problem{valid.Errors, valid.Warnings} {
		for _, p := range problems {
			d.take([]report.Finding{asFinding(p, valid.Folder)}, scene{layout: layout})
		}
	}
	// DirValidate reports these too, line by line
	validated := []report.Code{report.CodePairIncomplete, report.CodeRecordUnreadable, report.CodeRecordLines}
	for _, f := range audit.Findings {
		// settings already reports problems of the configuration
		if !slices.Contains(validated, f.Code) && f.Path != config.Name {
			d.take([]report.Finding{f}, scene{layout: layout})
		}
	}
	for _, e := range audit.Buckets[statedir.AdHoc] {
		if e.Reason != "" {
			continue // a file type that does not fit the contract; the audit reported it
		}
		text := safetext.Quote(e.Name) + " in " + audit.Folder + " is not in the contract"
		r := advice(report.CodeAdHoc, nil)
		if e.Suggestion != nil {
			text += "; the closest name is " + safetext.Quote(*e.Suggestion)
		}
		if e.Would[string(statedir.SweepCleanup)] != "" {
			r = workspace.Remedy{Command: d.command("dir cleanup --apply", layout)}
		}
		d.warn(report.CodeAdHoc, audit.Folder+"/"+workspace.ShownEntry(e.Name), text, r)
	}
	return nil
}

// asFinding turns a problem of a file in the folder into a finding of the project. A problem of the
// folder itself already has its path.
func asFinding(p statedir.Problem, folder string) report.Finding {
	f := p.Reason.Finding(p.File, p.Line, p.Message).As(report.Warning)
	if p.Severity == statedir.Wrong {
		f.Severity = report.Severe
	}
	if !strings.Contains(p.File, "/") && p.File != folder {
		f.Path = folder + "/" + workspace.ShownEntry(p.File)
	}
	return f
}
