package folder

import (
	"context"
	"path"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/record"
	"baton/internal/store"
	"baton/internal/workspace"
)

// TidyArchive gives snapshots with names of an earlier version their present names, and removes
// manifests whose snapshot is gone (D48). It returns what it did, or with dry what it would do.
func (p Folder) TidyArchive(ctx context.Context, dry bool) ([]workspace.DoctorFix, error) {
	at, place, err := p.ForFolder(ctx, "doctor", DirRequest{})
	if err != nil {
		return nil, err
	}
	return Of(at).tidy(ctx, place, dry)
}

func (p Folder) tidy(ctx context.Context, place workspace.FolderPlace, dry bool) ([]workspace.DoctorFix, error) {
	v, err := p.ViewFolder(ctx, p.Store, place, p.Now())
	if err != nil {
		return nil, err
	}
	a, err := v.openArchive(ctx, p.Store)
	if report.CodeOf(err) == report.CodeArchiveInvalid {
		return nil, nil // the audit reports it
	}
	if err != nil || len(a.misnamed())+len(a.orphans()) == 0 {
		return nil, err
	}
	var fixes []workspace.DoctorFix
	did := func(code report.Code, name, text string) {
		fixes = append(fixes, workspace.DoctorFix{
			Code: code, Path: place.Archive() + "/" + workspace.ShownEntry(name), Text: text,
		})
	}
	orphans := make([]string, 0, len(a.orphans()))
	if dry {
		orphans = append(orphans, a.orphans()...)
	} else {
		orphans, err = p.dropOrphans(ctx, a)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range orphans {
		did(report.CodeManifestOrphaned, path.Base(name), "removed, because its snapshot is gone")
	}
	for _, one := range a.misnamed() {
		if a.unfinished(ctx, p.Store, one.Name) {
			continue // the audit reports it
		}
		name := cleanup.SnapshotName(one.Moment, func(name string) bool { return a.names[name] })
		a.names[name] = true
		went := dry
		if !dry {
			if went, err = p.rename(ctx, a, one, name); err != nil {
				return nil, err
			}
		}
		if went {
			did(report.CodeArchiveOrder, one.Name, "renamed to "+name)
		}
	}
	return fixes, nil
}

// rename gives a snapshot and its manifest another name. One without a manifest gets one, because
// its old name said what kind it is. If it is interrupted, a manifest without a snapshot remains,
// which the next one removes.
func (p Folder) rename(ctx context.Context, a *FolderArchive, one cleanup.Snapshot, name string) (bool, error) {
	var done *workspace.Change
	_, err := p.Update(ctx, func(c *workspace.Change) error {
		done = c
		archive, err := c.Tx.Scan(a.place.Archive())
		if err != nil {
			return err
		}
		var data []byte
		if old := cleanup.ManifestName(one.Name); a.names[old] {
			doc, err := c.Tx.Read(a.manifest(one.Name))
			if err != nil {
				return err
			}
			data = doc.Data
		} else if data, err = a.manifestOf(ctx, c.Reader, one); err != nil {
			return err
		}
		for _, item := range archive.Items {
			if item.Name == one.Name {
				c.Tx.Relocate(store.Relocation{
					From: a.place.Archive(), To: a.place.Archive(), Name: one.Name, NewName: name, Seen: item,
					Always: true,
				})
			}
		}
		c.Tx.Create(a.manifest(name), data)
		return nil
	})
	if err != nil {
		return false, err
	}
	went := len(done.Outcomes) == 1 && done.Outcomes[0].State == store.Moved
	orphan := a.manifest(one.Name)
	if !went {
		orphan = a.manifest(name)
	}
	_, err = p.Update(ctx, func(c *workspace.Change) error {
		_, err := c.Tx.Read(orphan)
		c.Tx.Discard("", orphan)
		return err
	})
	return went, err
}

// manifestOf returns the manifest for a snapshot of the original tool, which writes none.
func (a *FolderArchive) manifestOf(ctx context.Context, r store.Reader, one cleanup.Snapshot) ([]byte, error) {
	found, err := r.Scan(ctx, a.dir(one.Name))
	m := cleanup.Manifest{
		Version: cleanup.ManifestVersion, Kind: one.Sweep, Moment: record.MomentText(one.Moment), Folder: a.place.Dir,
		Complete: true, Entries: []cleanup.ManifestEntry{},
	}
	for _, item := range found.Items {
		e := cleanup.ManifestEntry{
			Kind: kindOf(item.Mode), Size: item.Size, ModTime: item.ModTime.UTC().Format(time.RFC3339Nano),
			Bucket: statedir.AdHoc, Reason: strings.ToLower(string(one.Sweep)), State: cleanup.StateMoved,
		}
		e.Name, e.NameBytes = statedir.ShownName(item.Name)
		m.Entries = append(m.Entries, e)
	}
	return m.Encode(), err
}
