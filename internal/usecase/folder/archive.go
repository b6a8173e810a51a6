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

// FolderArchive is the archive of a state folder and its contents.
type FolderArchive struct {
	place     workspace.FolderPlace
	root      string               // of the project
	names     map[string]bool      // everything in the archive
	folders   []string             // all folders, sorted
	snapshots []string             // folders with a date in their name, sorted
	modified  map[string]time.Time // of the snapshots
	now       time.Time
	odd       []string // entries that are named like a snapshot's manifest but are not files, sorted
}

// openArchive reads the archive. It fails with Violation archive_invalid if the archive is a link,
// which might lead anywhere, or anything other than a folder; then nothing is moved (SD-8, SD-D19).
func (v *FolderView) openArchive(ctx context.Context, r store.Reader) (*FolderArchive, error) {
	a := &FolderArchive{
		place: v.place, root: v.at.Root, names: map[string]bool{}, modified: map[string]time.Time{}, now: v.facts.Now,
	}
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
			Message: v.place.Archive() + " is " + word + ", but the archive must be a folder",
			Hint:    "move it away; baton creates the folder when it needs it",
		}
	}
	found, err := r.Scan(ctx, v.place.Archive())
	if err != nil {
		return nil, folderFault(err, v.place)
	}
	for _, item := range found.Items {
		a.names[item.Name] = true
		if item.Mode.IsDir() {
			a.folders = append(a.folders, item.Name)
		}
		if _, ok := cleanup.ParseSnapshot(item.Name); ok && item.Mode.IsDir() {
			a.snapshots = append(a.snapshots, item.Name)
			a.modified[item.Name] = item.ModTime
		}
		if snapshot, ok := snapshotOf(item.Name); ok && !item.Mode.IsRegular() {
			if _, stamped := cleanup.ParseSnapshot(snapshot); stamped {
				a.odd = append(a.odd, item.Name)
			}
		}
	}
	slices.Sort(a.folders)
	slices.Sort(a.snapshots)
	slices.Sort(a.odd)
	return a, nil
}

// archiveIn is openArchive within a change. Its error adds that nothing was moved.
func (v *FolderView) archiveIn(ctx context.Context, c *workspace.Change) (*FolderArchive, error) {
	a, err := v.openArchive(ctx, c.Reader)
	if report.CodeOf(err) == report.CodeArchiveInvalid && !c.Dry {
		e := *report.As(err)
		e.Message += "; nothing was moved"
		return nil, &e
	}
	return a, err
}

// snapshotOf returns the snapshot that a manifest of this name would describe.
func snapshotOf(manifest string) (string, bool) {
	return strings.CutSuffix(manifest, cleanup.ManifestName(""))
}

// dir returns the folder of a snapshot; manifest returns the document next to it.
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

// readManifest reads the manifest of a snapshot, or returns nil if it has none, because the
// original tool writes none. A link does not count as a manifest, because its target describes
// something else or belongs to somebody.
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

// unfinished reports whether the sweep that created a snapshot was never completed.
func (a *FolderArchive) unfinished(ctx context.Context, r store.Reader, snapshot string) bool {
	name := cleanup.ManifestName(snapshot)
	if !a.names[name] || slices.Contains(a.odd, name) {
		return false
	}
	part, err := r.Head(ctx, a.manifest(snapshot), cleanup.ManifestHead)
	return err == nil && part.Exists && cleanup.Unfinished(part.Data)
}

// empty reports whether a snapshot contains nothing. It reads only one name, because a scan would
// read every entry of every snapshot.
func (a *FolderArchive) empty(snapshot string) bool {
	dir, err := os.Open(filepath.Join(a.root, filepath.FromSlash(a.dir(snapshot))))
	if err != nil {
		return false
	}
	defer func() { _ = dir.Close() }()
	_, err = dir.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

// next returns the name of the snapshot that a sweep would create now.
func (a *FolderArchive) next(now time.Time) string {
	return cleanup.SnapshotName(now, func(name string) bool { return a.names[name] })
}

// pack adds the moves of a plan to the transaction: a snapshot with its manifest, and every planned
// entry. extra are further entries of the snapshot.
func (v *FolderView) pack(c *workspace.Change, a *FolderArchive, snapshot string, plan cleanup.Plan,
	extra ...cleanup.ManifestEntry,
) {
	manifest := cleanup.NewManifest(plan, v.place.Dir, c.Now, v.facts.Record, v.links())
	manifest.Entries = append(manifest.Entries, extra...)
	manifest.Complete = len(plan.Moves) == 0 // without moves there are no outcomes to add
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
	if len(extra) == 0 { // removes folder and manifest if nothing could be moved
		c.Tx.Discard(a.dir(snapshot), a.manifest(snapshot))
	}
}

// CompleteManifest adds to a manifest what happened to the entries. The store calls it after the
// last move, also when it completes a sweep or a restore that was killed. An entry that moved out
// of the snapshot was restored; any other is still there.
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

// leftWith returns the state of an entry in the snapshot's manifest after an attempt to restore it.
// An entry that did not move is still in the snapshot.
func leftWith(outcome string) string {
	switch state := stateOf(outcome, true); state {
	case cleanup.StateRestored, cleanup.StateMissing:
		return state
	}
	return cleanup.StateMoved
}

// stateOf translates the outcome of a relocation into the state for answers and manifests. back
// means that an entry of a snapshot was to be restored.
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
