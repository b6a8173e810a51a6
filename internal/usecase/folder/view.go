package folder

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
	"baton/internal/store"
	"baton/internal/workspace"
)

// FolderView is a state folder as one use case sees it.
type FolderView struct {
	at      *workspace.Workspace // its root contains the folder
	place   workspace.FolderPlace
	exists  bool
	pending bool                  // an interrupted sweep of this folder is not completed yet
	outside bool                  // the folder leads outside the project, so nothing is written
	items   map[string]store.Item // by the bytes of the name
	facts   declaration.Facts
	faulty  error // why the record cannot be read; nil if it can, or if there is none
	foreign bool  // the record is a link that leads outside the project

	outlooks []cleanup.Outlook // results of an audit, in the order of the entries
}

// ViewFolder lists the entries directly in the folder and reads the record. A missing folder counts
// as empty (SD-1). It fails with Refused for a folder that cannot be listed, and for anything other
// than a folder (SD-2, SD-3). A record that cannot be read is not an error here, because many
// commands work without it (SD-4).
func (p Folder) ViewFolder(ctx context.Context, r store.Reader, place workspace.FolderPlace,
	now time.Time,
) (*FolderView, error) {
	found, err := r.Scan(ctx, place.Dir)
	if err != nil {
		return nil, folderFault(err, place)
	}
	v := &FolderView{
		at: p.Workspace, place: place, exists: found.Exists, pending: found.Pending, outside: found.Outside,
		items: make(map[string]store.Item, len(found.Items)),
		facts: declaration.Facts{Now: now, Entries: make([]statedir.Entry, 0, len(found.Items))},
	}
	known, err := registered(ctx, r, place, found.Items)
	if err != nil {
		return nil, folderFault(err, place)
	}
	left := declaration.NewEffort()
	for _, item := range found.Items {
		if !place.Contract.Affords(item.Name, &left) {
			return nil, declaration.TooMuch(place.ContractName(), place.Dir)
		}
		e := entryOf(item)
		e.Instance = v.isInstance(ctx, r, item, known)
		v.items[item.Name] = item
		v.facts.Entries = append(v.facts.Entries, e)
	}
	v.facts.Record, v.faulty = v.readRecord(ctx, r)
	return v, nil
}

// folderFault adds to an error which folder a person has to look at.
func folderFault(err error, place workspace.FolderPlace) error {
	e := *report.As(err)
	if e.Path == "" {
		e.Path = place.Dir
	}
	if e.Hint == "" {
		e.Hint = "the state folder is " + place.Dir + "; check what is there and who may use it"
	}
	return &e
}

// entryOf converts an item of the file system to an entry of the contract (5.4). A link is an entry
// itself, but has the size and the time of the project's file that it leads to.
func entryOf(item store.Item) statedir.Entry {
	e := statedir.Entry{Name: item.Name, Kind: kindOf(item.Mode), ModTime: item.ModTime}
	switch {
	case e.Kind == statedir.File:
		e.Size = item.Size
	case e.Kind == statedir.Link && item.Link != nil:
		e.Broken = item.Link.Fault
		if item.Link.Fault == "" && item.Link.Mode.IsRegular() {
			e.Size, e.ModTime = item.Link.Size, item.Link.ModTime
		}
	}
	return e
}

func kindOf(mode fs.FileMode) statedir.Kind {
	switch {
	case mode.IsRegular():
		return statedir.File
	case mode.IsDir():
		return statedir.Dir
	case mode&fs.ModeSymlink != 0:
		return statedir.Link
	}
	return statedir.Other
}

// recordName returns the name of the record's document.
func (v *FolderView) recordName() string { return v.place.In(record.FileName) }

// readRecord returns the record of the folder, or nil if there is none.
func (v *FolderView) readRecord(ctx context.Context, r store.Reader) (*record.Record, error) {
	if _, here := v.items[record.FileName]; !here && !v.pending {
		return nil, nil
	}
	doc, err := r.Read(ctx, v.recordName())
	if err != nil {
		e := *report.As(err)
		e.Path = v.recordName()
		if e.Hint == "" {
			e.Hint = "the record of the workflow is the file " + v.recordName() +
				"; check what is there and who may read it"
		}
		return nil, &e
	}
	if !doc.Exists {
		return nil, nil
	}
	v.foreign = doc.Outside && v.items[record.FileName].Link != nil
	return record.Read(doc.Data), nil
}

// links returns the texts of the relative links. They lead elsewhere once they are moved (SD-11).
func (v *FolderView) links() map[string]string {
	out := map[string]string{}
	for name, item := range v.items {
		if item.Link != nil && !filepath.IsAbs(item.Link.Text) {
			out[name] = item.Link.Text
		}
	}
	return out
}

// without returns the entries that a plan leaves in the folder.
func (v *FolderView) without(moves []cleanup.Planned) []statedir.Entry {
	gone := make(map[string]bool, len(moves))
	for _, m := range moves {
		gone[m.Entry.Name] = true
	}
	out := make([]statedir.Entry, 0, len(v.facts.Entries))
	for _, e := range v.facts.Entries {
		if !gone[e.Name] {
			out = append(out, e)
		}
	}
	return out
}

// Skewed warns about times in the record that are in the future and are therefore ignored (4.2).
func (v *FolderView) Skewed() []report.Finding {
	var out []report.Finding
	for _, field := range record.Skewed(v.facts.Record, v.facts.Now) {
		out = append(out, report.CodeClockSkew.Finding(v.recordName(), 0,
			field+" in "+v.recordName()+" is in the future, so baton ignores it; compare the clocks"))
	}
	return out
}

// Briefly returns the summary of the folder for "status".
func (v *FolderView) Briefly() *FolderStatus {
	out := &FolderStatus{
		Layout: v.place.Layout, Path: v.place.Dir, Exists: v.exists,
		Counts: map[string]int{"total": len(v.facts.Entries)},
	}
	for _, bucket := range statedir.Buckets() {
		out.Counts[string(bucket)] = 0
	}
	for _, e := range v.facts.Entries {
		out.Counts[string(v.class(e).Bucket)]++
		out.Bytes += e.Size
	}
	if r := v.facts.Record; r != nil {
		out.Active, out.WorkflowType, out.Task, out.Phase = r.Active(), r.Text("workflow_type"), r.Text("task"),
			r.Text("phase")
	}
	return out
}
