package filestore

import (
	"bytes"
	"fmt"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/moves"
)

// finish does what comes after the documents: relocations, the documents that record their
// outcomes, and discards. begun is false if a recovery found that no entry was moved; then none is.
func (w *writer) finish(j *journal, rules []store.Relocation, begun bool) error {
	w.folders = map[string]bool{}
	m := &moves.Run{
		Relocations: j.Relocations, Rules: rules, FS: w.fs, Touched: w.folders,
		Folder: w.sameFolder,
		Own:    w.ownDocuments(j),
		Temp:   j.moveTemp, Ours: j.ours, Note: w.note, Shown: w.shown,
	}
	m.Begin()
	w.outcomes = make([]store.Outcome, len(j.Relocations))
	for i := range j.Relocations {
		w.outcomes[i] = j.Relocations[i].Outcome()
		if !begun {
			w.outcomes[i].State = store.Changed
			continue
		}
		w.outcomes[i].State, w.outcomes[i].Error = m.One(i)
	}
	for _, dir := range sorted(w.folders) {
		if err := w.fs.SyncDir(dir); err != nil {
			return refused(err, w.shown(dir), "written")
		}
	}
	if m.Pending != nil {
		return m.Pending
	}
	if err := w.recordOutcomes(j, w.outcomes); err != nil {
		return err
	}
	return w.discardAll(j)
}

// recoverMoves is finish for a journal that another process left.
func (w *writer) recoverMoves(j *journal, begun bool) error {
	kept := w.outcomes
	w.late = !w.abandoned
	err := w.finish(j, nil, begun)
	w.late = false
	made := 0
	for _, o := range w.outcomes {
		if o.State == store.Moved {
			made++
		}
	}
	w.outcomes = kept // report the outcomes of the present transaction, not these
	if err != nil || w.abandoned {
		return err
	}
	switch {
	case len(j.Relocations)+len(j.Files) == 0:
		w.note(report.CodeRecovered, "",
			"an interrupted change that only had to remove leftovers was finished from its journal")
	case len(j.Relocations) == 0:
		w.note(report.CodeRecovered, "", "an interrupted change of "+j.extent()+" was finished from its journal")
	case !begun:
		w.note(report.CodeRecovered, "", fmt.Sprintf("an interrupted change of %s met edits made by hand before it "+
			"had moved any entry; the entries stay where they are", j.extent()))
	default:
		w.note(report.CodeRecovered, "", fmt.Sprintf("an interrupted change of %s was finished from its journal; "+
			"%d of %d entries are in their new place", j.extent(), made, len(j.Relocations)))
	}
	return nil
}

// extent describes for a message how much a journal covers.
func (j *journal) extent() string {
	files := safetext.Count(len(j.Files), "file")
	entries := safetext.CountOf(len(j.Relocations), "entry", "entries")
	switch {
	case len(j.Relocations) == 0:
		return files
	case len(j.Files) == 0:
		return entries
	}
	return files + " and " + entries
}

// mayHaveMoved reports whether relocations may have begun, which happens after every document is in
// place.
func mayHaveMoved(states []state) bool {
	for _, st := range states {
		if st == stateOld || st == statePart {
			return false
		}
	}
	return true
}

// ownDocuments returns a function that reports whether a journal wrote a document and nobody
// changed it since.
func (w *writer) ownDocuments(j *journal) func(name string) bool {
	files := map[string]*journalFile{}
	for i := range j.Files {
		files[j.Files[i].Name] = &j.Files[i]
	}
	return func(name string) bool {
		f := files[name]
		if f == nil {
			return false
		}
		st, _, err := w.stateOf(f)
		return err == nil && st == stateNew
	}
}

// stateAfter looks again at a document that is not as the journal wants it, because the same
// journal may have moved it, recorded outcomes in it, or removed it.
func (s *Store) stateAfter(j *journal, f *journalFile, st state, path string) state {
	for i := range j.Relocations {
		r := &j.Relocations[i]
		if f.Name != r.From+"/"+string(r.Name) {
			continue
		}
		to, err := s.folder(r.To)
		if err != nil {
			continue
		}
		c, err := s.grab(disk.Join(to.path, r.Target()), disk.Whole, 0)
		arrived := f.New.Is(c.Data)
		if f.Kind == store.Append {
			arrived = bytes.HasSuffix(c.Data, f.Data) && int64(len(c.Data)) == f.New.Size
		}
		if err == nil && c.Exists && arrived {
			return stateGone
		}
	}
	if st != stateForeign {
		return st
	}
	c, err := s.grab(path, disk.Whole, 0)
	if err != nil {
		return st
	}
	if !c.Exists && j.discarding(f.Name) {
		return stateGone
	}
	if c.Exists && f.Kind != store.Append && s.recordedFrom(j, f.Name, f.Data, c.Data) {
		return stateRecorded
	}
	return st
}
