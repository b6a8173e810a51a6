package folder

import (
	"context"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/record"
	"baton/internal/store"
	"baton/internal/workspace"
)

// reasonSwapped is the reason for a record in its own snapshot: another record replaced it.
const reasonSwapped = "swapped"

// Restore is one restore in progress.
type Restore struct {
	V        *FolderView
	A        *FolderArchive
	R        RestoreRequest
	snapshot string
	manifest *cleanup.Manifest     // nil if the original tool made the snapshot
	listed   map[string]int        // index of a name's entry in the manifest
	items    map[string]store.Item // contents of the snapshot
	out      *RestoreResult
	moving   []int  // indexes of moving entries in the answer, in the order of their relocations
	swap     bool   // the first relocation moves the present record aside
	aside    string // snapshot of the present record
}

// DirRestore moves entries of a snapshot back to the folder, with their times (5.9). Nothing is
// overwritten: an entry whose name is taken in the folder stays in the snapshot, and the others are
// restored. It fails with the errors of ForFolder, with NotFound snapshot_unknown or entry_unknown,
// with Usage snapshot_ambiguous or entry_ambiguous, with Violation archive_invalid, and with
// Corrupt manifest_invalid.
func (p Folder) DirRestore(ctx context.Context, r RestoreRequest) (RestoreResult, error) {
	const op = "dir.restore"
	at, place, err := p.ForFolder(ctx, op, r.DirRequest)
	if err != nil {
		return RestoreResult{}, err
	}
	var out RestoreResult
	var job *Restore
	var done *workspace.Change
	notes, err := Of(at).folderWork(ctx, op, place, !r.DryRun, func(c *workspace.Change) error {
		out = RestoreResult{Layout: place.Layout, Folder: place.Dir, Applied: !r.DryRun, Entries: []RestoredEntry{}}
		done = c
		v, err := Of(at).viewIn(ctx, c, place)
		if err != nil {
			return err
		}
		c.Note(v.Caveats()...)
		job = &Restore{V: v, R: r, out: &out}
		return job.plan(ctx, c)
	})
	if err != nil {
		return RestoreResult{}, err
	}
	out.Warnings = append([]report.Finding{}, notes...)
	if r.DryRun {
		return out, nil
	}
	job.became(done.Outcomes)
	left, err := at.Store.Scan(ctx, job.A.dir(job.snapshot))
	out.Emptied = err == nil && !left.Exists
	return out, nil
}

// plan finds the snapshot, decides about every entry, and adds the moves to the transaction.
func (j *Restore) plan(ctx context.Context, c *workspace.Change) error {
	var err error
	if j.A, err = j.V.archiveIn(ctx, c); err != nil {
		return err
	}
	if j.snapshot, err = j.A.resolve(j.R.Snapshot); err != nil {
		return j.gone(ctx, err)
	}
	j.out.Snapshot = j.snapshot
	if j.manifest, err = j.A.readManifest(ctx, c.Reader, j.snapshot); err != nil {
		return err
	}
	found, err := c.Reader.Scan(ctx, j.A.dir(j.snapshot))
	if err != nil {
		return folderFault(err, j.V.place)
	}
	j.items = make(map[string]store.Item, len(found.Items))
	for _, item := range found.Items {
		j.items[item.Name] = item
	}
	c.Note(j.unread()...)
	names, err := j.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if j.leavesCopy(name) {
			c.Note(report.CodeRecordKept.Finding(j.A.dir(j.snapshot)+"/"+name, 0,
				"the copy of the record in "+j.snapshot+" stays there, because there already is a "+
					"record; --swap exchanges the two"))
			continue
		}
		j.judge(name)
	}
	if !j.R.DryRun {
		j.relocate(c)
	}
	return nil
}

// gone adds to the error about an unknown snapshot what became of it, as far as the log says.
func (j *Restore) gone(ctx context.Context, err error) error {
	word := strings.TrimSuffix(strings.TrimPrefix(j.R.Snapshot, j.A.place.Archive()+"/"), "/")
	if report.CodeOf(err) != report.CodeSnapshotUnknown || word == "" {
		return err
	}
	changes, _, logErr := j.V.at.Kept.Changes(ctx, 0)
	if logErr != nil {
		return err // that it is unknown is more important
	}
	for _, c := range slices.Backward(changes) {
		for _, doc := range c.Docs {
			snapshot, ok := snapshotOf(strings.TrimPrefix(doc.Name, j.A.place.Archive()+"/"))
			if !ok || !strings.HasPrefix(snapshot, word) || strings.Contains(snapshot, "/") {
				continue
			}
			e := *report.As(err)
			e.Message += "; " + snapshot + " was restored at " + record.MomentText(c.At)
			if c.Command != "dir restore" {
				e.Message = report.As(err).Message + "; " + snapshot + " is gone since " + record.MomentText(c.At)
				e.Hint = "`baton snapshot list` has the files that were in it"
			}
			return &e
		}
	}
	return err
}

// resolve returns the snapshot that a word refers to: its name, or an unambiguous beginning of it.
func (a *FolderArchive) resolve(word string) (string, error) {
	word = strings.TrimSuffix(strings.TrimPrefix(word, a.place.Archive()+"/"), "/")
	if slices.Contains(a.snapshots, word) {
		return word, nil
	}
	var begins []string
	for _, name := range a.snapshots {
		if word != "" && strings.HasPrefix(name, word) {
			begins = append(begins, name)
		}
	}
	switch len(begins) {
	case 1:
		return begins[0], nil
	case 0:
		return "", &report.Error{
			Kind: report.NotFound, Code: report.CodeSnapshotUnknown, Path: a.place.Archive(),
			Message: "there is no snapshot " + safetext.Quote(word), Hint: "`baton dir history` lists the snapshots",
		}
	}
	var newest []string
	for _, s := range cleanup.NewestFirst(begins)[:min(len(begins), 5)] {
		newest = append(newest, s.Name)
	}
	hint := "name one of " + strings.Join(newest, ", ")
	if len(begins) > len(newest) {
		hint += ", or an older one that `baton dir history` lists"
	}
	return "", &report.Error{
		Kind: report.Usage, Code: report.CodeSnapshotAmbiguous, Path: a.place.Archive(),
		Message: safetext.Quote(word) + " is the beginning of " + safetext.Count(len(begins), "snapshot"), Hint: hint,
	}
}

// names returns the entries to restore: the requested ones, or else everything that is or should be
// in the snapshot. They are in the order of the manifest; the rest follows, sorted by name.
func (j *Restore) names() ([]string, error) {
	var all []string
	j.listed = map[string]int{}
	if j.manifest != nil {
		j.listed = make(map[string]int, len(j.manifest.Entries))
		for i, e := range j.manifest.Entries {
			name := e.RawName()
			_, here := j.items[name]
			_, stayed := j.V.items[name] // the sweep was interrupted before it moved the entry
			if here || InSnapshot(e.State) || e.State == cleanup.StatePlanned && !stayed || len(j.R.Names) > 0 {
				all = append(all, name)
			}
			j.listed[name] = i
		}
	}
	var others []string
	for name := range j.items {
		if _, known := j.listed[name]; !known {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	all = append(all, others...)
	if len(j.R.Names) == 0 {
		return all, nil
	}
	return j.Choose(all)
}

// judge decides what happens to one entry.
func (j *Restore) judge(name string) {
	item, here := j.items[name]
	e := RestoredEntry{State: cleanup.StateWouldMove}
	e.Name, e.NameBytes = statedir.ShownName(name)
	if here {
		entry := entryOf(item)
		e.Kind, e.Size = entry.Kind, entry.Size
	}
	_, taken := j.V.items[name]
	isRecord := name == record.FileName
	switch {
	case !here:
		e.State = cleanup.StateMissing
		e.Kind, e.Size = statedir.File, 0
		if i, known := j.listed[name]; known {
			e.Kind, e.Size = j.manifest.Entries[i].Kind, j.manifest.Entries[i].Size
		}
	case name == statedir.LockName, name == statedir.ArchiveName:
		e.State, e.Error = cleanup.StateTaken, name+" of the folder is in use"
	case taken && isRecord && j.R.Swap:
		j.swap = true
	case taken && isRecord:
		e.State, e.Error = cleanup.StateTaken, "there already is a record; --swap moves it to its own snapshot"
	case taken:
		e.State, e.Error = cleanup.StateTaken, "the folder already has an entry with this name"
	}
	if e.State == cleanup.StateWouldMove {
		j.moving = append(j.moving, len(j.out.Entries))
	}
	j.out.Entries = append(j.out.Entries, e)
}
