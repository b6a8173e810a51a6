package folder

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir/cleanup"
	"baton/internal/store"
	"baton/internal/workspace"
)

// due returns the snapshots that are older than the newest runs, oldest first. made is the snapshot
// of the present sweep, or the one that it would create, or "". Unfinished and empty snapshots are
// not counted, because they would push out snapshots that somebody can still restore.
func (a *FolderArchive) due(ctx context.Context, r store.Reader, runs int, made string) []string {
	names := slices.Clone(a.snapshots)
	if made != "" && !slices.Contains(names, made) {
		names = append(names, made)
	}
	if len(names) <= max(runs, 1) {
		return []string{}
	}
	var ring []cleanup.Snapshot
	for _, name := range names {
		one, ok := cleanup.ParseSnapshot(name)
		if ok && (name == made || !a.empty(name) && !a.unfinished(ctx, r, name)) {
			ring = append(ring, one.Dated(a.modified[name], a.now))
		}
	}
	return append([]string{}, cleanup.Ring(ring, runs, made)...)
}

// shed removes the snapshots beyond the ring after a sweep that moved something, and the manifests
// whose snapshot is gone (D48). A fault does not undo the sweep: the snapshots then stay, and the
// answer names them.
func (p Folder) shed(ctx context.Context, place workspace.FolderPlace, out *DirSweep) {
	if !out.Applied || out.Snapshot == nil || p.O.Rehearsal != nil {
		return
	}
	dropped, notes, err := p.shedRing(ctx, place, *out.Snapshot)
	if err != nil {
		notes = append(notes, report.CodeOf(err).Finding(place.Archive(), 0,
			"the older snapshots stay: "+safetext.Line(report.As(err).Error())).As(report.Warning))
	}
	out.Dropped = append(out.Dropped, dropped...)
	out.Due = slices.DeleteFunc(out.Due, func(name string) bool { return slices.Contains(dropped, name) })
	out.Warnings = append(out.Warnings, notes...)
}

// shedRing removes what shed says, one snapshot after the other, so that those that were removed
// are named even if the next one cannot be.
func (p Folder) shedRing(ctx context.Context, place workspace.FolderPlace, made string) (
	dropped []string, notes []report.Finding, err error,
) {
	v, err := p.ViewFolder(ctx, p.Store, place, p.Now())
	if err != nil {
		return nil, nil, err
	}
	a, err := v.openArchive(ctx, p.Store)
	if err != nil {
		return nil, nil, err
	}
	if _, err := p.dropOrphans(ctx, a); err != nil {
		return nil, nil, err
	}
	for _, name := range a.due(ctx, p.Store, p.FolderSettings(place).Runs, made) {
		why, err := p.drop(ctx, a, name)
		switch {
		case err != nil:
			return dropped, notes, err
		case why == "":
			dropped = append(dropped, name)
		default:
			notes = append(notes, report.CodeRingDue.Finding(a.dir(name), 0,
				name+" stays in "+place.Archive()+" although newer snapshots fill the ring: "+why))
		}
	}
	return dropped, notes, nil
}

// drop removes a snapshot whose bytes are all in kept versions, with its manifest. why says why it
// stays.
func (p Folder) drop(ctx context.Context, a *FolderArchive, snapshot string) (why string, err error) {
	inside, why, err := p.inside(ctx, a, snapshot)
	if err != nil || why != "" {
		return why, err
	}
	names := inside.files
	if name := cleanup.ManifestName(snapshot); a.names[name] {
		names = append(names, a.manifest(snapshot))
	}
	kept, err := p.Kept.Swept(ctx, names)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if kept[name] == "" {
			return "no version of " + safetext.Quote(workspace.ShownEntry(path.Base(name))) + " can be kept", nil
		}
	}
	errAgain := errors.New("the snapshot changed in the meantime")
	_, err = p.Update(ctx, func(c *workspace.Change) error {
		now, other, err := p.inside(ctx, a, snapshot)
		if err == nil && (other != "" || !slices.Equal(now.files, inside.files)) {
			err = errAgain
		}
		if err != nil {
			return err
		}
		return discard(c, names, kept, func() {
			for _, dir := range slices.Backward(inside.folders) {
				c.Tx.Discard(dir, "")
			}
		}, errAgain)
	})
	if errors.Is(err, errAgain) {
		return errAgain.Error(), nil
	}
	if err == nil {
		if left, scanErr := p.Store.Scan(ctx, a.dir(snapshot)); scanErr != nil || left.Exists {
			return "not everything in it could be removed", nil
		}
	}
	return "", err
}

// discard asks for documents to be removed if they are as they were kept, and then for folders.
func discard(c *workspace.Change, names []string, kept map[string]string, folders func(), changed error) error {
	for _, name := range names {
		doc, err := c.Tx.Read(name)
		if err == nil && (!doc.Exists || store.HashOf(doc.Data) != kept[name]) {
			err = changed
		}
		if err != nil {
			return err
		}
		c.Tx.Discard("", name)
	}
	folders()
	return nil
}

// dropOrphans removes the manifests whose snapshot is gone, once they are in kept versions, and
// returns their names.
func (p Folder) dropOrphans(ctx context.Context, a *FolderArchive) ([]string, error) {
	var names []string
	for _, name := range a.orphans() {
		if !slices.Contains(a.odd, name) {
			names = append(names, a.place.Archive()+"/"+name)
		}
	}
	kept, err := p.Kept.Swept(ctx, names)
	names = slices.DeleteFunc(names, func(name string) bool { return kept[name] == "" })
	if err != nil || len(names) == 0 {
		return nil, err
	}
	_, err = p.Update(ctx, func(c *workspace.Change) error {
		return discard(c, names, kept, func() {}, &report.Error{
			Kind: report.Conflict, Code: report.CodeConflict, Path: a.place.Archive(),
			Message: "a manifest in " + a.place.Archive() + " changed in the meantime",
		})
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		delete(a.names, path.Base(name))
	}
	return names, nil
}

// contents is what a snapshot contains.
type contents struct {
	files   []string // documents
	folders []string // the snapshot itself first, each before those in it
	bytes   int64
}

// inside lists a snapshot. why says why its bytes cannot be kept: versions are kept of files only.
func (p Folder) inside(ctx context.Context, a *FolderArchive, snapshot string) (c contents, why string, err error) {
	c.folders = []string{a.dir(snapshot)}
	for i := 0; i < len(c.folders); i++ {
		found, err := p.Store.Scan(ctx, c.folders[i])
		if err != nil {
			return c, "", err
		}
		for _, item := range found.Items {
			name := c.folders[i] + "/" + item.Name
			shown := safetext.Quote(workspace.ShownEntry(item.Name))
			switch {
			case store.CheckName(name) != nil || strings.ToValidUTF8(item.Name, "") != item.Name:
				return c, "no version of a file with the name " + shown + " can be kept", nil
			case item.Mode.IsDir():
				c.folders = append(c.folders, name)
			case !item.Mode.IsRegular():
				return c, shown + " is not a file, so no version of it can be kept", nil
			default:
				c.files, c.bytes = append(c.files, name), c.bytes+item.Size
			}
		}
	}
	slices.Sort(c.files)
	if most := p.Kept.SweptAtMost(); c.bytes > most {
		return c, "with " + strconv.FormatInt(c.bytes>>10, 10) + " KB it is too large for kept versions; " +
			"snapshots.max_mb sets the limit", nil
	}
	return c, "", nil
}

// beyondRing names the snapshots that are older than those in the ring, and warns where the
// original tool would remove the newest ones.
func (v *FolderView) beyondRing(ctx context.Context, r store.Reader, a *FolderArchive) []report.Finding {
	runs := Of(v.at).FolderSettings(v.place).Runs
	out := a.sortLast(Of(v.at).devtSettings().Runs)
	if due := a.due(ctx, r, runs, ""); len(due) > 0 {
		out = append(out, report.CodeRingDue.Finding(v.place.Archive(), 0,
			"snapshots older than the newest "+strconv.Itoa(max(runs, 1))+": "+strings.Join(due, ", ")+
				"; the next clean-up that moves something removes them, once `baton snapshot` has their files"))
	}
	return out
}

// sortLast warns about folders with names that sort after new snapshots, if they are so many that
// the original tool would remove the snapshot that it has just made (F-69). That tool counts every
// folder, also those of an earlier baton, of a clock that was ahead, and of people. runs is its own
// setting.
func (a *FolderArchive) sortLast(runs int) []report.Finding {
	next, last := a.next(a.now), 0
	for _, name := range a.folders {
		if name > next {
			last++
		}
	}
	if a.place.Layout != workspace.LayoutDevt || last < max(runs, 1) {
		return nil
	}
	renamed := len(a.misnamed())
	way := "move them out of " + a.place.Archive()
	if renamed == last {
		way = "`baton doctor --fix` renames them"
	} else if renamed > 0 {
		way = "`baton doctor --fix` renames " + strconv.Itoa(renamed) + " of them; move the others out of " +
			a.place.Archive()
	}
	return []report.Finding{report.CodeArchiveOrder.Finding(a.place.Archive(), 0,
		safetext.Count(last, "folder")+" in "+a.place.Archive()+" "+safetext.Noun(last, "has a name", "have names")+
			" that "+safetext.Noun(last, "sorts", "sort")+" after new ones, so the next `state reset` of devt removes "+
			"the snapshot that it makes; "+way)}
}

// misnamed returns the snapshots that sort after every stamp.
func (a *FolderArchive) misnamed() []cleanup.Snapshot {
	var out []cleanup.Snapshot
	for _, one := range cleanup.NewestFirst(a.snapshots) {
		if one.SortsLast() {
			out = append(out, one)
		}
	}
	slices.Reverse(out) // the oldest first, so that suffixes keep their order
	return out
}
