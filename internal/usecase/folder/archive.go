package folder

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/store"
	"baton/internal/workspace"
)

// FolderArchive is what is in the archive of a state folder.
type FolderArchive struct {
	place     workspace.FolderPlace
	root      string          // of the project
	names     map[string]bool // everything in it
	snapshots []string        // folders with a stamp, by name
	odd       []string        // what has the name of a manifest of one of them and is no file, by name
}

// openArchive looks into the archive. Violation archive_invalid when it is a link, which might lead
// anywhere, or something else than a folder: then nothing is moved (SD-8, SD-D19).
func (v *FolderView) openArchive(ctx context.Context, r store.Reader) (*FolderArchive, error) {
	a := &FolderArchive{place: v.place, root: v.at.Root, names: map[string]bool{}}
	item, here := v.items[statedir.ArchiveName]
	if !here {
		return a, nil
	}
	if what := kindOf(item.Mode); what != statedir.Dir {
		word := "something else"
		switch what {
		case statedir.Link:
			word = "a link"
		case statedir.File:
			word = "a file"
		}
		return nil, &report.Error{
			Kind: report.Violation, Code: report.CodeArchiveInvalid, Path: v.place.Archive(),
			Message: v.place.Archive() + " is " + word + ", but the archive has to be a folder",
			Hint:    "move it away; baton creates the folder when it needs it",
		}
	}
	found, err := r.Scan(ctx, v.place.Archive())
	if err != nil {
		return nil, folderFault(err, v.place)
	}
	for _, item := range found.Items {
		a.names[item.Name] = true
		if _, ok := cleanup.ParseSnapshot(item.Name); ok && item.Mode.IsDir() {
			a.snapshots = append(a.snapshots, item.Name)
		}
		if snapshot, ok := snapshotOf(item.Name); ok && !item.Mode.IsRegular() {
			if _, stamped := cleanup.ParseSnapshot(snapshot); stamped {
				a.odd = append(a.odd, item.Name)
			}
		}
	}
	slices.Sort(a.snapshots)
	slices.Sort(a.odd)
	return a, nil
}

// archiveIn is openArchive in a change, whose error says that nothing was done.
func (v *FolderView) archiveIn(ctx context.Context, c *workspace.Change) (*FolderArchive, error) {
	a, err := v.openArchive(ctx, c.Reader)
	if report.CodeOf(err) == report.CodeArchiveInvalid && !c.Dry {
		e := *report.As(err)
		e.Message += "; nothing was moved"
		return nil, &e
	}
	return a, err
}

// snapshotOf returns the snapshot that something with this name describes.
func snapshotOf(manifest string) (string, bool) {
	return strings.CutSuffix(manifest, cleanup.ManifestName(""))
}

// dir returns the folder of a snapshot, manifest the document beside it.
func (a *FolderArchive) dir(snapshot string) string { return a.place.Archive() + "/" + snapshot }

func (a *FolderArchive) manifest(snapshot string) string {
	return a.place.Archive() + "/" + cleanup.ManifestName(snapshot)
}

// orphans returns the manifests whose snapshot is gone.
func (a *FolderArchive) orphans() []string {
	var out []string
	for name := range a.names {
		snapshot, ok := snapshotOf(name)
		if _, stamped := cleanup.ParseSnapshot(snapshot); ok && stamped && !a.names[snapshot] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// readManifest reads the manifest of a snapshot, or nil if it has none: the original tool writes
// none. A link in its place is none either: what it leads to describes something else, or is
// somebody's file.
func (a *FolderArchive) readManifest(ctx context.Context, r store.Reader, snapshot string) (*cleanup.Manifest, error) {
	if name := cleanup.ManifestName(snapshot); !a.names[name] || slices.Contains(a.odd, name) {
		return nil, nil
	}
	doc, err := r.Read(ctx, a.manifest(snapshot))
	if err != nil || !doc.Exists {
		return nil, err
	}
	m, err := cleanup.ReadManifest(a.manifest(snapshot), doc.Data)
	if err != nil {
		return nil, err
	}
	return &m, nil
}

// due returns the snapshots beyond the newest runs of the ring that a sweep's snapshot belongs to,
// oldest first. Nothing of them is taken away: that comes when their bytes are kept elsewhere first
// (D37). made is the snapshot of this very sweep, or the one that it would make; "" for none. One
// whose sweep never came to its end is in no ring, and one that holds nothing neither: it would
// push out what somebody can still bring back.
func (a *FolderArchive) due(ctx context.Context, r store.Reader, sweep statedir.Sweep, runs int, made string) []string {
	names, own := slices.Clone(a.snapshots), []string(nil)
	if made != "" {
		names, own = append(names, made), []string{made}
	}
	if len(cleanup.Ring(names, sweep, runs, own...)) == 0 {
		return []string{}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return name != made && (a.empty(name) || a.unfinished(ctx, r, name))
	})
	return append([]string{}, cleanup.Ring(names, sweep, runs, own...)...)
}

// unfinished reports a snapshot that the sweep which made it never came to its end.
func (a *FolderArchive) unfinished(ctx context.Context, r store.Reader, snapshot string) bool {
	name := cleanup.ManifestName(snapshot)
	if !a.names[name] || slices.Contains(a.odd, name) {
		return false
	}
	part, err := r.Head(ctx, a.manifest(snapshot), cleanup.ManifestHead)
	return err == nil && part.Exists && cleanup.Unfinished(part.Data)
}

// empty reports a snapshot that nothing is in it. One look at the folder is enough: a scan would
// look at every entry of every snapshot.
func (a *FolderArchive) empty(snapshot string) bool {
	dir, err := os.Open(filepath.Join(a.root, filepath.FromSlash(a.dir(snapshot))))
	if err != nil {
		return false
	}
	defer func() { _ = dir.Close() }()
	_, err = dir.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

// next returns the name of the snapshot that a sweep would make now.
func (a *FolderArchive) next(sweep statedir.Sweep, now time.Time) string {
	return cleanup.SnapshotName(sweep, now, func(name string) bool { return a.names[name] })
}

// pack puts the moves of a plan into the transaction: a snapshot with its manifest, every entry
// planned. extra are entries that the snapshot has besides.
func (v *FolderView) pack(c *workspace.Change, a *FolderArchive, snapshot string, plan cleanup.Plan,
	extra ...cleanup.ManifestEntry,
) {
	manifest := cleanup.NewManifest(plan, v.place.Dir, c.Now, v.facts.Record, v.links())
	manifest.Entries = append(manifest.Entries, extra...)
	manifest.Complete = len(plan.Moves) == 0 // then no outcome has to be added afterwards
	c.Tx.Create(a.manifest(snapshot), manifest.Encode())
	for _, m := range plan.Moves {
		c.Tx.Relocate(store.Relocation{
			From: v.place.Dir, To: a.dir(snapshot), Name: m.Entry.Name, Seen: v.items[m.Entry.Name],
			Before: m.Before, Always: m.Before.IsZero(),
		})
	}
	if len(plan.Moves) > 0 {
		c.Tx.RecordOutcomes(a.manifest(snapshot))
	}
	if len(extra) == 0 { // when nothing could be moved in the end, neither of them stays
		c.Tx.Discard(a.dir(snapshot), a.manifest(snapshot))
	}
}

// settleManifest completes a manifest with what became of the entries; the store calls it after the
// last move, also when it finishes a sweep or a restore that was killed. What moved out of the
// snapshot was restored; what could not is there still.
func CompleteManifest(name string, data []byte, outcomes []store.Outcome) []byte {
	snapshot, ok := snapshotOf(name)
	if !ok {
		return data
	}
	reported := make([]cleanup.Outcome, 0, len(outcomes))
	for _, o := range outcomes {
		switch snapshot {
		case path.Clean(o.To):
			reported = append(reported, cleanup.Outcome{Name: o.Name, State: stateOf(o.State, false), Error: o.Error})
		case path.Clean(o.From):
			reported = append(reported, cleanup.Outcome{Name: o.Name, State: leftWith(o.State)})
		}
	}
	return cleanup.CompleteManifest(data, reported)
}

// leftWith returns the state of an entry in the manifest of a snapshot after it was to be restored:
// what did not come back lies there still.
func leftWith(outcome string) string {
	switch state := stateOf(outcome, true); state {
	case cleanup.StateRestored, cleanup.StateMissing:
		return state
	}
	return cleanup.StateMoved
}

// stateOf puts what became of a relocation into the words of answers and manifests; back tells that
// it was to bring an entry of a snapshot back.
func stateOf(outcome string, back bool) string {
	switch {
	case outcome == store.Moved && back:
		return cleanup.StateRestored
	case outcome == store.Moved:
		return cleanup.StateMoved
	case outcome == store.Vanished && back:
		return cleanup.StateMissing
	case outcome == store.Vanished:
		return cleanup.StateVanished
	case outcome == store.Changed:
		return cleanup.StateChanged
	}
	return cleanup.StateFailed
}
