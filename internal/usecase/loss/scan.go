package loss

import (
	"context"
	"path"
	"slices"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/store/history"
	"baton/internal/workspace"
	"baton/internal/workspace/planning"
)

// fileState is the ledger's record of a document's file.
type fileState = history.Known

// Scan searches documents for missing entries. It reads each folder once.
type Scan struct {
	P     *workspace.Workspace
	Known map[string]fileState
	files map[string]map[string]disk.FileInfo // by folder and name

	narrow bool // it is about a few documents, so no folder is listed for them

	unjudged []report.Finding // families that could not be judged
}

// NewScan begins a scan.
func (p Loss) NewScan(ctx context.Context) (*Scan, error) {
	known, err := p.Kept.Known(ctx)
	return &Scan{P: p.Workspace, Known: known, files: map[string]map[string]disk.FileInfo{}}, err
}

// narrowScan begins a scan of a few families. Its cost does not depend on the size of the project.
func (p Loss) narrowScan(ctx context.Context, families []string) (*Scan, error) {
	var docs []string
	for _, family := range families {
		docs = append(docs, p.FamilyDocs(family)...)
	}
	known, err := p.Kept.KnownOf(ctx, docs)
	return &Scan{P: p.Workspace, Known: known, files: map[string]map[string]disk.FileInfo{}, narrow: true}, err
}

// Family returns the entries missing from one family. Only reworded and accepted entries have a
// fate yet.
func (k *Scan) Family(ctx context.Context, family string, all bool) ([]Entry, error) {
	docs := k.P.FamilyDocs(family)
	changed, quiet, err := k.changed(ctx, docs)
	if err != nil || quiet && !all {
		return nil, err
	}
	book, err := k.P.Kept.Book(ctx, family)
	if err != nil || book == nil {
		return nil, k.fault(ctx, report.CodeBookUnusable, family, err)
	}
	for _, name := range workspace.SortedKeys(book.Docs) {
		info, there, err := k.File(ctx, name)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// A power cut may leave a record of a commit that was never made (D37).
		st := book.Docs[name]
		doubted := st.Unsure || err != nil || there != st.Exists || there && info.Size != st.Size
		if doubted && !slices.Contains(changed, name) {
			changed = append(changed, name)
		}
		if !slices.Contains(docs, name) {
			docs, changed = append(docs, name), append(changed, name)
		}
	}
	now, err := k.entries(ctx, changed)
	if err != nil {
		return nil, k.fault(ctx, report.CodeEntriesUnjudged, family, err)
	}
	gone := book.Missing(now)
	if len(gone) > 0 && len(changed) < len(docs) {
		// A book may lack copies of an entry. Therefore the unchanged documents are read too before
		// anything is reported.
		if now, err = k.entries(ctx, docs); err != nil {
			return nil, k.fault(ctx, report.CodeEntriesUnjudged, family, err)
		}
		gone = book.Missing(now)
	}
	return absentEntries(book, family, gone, now, all), nil
}

// absentEntries returns entries that are absent. With all, it includes those that were reworded or
// accepted.
func absentEntries(
	book *ledger.Book, family string, gone []ledger.Absence, now map[string][]ledger.Entry, all bool,
) []Entry {
	var out []Entry
	into := map[string]*ledger.Entry{}
	for _, a := range gone {
		if resolved(a.Known) {
			continue
		}
		l := entryOf(book, family, a.Known)
		if a.Into != nil {
			l.Fate, l.Became, into[a.Known.Key] = FateReworded, a.Into.Label, a.Into
		}
		if a.Into == nil || all {
			out = append(out, l)
		}
	}
	there := map[string]bool{}
	for _, entries := range now {
		for i := range entries {
			there[entries[i].Key] = true
		}
	}
	for _, known := range book.Entries {
		if known.State != ledger.Left || there[known.Key] || resolved(known) {
			continue
		}
		if all && known.How == ledger.Accepted {
			l := entryOf(book, family, known)
			l.Fate = fateAccepted
			out = append(out, l)
		}
		if known.How != ledger.Reworded {
			continue
		}
		end := book.Became(known)
		if end.State == ledger.Left { // the entry was removed or accepted, together with its earlier wordings
			continue
		}
		last := &end.Entry
		if next := into[end.Key]; next != nil {
			last = next
		}
		l := entryOf(book, family, known)
		if ledger.StandsFor(known.Entry, *last) { // many small changes may add up to a different entry
			l.Fate, l.Became = FateReworded, last.Label
		}
		if l.Fate == "" || all {
			out = append(out, l)
		}
	}
	return out
}

// resolved reports whether an entry that is gone is a warning of a SpecFlow digest: SpecFlow
// resolves a warning by deleting it (F-62).
func resolved(known *ledger.Known) bool {
	return known.Kind == ledger.Blocker && workspace.DocLayout(known.Doc) == workspace.LayoutSpecflow
}

// entryOf returns a missing entry without a fate.
func entryOf(book *ledger.Book, family string, known *ledger.Known) Entry {
	nobody := known.First.By == "" && known.First.Command == ""
	return Entry{Family: family, Known: known, Doc: known.Doc, Before: nobody && !known.First.At.After(book.Since)}
}

// entries returns the entries of documents. A document that cannot be read is an error, and so are
// conflict markers, because they hide the text after them.
func (k *Scan) entries(ctx context.Context, names []string) (map[string][]ledger.Entry, error) {
	out := make(map[string][]ledger.Entry, len(names))
	for _, name := range names {
		doc, err := k.P.Store.Read(ctx, name)
		if err != nil {
			return nil, err
		}
		if bad, unsafe := markdown.Unsafe(doc.Data); unsafe && bad.Code == report.CodeConflictMarkers {
			return nil, &report.Error{
				Op: "lost", Kind: report.Corrupt, Code: bad.Code, Path: name, Line: bad.Line,
				Message: name + ": " + bad.Text,
			}
		}
		out[name] = k.P.EntriesOf(name, doc.Data)
	}
	return out, nil
}

// folder returns the files of a folder, by name.
func (k *Scan) folder(ctx context.Context, dir string) (map[string]disk.FileInfo, error) {
	dir = path.Clean(dir)
	if k.files[dir] == nil {
		list, err := k.P.Store.Looks(ctx, dir)
		if err != nil {
			return nil, err
		}
		if list == nil {
			list = map[string]disk.FileInfo{}
		}
		k.files[dir] = list
	}
	return k.files[dir], nil
}

// File describes a document's file. ok is false if there is none.
func (k *Scan) File(ctx context.Context, name string) (info disk.FileInfo, ok bool, err error) {
	if k.narrow {
		return k.P.Store.Look(ctx, name)
	}
	files, err := k.folder(ctx, path.Dir(name))
	info, ok = files[path.Base(name)]
	return info, ok, err
}

// changed returns the family's documents that differ from the ledger. quiet reports that none
// differs and that nothing was missing before.
func (k *Scan) changed(ctx context.Context, docs []string) (changed []string, quiet bool, err error) {
	anyKnown, missing := false, 0
	for _, name := range docs {
		info, there, err := k.File(ctx, name)
		if err != nil {
			return docs, false, ctx.Err()
		}
		was, known := k.Known[name]
		missing += was.Missing
		anyKnown = anyKnown || known
		if there != known || there && !SameFile(info, was) {
			changed = append(changed, name)
		}
	}
	return changed, anyKnown && len(changed) == 0 && missing == 0, nil
}

// SameFile reports whether a file is unchanged, judging by its size, time and identity. For a
// document that was only appended to, the time is unknown.
func SameFile(info disk.FileInfo, was fileState) bool {
	return info.Size == was.Size && (was.ModTime.IsZero() || info.ModTime.Equal(was.ModTime)) &&
		(was.ID == disk.FileID{} || info.ID == was.ID)
}

// Documents returns the existing documents that may have entries, changed ones first.
func (k *Scan) Documents(ctx context.Context) ([]string, error) {
	if k.narrow {
		known, err := k.P.Kept.Known(ctx)
		if err != nil {
			return nil, err
		}
		k.Known, k.narrow = known, false
	}
	var dirs, changed, same []string
	for _, d := range k.P.Dirs {
		dirs = append(dirs, d.Dir, d.Archive)
	}
	for _, d := range workspace.LookDigests(k.P.Root, k.P.Env.Getenv) {
		dirs = append(dirs, d.Dir)
		if d.Layout == workspace.LayoutGSD {
			dirs = append(dirs, planning.Dirs(k.P.Root)...)
		}
	}
	for _, dir := range workspace.Compact(dirs) {
		files, err := k.folder(ctx, dir)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		for _, base := range workspace.SortedKeys(files) {
			name := path.Join(dir, base)
			if _, ok := k.P.FamilyOf(name); !ok {
				continue
			}
			if was, known := k.Known[name]; known && SameFile(files[base], was) {
				same = append(same, name)
			} else {
				changed = append(changed, name)
			}
		}
	}
	return slices.Concat(changed, same), nil
}
