package filestore

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// recordOutcomes writes the outcomes of the relocations into the documents for them. If somebody
// edits such a document at this moment, it reads it again and keeps the edit.
func (w *writer) recordOutcomes(j *journal, outcomes []store.Outcome) error {
	if w.o.RecordOutcomes == nil {
		return nil
	}
	for _, name := range j.OutcomeDocs {
		if err := w.recordOutcomesIn(j, name, outcomes); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) recordOutcomesIn(j *journal, name string, outcomes []store.Outcome) error {
	for range store.Attempts {
		err := w.recordOnce(j, name, outcomes)
		if w.late && disk.NoSpace(err) {
			// It failed the second time, and the entries are where they are anyway. Otherwise a
			// full disk would block every change, also those that make room.
			w.note(report.CodeSnapshotUnfinished, name, "the disk is full, so "+name+" does not say what became of "+
				"the entries; what moved is next to it, the rest is where it was")
			return nil
		}
		if !errors.Is(err, errChanged) {
			return refused(err, name, "written")
		}
	}
	return tooRestless()
}

func (w *writer) recordOnce(j *journal, name string, outcomes []store.Outcome) error {
	path := w.outcomeDocs[name]
	if err := w.fs.Check(filepath.Dir(path)); err != nil {
		return err
	}
	now, err := w.grab(path, disk.Whole, 0)
	if errors.Is(err, disk.ErrLink) {
		return errChanged
	}
	if err != nil || !now.Exists {
		return err // somebody removed the document and does not need the outcomes
	}
	next := w.o.RecordOutcomes(name, bytes.Clone(now.Data), outcomes)
	if next == nil || bytes.Equal(next, now.Data) || len(next) > store.MaxSize {
		return nil
	}
	old := Sum{Exists: true, Size: int64(len(now.Data)), Hash: store.HashOf(now.Data)}
	if err := w.redo(name, path, old, next, 0o666, nil); err != nil {
		return err
	}
	return w.fs.SyncDir(filepath.Dir(path))
}

// recordedFrom reports whether a document is the one in the journal with outcomes recorded,
// whatever they were. It records the same outcomes into both and compares the results.
func (s *Store) recordedFrom(j *journal, name string, first, now []byte) bool {
	if s.o.RecordOutcomes == nil || !slices.Contains(j.OutcomeDocs, name) {
		return false
	}
	outcomes := make([]store.Outcome, len(j.Relocations))
	for i := range outcomes {
		outcomes[i] = j.Relocations[i].Outcome()
		outcomes[i].State = store.Moved
	}
	a := s.o.RecordOutcomes(name, bytes.Clone(first), outcomes)
	return bytes.Equal(a, s.o.RecordOutcomes(name, bytes.Clone(now), outcomes))
}

// discarding reports whether the journal may remove a document.
func (j *journal) discarding(name string) bool {
	return slices.ContainsFunc(j.Discards, func(d journalDiscard) bool { return d.Document == name })
}

// discardAll removes empty folders, and documents that are still what the transaction read or
// wrote. A document stays if the folder of its discard stays.
func (w *writer) discardAll(j *journal) error {
	synced := map[string]bool{}
	for i := range j.Discards {
		d := &j.Discards[i]
		stays := d.Folder != "" && !w.discardFolder(d.Folder, synced)
		if d.Document == "" {
			continue
		}
		path, err := w.sameName(d.Document)
		if err != nil {
			continue
		}
		info, err := w.fs.Lstat(path)
		if err != nil && !disk.Gone(err) || err == nil && !info.Mode.IsRegular() {
			continue
		}
		went, err := w.discardOne(j, i, path, stays)
		if err != nil {
			return refused(err, d.Document, "removed")
		}
		if went {
			synced[filepath.Dir(path)] = true
		}
	}
	for _, dir := range sorted(synced) {
		if err := w.fs.SyncDir(dir); err != nil {
			return refused(err, w.shown(dir), "written")
		}
	}
	return nil
}

// discardFolder removes an empty folder, and reports whether nothing has that name now. Anything
// that is not a folder stays.
func (w *writer) discardFolder(name string, synced map[string]bool) bool {
	path, err := w.sameName(name)
	if err != nil {
		return false
	}
	info, err := w.fs.Lstat(path)
	if err != nil {
		return disk.Gone(err)
	}
	if !info.Mode.IsDir() || w.fs.Remove(path) != nil { // it is not empty, or the system refuses
		return false
	}
	delete(synced, path) // what was in it is gone with it
	synced[filepath.Dir(path)] = true
	return true
}

// discardOne removes a document. It gives it a temporary name first, so that a write until then is
// noticed; the document then gets its name back. A document that a crash left under that name is
// found as well.
func (w *writer) discardOne(j *journal, i int, path string, stays bool) (bool, error) {
	d := &j.Discards[i]
	aside := disk.Join(filepath.Dir(path), j.discardTemp(disk.BaseName(path), i))
	if _, err := w.fs.Lstat(aside); err != nil {
		if stays {
			return false, nil
		}
		now, err := w.grab(path, disk.Whole, 0)
		if err != nil || !now.Exists || !w.known(j, d, now.Data) {
			return false, nil
		}
		if err := w.fs.RenameNew(path, aside); err != nil {
			return false, nil
		}
	}
	now, err := w.grab(aside, disk.Whole, 0)
	if err == nil && now.Exists && !stays && w.known(j, d, now.Data) {
		return true, w.fs.Remove(aside)
	}
	if err := w.fs.RenameNew(aside, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return true, err
	}
	return true, nil
}

// known reports whether a document is as the transaction read it, wrote it, or recorded outcomes in
// it.
func (w *writer) known(j *journal, d *journalDiscard, data []byte) bool {
	if d.is(data) {
		return true
	}
	for i := range j.Files {
		f := &j.Files[i]
		if f.Name != d.Document || f.Kind == store.Append {
			continue
		}
		return f.New.Is(data) || w.recordedFrom(j, f.Name, f.Data, data)
	}
	return false
}
